"""How well goals of objectif are read, and how well they are hidden.

`python -m bench.calibration` plays games between bots of several kinds, asks after every move what
an observer who reads as level 6 does and has a goal of its own would believe, prints what became of
it, and draws docs/pictures/objectif-belief.svg. With `--fit` it first fits the model of how people
move to such games, and prints it: it goes into `benben/bots/objectif/belief.py` by hand.
"""

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.progress import track

import benben
from benben.bots.entrants import Entrant
from benben.bots.greedy import GreedyPlayer
from benben.bots.objectif.belief import (
    AIMLESS,
    ALL,
    KINDS,
    MODEL,
    Model,
    list_worlds,
    no_evidence,
    observe,
    weigh,
)
from benben.bots.objectif.net import net_for
from benben.bots.objectif.player import ObjectifPlayer, Study
from benben.bots.objectif.reader import Reader
from benben.bots.uct import UctPlayer
from benben.core.kernel import Floats
from benben.core.player import Budget, Player, Turn
from benben.lab.match import Played, play_match

PICTURE = Path(__file__).parent.parent / "docs" / "pictures" / "objectif-belief.svg"
BINS = 10
STEPS = 8  # rounds of the fit
OBSERVER = Budget(simulations=3000)  # some 40 ms a move
console = Console()

# Who is read: a name, whom the plot counts them with, and who plays.
SUBJECTS: tuple[tuple[str, str, Player, int], ...] = (
    ("greedy", "greedy", GreedyPlayer(), 1),
    ("uct:1000", "tree search", UctPlayer(), 1000),
    ("uct:5000", "tree search", UctPlayer(), 5000),
    ("careless:300", "ours, not hiding", ObjectifPlayer(hides=False), 300),
    ("careless:1000", "ours, not hiding", ObjectifPlayer(hides=False), 1000),
    ("objectif:300", "ours", ObjectifPlayer(), 300),
    ("objectif:1000", "ours", ObjectifPlayer(), 1000),
)
KINDS_READ = tuple(dict.fromkeys(kind for _, kind, _, _ in SUBJECTS))


@dataclass(frozen=True)
class Reading:
    """What an observer believed of one seat after one move: each colour's chance, and the truth."""

    subject: str
    done: float  # of the game, from 0 to 1
    chances: tuple[float, ...]  # of the colours it may be, the true one first


@dataclass(frozen=True)
class Watched:
    """A game, and what to call whoever sits where."""

    played: Played
    subjects: tuple[str, ...]
    ahead: tuple[Floats, ...]  # before each move: what looking ahead in the mover's place found


