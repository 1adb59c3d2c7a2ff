"""Why a move of batisseurs is good: what a throw may cost, and what a block makes possible."""

from collections.abc import Iterator

from benben.core.ideas import Case, Idea
from benben.games.batisseurs.rules import BLOCKS, ROW, ROW_BITS, ROWS, carried, open_places

IDEAS = (
    "roll",
    "stop",
    "safe",
    "carries",
    "colours",
)  # the words are in the catalogues


def ideas(case: Case) -> Iterator[Idea]:
    if case.move in ("roll", "stop"):
        percent, n = round(100 * _risk(case)), _at_risk(case)
        yield Idea(case.move, {"percent": percent, "n": n}, ("dice",))
        return
    won = sum(effect.kind == "win" for effect in case.effects)
    if won:
        yield Idea("safe", {"n": won}, _row(case))
        return
    blocks = int(case.view.record[0].won[case.seat] | case.view.record[0].dots)
    after = blocks | 1 << _bit(case.move)
    above = int(carried(after)) & ~int(carried(blocks))
    if above:
        bit = (above & -above).bit_length() - 1
        yield Idea("carries", {"place": case.move, "above": _named(bit)}, _row(case))
    yield Idea("colours", {"n": _colours(after), "place": case.move}, _row(case))


def _risk(case: Case) -> float:
    """How likely rolling on is a bust."""
    after = case.view.play("roll")
    return sum(
        odds
        for throw, odds in after.chance()
        if any(effect.kind == "bust" for effect in after.effects(throw))
    )


def _at_risk(case: Case) -> int:
    """Blocks with the white dot up."""
    return sum(pieces == "o" for pieces in case.before.values())


def _row(case: Case) -> tuple[str, ...]:
    """Where dice of the same colour may go."""
    same = [move for move in case.turn.moves if len(move) == 2 and move[0] == case.move[0]]
    return tuple(f"{case.seat + 1}:{move}" for move in same)


def _colours(blocks: int) -> int:
    """How many of the six colours a die could use."""
    places = int(open_places(blocks))
    return sum(places >> ROW * row & ROW_BITS != 0 for row in range(len(ROWS)))


def _named(bit: int) -> str:
    return f"{ROWS[bit // ROW]}{bit % ROW + 1}"


def _bit(place: str) -> int:
    return next(bit for bit in BLOCKS if _named(bit) == place)
