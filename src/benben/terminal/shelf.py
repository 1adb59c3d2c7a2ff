"""The games on the shelf, as a table."""

from collections.abc import Sequence

from rich import box
from rich.table import Table

from benben.core.info import Info
from benben.terminal.speech import joined, language, say, say_if_known


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
                    say_if_known(f"{card.name}.about", card.about),
                    f"[dim]{_people(card)}[/]",
                    *_options(card),
                ]
            ),
        )
    return table


def _name(card: Info) -> list[str]:
    return [
        f"[bold]{card.name}[/]",
        card.titles[language()],
        *([f"({say('shelf.working-title')})"] if card.working_title else []),
    ]


def _for_whom(card: Info) -> list[str]:
    players = ", ".join(_marked(str(n), str(card.default_players)) for n in card.players)
    return [
        say("shelf.players", counts=players),
        say("shelf.age", age=card.ages) if card.ages else say("shelf.age.unknown"),
        say("shelf.minutes", minutes=card.minutes) if card.minutes else say("shelf.time.unknown"),
    ]


def _people(card: Info) -> str:
    names = joined(list(card.authors), "and") if card.authors else ""
    authors = say("shelf.by", names=names) if names else say("shelf.by-nobody")
    return say("shelf.honoured", authors=authors, honours=card.honours) if card.honours else authors


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
