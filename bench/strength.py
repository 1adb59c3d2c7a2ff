"""How strong the bots are and how they behave while they think: `make strength` writes strength.md.

Games go through the arena, so that what was played before is not played again: an interrupted run
goes on where it was. Every other figure is a ratio of two things measured turn by turn in one run,
or the worst of many tries.

`--only SECTION` and `--game GAME` measure a part, and leave all other rows in the file as they are:
each says on which commit it was measured. `--games-scale 0.1` plays a tenth of the games, tells
what came of it, and writes nothing; `--jobs` is how many games go on at once. Every bot here thinks
on one core.
"""

import argparse
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from threading import Event, Thread

from rich.console import Console

import benben
from benben.bots.entrants import entrant
from benben.bots.levels import LEVELS
from benben.bots.warm import BOTS
from benben.core.position import Position
from benben.lab.arena import Arena
from benben.lab.rating import Sprt
from benben.lab.workers import Where
from benben.terminal import contest
from benben.terminal.ready import ready
from bench.measuring import commit, compare, row
from bench.sparring import DIRECTORY, STYLES
from bench.sparring import GAMES as SPARRING_GAMES

HERE = Path(__file__).parent
JOBS = 2
THINKS = 0.050  # seconds a move, for whoever thinks by the clock and is not told otherwise
SLICE = 0.6  # seconds a measurement of speed
ANSWERS = 0.020  # seconds within which other threads, and cancelling, must be heard
QUICK = 0.050  # seconds within which levels 1 to 3 must move

# Random moves before the bots play. More would often decide the game; fewer would repeat it.
OPENINGS = {"pyramidis": 4, "quadrille": 2, "objectif": 2, "batisseurs": 2}

# Shares that sequential tests are between. To be stronger at all is enough, so the second pair is
# near to half.
SEVENTY, STRONGER = (0.65, 0.75), (0.50, 0.56)

# Our game, its players, OpenSpiel's nearest kin, and how many times faster we want to search.
KIN = [
    ("pyramidis", 2, "mancala", 2.0),
    ("pyramidis", 4, "mancala", 2.0),
    ("quadrille", 2, "amazons", 2.0),
]

# For the estimate of how long all this takes: decisions of a game, and milliseconds of each.
DECISIONS = {
    ("pyramidis", 2): 55,
    ("pyramidis", 4): 150,
    ("quadrille", 2): 75,
    ("objectif", 2): 24,
    ("objectif", 3): 30,
    ("objectif", 4): 36,
    ("batisseurs", 2): 60,
    ("batisseurs", 3): 90,
    ("batisseurs", 4): 120,
}
LEVELS_TAKE = {"1": 1, "2": 2, "3": 4, "4": 10, "5": 30}
LUCKY_GAMES_TAKE = 1  # a decision in batisseurs, whose best players look it up
A_TEST_ENDS_AFTER = 0.4  # of the games it may have, mostly


# ---- Games between bots


@dataclass(frozen=True)
class Claim:
    """The first bot's share against the second should be between two values.

    So many games are played; with a `test` they end as soon as a sequential test between these two
    shares is decided. A test against `least` itself is about being stronger at all: where the games
    do not decide it, the whole interval must be above.
    """

    game: benben.Game
    first: str
    second: str
    games: int
    least: float
    most: float = 1.0
    test: tuple[float, float] | None = None
    gauntlet: bool = False

    @property
    def wanted(self) -> str:
        if self.most < 1:
            return f"{100 * self.least:.0f}–{100 * self.most:.0f} %"
        if self._against_least:
            return f"more than {100 * self.least:.0f} %"
        times = f" ({self.least * self.game.players:.2f} × fair)" if self.gauntlet else ""
        return f"at least {100 * self.least:.1f} %{times}"

    @property
    def _against_least(self) -> bool:
        return self.test is not None and self.test[0] == self.least

    def met(self, done: contest.Contest) -> bool:
        if done.sprt is not None and done.sprt.verdict is not None:
            return done.sprt.verdict
        share = done.ratings.standings[0].share
        return (
            share.low > self.least
            if self._against_least
            else self.least <= share.value <= self.most
        )

    def seconds(self, scale: float, jobs: int) -> float:
        """About how long it takes."""
        name, players = self.game.name, self.game.players
        first = 1 / players if self.gauntlet else 0.5
        each = first * self._takes(self.first) + (1 - first) * self._takes(self.second)
        games = self.games * scale * (1 if self.test is None else A_TEST_ENDS_AFTER)
        return games * DECISIONS[name, players] * each / 1000 / jobs

    def _takes(self, bot: str) -> float:
        """Milliseconds a decision."""
        if self.game.name == "batisseurs":
            return LUCKY_GAMES_TAKE
        _, at, time_ms = bot.partition("@")
        return float(time_ms) if at else LEVELS_TAKE.get(bot, 1000 * THINKS)


