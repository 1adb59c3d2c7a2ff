"""From the games of a study to its report. Only numbers go in and come out."""

from collections.abc import Callable, Sequence
from importlib import import_module
from math import ceil

import numpy as np

from benben import __version__
from benben.bots.exact import SOLVED, solvable
from benben.core.kernel import Floats
from benben.lab.balance.report import (
    Bin,
    Bust,
    Exact,
    Lead,
    Quantiles,
    Reason,
    Report,
    Setting,
    Sides,
    Skill,
    Special,
    Spread,
)
from benben.lab.balance.study import Study
from benben.lab.balance.watching import MOMENTS, GameNote, leader
from benben.lab.rating import CONFIDENCE, interval, t_quantile, wilson

_BINS = 20  # at most
_WIDTHS = (1, 2, 5, 10, 20, 50, 100, 200, 500)  # of a bin, in decisions

# What is worth telling of each game, by the names that `watching.py` counts by.
SPECIAL = {
    "objectif": ("cancel:moves",),
    "pyramidis": ("tower", "jump", "stray:moves", "carried", "leave", "pass"),
    "batisseurs": ("bust", "lose", "win"),
    "quadrille": ("hole", "discard"),
}
# What cannot happen: for two, all of the board is the own track.
_IMPOSSIBLE = {("pyramidis", 2): ("stray:moves",)}


def report_of(
    study: Study, notes: Sequence[GameNote], command: str, skill: Skill | None = None
) -> Report:
    """All that the games of whole rounds tell, which are given in order."""
    shares = np.array([note.shares for note in notes])
    firsts = np.array([note.first for note in notes])
    by_order = np.array([np.roll(each, -first) for each, first in zip(shares, firsts, strict=True)])

    def mean(value: Callable[[GameNote], float]) -> Spread:
        return _spread(study, np.array([value(note) for note in notes], np.float64))

    decisions = [len(note.choices) for note in notes]
    choices = np.array([n for note in notes for n in note.choices])
    return Report(
        setting=Setting(
            game=study.name,
            players=study.players,
            option=study.value,
            bots=list(study.bots),
            openings=study.openings,
            seed=study.seed,
            games=len(notes),
            rounds=len(notes) // study.round_size,
            command=command,
            benben=__version__,
        ),
        by_order=[_spread(study, by_order[:, at]) for at in range(study.players)],
        by_seat=[_spread(study, shares[:, seat]) for seat in range(study.players)],
        by_bot=_bots(study, shares),
        draws=mean(lambda note: 1.0 not in note.shares),
        ties=mean(lambda note: note.reason != study.game.rules.REASONS[0]),
        sides=_sides(study, shares),
        reasons=[
            Reason(
                reason,
                sum(note.reason == reason for note in notes),
                mean(lambda note, reason=reason: note.reason == reason),  # type: ignore[misc]
            )
            for reason in study.game.rules.REASONS
        ],
        length=quantiles(decisions),
        lengths=bins(decisions),
        choices=quantiles(choices.tolist()),
        choices_over_time=_over_time(notes),
        special=[
            Special(
                event,
                round(sum(note.events.get(event, 0) for note in notes) / len(notes), 3),
                max(note.events.get(event, 0) for note in notes),
                mean(lambda note, event=event: note.events.get(event, 0) > 0),  # type: ignore[misc]
            )
            for event in SPECIAL.get(study.name, ())
            if event not in _IMPOSSIBLE.get((study.name, study.players), ())
        ],
        busts=_busts(notes),
        lead=_lead(study, notes),
        skill=skill,
        exact=exact_of(study),
    )


def quantiles(values: Sequence[float]) -> Quantiles:
    each = [float(np.mean(values)), *np.quantile(values, (0, 0.25, 0.5, 0.75, 1)).tolist()]
    return Quantiles(*(round(x, 3) for x in each))


def bins(values: Sequence[int]) -> list[Bin]:
    """How many there are from each round number to the next, in at most twenty steps."""
    least, most = min(values), max(values)
    width = next(w for w in _WIDTHS if ceil((most + 1) / w) - least // w <= _BINS)
    counts = np.bincount(np.array(values) // width)
    return [
        Bin(at * width, (at + 1) * width - 1, int(counts[at]))
        for at in range(least // width, most // width + 1)
    ]


def exact_of(study: Study) -> Exact | None:
    """What perfect play is worth, where that is known here."""
    if not (solvable(study.game) and study.solved):
        return None
    known = import_module(SOLVED[study.name, study.players]).remembered(study.game)
    option = study.game.info.option.name
    command = f"benben solve {study.name} --players {study.players} --option {option}={study.value}"
    return Exact([round(chance, 6) for chance in known.chances], command)


def _spread(study: Study, values: Floats) -> Spread:
    """The mean over games, with an interval by rounds: games of a round share a deal."""
    rounds = values.reshape(-1, study.round_size)
    return Spread.of(interval(rounds.mean(axis=1), study.round_size))


def _bots(study: Study, shares: Floats) -> list[Spread]:
    """What each bot got for each seat it had."""
    seated = np.array([study.seatings[n % len(study.seatings)] for n in range(len(shares))])
    found = []
    for bot in range(len(study.bots)):
        held = (seated == bot).sum(axis=1)
        points = np.where(seated == bot, shares, 0).sum(axis=1)
        here = held > 0
        size = int(here[: study.round_size].sum())
        means = (points[here] / held[here]).reshape(-1, size).mean(axis=1)
        found.append(Spread.of(interval(means, size)))
    return found


def _sides(study: Study, shares: Floats) -> Sides | None:
    if study.players != 2 or len(study.games) != 2 or len(study.bots) != 1:
        return None
    points = shares[:, 0].reshape(-1, 2).sum(axis=1)
    won = (points != 1).astype(np.float64)
    return Sides(len(points), Spread.of(interval(won, 1)))


def _over_time(notes: Sequence[GameNote]) -> list[float]:
    sums, counts = np.zeros(MOMENTS), np.zeros(MOMENTS)
    for note in notes:
        parts = np.arange(len(note.choices)) * MOMENTS // len(note.choices)
        np.add.at(sums, parts, note.choices)
        np.add.at(counts, parts, 1)
    return [round(float(x), 2) for x in sums / np.maximum(counts, 1)]


def _busts(notes: Sequence[GameNote]) -> list[Bust]:
    """By dice thrown. Throws are drawn one by one, so each counts for itself."""
    found = []
    for dice in range(1, 7):
        throws = sum(note.events.get(f"throw:{dice}", 0) for note in notes)
        busts = sum(note.events.get(f"bust:{dice}", 0) for note in notes)
        if throws:
            z = t_quantile((1 + CONFIDENCE) / 2, throws)
            found.append(Bust(dice, throws, busts, Spread.of(wilson(busts / throws, throws, z))))
    return found


def _lead(study: Study, notes: Sequence[GameNote]) -> Lead:
    settled = [note.settled for note in notes if note.settled is not None]
    return Lead(
        exact=study.solved,
        leader_wins=[
            _spread(study, np.array([_leaders_share(note, at) for note in notes]))
            for at in range(MOMENTS + 1)
        ],
        settled=quantiles(settled) if settled else None,
        changes=round(sum(note.changes for note in notes) / len(notes), 2),
    )


def _leaders_share(note: GameNote, at: int) -> float:
    """What who led then got in the end; where nobody did, what a seat gets."""
    led = leader(note.chances[at])
    return 1 / len(note.shares) if led is None else note.shares[led]
