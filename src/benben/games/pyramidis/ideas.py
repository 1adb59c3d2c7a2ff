"""Why a move of pyramidis is good, made from what it does and what it leaves to the others."""

from collections.abc import Iterator, Sequence
from statistics import median_low

from benben.core.effects import Choice, Effect
from benben.core.ideas import Case, Idea
from benben.core.position import View
from benben.games.pyramidis.rules import TOWER

IDEAS = (
    "home",
    "stops-home",
    "covers",
    "prepares-home",
    "jump",
    "tower",
    "start",
    "advances",
)  # the words are in the catalogues

_LOOKED_AT = 12  # other moves, the best of them: enough to see what they would allow


def ideas(case: Case) -> Iterator[Idea]:
    colour: str = case.view.facts()["colours"][case.seat]
    if n := _home(case.effects, case.seat):
        yield Idea("home", {"n": n}, (f"home:{colour}",))
    yield from _stopped(case)
    yield from _covered(case, colour)
    yield from _prepared(case)
    for effect in case.effects:
        if effect.kind == "jump" and effect.target:
            yield Idea("jump", {"place": effect.target}, (effect.target,))
    for place, pieces in case.drawing.items():
        if len(case.before[place]) < TOWER <= len(pieces) and pieces[-1] == colour:
            yield Idea("tower", {"place": place}, (place,))
    lifted = [effect.source for effect in case.effects if effect.kind == "lift"]
    if "*" in case.move and lifted:
        yield Idea("start", {"n": len(lifted)}, (str(lifted[0]),))
    steps = [e.target for e in case.effects if e.kind == "drop" and e.owner == case.seat]
    if steps:
        yield Idea("advances", {"n": len(steps), "place": str(steps[-1])}, (str(steps[-1]),))


def _home(effects: Sequence[Effect], seat: int) -> int:
    """How many of a seat's pyramids come home."""
    return sum(effect.kind == "home" and effect.owner == seat for effect in effects)


def _threat(view: View | None, seat: int) -> tuple[int, Choice | None]:
    """How many whoever moves next could bring home at most, and by which move."""
    if view is None or view.to_move is None or view.to_move == seat:
        return 0, None
    mover = view.to_move
    reply = max(view.choices(), key=lambda choice: _home(choice.effects, mover))
    return _home(reply.effects, mover), reply


def _stopped(case: Case) -> Iterator[Idea]:
    """What the next player could do after most other moves, and cannot after this one."""
    others = [_threat(case.played(each.move), case.seat) for each in case.others[:_LOOKED_AT]]
    if not others:
        return
    usual = median_low(n for n, _ in others)
    less = usual - _threat(case.after, case.seat)[0]
    reply = next(reply for n, reply in others if n == usual)
    if less > 0 and reply is not None:
        source = next(effect.source for effect in reply.effects if effect.kind == "lift")
        yield Idea("stops-home", {"n": less}, (str(source),))


def _covered(case: Case, colour: str) -> Iterator[Idea]:
    """A column of somebody else's that is ours now: what lies in it goes where we go."""
    taken = [
        (sum(piece != colour for piece in pieces), place)
        for place, pieces in case.drawing.items()
        if case.before[place][-1:] not in ("", colour) and pieces[-1:] == colour
    ]
    if taken:
        n, place = max(taken)
        yield Idea("covers", {"n": n, "place": place}, (place,))


def _prepared(case: Case) -> Iterator[Idea]:
    """What our next move is expected to bring home."""
    for i, (view, move, _) in enumerate(case.expected()):
        if i and view.to_move == case.seat:
            if n := _home(view.effects(move), case.seat):
                place = move.partition("*")[0]
                yield Idea("prepares-home", {"n": n, "place": place}, (place,))
            return