@dataclass(frozen=True)
class Section:
    """A part of the page: its claims, each a row."""

    title: str
    words: str
    claims: tuple[Claim, ...]


def two_player_games() -> list[benben.Game]:
    """Those that are decided by skill; pyramidis on the track that is its default."""
    return [benben.game(name, players=2) for name in ("objectif", "pyramidis", "quadrille")]


def objectif_too() -> list[benben.Game]:
    """The same, with both modes of objectif."""
    fair = benben.game("objectif", players=2, mode="fair")
    return [fair, *two_player_games()]


def ladder() -> Section:
    claims = []
    for game in two_player_games():
        for below in LEVELS[:-1]:
            claims.append(Claim(game, str(below + 1), str(below), 200, 0.62, 0.88))
        claims.append(Claim(game, "6", "1", 200, 0.97))
    words = "Each level against the one below, and the last against the first."
    return Section("The ladder, in games of two", words, tuple(claims))


def lucky_ladder() -> Section:
    game = benben.game("batisseurs", players=2)
    claims = [Claim(game, str(n + 1), str(n), 4000, 0.54, 0.62) for n in LEVELS[:-1]]
    claims.append(Claim(game, "6", "1", 2000, 0.80))
    words = "Luck is large here, so steps are smaller and take more games to see."
    return Section("The ladder in bâtisseurs", words, tuple(claims))


def tables() -> Section:
    claims = []
    for name in benben.names():
        for players in benben.info(name).players:
            if players > 2:
                lucky = name == "batisseurs"
                least, games = (1.15, 1200) if lucky else (1.4, 240)
                game = benben.game(name, players=players)
                claims.append(Claim(game, "6", "4", games, least / players, gauntlet=True))
    words = "One seat of level 6, on each in turn, among seats of level 4."
    return Section("Three and four players", words, tuple(claims))


def ten_times() -> Section:
    claims = [Claim(game, "6@50", "uct@500", 160, 0.70, test=SEVENTY) for game in objectif_too()]
    words = "Level 6 thinks for 50 ms, plain tree search for ten times as long."
    return Section("Against tree search with ten times the time", words, tuple(claims))


def more_time() -> Section:
    claims = [
        # In objectif most rounds end level: it takes more of them to see who is better.
        Claim(game, "6@200", "6@20", 400 if game.name == "objectif" else 200, 0.50, test=STRONGER)
        for game in two_player_games()
    ]
    words = "Level 6 with 200 ms a move against itself with 20."
    return Section("What ten times the time is worth", words, tuple(claims))


def sparring() -> Section:
    claims = []
    for game in objectif_too():
        if game.name in SPARRING_GAMES:
            claims += [Claim(game, "6", partner(game, s), 200, 0.70, test=SEVENTY) for s in STYLES]
    words = (
        "Programs that speak the line protocol, in other styles than level 6 "
        "(`bench/sparring.py`), at an equal 50 ms: `deep` is alpha-beta by the hand-made "
        "evaluation, `mobility` the same by another idea, `cut` a tree search whose playouts are "
        "cut short and judged."
    )
    return Section("Sparring partners at equal time", words, tuple(claims))


def partner(game: benben.Game, style: str) -> str:
    return f"cmd:{sys.executable} -m bench.sparring {game.name} {style}"


SECTIONS: dict[str, Callable[[], Section]] = {
    "ladder": ladder,
    "batisseurs": lucky_ladder,
    "tables": tables,
    "ten-times": ten_times,
    "more-time": more_time,
    "sparring": sparring,
}
THINKING, THINKING_TITLE = "thinking", "While bots think"
HEAD = (
    "| game | bot | against | games | share (95 %) | commit | wanted | met |\n"
    "|---|---|---|---:|---|---|---|---|"
)
SAME = 3  # cells by which a row is known: the game and both bots


