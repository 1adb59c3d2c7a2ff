"""Why a move of objectif is good: which colours gain and lose places, and who may want them."""

from collections.abc import Iterator

from benben.core.ideas import Case, Idea
from benben.games.objectif.rules import COLOURS

IDEAS = (
    "own-place",
    "own-back",
    "bluffs",
    "suspect",
    "covers-leader",
    "cancels-leader",
    "cancels",
    "hides",
)  # the words are in the catalogues

_LIKELY = 0.5  # from here on somebody is believed to want a colour


def ideas(case: Case) -> Iterator[Idea]:
    facts = case.view.facts()
    own: str = facts["goals"][case.seat]
    place = case.move.partition("@")[2]
    showed, shows = (drawing[place][-1].lower() for drawing in (case.before, case.drawing))
    about: dict[str, str | int] = {"place": place, "colour": showed}
    cancels = any(effect.kind == "cancel" for effect in case.effects)
    if shows == own:
        yield Idea("own-back" if cancels else "own-place", about, (place,))
    if showed == own:
        yield Idea("bluffs", {"place": place}, (place,))
        return
    for seat, chances in enumerate(case.thought.belief):
        if seat != case.seat and chances[COLOURS.index(showed)] >= _LIKELY:
            yield Idea("suspect", about | {"seat": seat}, (place,))
    places = {colour: merits[0] for colour, merits in facts["counts"].items() if colour != own}
    if places[showed] == max(places.values()) > min(places.values()):
        yield Idea("cancels-leader" if cancels else "covers-leader", about, (place,))
    if shows != own:
        yield Idea("cancels" if cancels else "hides", about, (place,))
