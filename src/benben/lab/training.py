"""Teach a net to judge a game, by playing it against itself.

    python -m benben.lab.training pyramidis --players 2

A round is a few thousand games, in which the net looks a few moves ahead, and then a lesson: each
position is to be worth what the look ahead said of it, and in part what came of the game. The
first rounds look one move ahead and trust the end of the game, later ones look further and trust
the look more. The same settings and seed make the same net; given again, the command goes on with a
training that was interrupted. For games without dice or secrets that have features.
"""

import shlex
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

import benben
from benben.bots import net as nets
from benben.bots.net import Net, Scratch, blank_net, read, scratch, write
from benben.core.errors import BenbenError
from benben.core.game import Game
from benben.core.kernel import fingerprint
from benben.core.paths import cache_root
from benben.core.random import generator
from benben.lab.selfplay import DEEPEST, LONGEST, Lessons, Teacher, compare, learn_all, play_games

_SPREAD = 0.1  # of the weights at first
_WAKING = 0.3  # of a hidden unit at first: neither asleep nor full
_SLOWEST = 0.01  # the learning rate of the last round, beside that of the first
_EVERY = 5  # rounds, what was learnt so far is kept
_OPENING = 8  # moves drawn before two nets are compared
_GAMES = 1000


@dataclass(frozen=True)
class Settings:
    """How to train."""

    rounds: int = 100
    positions: int = 200_000  # a round, as many as fit whole games
    hidden: int = 16
    depth: int = 3  # moves ahead in the last rounds
    openings: int = 12  # moves drawn at the start of a game, at most
    explore: float = 0.06  # the chance of a drawn move later
    trace: float = 0.7  # how much of the end of the game is in what a position is to be worth
    rate: float = 0.003
    batch: int = 256
    seed: int = 0

    def __post_init__(self) -> None:
        if not 1 <= self.depth <= DEEPEST:
            raise BenbenError(f"depth={self.depth}: must be from 1 to {DEEPEST}")
        for name in ("rounds", "batch"):
            if getattr(self, name) < 1:
                raise BenbenError(f"{name}={getattr(self, name)}: must be 1 or more")

    def plan(self, number: int) -> tuple[int, float, float]:
        """How far a round looks ahead, how much it trusts the end, how fast it learns."""
        part = number / self.rounds
        depth = min(self.depth, 1 if part < 0.4 else 2 if part < 0.55 else self.depth)
        trace = 1.0 if part < 0.05 else max(0.85, self.trace) if part < 0.4 else self.trace
        return depth, trace, self.rate * (1 - part * (1 - _SLOWEST))