def settle(claim: Claim, scale: float, jobs: int, console: Console) -> str:
    """Play what a claim needs; its row."""
    arena = Arena(
        claim.game,
        (claim.first, claim.second),
        # Results note our own code, not that of a program: another partner gets other luck.
        DIRECTORY.name if claim.second.startswith("cmd:") else "0",
        THINKS,
        openings=OPENINGS[claim.game.name],
        gauntlet=claim.gauntlet,
        cpu=True,
    )
    ready(claim.game, console, BOTS)
    done = contest.run(
        arena,
        max(1, round(claim.games * scale)),
        console,
        Where(jobs),
        sprt=None if claim.test is None else Sprt(*claim.test),
    )
    share = done.ratings.standings[0].share
    met = "yes" if claim.met(done) else "**no**"
    failed = sum(len(done.failures(bot)) for bot in arena.names)
    if failed:  # what is won by that is no strength
        met = f"**no**: {failed} games were lost by failure"
    games = f"{len(done.entries)}"
    if done.sprt is not None:
        games += ", open" if done.sprt.verdict is None else ", SPRT"
    interval = f"{100 * share.low:.1f}–{100 * share.high:.1f}"
    cells = [
        described(claim.game),
        claim.first,
        _called(claim.second),
        games,
        f"{100 * share.value:.1f} % ({interval})",
        commit(),
        claim.wanted,
        met,
    ]
    return f"| {' | '.join(cells)} |"


def _called(bot: str) -> str:
    """A sparring partner by its style, anybody else by name."""
    return bot.rpartition(" ")[2]


def described(game: benben.Game) -> str:
    """The game, its players, and its mode where that is not the usual one."""
    fair = ", fair" if game.options.get("mode") == "fair" else ""
    return f"`{game.name}`, {game.players}{fair}"


class Timekeeper:
    """Says how much of a run is left, by how the estimates have done so far."""

    def __init__(self, expected: list[float], console: Console) -> None:
        self._expected, self._console = expected, console
        self._spent = self._done = 0.0
        minutes = sum(expected) / 60
        console.print(f"{len(expected)} rows, about {minutes:.0f} minutes", highlight=False)

    def note(self, row: str, began: float) -> None:
        self._spent += time.perf_counter() - began
        self._done += self._expected.pop(0)
        left = sum(self._expected) * self._spent / max(self._done, 1e-9) / 60
        self._console.print(row, markup=False, highlight=False, soft_wrap=True)
        rows = len(self._expected)
        self._console.print(f"{rows} rows to go, about {left:.0f} minutes", highlight=False)


# ---- Speed


def benben_search(bot: str, name: str, players: int) -> Callable[[], float]:
    """Simulations, or positions looked at, per second from a start position."""
    start = benben.game(name, players=players).deal(seed=1)
    player = entrant(bot, start.game).player
    turn = benben.Turn.at(start, (), start, benben.Budget(seconds=SLICE), 1)

    def measure() -> float:
        begun = time.perf_counter()
        return player.think(turn).simulations / (time.perf_counter() - begun)

    measure()
    return measure


def open_spiel_search(name: str) -> Callable[[], float]:
    """The same of OpenSpiel's C++ MCTSBot, one random rollout a simulation."""
    import pyspiel  # all else can be measured without it

    game = pyspiel.load_game(name)
    start = game.new_initial_state()

    def search(simulations: int) -> float:
        evaluator = pyspiel.RandomRolloutEvaluator(1, 1)
        bot = pyspiel.MCTSBot(game, evaluator, 2.0, simulations, 1000, False, 1, False)
        begun = time.perf_counter()
        bot.mcts_search(start)
        return time.perf_counter() - begun

    simulations = max(100, round(SLICE / search(200) * 200))
    return lambda: simulations / search(simulations)


# ---- While somebody thinks


def _decision(game: benben.Game) -> Position:
    """The first decision of a game."""
    stream = benben.RandomStream.seeded(1)
    position = game.deal(source=stream)
    while position.to_move == benben.CHANCE:
        position = position.play(position.draw(stream))
    return position


def _ms(seconds: list[float]) -> str:
    ordered = sorted(1000 * each for each in seconds)
    return f"{statistics.median(ordered):.1f} | {ordered[int(0.99 * len(ordered))]:.1f}"


