"""How fast games are played at random."""

import json
import time
from threading import Lock

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from benben.core.errors import BenbenError
from benben.core.game import Game
from benben.core.playouts import Playouts, playouts
from benben.terminal.speech import say

MOST_SECONDS, MOST_THREADS = 3600.0, 256


def check(seconds: float, threads: int) -> None:
    if not 0 < seconds <= MOST_SECONDS:  # not so for NaN either
        raise BenbenError(f"seconds={seconds:g}: must be more than 0, at most {MOST_SECONDS:g}")
    if not 1 <= threads <= MOST_THREADS:
        raise BenbenError(f"threads={threads}: must be a whole number from 1 to {MOST_THREADS}")


def time_playouts(game: Game, seconds: float, threads: int, console: Console) -> Playouts:
    """Play for so long; `console`, on stderr, shows how it goes."""
    playouts(game, threads, threads=threads)  # the kernel is compiled or loaded before the clock
    with Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    ) as progress:
        task = progress.add_task(say("playing", game=game.name), total=seconds, rate="")
        started = time.perf_counter()
        played = 0
        lock = Lock()

        def note(games: int) -> None:
            nonlocal played
            with lock:
                played += games
                passed = time.perf_counter() - started
                progress.update(
                    task, completed=passed, rate=say("playing.rate", rate=f"{played / passed:,.0f}")
                )

        return playouts(game, seconds=seconds, threads=threads, progress=note)


def report(game: Game, threads: int, done: Playouts) -> list[str]:
    """For people."""
    moves, games = done.decisions / done.seconds, done.games / done.seconds
    shares = ", ".join(f"{share:.3f}" for share in done.shares)
    return [
        say("bench.title", game=game.name, players=game.players, n=threads),
        say("bench.rates", moves=f"{moves:,.0f}", games=f"{games:,.0f}"),
        say(
            "bench.counts",
            games=f"{done.games:,}",
            moves=f"{done.decisions:,}",
            seconds=f"{done.seconds:.2f}",
        ),
        say("bench.shares", shares=shares),
    ]


def as_json(game: Game, threads: int, done: Playouts) -> str:
    """For programs: one object on one line."""
    return json.dumps(
        {
            "game": game.name,
            "players": game.players,
            "options": game.options,
            "threads": threads,
            "seconds": round(done.seconds, 6),
            "games": done.games,
            "decisions": done.decisions,
            "moves_per_second": round(done.decisions / done.seconds, 1),
            "games_per_second": round(done.games / done.seconds, 1),
            "shares": list(done.shares),
        }
    )
