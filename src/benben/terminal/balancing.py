"""Balance reports in the terminal: a bar while games are played, then what they say, and files."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

from rich.console import Console

from benben.core.errors import BenbenError
from benben.lab.balance.comparing import comparison_of
from benben.lab.balance.figures import report_of
from benben.lab.balance.files import as_csv, as_json, id_of
from benben.lab.balance.notes import Notes
from benben.lab.balance.pages import document_of, title_of
from benben.lab.balance.report import Comparison, Report
from benben.lab.balance.running import play_study, prepare_study
from benben.lab.balance.skill import ladder, skill_of
from benben.lab.balance.speech import Speech
from benben.lab.balance.study import Study
from benben.lab.balance.watching import GameNote
from benben.lab.workers import HERE, Where
from benben.terminal.bar import counting_bar
from benben.terminal.saves import BadFile, write
from benben.terminal.speech import language, say

GAMES, MOST_GAMES = 200, 1_000_000
LEVEL = "4"


@dataclass(frozen=True)
class Way:
    """How and where games are played; their console is stderr."""

    console: Console
    where: Where = HERE
    fresh: bool = False


def check_ladder(games: int) -> None:
    if not 0 <= games <= MOST_GAMES:
        raise BenbenError(f"ladder={games}: must be a whole number from 0 to {MOST_GAMES}")


def check_folder(folder: Path) -> None:
    """Before an hour of games is played for it."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        raise BadFile(folder, getattr(error, "strerror", None) or str(error)) from error


def balance(study: Study, games: int, rungs: int, way: Way) -> tuple[Report, list[GameNote]]:
    """Play what is missing, with `rungs` games between levels, and see what it tells."""
    notes = _played(study, games, way)
    skill = None
    if rungs:
        levels = ladder(study)
        skill = skill_of(levels, _played(levels, rungs, way))
    return report_of(study, notes, command_of(study, games, rungs), skill), notes


def compare(studies: Sequence[Study], games: int, way: Way) -> Comparison:
    """The same for each of several ways to play, side by side."""
    reports = [balance(study, games, 0, way)[0] for study in studies]
    return comparison_of(reports, command_of_comparison(studies, games))


def command_of(study: Study, games: int, rungs: int = 0) -> str:
    """What makes the same report again."""
    words = [f"benben lab balance {study.name} --players {study.players}"]
    if study.value:
        words.append(f"--option {study.game.info.option.name}={study.value}")
    words.append(f"--bots {','.join(study.bots)} --games {games}")
    words.append(f"--openings {study.openings} --seed {_quoted(study.seed)}")
    if rungs:
        words.append(f"--ladder {rungs}")
    return _solved_first([study]) + " ".join(words)


def command_of_comparison(studies: Sequence[Study], games: int) -> str:
    first = studies[0]
    bots = list(dict.fromkeys(bot for study in studies for bot in study.bots))
    return (
        f"{_solved_first(studies)}benben lab compare {first.name} --players {first.players} "
        f"--bots {','.join(bots)} --games {games} --openings {first.openings} "
        f"--seed {_quoted(first.seed)}"
    )


def _solved_first(studies: Sequence[Study]) -> str:
    """Positions are judged by a solution that takes minutes only where it is there already."""
    words = ""
    for study in studies:
        if study.players == 3 and study.solved:
            option = f"{study.game.info.option.name}={study.value}"
            words += f"benben solve {study.name} --players 3 --option {option} && "
    return words


def _quoted(text: str) -> str:
    return text if text.isalnum() and text.isascii() else "'" + text.replace("'", "'\\''") + "'"


def save(made: Report | Comparison, folder: Path, notes: Sequence[GameNote] = ()) -> list[Path]:
    """Write a report's files; where they are."""
    files = {
        "json": as_json(made),
        "html": document_of(made, language()).encode(),
    }
    if notes:
        files["csv"] = as_csv(notes).encode()
    paths = []
    for kind, content in files.items():
        path = folder / f"{id_of(made)}.{kind}"
        write(content, path)
        paths.append(path)
    return paths


def summary(made: Report | Comparison) -> list[str]:
    """The first that people want to know, for the terminal."""
    speech = Speech(language())
    lines = [title_of(made, language())]
    if isinstance(made, Comparison):
        for row in made.rows:
            shares = [speech.with_interval(share) for share in row.by_order]
            name = " ".join([*filter(None, [row.option]), *row.bots])
            lines.append(f"{name}: {' · '.join(shares)}")
        return lines
    for at, share in enumerate(made.by_order):
        place = speech.place(at, made.setting.players)
        lines.append(f"{place}: {speech.with_interval(share)}")
    return lines


def _played(study: Study, games: int, way: Way) -> list[GameNote]:
    """Every game of enough whole rounds, in order; `way.console` shows how it goes."""
    prepare_study(study)
    rounds, console = study.rounds(games), way.console
    total = rounds * study.round_size
    if total != games:
        each = study.round_size
        console.print(say("arena.whole", games=games, each=each, total=total), soft_wrap=True)
    with Notes(study.path, study.header, way.fresh) as notes, counting_bar(console) as progress:
        earlier = done = sum(number < total for number in notes.games)
        title = say("playing", game=study.name)
        task = progress.add_task(title, total=total, completed=earlier, rate="")
        started = perf_counter()

        def note(_: GameNote) -> None:
            nonlocal done
            done += 1
            rate = (done - earlier) / max(perf_counter() - started, 1e-9)
            progress.update(task, completed=done, rate=say("playing.rate", rate=f"{rate:,.1f}"))

        try:
            return play_study(study, rounds, notes, way.where, note)
        except KeyboardInterrupt:
            progress.stop()
            console.print(say("arena.stopped", done=done, total=total))
            console.print(str(notes.path), markup=False, soft_wrap=True)
            console.print(say("arena.go-on-fresh" if way.fresh else "arena.go-on"))
            raise