def answers_while_level_6_thinks(game: benben.Game) -> list[float]:
    """How long another thread takes to look at a position, again and again, for two seconds."""
    position = _decision(game)
    top = entrant("6", game)
    stop, taken = Event(), []
    turn = benben.Turn.at(position, (), position, benben.Budget(seconds=60), 1, stop)
    thread = Thread(target=lambda: _until_cancelled(top.player, turn))
    thread.start()
    until = time.perf_counter() + 2
    while (begun := time.perf_counter()) < until:
        position.moves()
        time.sleep(0.001)  # another request comes in
        taken.append(time.perf_counter() - begun - 0.001)
    stop.set()
    thread.join()
    return taken


def _until_cancelled(player: benben.Player, turn: benben.Turn) -> None:
    try:
        while True:
            player.think(turn)
    except benben.Cancelled:
        pass


def cancelling(game: benben.Game) -> list[float]:
    """How long it takes until a search that is cancelled has ended."""
    position, taken = _decision(game), []
    player = entrant("6", game).player
    for seed in range(40):
        stop = Event()
        turn = benben.Turn.at(position, (), position, benben.Budget(seconds=60), seed, stop)
        thread = Thread(target=_until_cancelled, args=(player, turn))
        thread.start()
        time.sleep(0.02 + seed / 1000)
        begun = time.perf_counter()
        stop.set()
        thread.join()
        taken.append(time.perf_counter() - begun)
    return taken


def moves_of(game: benben.Game, level: int) -> list[float]:
    """How long a level takes for each move of some games."""
    bot, taken = entrant(str(level), game), []
    for seed in range(3):
        stream = benben.RandomStream.seeded(seed)
        start = position = game.deal(source=stream)
        moves: list[str] = []
        while position.to_move is not None:
            if position.to_move == benben.CHANCE:
                move = position.draw(stream)
            else:
                begun = time.perf_counter()
                turn = benben.Turn.at(start, moves, position, bot.budget, len(moves))
                move = bot.player.think(turn).move
                taken.append(time.perf_counter() - begun)
            moves.append(move)
            position = position.play(move)
    return taken


def _within(taken: list[float], limit: float) -> str:
    """All but one in a hundred: on a shared machine anything may be held up."""
    return "yes" if sorted(taken)[int(0.99 * len(taken))] <= limit else "**no**"


def games() -> Iterator[benben.Game]:
    for name in benben.names():
        for players in benben.info(name).players:
            yield benben.game(name, players=players)


def thinking() -> list[str]:
    """How fast bots think, and whom they keep waiting."""
    lines = [
        "Simulations, or positions looked at, per second on one thread. Level 6 is to be fast;",
        "plain tree search is there for comparison.",
        "",
        "| | Benben | beside | | ratio | wanted | met |",
        "|---|---:|---|---:|---:|---:|---|",
    ]
    for name, players, kin, wanted in KIN:
        for bot in ("6", "uct"):
            ours = benben_search(bot, name, players)
            figures = compare(ours, open_spiel_search(kin), lambda: None)
            beside = f"OpenSpiel `{kin}`, `MCTSBot` (C++)"
            asked = wanted if bot == "6" else None
            lines.append(row(f"{bot} in `{name}`, {players}", beside, figures, asked))
    lines += ["", "Milliseconds:", ""]
    lines += ["| | | median | 99 % | wanted | met |", "|---|---|---:|---:|---:|---|"]
    for game in games():
        kind = described(game)
        taken = answers_while_level_6_thinks(game)
        what = "another thread answers while level 6 thinks"
        lines.append(f"| {what} | {kind} | {_ms(taken)} | 20 | {_within(taken, ANSWERS)} |")
        taken = cancelling(game)
        what = "level 6 is cancelled and ends"
        lines.append(f"| {what} | {kind} | {_ms(taken)} | 20 | {_within(taken, ANSWERS)} |")
        for level in (1, 2, 3):
            taken = moves_of(game, level)
            what = f"level {level} moves"
            lines.append(f"| {what} | {kind} | {_ms(taken)} | 50 | {_within(taken, QUICK)} |")
    return lines


# ---- The page

VERDICT = "What is met"
INTRODUCTION = """# How strong the bots are

By `make strength`. A share is what the bot gets of all points, for each seat it has; the interval
holds the truth 95 times in 100. Bots that think by the clock have {ms} ms a move unless their name
says another time (`6@200`), counted in work of their own, so that it does not matter what else the
machine does. Every game begins with some random moves, the same for each bot in turn. Where a
number of games has *SPRT* beside it, a sequential test ended the row once it was clear; a share is
then a little further from the middle than the truth, on average. *open* means that it was not clear
after all the games there were.
"""