@dataclass
class Training:
    """A training under way: what is learnt, and what it takes to go on."""

    game: Game
    settings: Settings
    net: Net
    teacher: Teacher
    work: Scratch
    lessons: Lessons
    done: int = 0  # rounds
    steps: int = 0

    @classmethod
    def begin(cls, game: Game, settings: Settings) -> "Training":
        known = import_module(f"{game.rules.__package__}.evaluation")
        features, most = known.FEATURES, known.MOST_FEATURES
        net = _drawn(features, settings)
        views = 1 if game.players == 2 else game.players
        size = max(settings.positions, LONGEST * views)
        return cls(
            game,
            settings,
            net,
            Teacher(
                blank_net(features, settings.hidden),
                blank_net(features, settings.hidden),
                blank_net(features, settings.hidden),
                np.zeros(features, np.int64),
                np.zeros(features, np.int64),
            ),
            scratch(net, most),
            Lessons(
                np.zeros((size, most), np.int64),
                np.zeros(size, np.int64),
                np.zeros(size, np.float32),
            ),
        )

    def round(self) -> str:
        """Play and learn once; what there is to say about it."""
        settings = self.settings
        depth, trace, rate = settings.plan(self.done)
        tally = np.zeros(3)
        n = play_games(
            self.game.blank(),
            self.game.numbers,
            self.net,
            self.work,
            self.game.rules.MOST_MOVES,
            depth,
            settings.openings,
            settings.explore,
            trace,
            generator((settings.seed, self.done)),
            self.lessons,
            tally,
        )
        order = np.random.default_rng((settings.seed, self.done)).permutation(n)
        error = learn_all(
            self.net,
            self.work,
            self.teacher,
            self.lessons,
            order,
            settings.batch,
            rate,
            self.steps,
        )
        self.steps += n // settings.batch
        self.done += 1
        games, decisions, first = tally
        return (
            f"depth {depth}, {decisions / games:.0f} moves a game, "
            f"first seat {first / games:.3f}, error {error:.4f}"
        )

    def learnt(self) -> Net:
        """The net, without what was drawn for features never seen."""
        seen = self.teacher.squares.rows.any(axis=1, keepdims=True)
        return self.net._replace(rows=np.where(seen, self.net.rows, np.float32(0)))

    # ---- Going on later

    def keep(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        beside = path.with_suffix(".part")
        with beside.open("wb") as file:
            np.savez(file, **self._arrays(), counts=np.array([self.done, self.steps]))
        beside.replace(path)

    def go_on_from(self, path: Path) -> None:
        """Take up what was kept there, if anything was."""
        if not path.exists():
            return
        with np.load(path) as kept:
            for name, array in self._arrays().items():
                array[:] = kept[name]
            self.done, self.steps = (int(count) for count in kept["counts"])

    def _arrays(self) -> dict[str, Any]:
        parts = {"net": self.net, "means": self.teacher.means, "squares": self.teacher.squares}
        return {
            f"{part}.{name}": array
            for part, weights in parts.items()
            for name, array in weights._asdict().items()
        }


def _drawn(features: int, settings: Settings) -> Net:
    """Small weights, drawn: hidden units that were alike would stay so."""
    random = np.random.default_rng(settings.seed)
    hidden = settings.hidden
    net = blank_net(features, hidden)
    net.rows[:] = random.normal(0, _SPREAD, (features, hidden))
    net.bias[:] = _WAKING
    net.out[:] = random.normal(0, _WAKING, hidden)
    return net


def train(
    game: Game,
    settings: Settings,
    kept: Path | None = None,
    progress: Callable[[int, str], object] = lambda done, told: None,
) -> Net:
    """Train a net; `kept` is where an interrupted training goes on from."""
    training = Training.begin(game, settings)
    if kept is not None:
        training.go_on_from(kept)
    while training.done < settings.rounds:
        told = training.round()
        progress(training.done, told)
        if kept is not None and (training.done % _EVERY == 0 or training.done == settings.rounds):
            training.keep(kept)
    return training.learnt()


def strength(
    game: Game, first: Net, second: Net, depths: tuple[int, int], games: int, seed: int = 0
) -> float:
    """The share of games a net wins alone among others of a second kind, openings drawn."""
    most = import_module(f"{game.rules.__package__}.evaluation").MOST_FEATURES
    wider = first if len(first.bias) > len(second.bias) else second
    return compare(
        game.blank(),
        game.numbers,
        first,
        second,
        scratch(wider, most),
        game.rules.MOST_MOVES,
        np.array(depths),
        _OPENING,
        games,
        generator(seed),
    )


def main(
    name: Annotated[str, typer.Argument(metavar="GAME")],
    players: int | None = None,
    option: Annotated[list[str] | None, typer.Option(metavar="K=V")] = None,
    rounds: int = Settings.rounds,
    positions: int = Settings.positions,
    hidden: int = Settings.hidden,
    depth: int = Settings.depth,
    openings: int = Settings.openings,
    explore: float = Settings.explore,
    trace: float = Settings.trace,
    rate: float = Settings.rate,
    batch: int = Settings.batch,
    seed: int = Settings.seed,
    output: Path | None = None,
) -> None:
    """Train the net of a game, and say how it does against the one there was."""
    chosen = dict(text.split("=", 1) for text in option or [])
    game = benben.game(name, players=players, **chosen)
    settings = Settings(
        rounds, positions, hidden, depth, openings, explore, trace, rate, batch, seed
    )
    path = output or Path(nets.__file__).parent / "nets" / f"{game.name}-{game.players}.npz"
    with Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
    ) as progress:
        task = progress.add_task("training", total=rounds)
        net = train(
            game,
            settings,
            _kept(game, settings),
            lambda done, told: progress.update(task, completed=done, description=told),
        )
    if path.exists():
        with path.open("rb") as file:
            before = read(file)
        if len(before.rows) == len(net.rows):
            for looks in (1, 2):
                won = strength(game, net, before, (looks, looks), _GAMES)
                typer.echo(f"{looks} ahead it wins {won:.3f} against the net there was")
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        write(net, file, command(game, chosen, settings))
    typer.echo(f"{path}: {path.stat().st_size} bytes")


def command(game: Game, options: Mapping[str, str], settings: Settings) -> str:
    """What makes this net again."""
    words = ["python", "-m", "benben.lab.training", game.name, "--players", str(game.players)]
    for name, value in options.items():
        words += ["--option", f"{name}={value}"]
    for field in fields(Settings):
        if (value := getattr(settings, field.name)) != field.default:
            words += [f"--{field.name}", str(value)]
    return shlex.join(words)


def _kept(game: Game, settings: Settings) -> Path:
    """Where this training is kept: another rule or setting is another training."""
    made_of = repr((game.name, game.options, settings, fingerprint("lab")))
    return cache_root() / "training" / f"{sha256(made_of.encode()).hexdigest()[:16]}.npz"


if __name__ == "__main__":
    typer.run(main)
