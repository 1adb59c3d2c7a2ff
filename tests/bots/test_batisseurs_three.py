"""Bâtisseurs for three, solved: the last levels, held against the rules."""

from collections.abc import Callable
from functools import cache
from math import sqrt
from pathlib import Path
from threading import Event

import numpy as np
import pytest

import benben
from benben.bots.batisseurs import three
from benben.bots.batisseurs.keeping import Unfinished, read_table
from benben.bots.batisseurs.three import Solution, solve_levels
from benben.bots.batisseurs.turns import kind_of_board, model
from benben.core.game import Game
from benben.core.kernel import Floats
from benben.core.player import Cancelled
from tests.bots.test_batisseurs import BUT_ONE, BUT_TWO, EMPTY, in_turn

BOTH = [benben.game("batisseurs", players=3, placing=placing) for placing in ("all", "free")]
ALL, FREE = BOTH
LEVEL = {"all": 16, "free": 12}  # blocks that are missing at most, in what is solved here
BUT_TOPS = "xxxxxx/xxxxx/xxxx/xxx/../."  # e1, e2 and f1 are missing
LATE = "xxxxxx/xxxxx/xxx./xx./../."

both = pytest.mark.parametrize("game", BOTH, ids=["all", "free"])


def nothing() -> None:
    return


def solver(game: Game, table: Floats, check: Callable[[], None] = nothing) -> three.Solver:
    return three.Solver(*model(game), table, 2, check)


@cache
def late(placing: str) -> Solution:
    """The solution as far as the last blocks go."""
    game = benben.game("batisseurs", players=3, placing=placing)
    kinds, turns = model(game)
    table = np.zeros(three._shape(kinds))
    solving = solver(game, table)
    for level in range(1, LEVEL[placing] + 1):
        solving.solve(level, lambda done: None)
    return Solution(kinds, turns, table, None, None)


def solved(game: Game) -> Solution:
    return late(str(game.options["placing"]))


def at(game: Game, *boards: str) -> benben.Position:
    """Seat 1 is about to begin a turn."""
    return game.parse(f"{'|'.join(boards)} 1 - 6 0")


def chances(position: benben.Position) -> list[float]:
    """Everybody's, where somebody is about to begin a turn, by the solution."""
    found = solved(position.game)
    seat, record = in_turn(position), position.record
    won = [int(record["won"][0, (seat + k) % 3]) for k in range(3)]
    own, following, third = (kind_of_board(board, found.kinds) for board in won)
    first, second = found.table[third, own, following].tolist()
    told = [first, second, 1 - first - second]
    return [told[(s - seat) % 3] for s in range(3)]


class Expectimax:
    """Everybody's chances in a turn, move by move, by the rules alone.

    The solution is asked only where the turn has ended.
    """

    def __init__(self) -> None:
        self._known: dict[benben.Position, list[float]] = {}

    def __call__(self, position: benben.Position, seat: int) -> list[float]:
        if position not in self._known:
            self._known[position] = self._look(position, seat)
        return self._known[position]

    def _look(self, position: benben.Position, seat: int) -> list[float]:
        if position.result is not None:
            return list(position.result.shares)
        if in_turn(position) != seat:
            return chances(position)
        if position.to_move == benben.CHANCE:
            total = np.zeros(3)
            for throw, p in position.chance():
                total += p * np.array(self(position.play(throw), seat))
            return total.tolist()
        return max((self(position.play(m), seat) for m in position.moves()), key=lambda c: c[seat])


# ---- Chances to win


@pytest.mark.slow
@both
def test_the_top_alone_is_missing_on_all_boards(game: Game) -> None:
    """By hand: f must fall among six dice, or the next one tries."""
    p = 1 - (5 / 6) ** 6
    first = p / (1 - (1 - p) ** 3)
    wanted = [first, (1 - p) * first, (1 - p) ** 2 * first]
    assert chances(at(game, BUT_ONE, BUT_ONE, BUT_ONE)) == pytest.approx(wanted, abs=1e-14)


