"""Why a move of quadrille is good: who can still step where, and who closes what to whom."""

from collections.abc import Iterator

from benben.core.ideas import Case, Idea
from benben.games.quadrille.rules import NEAR, SQUARES, open_to

IDEAS = (
    "squeezes",
    "put",
    "hole",
    "closes",
    "shuts",
    "opens",
    "away",
    "room",
)  # the words are in the catalogues

_TIGHT, _NARROW = 3, 6  # squares left to step on that are worth telling of


def ideas(case: Case) -> Iterator[Idea]:
    own, theirs = (_pawns(case, seat) for seat in (case.seat, 1 - case.seat))
    left = _left_to_them(case)
    squeezes = [] if left is None else [Idea("squeezes", {"n": left}, theirs)]
    if left is not None and left <= _TIGHT:
        yield from squeezes
    if case.move[0] == "@":
        yield from _put(case)
    elif case.move[0] == "+":
        yield from _placed(case, own, theirs)
    else:
        yield from _stepped(case, theirs)
    if left is not None and left <= _NARROW:
        yield from squeezes
    if case.move[0] not in "@+":
        target = case.move[2:]
        yield Idea("room", {"n": _ways(case, target), "place": target}, (target,))


def _left_to_them(case: Case) -> int | None:
    """How many squares the opponent may step on after our whole turn; None: not known."""
    if case.move[0] == "@":
        return None
    for _, _, after in case.expected():
        if after.to_move is None:
            return None
        if after.to_move != case.seat:
            return len({move[2:] for move in after.moves()})
    return None


def _put(case: Case) -> Iterator[Idea]:
    square = case.move[1:]
    if n := _ways(case, square):
        yield Idea("put", {"n": n, "place": square}, (square,))


def _stepped(case: Case, theirs: tuple[str, ...]) -> Iterator[Idea]:
    for effect in case.effects:
        if effect.kind == "hole" and any(_near(effect.target, pawn) for pawn in theirs):
            yield Idea("hole", {"place": str(effect.target)}, (str(effect.target),))
    if case.after is None:
        return
    before, after = (view.facts()["control"][case.seat] for view in (case.view, case.after))
    for colour in after:
        around = [each for each in _around(theirs) if case.drawing[each][-1:] == colour]
        if colour not in before and around:
            yield Idea("closes", {"colour": colour, "n": len(around)}, theirs)


def _placed(case: Case, own: tuple[str, ...], theirs: tuple[str, ...]) -> Iterator[Idea]:
    square, token = case.move[1:], case.before["hand"]
    control = case.view.facts()["control"]
    beneath = case.before[square][-1:]
    if token in control[case.seat] and square in _around(theirs):
        yield Idea("shuts", {"colour": token, "place": square}, (square,))
    if beneath in control[1 - case.seat] and square in _around(own):
        yield Idea("opens", {"colour": token, "place": square}, (square,))
    if square not in _around(own):
        yield Idea("away", {"colour": token, "place": square}, (square,))


def _ways(case: Case, square: str) -> int:
    """How many squares around this one our pawn could step on next, as things stand."""
    if case.after is None:
        return 0
    around = int(NEAR[SQUARES.index(square)])
    return (around & int(open_to(case.after.record[0], case.seat))).bit_count()


def _pawns(case: Case, seat: int) -> tuple[str, ...]:
    letter = case.view.facts()["colours"][seat]
    return tuple(square for square in SQUARES if case.before[square][-1:] == letter)


def _near(one: str | None, other: str) -> bool:
    return one in _around((other,))


def _around(squares: tuple[str, ...]) -> set[str]:
    """All squares next to some."""
    near = 0
    for square in squares:
        near |= int(NEAR[SQUARES.index(square)])
    return {square for i, square in enumerate(SQUARES) if near >> i & 1}
