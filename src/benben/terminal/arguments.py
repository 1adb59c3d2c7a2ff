"""What many commands take and how all of them answer: arguments, options, consoles, exit codes."""

import functools
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, ParamSpec, TypeVar

import typer
from rich.console import Console

import benben
from benben.core.errors import BadOption, BenbenError
from benben.core.game import Game
from benben.terminal.speech import say
from benben.terminal.trouble import explain

P = ParamSpec("P")
R = TypeVar("R")

GameName = Annotated[str, typer.Argument(help="The game's name, as `benben games` lists it.")]
PositionText = Annotated[
    str | None, typer.Argument(help="A position as text; a fresh deal without.")
]
Players = Annotated[int | None, typer.Option(help="How many play.", metavar="N")]
Options = Annotated[list[str] | None, typer.Option(help="An option of the game.", metavar="K=V")]
Seed = Annotated[
    str | None, typer.Option(help="Draw everything from this number or text.", metavar="SEED")
]
Milliseconds = Annotated[
    int | None,
    typer.Option(
        help="How long those think who think by the clock, 1000 unless told.", metavar="T"
    ),
]
Json = Annotated[bool, typer.Option("--json", help="End with one line of JSON.")]
File = Annotated[Path, typer.Argument(help="A record, as `save` writes it.")]


def answering(command: Callable[P, R]) -> Callable[P, R]:
    """Bad input is answered with one line on stderr and exit code 2, never with a traceback."""

    @functools.wraps(command)
    def answer(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return command(*args, **kwargs)
        except BenbenError as error:
            typer.echo(f"benben: {explain(error)}", err=True)
            raise typer.Exit(2) from error
        except KeyboardInterrupt as error:
            raise typer.Exit(130) from error

    return answer


def to_stdout() -> Console:
    return Console(highlight=False)


def to_stderr() -> Console:
    return Console(stderr=True, highlight=False)


def in_seconds(milliseconds: int | None) -> float | None:
    return None if milliseconds is None else milliseconds / 1000


def in_bytes(seed: str | None) -> bytes | None:
    """Any text is a seed, also one the terminal did not send in UTF-8."""
    return None if seed is None else seed.encode("utf-8", "surrogateescape")


def chosen_game(name: str, players: int | None, options: list[str] | None) -> Game:
    """The game asked for; BenbenError if there is none like it."""
    card = benben.info(name)
    chosen: dict[str, str | int] = {}
    for text in options or []:
        option, equals, value = text.partition("=")
        if not equals:
            raise BenbenError(say("cli.no-equals", option=text))
        if option == "players":
            raise BadOption(option, value, "is said by --players")
        if option in chosen:
            raise BadOption(option, value, "is given twice")
        chosen[option] = value
    card.resolve(players, chosen)
    return benben.game(name, players=players, **chosen)