@both
def test_one_block_is_missing_against_one_and_two(game: Game) -> None:
    """By hand: e, then f at once, or the choice to stop or to roll five dice for f."""
    p = 1 - (5 / 6) ** 6
    e_and_f = 1 - 2 * (5 / 6) ** 6 + (4 / 6) ** 6
    e_only = (5 / 6) ** 6 - (4 / 6) ** 6
    top = 1 - (5 / 6) ** 5
    even = np.array([1, 1 - p, (1 - p) ** 2]) * p / (1 - (1 - p) ** 3)  # one block missing on all
    u, v, w = np.full((3, 3), 1 / 3)  # when seat 1, who misses two, begins; seat 2; seat 3
    for _ in range(1000):  # contracts by the chance of three busts
        u, v, w = (
            e_and_f * np.array([1, 0, 0])
            + e_only
            * max(np.roll(even, 1), top * np.array([1, 0, 0]) + (1 - top) * v, key=lambda c: c[0])
            + (1 - e_and_f - e_only) * v,
            p * np.array([0, 1, 0]) + (1 - p) * w,
            p * np.array([0, 0, 1]) + (1 - p) * u,
        )
    boards = (BUT_TWO, BUT_ONE, BUT_ONE)
    for shift, wanted in enumerate((u, v, w)):
        turned = (*boards[shift:], *boards[:shift])
        assert chances(at(game, *turned)) == pytest.approx(np.roll(wanted, -shift), abs=1e-13)


_TRIPLES = [
    (BUT_ONE, BUT_TWO, BUT_TOPS),
    (BUT_TOPS, BUT_TOPS, BUT_TOPS),
    (LATE, BUT_TOPS, BUT_ONE),
    (LATE, BUT_ONE, BUT_TWO),
]


@both
@pytest.mark.parametrize("boards", _TRIPLES)
def test_a_turn_played_out_by_the_rules_is_worth_the_same(
    game: Game, boards: tuple[str, ...]
) -> None:
    for shift in range(3):
        position = at(game, *boards[shift:], *boards[:shift])
        assert Expectimax()(position, 0) == pytest.approx(chances(position), abs=1e-12)


@both
def test_moves_are_worth_what_the_rules_make_of_them(game: Game) -> None:
    thrown = at(game, BUT_TOPS, LATE, BUT_TWO).play("=aaaeef")
    expectimax = Expectimax()
    worths = [expectimax(thrown.play(move), 0)[0] for move in thrown.moves()]
    assert solved(game).worths(thrown.record) == pytest.approx(worths, abs=1e-12)