def told_before(file: Path) -> dict[str, str]:
    """The sections of the page as it is, by title."""
    if not file.exists():
        return {}
    parts = file.read_text("utf-8").split("\n## ")[1:]
    return {title: body.strip() for title, _, body in (part.partition("\n") for part in parts)}


def verdict(sections: dict[str, str]) -> str:
    """In words: what is met, and each row that is not."""
    lines = []
    for title, body in sections.items():
        rows = [_cells(line) for line in body.splitlines() if "| " in line]
        rows = [cells for cells in rows if cells[-1] == "yes" or cells[-1].startswith("**no**")]
        missed = [cells for cells in rows if cells[-1] != "yes"]
        if not rows:
            continue
        lines.append(f"- {title}: {len(rows) - len(missed)} of {len(rows)} as wanted.")
        lines += [f"  - Not met: {_in_words(cells)}." for cells in missed]
    return "\n".join(lines)


def _in_words(cells: tuple[str, ...]) -> str:
    """A row: of games between bots if it has as many cells as those and a share among them."""
    if len(cells) == HEAD.splitlines()[0].count("|") - 1 and "% (" in cells[4]:
        game, bot, against, _, share, _, wanted, met = cells
        why = met.removeprefix("**no**")
        return f"in {game}, {bot} against {against} got {share}, wanted {wanted}{why}"
    return ", ".join(cells[:-1])


def page(sections: dict[str, str]) -> str:
    order = [*(make().title for make in SECTIONS.values()), THINKING_TITLE]
    known = {title: sections[title] for title in order if title in sections}
    known[VERDICT] = verdict(known)
    parts = [f"## {title}\n\n{body}\n" for title, body in known.items()]
    return "\n".join([INTRODUCTION.format(ms=round(1000 * THINKS)), *parts])


def table(section: Section, before: str, rows: list[str]) -> str:
    """A section with its rows: those that were just measured, and the others as they were."""
    known = {_cells(row)[:SAME]: row for row in [*before.splitlines(), *rows] if row[:1] == "|"}
    keys = [(described(c.game), c.first, _called(c.second)) for c in section.claims]
    there = [known[key] for key in keys if key in known]
    return "\n".join([section.words, "", HEAD, *there])


def _cells(row: str) -> tuple[str, ...]:
    return tuple(row.strip("| ").split(" | "))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    names = [*SECTIONS, THINKING]
    parser.add_argument("--only", action="append", choices=names, help="a part; may be repeated")
    parser.add_argument(
        "--game", action="append", choices=benben.names(), help="rows of it; may be repeated"
    )
    parser.add_argument("--games-scale", type=float, default=1.0, metavar="F", help="for trying")
    parser.add_argument("--jobs", type=int, default=JOBS, help=f"games at once: {JOBS}")
    given = parser.parse_args()
    console = Console(stderr=True)
    chosen = given.only or names
    asked = [make() for name, make in SECTIONS.items() if name in chosen]
    wanted = given.game or benben.names()
    claims = {each.title: [c for c in each.claims if c.game.name in wanted] for each in asked}
    if "sparring" in chosen:
        console.print("Compiling the sparring partners …")
        subprocess.run([sys.executable, "-m", "bench.sparring", "--warm"], check=True)
    expected = [
        claim.seconds(given.games_scale, given.jobs)
        for section in asked
        for claim in claims[section.title]
    ]
    keeper = Timekeeper(expected, console)
    sections = told_before(HERE / "strength.md") if given.games_scale == 1 else {}
    for section in asked:
        console.rule(section.title)
        rows = []
        for claim in claims[section.title]:
            began = time.perf_counter()
            rows.append(settle(claim, given.games_scale, given.jobs, console))
            keeper.note(rows[-1], began)
            before = sections.get(section.title, "")
            sections[section.title] = table(section, before, rows)
            write(sections, given.games_scale)
    if THINKING in chosen:
        console.rule(THINKING_TITLE)
        sections[THINKING_TITLE] = "\n".join([f"On commit {commit()}.", "", *thinking()])
        write(sections, given.games_scale)
    console.print(verdict(sections), markup=False, highlight=False, soft_wrap=True)


def write(sections: dict[str, str], scale: float) -> None:
    """After every row, so that an interrupted run has something to show; never of a trial."""
    if scale == 1:
        (HERE / "strength.md").write_text(page(sections), "utf-8")


if __name__ == "__main__":
    main()