def watch(players: int, games: int) -> list[Watched]:
    """Games of all kinds of subjects, each with one of another kind."""
    watched = []
    for number in track(range(games), "games", console=console, transient=True):
        mode = "fair" if players < 4 and number % 4 == 3 else "random"
        game = benben.game("objectif", players=players, mode=mode)
        apart = 1 + (number // len(SUBJECTS)) % (len(SUBJECTS) - 1)
        chosen = [SUBJECTS[(number + seat * apart) % len(SUBJECTS)] for seat in range(players)]
        seated = [Entrant(name, bot, Budget(simulations=n)) for name, _, bot, n in chosen]
        played = play_match(game, seated, f"calibration {number}")
        kinds = tuple(kind for _, kind, _, _ in chosen)
        watched.append(Watched(played, kinds, tuple(look_ahead(played))))
    return watched


def look_ahead(played: Played) -> Iterator[Floats]:
    """As level 6 does before it reads a move."""
    reader, position = Reader(), played.start
    for number, move in enumerate(played.moves):
        start, before = played.start.view(None), played.moves[:number]
        study = Study(Turn.at(played.start, before, position, OBSERVER), begun=0, positions=1)
        for _ in reader.steps(start, before, study):
            pass
        yield reader.look_ahead(study)
        position = position.play(move)


def readings(watched: Watched, model: Model = MODEL) -> Iterator[Reading]:
    """What every other seat believes of a seat after each of its moves."""
    start, moves = watched.played.start, watched.played.moves
    goals = start.record[0].goal.tolist()
    a = start.view(None).record
    worlds = list_worlds(a)
    evidence, weights = no_evidence(True), np.empty(len(worlds))
    net = net_for(start.game.players)
    for number, (move, ahead) in enumerate(zip(moves, watched.ahead, strict=True), 1):
        mover = int(a[0].turn)
        observe(a, start.game.code(move), worlds, evidence, net, model, ahead)
        weigh(worlds, evidence, weights)
        for observer in range(start.game.players):
            if observer != mover:
                mine = weights * (worlds[:, observer] == goals[observer])
                chances = np.bincount(worlds[:, mover], mine, ALL) / mine.sum()
                rest = [
                    float(chance)
                    for colour, chance in enumerate(chances)
                    if chance > 0 and colour != goals[mover]
                ]
                yield Reading(
                    watched.subjects[mover],
                    number / len(moves),
                    (float(chances[goals[mover]]), *rest),
                )


# ---- The fit


def score(games: Sequence[Watched], model: Model) -> float:
    """The mean logarithm of the belief in what is true."""
    logs = [np.log(r.chances[0] + 1e-6) for each in games for r in readings(each, model)]
    return float(np.mean(logs))


def fit(games: Sequence[Watched]) -> Model:
    """Try a step up and down in every number; halve those that do not help."""
    best, model = score(games, MODEL), MODEL
    fitted = [kind for kind in range(KINDS) if MODEL.kinds[kind, 3] != AIMLESS]
    numbers = [(kind, field) for kind in fitted for field in range(3)]
    size = {(kind, field): (0.5, 0.5, 0.05)[field] for kind, field in numbers}
    trust = 0.1
    for step in range(STEPS):
        for kind, field in numbers:
            for change in (size[kind, field], -size[kind, field]):
                kinds = model.kinds.copy()
                kinds[kind, field] += change
                kinds[kind, 2] = min(0.9, max(0.005, kinds[kind, 2]))
                tried = Model(kinds, model.trust)
                if (better := score(games, tried)) > best:
                    best, model = better, tried
                    break
            else:
                size[kind, field] /= 2
        for change in (trust, -trust):
            tried = Model(model.kinds, max(0.05, model.trust + change))
            if (better := score(games, tried)) > best:
                best, model = better, tried
                break
        else:
            trust /= 2
        console.print(f"step {step + 1} of {STEPS}: {best:.4f}")
    return model


# ---- What became of it


def table(found: Sequence[Reading]) -> Iterator[str]:
    """For each kind of subject, the belief in its true goal after parts of the game."""
    yield "| who is read | after a quarter | after half | after three quarters | at the end |"
    yield "|---|---:|---:|---:|---:|"
    for subject in KINDS_READ:
        cells = [f"{_mean(found, subject, part):.2f}" for part in (0.25, 0.5, 0.75, 1.0)]
        yield f"| {subject} | {' | '.join(cells)} |"


def _mean(found: Sequence[Reading], subject: str, done: float) -> float:
    """The mean belief in the truth when that part of the game has been played, or up to a tenth
    less."""
    near = [
        r.chances[0] for r in found if r.subject == subject and done - 0.1 < r.done <= done + 1e-9
    ]
    return float(np.mean(near)) if near else float("nan")


def bins(found: Sequence[Reading]) -> Iterator[tuple[float, float, int]]:
    """Of all chances given to colours: how high in the mean, how often true, how many."""
    chances = np.array([chance for r in found for chance in r.chances])
    truths = np.array([i == 0 for r in found for i in range(len(r.chances))])
    numbers = np.minimum(BINS - 1, (chances * BINS).astype(int))
    for number in range(BINS):
        inside = numbers == number
        if inside.any():
            yield float(chances[inside].mean()), float(truths[inside].mean()), int(inside.sum())


# ---- The picture

_SIZE, _EDGE, _GAP = 300, 56, 90
_HUES = ("#b3541e", "#2f6f8f", "#5b7f2b", "#7a4a8c")
_MARKS = (  # around a point, so that colour is not the only sign
    '<circle r="4"/>',
    '<rect x="-4" y="-4" width="8" height="8"/>',
    '<path d="M0-5 5 4H-5Z"/>',
    '<path d="M0-5 5 0 0 5-5 0Z"/>',
)


def picture(found: Sequence[Reading], players: int) -> str:
    """Left, what was believed and what was true; right, the belief in the truth as games go."""
    width, height = 2 * _SIZE + 2 * _EDGE + _GAP, _SIZE + 2 * _EDGE
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        'font-family="sans-serif" font-size="13">',
        f'<rect width="{width}" height="{height}" fill="#fbf8f1"/>',
        *_axes(_EDGE, "believed", "true", (0, 0.25, 0.5, 0.75, 1)),
        _line([(0, 0), (1, 1)], _EDGE, "#999", dashed=True),
    ]
    halves = (("first half", found_before(found, 0.5)), ("second half", found_after(found, 0.5)))
    for hue, (name, half) in zip(_HUES, halves, strict=False):
        points = [(believed, true) for believed, true, _ in bins(half)]
        parts += _curve(points, points, _EDGE, hue)
        parts += _entry(name, _EDGE + 14, _EDGE + 20 + 18 * _HUES.index(hue), hue)
    second = _EDGE + _SIZE + _GAP
    parts += _axes(second, "part of the game played", "belief in the true goal", (0, 0.5, 1))
    fair = 1 / (players + 1)
    parts.append(_line([(0, fair), (1, fair)], second, "#999", dashed=True))
    for hue, subject in zip(_HUES, KINDS_READ, strict=True):
        course = [(part, _mean(found, subject, part)) for part in np.linspace(0.1, 1, 10)]
        parts += _curve([(0, fair), *course], course[1::2], second, hue)
        parts += _entry(subject, second + 150, _EDGE + 215 + 18 * _HUES.index(hue), hue)
    return "\n".join([*parts, "</svg>", ""])