@both
def test_nobody_can_do_better(game: Game) -> None:
    """Every triple agrees with itself: also those where plans went in circles and are mixed."""
    found = solved(game)
    levels = three.Levels(solver(game, found.table).levels.missing)
    most = LEVEL[str(game.options["placing"])]
    checked = 0
    record = at(game, EMPTY, EMPTY, EMPTY).record
    boards = found.kinds.boards[np.unique(found.kinds.kind_of, return_index=True)[1]]
    for level in range(3, most + 1):
        for triple in levels.triples(level)[:: 1 + level // 4].tolist():
            for shift in range(3):
                own, following, third = (triple[(shift + k) % 3] for k in range(3))
                record["won"][0, :3] = boards[own], boards[following], boards[third]
                told = found.table[third, own, following, 0]
                assert found.value(record) == pytest.approx(told, abs=1e-11)
                checked += 1
    assert checked > 500


def test_plans_that_go_in_circles_are_settled() -> None:
    """Of these three the second and the third would change their minds for ever."""
    found = late("all")
    triple = np.array([210, 222, 226])
    circling = three._Circling(triple, found.turns, found.table)
    before = found.table[226, 210, 222].copy()
    for s in range(3):
        circling._plans[s] = circling._best(s)
    circling.settle()
    assert found.table[226, 210, 222] == pytest.approx(before, abs=1e-11)


@both
def test_perfect_players_win_as_often_as_they_should(game: Game) -> None:
    games = 600
    found = solved(game)
    stream = benben.RandomStream.seeded(5)
    start = at(game, LATE, BUT_TOPS, BUT_ONE)
    won = np.zeros(3)
    for _ in range(games):
        position = start
        while position.result is None:
            if position.to_move == benben.CHANCE:
                position = position.play(position.draw(stream))
            else:
                best = int(found.worths(position.record).argmax())
                position = position.play(position.moves()[best])
        won += position.result.shares
    for share, p in zip(won / games, chances(start), strict=True):
        assert abs(share - p) < 4 * sqrt(p * (1 - p) / games)


# ---- Triples


def test_every_triple_is_there_once_however_it_is_turned() -> None:
    found = late("all")
    levels = three.Levels(solver(ALL, found.table).levels.missing)
    numbers = levels.number()
    assert sum(numbers) == (231**3 - 231) // 3 + 231 == 4_108_951
    for level in (2, 3, 9, 20, 63):
        triples = levels.triples(level)
        assert len(triples) == numbers[level]
        turned = {min(tuple(np.roll(t, k).tolist()) for k in range(3)) for t in triples}
        assert len(turned) == len(triples)


# ---- Interrupted, kept and read


def test_whoever_is_interrupted_goes_on(tmp_path: Path) -> None:
    """What comes of it is the same to the last bit."""
    file = tmp_path / "table"
    shape = late("all").table.shape
    cancelled = Event()

    def check() -> None:
        if cancelled.is_set():
            raise Cancelled

    def cancel(done: int, total: int) -> None:
        if done > 100:
            cancelled.set()

    unfinished = Unfinished(file, shape, check)
    with pytest.raises(Cancelled):
        solve_levels(solver(ALL, unfinished.table, check), unfinished, cancel, most=12)
    assert read_table(file, shape) is None
    cancelled.clear()
    again = Unfinished(file, shape, check)
    assert 3 < again.done < 12
    told: list[int] = []
    solve_levels(solver(ALL, again.table), again, lambda done, total: told.append(done), most=12)
    assert told == sorted(told)
    assert told[0] > 50  # what was done is not done again
    whole = np.zeros(shape)
    for level in range(1, 13):
        solver(ALL, whole).solve(level, lambda done: None)
    assert np.array_equal(again.table, whole)


def test_a_finished_table_is_read_as_it_was(tmp_path: Path) -> None:
    file = tmp_path / "solutions" / "table"
    unfinished = Unfinished(file, (2, 3), nothing)
    unfinished.table[:] = np.arange(6).reshape(2, 3)
    unfinished.note(4)
    unfinished.write()
    assert Unfinished(file, (2, 3), nothing).done == 4
    assert unfinished.finish()
    read = read_table(file, (2, 3))
    assert read is not None
    assert np.array_equal(read, unfinished.table)
    assert list(file.parent.iterdir()) == [file]

    content = file.read_bytes()
    for damaged in (b"", content[:-1], content[:40] + b"x" + content[41:]):
        file.write_bytes(damaged)
        assert read_table(file, (2, 3)) is None


def test_where_nothing_can_be_written_it_is_not_kept(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", "utf-8")
    unfinished = Unfinished(tmp_path / "file" / "table", (2, 3), nothing)
    unfinished.note(1)
    assert unfinished.table.shape == (2, 3)
    assert not unfinished.finish()


def test_it_is_remembered_read_and_never_solved_by_looking(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(three, "_known", {})
    monkeypatch.setenv("BENBEN_CACHE_DIR", str(tmp_path))
    assert three.remembered(ALL) is None
    assert three.kept(ALL) is None
    monkeypatch.setattr(three, "_shape", lambda kinds: (2, 2, 2, 2))
    unfinished = Unfinished(three._file("all"), (2, 2, 2, 2), nothing)
    unfinished.table[:] = 0.25
    assert unfinished.finish()
    found = three.kept(ALL)
    assert found is not None
    assert found.chances == (0.25, 0.25, 0.5)
    assert three.remembered(ALL) is found
    assert three.solution(ALL) is found
