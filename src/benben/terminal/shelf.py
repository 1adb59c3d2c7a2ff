"""The games on the shelf, as a table."""

from collections.abc import Sequence

from rich import box
from rich.table import Table

from benben.core.info import Info
from benben.terminal.words import joined


def shelf(cards: Sequence[Info]) -> Table:
    table = Table(box=box.SIMPLE_HEAD, show_lines=True, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column("Game", no_wrap=True)
    table.add_column("For", no_wrap=True)
    table.add_column("What it is, whose, and its options (* is the default)")
    for card in cards:
        table.add_row(
            "\n".join(_name(card)),
            "\n".join(_for_whom(card)),
            "\n".join([card.about, f"[dim]{_people(card)}[/]", *_options(card)]),
        )
    return table


def _name(card: Info) -> list[str]:
    return [
        f"[bold]{card.name}[/]",
        card.titles["en"],
        *(["(working title)"] if card.working_title else []),
    ]


def _for_whom(card: Info) -> list[str]:
    players = ", ".join(_marked(str(n), str(card.default_players)) for n in card.players)
    return [
        f"{players} players",
        f"age {card.ages or 'not given'}",
        f"{card.minutes} minutes" if card.minutes else "time not given",
    ]


def _people(card: Info) -> str:
    authors = f"by {' and '.join(card.authors)}" if card.authors else "author unknown"
    return f"{authors}; {card.honours}" if card.honours else authors


def _options(card: Info) -> list[str]:
    option = card.option
    seats = [str(seat + 1) for seat in range(max(card.players))]
    first = [card.first] if card.first_is_fixed else ["random", *seats]
    values = [
        _marked(value, option.values[0]) + _only_for(option.limits.get(value, ()), option.players)
        for value in option.values
    ]
    return [
        "first: " + ", ".join(_marked(value, card.first) for value in first),
        f"{option.name}{_only_for(option.players, card.players)}: " + ", ".join(values),
    ]


def _marked(value: str, default: str) -> str:
    return f"{value}*" if value == default else value


def _only_for(counts: tuple[int, ...], all_counts: tuple[int, ...]) -> str:
    if not counts or counts == all_counts:
        return ""
    return f" ({joined([str(count) for count in counts], 'or')} players)"
