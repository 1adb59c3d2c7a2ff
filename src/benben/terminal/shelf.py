"""The games on the shelf, as a table."""

from collections.abc import Sequence

from rich import box
from rich.table import Table

from benben.core.info import Info, Origin
from benben.games import THANKS
from benben.terminal.speech import joined, language, say

# Beside what does not come from a game's own sheet.
_SIGNS = {Origin.DESCRIPTIONS: "†", Origin.OURS: "°"}


def shelf(cards: Sequence[Info]) -> Table:
    table = Table(box=box.SIMPLE_HEAD, show_lines=True, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column(say("shelf.game"), no_wrap=True)
    table.add_column(say("shelf.for"), no_wrap=True)
    table.add_column(say("shelf.what"))
    for card in cards:
        table.add_row(
            "\n".join(_name(card)),
            "\n".join(_for_whom(card)),
            "\n".join(
                [
                    card.kind[language()],
                    *(f"[dim]{line}[/]" for line in [*_people(card), card.components[language()]]),
                    *_options(card),
                ]
            ),
        )
    return table


def legend() -> str:
    """What the signs on the shelf mean, and who is to be thanked."""
    signs = [say(f"shelf.{origin}", sign=sign) for origin, sign in _SIGNS.items()]
    return "\n".join([*signs, THANKS[language()]])


def _name(card: Info) -> list[str]:
    return [
        f"[bold]{card.name}[/]",
        card.titles[language()],
        *([f"({say('shelf.working-title')})"] if card.working_title else []),
    ]


def _for_whom(card: Info) -> list[str]:
    players = ", ".join(_marked(str(n), str(card.default_players)) for n in card.players)
    ages, minutes = card.ages, card.minutes
    return [
        say("shelf.players", counts=players),
        _credited(card, "ages", say("shelf.age", age=ages)) if ages else say("shelf.age.unknown"),
        _credited(card, "minutes", say("shelf.minutes", minutes=minutes))
        if minutes
        else say("shelf.time.unknown"),
    ]


def _people(card: Info) -> list[str]:
    """Whose it is: the author, who drew it, who published it, and what it won."""
    lines = [say("shelf.by-nobody")]
    if card.authors:
        lines = [_credited(card, "authors", say("shelf.by", names=joined([*card.authors], "and")))]
    if card.artists:
        names = joined([*card.artists], "and")
        lines.append(_credited(card, "artists", say("shelf.artists", names=names)))
    if card.publishers:
        names = ", ".join(f"{each.name} {each.year}" for each in card.publishers)
        lines.append(_credited(card, "publishers", names))
    if card.honours:
        lines.append(_credited(card, "honours", card.honours[language()]))
    return lines


def _credited(card: Info, field: str, words: str) -> str:
    return words + _SIGNS.get(card.credits[field].origin, "")


def _options(card: Info) -> list[str]:
    option = card.option
    seats = [str(seat + 1) for seat in range(max(card.players))]
    first = [card.first] if card.first_is_fixed else ["random", *seats]
    values = [
        _marked(value, option.values[0]) + _only_for(option.limits.get(value, ()), option.players)
        for value in option.values
    ]
    limited = _only_for(option.players, card.players)
    return [
        say(
            "shelf.option", option="first", values=", ".join(_marked(v, card.first) for v in first)
        ),
        say("shelf.option", option=f"{option.name}{limited}", values=", ".join(values)),
    ]


def _marked(value: str, default: str) -> str:
    return f"{value}*" if value == default else value


def _only_for(counts: tuple[int, ...], all_counts: tuple[int, ...]) -> str:
    if not counts or counts == all_counts:
        return ""
    numbers = joined([str(count) for count in counts], "or")
    return f" ({say('shelf.players', counts=numbers)})"
