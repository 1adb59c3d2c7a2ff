"""How strong the bots are and how they behave while they think: `make strength` writes strength.md.

Games go through the arena, so that what was played before is not played again: an interrupted run
goes on where it was. Every other figure is a ratio of two things measured turn by turn in one run,
or the worst of many tries.
"""

import statistics
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Event, Thread

import pyspiel
from rich.console import Console

import benben
from benben.bots.entrants import entrant
from benben.bots.levels import LEVELS
from benben.core.position import Position
from benben.lab.arena import Arena
from benben.terminal import contest
from bench.measuring import commit, compare, row

HERE = Path(__file__).parent
BREAK = "---"  # between what takes an hour to measure and what takes minutes
JOBS = 2
SLICE = 0.6  # seconds a measurement of speed
ANSWERS = 0.020  # seconds within which other threads, and cancelling, must be heard
QUICK = 0.050  # seconds within which levels 1 to 3 must move

# Who should be better than whom, and in how many games that is to be seen.
PAIRS = [
    ("greedy", "random", 400),
    ("uct:1000", "greedy", 600),
    ("uct:1000", "uct:200", 400),
    ("uct:5000", "uct:1000", 600),
]
MORE = {("batisseurs", 2, "uct:5000"): 4}  # times as many, where luck leaves a small margin
LADDER_GAMES = 60
TOP_GAMES, TOP_MS = 12, 200  # level 6 is given less than its second, or it would take hours

# Our game, its players, OpenSpiel's nearest kin, and how many times faster we want to search.
KIN = [
    ("pyramidis", 2, "mancala", 2.0),
    ("pyramidis", 4, "mancala", 2.0),
    ("quadrille", 2, "amazons", 2.0),
]


def games() -> Iterator[benben.Game]:
    for name in benben.names():
        for players in benben.info(name).players:
            yield benben.game(name, players=players)


# ---- Strength


def duel(
    game: benben.Game, better: str, worse: str, number: int, time_ms: int | None = None
) -> str:
    """A row: by how much the one is better, and whether that is beyond the interval."""
    seconds = None if time_ms is None else time_ms / 1000
    arena = Arena(game, (better, worse), "0", seconds)
    jobs = 1 if time_ms else JOBS  # bots that think by the clock must not share a processor
    console = Console(stderr=True)
    done = contest.run(arena, lambda name: entrant(name, game, seconds), number, jobs, console)
    margin, share = done.ratings.duels[0].margin, done.ratings.standings[0].share
    elo = done.ratings.duels[0].elo
    verdict = "yes" if margin.low > 0 else "not decided" if margin.high > 0 else "**no**"
    line = (
        f"| `{game.name}`, {game.players} | {better} | {worse} | {len(done.entries)} "
        f"| {share.value:.1%} of {1 / game.players:.0%} "
        f"| {100 * margin.value:+.1f} ({100 * margin.low:+.1f} to {100 * margin.high:+.1f}) "
        f"| {elo.value:+.0f} | {verdict} |"
    )
    console.print(line, markup=False)
    return line


HEAD = (
    "| game, players | better | worse | games | share of par | margin (95 %) | Elo | better |\n"
    "|---|---|---|---:|---|---|---:|---|"
)


# ---- Speed


def benben_search(name: str, players: int) -> Callable[[], float]:
    """Simulations per second from a start position."""
    start = benben.game(name, players=players).deal(seed=1)
    player = entrant("uct", start.game).player
    turn = benben.Turn.at(start, (), start, benben.Budget(seconds=SLICE), 1)

    def measure() -> float:
        begun = time.perf_counter()
        return player.think(turn).simulations / (time.perf_counter() - begun)

    measure()
    return measure


def open_spiel_search(name: str) -> Callable[[], float]:
    """The same of OpenSpiel's C++ MCTSBot, one random rollout a simulation."""
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
    player = entrant("uct", game).player
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


def strength() -> list[str]:
    """All games between bots."""
    lines = ["## Who beats whom", "", HEAD]
    for better, worse, number in PAIRS:
        for game in games():
            times = MORE.get((game.name, game.players, better), 1)
            lines.append(duel(game, better, worse, number * times))
    lines += ["", "## The ladder, each level beside the one below", "", HEAD]
    for below in LEVELS[:4]:
        lines += [duel(game, str(below + 1), str(below), LADDER_GAMES) for game in games()]
    lines += ["", f"With {TOP_MS} ms a move instead of a second:", "", HEAD]
    pairs = [game for game in games() if game.players == 2]
    lines += [duel(game, "6", "5", TOP_GAMES, TOP_MS) for game in pairs]
    return lines


def thinking() -> list[str]:
    """How fast bots think, and whom they keep waiting."""
    lines = [
        "## Searching, simulations per second, one thread",
        "",
        "| | Benben | beside | | ratio | wanted | met |",
        "|---|---:|---|---:|---:|---:|---|",
    ]
    for name, players, kin, wanted in KIN:
        figures = compare(benben_search(name, players), open_spiel_search(kin), lambda: None)
        beside = f"OpenSpiel `{kin}`, `MCTSBot` (C++)"
        lines.append(row(f"`{name}`, {players} players", beside, figures, wanted))
    lines += ["", "## While somebody thinks, in ms", ""]
    lines += ["| | | median | 99 % | wanted | met |", "|---|---|---:|---:|---:|---|"]
    for game in games():
        kind = f"`{game.name}`, {game.players}"
        taken = answers_while_level_6_thinks(game)
        what = "another thread answers while level 6 thinks"
        lines.append(f"| {what} | {kind} | {_ms(taken)} | 20 | {_within(taken, ANSWERS)} |")
        taken = cancelling(game)
        what = "a cancelled search ends"
        lines.append(f"| {what} | {kind} | {_ms(taken)} | 20 | {_within(taken, ANSWERS)} |")
        for level in (1, 2, 3):
            taken = moves_of(game, level)
            what = f"level {level} moves"
            lines.append(f"| {what} | {kind} | {_ms(taken)} | 50 | {_within(taken, QUICK)} |")
    return lines


def measured_by(command: str) -> str:
    return f"By `{command}`, on commit {commit()}, Python {sys.version.split()[0]}."


def main() -> None:
    """All of it; with `--thinking`, only what takes minutes, and the games stay as they were."""
    file = HERE / "strength.md"
    if "--thinking" in sys.argv:
        games_told = file.read_text("utf-8").partition(f"\n{BREAK}\n")[0].splitlines()
    else:
        games_told = [
            "# How strong the bots are",
            "",
            f"{measured_by('make strength')} A margin is the difference of two bots' shares of a "
            "game's point for each seat, times 100; every row is what `benben arena GAME --players "
            "N --bots BETTER,WORSE --games GAMES` prints.",
            "",
            *strength(),
            "",
        ]
    told = [*games_told, BREAK, "", measured_by("make thinking"), "", *thinking(), ""]
    file.write_text("\n".join(told), "utf-8")


if __name__ == "__main__":
    main()
