"""The balance reports that are shipped, made anew: `make balance`. Interrupted, it goes on.

Each pass has more games than the one before, and writes every report: whoever stops it has all of
them, from as many games as there was time for. The command inside a report makes it again.
`--game GAME` makes those of a game, `--most 0.2` ends with a fifth of the games.
"""

import argparse
from pathlib import Path

from rich.console import Console

import benben
from benben.core.game import Game
from benben.lab.balance.files import as_json, id_of
from benben.lab.balance.report import Comparison, Report
from benben.lab.balance.skill import ladder
from benben.lab.balance.study import OPENINGS, Study, study_of
from benben.terminal.balancing import Way, balance, compare

REPORTS = Path(__file__).parents[1] / "src/benben/lab/reports"
SEED = "1"
PASSES = (0.1, 0.15, 0.2, 0.25, 0.35, 0.5, 0.7, 1.0)

# Game, players, value of its option, bot, games, and games between levels.
STUDIES: tuple[tuple[str, int, str, str, int, int], ...] = (
    ("objectif", 2, "random", "5", 1000, 800),
    ("objectif", 3, "random", "5", 300, 720),
    ("objectif", 4, "random", "5", 200, 480),
    ("pyramidis", 2, "bm", "5", 300, 800),
    ("pyramidis", 4, "", "5", 200, 480),
    ("batisseurs", 2, "all", "5", 2500, 4000),
    ("batisseurs", 3, "all", "5", 600, 1800),
    ("batisseurs", 4, "all", "5", 600, 1440),
    ("quadrille", 2, "regular", "4", 200, 200),
)
# Game, players, bots, games.
COMPARISONS: tuple[tuple[str, int, tuple[str, ...], int], ...] = (
    ("objectif", 2, ("1", "2", "3", "4", "5", "6:500"), 1000),
    ("objectif", 3, ("5",), 300),
    ("pyramidis", 2, ("5",), 300),
    ("batisseurs", 2, ("5",), 2500),
    ("batisseurs", 3, ("5",), 600),
    ("batisseurs", 4, ("5",), 600),
    ("quadrille", 2, ("4",), 200),
)
ALIKE = {"pyramidis", "quadrille"}  # bots would play one game again and again


def game_of(name: str, players: int, value: str) -> Game:
    own = {benben.info(name).option.name: value} if value else {}
    return benben.game(name, players=players, **own)


def study(name: str, players: int, value: str, bot: str) -> Study:
    openings = OPENINGS if name in ALIKE else 0
    return study_of(game_of(name, players, value), (bot,), SEED, openings)


def ways(name: str, players: int, bots: tuple[str, ...]) -> list[Study]:
    option = benben.info(name).option
    values = [each for each in option.values if players in option.limits.get(each, option.players)]
    return [study(name, players, value, bot) for value in values for bot in bots]


def whole(one: Study, games: float) -> int:
    """So many games, in whole rounds."""
    return max(1, one.rounds(int(games))) * one.round_size


def keep(made: Report | Comparison, console: Console) -> None:
    REPORTS.mkdir(exist_ok=True)
    (REPORTS / f"{id_of(made)}.json").write_bytes(as_json(made))
    console.print(id_of(made))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--most", type=float, default=1.0, help="the part of all games to play")
    parser.add_argument(
        "--game", action="append", choices=benben.names(), help="only of it; may be repeated"
    )
    arguments = parser.parse_args()
    console = Console(stderr=True, highlight=False)
    way = Way(console)
    wanted = arguments.game or benben.names()
    for part in PASSES:
        if part > arguments.most:
            break
        for name, players, value, bot, games, between in STUDIES:
            if name not in wanted:
                continue
            one = study(name, players, value, bot)
            rungs = whole(ladder(one), part * between)
            keep(balance(one, whole(one, part * games), rungs, way)[0], console)
        for name, players, bots, games in COMPARISONS:
            if name not in wanted:
                continue
            some = ways(name, players, bots)
            keep(compare(some, whole(some[0], part * games), way), console)


if __name__ == "__main__":
    main()