def found_before(found: Sequence[Reading], part: float) -> list[Reading]:
    return [r for r in found if r.done <= part]


def found_after(found: Sequence[Reading], part: float) -> list[Reading]:
    return [r for r in found if r.done > part]


def _at(x: float, y: float, left: int) -> tuple[float, float]:
    return left + _SIZE * x, _EDGE + _SIZE * (1 - y)


def _line(points: Sequence[tuple[float, float]], left: int, hue: str, dashed: bool = False) -> str:
    path = " ".join("{:.1f},{:.1f}".format(*_at(x, y, left)) for x, y in points)
    dash = ' stroke-dasharray="4 4"' if dashed else ""
    return f'<polyline points="{path}" fill="none" stroke="{hue}" stroke-width="2"{dash}/>'


def _curve(
    points: Sequence[tuple[float, float]],
    marked: Sequence[tuple[float, float]],
    left: int,
    hue: str,
) -> list[str]:
    return [_line(points, left, hue), *(_mark(*_at(x, y, left), hue) for x, y in marked)]


def _entry(name: str, x: float, y: float, hue: str) -> list[str]:
    """Whose curve it is."""
    return [_mark(x, y - 4, hue), _label(name, x + 10, y, hue)]


def _mark(x: float, y: float, hue: str) -> str:
    mark = _MARKS[_HUES.index(hue)]
    return f'<g transform="translate({x:.1f} {y:.1f})" fill="{hue}">{mark}</g>'


def _label(text: str, x: float, y: float, hue: str = "#333", anchor: str = "start") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" fill="{hue}" text-anchor="{anchor}">{text}</text>'


def _axes(left: int, below: str, beside: str, ticks: Sequence[float]) -> list[str]:
    bottom, middle = _EDGE + _SIZE, _EDGE + _SIZE / 2
    parts = [
        f'<rect x="{left}" y="{_EDGE}" width="{_SIZE}" height="{_SIZE}" '
        'fill="#fff" stroke="#bbb"/>',
        _label(below, left + _SIZE / 2, bottom + 38, anchor="middle"),
        f'<g transform="rotate(-90 {left - 38} {middle})">',
        _label(beside, left - 38, middle, anchor="middle"),
        "</g>",
    ]
    for tick in ticks:
        parts.append(_label(f"{tick:g}", left + _SIZE * tick, bottom + 18, anchor="middle"))
    for tick in (0, 0.25, 0.5, 0.75, 1):
        y = bottom - _SIZE * tick + 4
        parts.append(_label(f"{tick:g}", left - 8, y, anchor="end"))
    return parts


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--players", type=int, choices=(2, 3, 4), default=2)
    parser.add_argument("--games", type=int, default=120)
    parser.add_argument("--fit", action="store_true")
    given = parser.parse_args()
    games = watch(given.players, given.games)
    model = MODEL
    if given.fit:
        model = fit(games[::2])
        games = games[1::2]  # what was fitted to says nothing about the fit
        console.print(model)
    found = [reading for each in games for reading in readings(each, model)]
    console.print(
        f"{given.players} players, {len(games)} games, mean log {score(games, model):.3f}"
    )
    for line in table(found):
        console.print(line)
    for believed, true, n in bins(found):
        console.print(f"believed {believed:.2f}, true {true:.2f}, {n} times")
    if given.players == 2 and not given.fit:
        PICTURE.write_text(picture(found, given.players))


if __name__ == "__main__":
    main()
