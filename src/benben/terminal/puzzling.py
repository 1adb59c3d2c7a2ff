"""Mining and checking puzzles, with something to watch."""

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from time import perf_counter

import msgspec
from rich.console import Console

from benben.core.errors import BenbenError
from benben.core.registry import names
from benben.lab.mining import (
    MOST_GAMES,
    MOST_NODES,
    MOST_WANTED,
    Finds,
    Mine,
    collected,
    mine_all,
)
from benben.learn.puzzles.judge import holds
from benben.learn.puzzles.puzzle import (
    GRADES,
    Checked,
    Collection,
    Puzzle,
    collection,
    puzzles,
    read,
    write,
)
from benben.terminal import saves
from benben.terminal.bar import counting_bar
from benben.terminal.speech import say

TIMES = 10  # as many nodes as they were mined with

_REPORT = """\
# Puzzles, judged again

`benben puzzles check GAME --file FILE --drop --report bench/puzzles.md` judges every puzzle with
ten times the nodes it was mined with, and drops what does not hold. A puzzle holds if the same move
is best by at least 0.05 of the win; if, where it is said to win, that is proven again and no other
move is worth more than 0.75; and if, where all other moves are said to lose, that is proven again.
Where moves are looked up in a solution, and not searched, they are looked up again.

Of what is `left`, checked or not yet, the last columns say how certain it is of all moves what they
are worth, for how many players they are, and how many there are of each grade, from one star to
six.

| game | checked | held | dropped | nodes | left | proven | exact | estimated | players | grades |
|---|---:|---:|---:|---:|---:|---:|---:|---:|---|---|
"""


def check_numbers(games: int, nodes: int, wanted: int) -> None:
    for name, value, most in (
        ("games", games, MOST_GAMES),
        ("nodes", nodes, MOST_NODES),
        ("wanted", wanted, MOST_WANTED),
    ):
        if not 1 <= value <= most:
            raise BenbenError(f"{name}={value}: must be a whole number from 1 to {most}")


def mine(mine: Mine, games: int, wanted: int, path: Path, console: Console) -> list[str]:
    """Find puzzles and write them to a file; the lines to print. `console` is on stderr."""
    mine.prepare()
    with closing(Finds(mine.path, mine.header)) as finds, counting_bar(console) as progress:
        title = say("puzzles.mining", game=mine.name)
        task = progress.add_task(title, total=games, rate="")
        started, earlier = perf_counter(), len(finds.found)

        def note(done: int, found: int) -> None:
            rate = max(0, len(finds.found) - earlier) / max(perf_counter() - started, 1e-9)
            words = say("puzzles.found", n=found, rate=f"{rate:.1f}")
            # Whichever comes first ends it: the games, or puzzles enough.
            total = max(done, min(games, round(done * wanted / found))) if found else games
            progress.update(task, completed=done, total=total, rate=words)

        try:
            mine_all(mine, games, wanted, finds, note)
        except KeyboardInterrupt:
            progress.stop()
            console.print(say("puzzles.stopped", n=len(finds.found)))
            console.print(str(finds.path), markup=False, soft_wrap=True)
            raise
        command = f"benben puzzles mine {mine.name} --seed {mine.seed} --nodes {mine.nodes}"
        command += f" --games {games} --wanted {wanted}"
        found = collected(mine, finds.found, wanted, command)
    saves.write(write(found), path)
    told = say("puzzles.mined", n=len(found.puzzles), games=found.made.games, file=path)
    return [told, *_counts(found.puzzles)]


def check(
    name: str, file: Path | None, drop: bool, console: Console
) -> tuple[Collection, list[str]]:
    """Judge every puzzle anew with more nodes; what is left of them, and the lines to print.

    With `drop` the file is written anew; then those that held before are not judged again, and an
    interrupt loses nothing.
    """
    known = collection(name) if file is None else read(saves.read_text(file).encode())
    if known.game != name:
        raise BenbenError(f"{file}: these are puzzles of {known.game}")
    nodes = TIMES * known.made.nodes
    Mine(name, known.made.seed, known.made.nodes).prepare()
    before = known.checked
    dropped = list(before.dropped) if before is not None and before.nodes == nodes else []
    left = list(known.puzzles)
    held: dict[str, Puzzle] = {}

    def result() -> Collection:
        kept = tuple(held.get(puzzle.id, puzzle) for puzzle in left)
        return msgspec.structs.replace(known, puzzles=kept, checked=Checked(nodes, tuple(dropped)))

    try:
        with counting_bar(console) as progress:
            title = say("puzzles.checking", game=name)
            task = progress.add_task(title, total=len(known.puzzles), rate="")
            for done, puzzle in enumerate(known.puzzles, 1):
                if (drop and puzzle.checked >= nodes) or holds(name, puzzle, nodes):
                    held[puzzle.id] = msgspec.structs.replace(puzzle, checked=nodes)
                else:
                    left.remove(puzzle)
                    dropped.append(puzzle.id)
                progress.update(task, completed=done, rate=say("puzzles.held", n=len(held)))
    finally:
        if drop and file is not None:
            saves.write(write(result()), file)
    told = say("puzzles.checked", n=len(held) + len(dropped), held=len(held), nodes=f"{nodes:,}")
    return result(), [told, *(say("puzzles.fell", id=each) for each in dropped)]


def report(fresh: Collection | None = None) -> str:
    """How many of the puzzles of each game held, in Markdown; of one, what was `fresh` found."""
    lines = _REPORT.splitlines()
    for name in names():
        known = fresh if fresh is not None and fresh.game == name else puzzles(name)
        if known is not None and known.puzzles:
            nodes = TIMES * known.made.nodes
            lines.append(_row(known, known.checked or Checked(nodes, ())))
    return "\n".join([*lines, ""])


def _row(known: Collection, checked: Checked) -> str:
    held = sum(puzzle.checked >= checked.nodes for puzzle in known.puzzles)
    sure = Counter(puzzle.certainty for puzzle in known.puzzles)
    players = Counter(int(puzzle.options["players"]) for puzzle in known.puzzles)
    grades = Counter(puzzle.grade for puzzle in known.puzzles)
    cells = [
        known.game,
        held + len(checked.dropped),
        held,
        len(checked.dropped),
        f"{checked.nodes:,}",
        len(known.puzzles),
        sure["proven"],
        sure["exact"],
        sure["estimated"],
        ", ".join(f"{n} for {seats}" for seats, n in sorted(players.items())),
        " ".join(str(grades[grade]) for grade in GRADES),
    ]
    return f"| {' | '.join(map(str, cells))} |"


def _counts(found: Sequence[Puzzle]) -> Iterator[str]:
    grades = Counter(puzzle.grade for puzzle in found)
    for grade in GRADES:
        yield say("puzzles.graded", grade="★" * grade, n=grades[grade])
