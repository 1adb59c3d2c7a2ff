"""The solution of Bâtisseurs for two, held against the rules through the public interface."""

import io
from concurrent.futures import ThreadPoolExecutor
from math import sqrt
from pathlib import Path
from threading import Event

import numpy as np
import pytest
from rich.console import Console

import benben
from benben.bots.batisseurs import two as solving
from benben.bots.batisseurs.turns import mirrored
from benben.bots.batisseurs.two import Solution, solution
from benben.core.errors import BenbenError
from benben.core.player import Cancelled
from benben.terminal.solving import solve
from tests.sizes import LONG

BOTH = [benben.game("batisseurs", placing=placing) for placing in ("all", "free")]
ALL, FREE = BOTH
EMPTY = "....../...../..../.../../."
BUT_ONE = "xxxxxx/xxxxx/xxxx/xxx/xx/."
BUT_TWO = "xxxxxx/xxxxx/xxxx/xxx/x./."

both = pytest.mark.parametrize("game", BOTH, ids=["all", "free"])


def at(game: benben.Game, own: str, other: str) -> benben.Position:
    """Seat 1 is about to begin a turn."""
    return game.parse(f"{own}|{other} 1 - 6 0")


def chance_of(position: benben.Position) -> float:
    """To win, of the seat in turn, by the solution."""
    return solution(position.game).value(position.record)


def in_turn(position: benben.Position) -> int:
    return int(position.record["turn"][0])


class Expectimax:
    """What positions of its turn are worth to a seat, move by move, by the rules alone.

    The solution is asked only where the turn has ended.
    """

    def __init__(self) -> None:
        self._known: dict[tuple[benben.Position, int], float] = {}

    def __call__(self, position: benben.Position, seat: int) -> float:
        key = position, seat
        if key not in self._known:
            self._known[key] = self._look(position, seat)
        return self._known[key]

    def _look(self, position: benben.Position, seat: int) -> float:
        if position.result is not None:
            return position.result.shares[seat]
        if in_turn(position) != seat:
            return 1 - chance_of(position)
        if position.to_move == benben.CHANCE:
            return sum(p * self(position.play(throw), seat) for throw, p in position.chance())
        return max(self(position.play(move), seat) for move in position.moves())


def board_text(board: int) -> str:
    """A won board as a position writes it."""
    marks = "".join("x" if board >> bit & 1 else "." for bit in range(48))
    return "/".join(marks[8 * row : 8 * row + 6 - row] for row in range(6))


def image_of(board: str) -> str:
    return "/".join(row[::-1] for row in board.split("/"))


# ---- Boards and their images


@both
def test_429_boards_232_up_to_mirror_images(game: benben.Game) -> None:
    kinds = solution(game).kinds
    boards = [board_text(board) for board in kinds.boards.tolist()]
    assert len(set(boards)) == solution(game).boards == 429
    assert len({min(board, image_of(board)) for board in boards}) == kinds.number == 232
    kind = dict(zip(boards, kinds.kind_of.tolist(), strict=True))
    assert set(kind.values()) == set(range(232))
    assert all(kind[board] == kind[image_of(board)] for board in boards)
    for board in boards[:-1]:  # the last one is full
        assert str(at(game, board, EMPTY)).startswith(board)


def test_the_image_of_a_board_is_its_rows_read_backwards() -> None:
    for board in solution(ALL).kinds.boards.tolist():
        assert board_text(mirrored(board)) == image_of(board_text(board))


def _image_of_move(move: str) -> str:
    if move[0] not in "abcdef":
        return move
    return move[0] + str(7 - "abcdef".index(move[0]) - int(move[1]))


@both
def test_one_board_can_be_mirrored_all_through_a_game(game: benben.Game) -> None:
    """By the rules its moves are the images of moves, and by the solution as good."""
    stream = benben.RandomStream.seeded(11)
    position = image = game.deal()
    while position.to_move is not None:
        own, rest = str(position).split("|")
        assert str(image) == f"{image_of(own)}|{rest}"
        assert chance_of(image) == pytest.approx(chance_of(position), abs=1e-12)
        if position.to_move == benben.CHANCE:
            assert image.chance() == position.chance()
            move = position.draw(stream)
            mapped = move
        else:
            map_move = _image_of_move if position.to_move == 0 else str
            assert {map_move(each) for each in position.moves()} == set(image.moves())
            moves = position.moves()
            move = moves[stream.below(len(moves))]
            mapped = map_move(move)
        position, image = position.play(move), image.play(mapped)
    assert image.result == position.result


# ---- Chances to win


@both
def test_the_top_alone_is_missing_on_both_boards(game: benben.Game) -> None:
    """By hand: f must fall among six dice, or the other tries; V = p + (1 - p) (1 - V)."""
    p = 1 - (5 / 6) ** 6
    assert chance_of(at(game, BUT_ONE, BUT_ONE)) == pytest.approx(1 / (2 - p), abs=1e-14)


@both
def test_one_block_is_missing_against_two(game: benben.Game) -> None:
    """By hand: e, then f at once, or the choice to stop or to roll five dice for f."""
    p = 1 - (5 / 6) ** 6
    e_and_f = 1 - 2 * (5 / 6) ** 6 + (4 / 6) ** 6
    e_only = (5 / 6) ** 6 - (4 / 6) ** 6
    bust = (5 / 6) ** 6
    top = 1 - (5 / 6) ** 5
    ahead = behind = 0.5
    for _ in range(1000):  # contracts by bust² or more
        stop = 1 - 1 / (2 - p)
        roll = top + (1 - top) * (1 - ahead)
        ahead = p + (1 - p) * (1 - behind)
        behind = e_and_f + e_only * max(stop, roll) + bust * (1 - ahead)
    assert chance_of(at(game, BUT_ONE, BUT_TWO)) == pytest.approx(ahead, abs=1e-14)
    assert chance_of(at(game, BUT_TWO, BUT_ONE)) == pytest.approx(behind, abs=1e-14)


_PAIRS = [
    (EMPTY, EMPTY),
    ("xx..../x..../..../.../../.", "xxxxxx/xxxxx/xxxx/xxx/../."),
    ("x.xx.x/..x../..../.../../.", EMPTY),
    ("xxxxx./xxxx./xxx./xx./x./.", "xxxx.x/xxx../xx../x../../."),
    ("xxxxxx/xxxxx/x.xx/..x/../.", BUT_ONE),
    (BUT_ONE, EMPTY),
]


@both
@pytest.mark.parametrize(("own", "other"), _PAIRS)
def test_a_turn_played_out_by_the_rules_is_worth_the_same(
    game: benben.Game, own: str, other: str
) -> None:
    for one, two in {(own, other), (other, own)}:
        position = at(game, one, two)
        assert Expectimax()(position, 0) == pytest.approx(chance_of(position), abs=1e-12)


@both
def test_every_pair_of_boards_agrees_with_itself(game: benben.Game) -> None:
    """A bust, whose worth is the other's turn with the same boards, is worth what it should be."""
    found = solution(game)
    boards = found.kinds.boards[np.unique(found.kinds.kind_of, return_index=True)[1]]
    record = at(game, EMPTY, EMPTY).record
    full = found.kinds.number - 1
    for own in range(full):
        for other in range(0, full, 3):
            record["won"][0, :2] = boards[own], boards[other]
            assert found.value(record) == pytest.approx(found.table[own, other], abs=2e-15)


@both
def test_both_players_have_a_chance(game: benben.Game) -> None:
    found = solution(game)
    chances = found.table[:-1, :-1]
    assert chances.min() > 0
    assert chances.max() < 1
    assert np.all(chances[0] <= chances[0, 0])  # the more the other has, the worse
    assert found.first_player == chances[0, 0]
    assert 0.5 < found.first_player < 0.6


def test_the_values() -> None:
    """As found; what the rules change, changes these."""
    assert f"{solution(ALL).first_player:.12f}" == "0.550492318216"
    assert f"{solution(FREE).first_player:.12f}" == "0.552706785965"


@both
def test_the_winner_of_a_finished_game_is_sure(game: benben.Game) -> None:
    won = at(game, BUT_ONE, EMPTY).play("=aaaaaf").play("f1")
    assert chance_of(won) == 1


@both
def test_perfect_players_win_as_often_as_they_should(game: benben.Game) -> None:
    games = 1000 if LONG else 250
    found = solution(game)
    stream = benben.RandomStream.seeded(3)
    won = 0.0
    for _ in range(games):
        position = game.deal()
        while position.result is None:
            if position.to_move == benben.CHANCE:
                position = position.play(position.draw(stream))
            else:
                best = int(found.worths(position.record).argmax())
                position = position.play(position.moves()[best])
        won += position.result.shares[0]
    p = found.first_player
    assert abs(won / games - p) < 4 * sqrt(p * (1 - p) / games)


# ---- Solving and keeping


@pytest.fixture
def forgotten(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Nothing is solved yet, in a cache of its own."""
    monkeypatch.setattr(solving, "_known", {})
    monkeypatch.setenv("BENBEN_CACHE_DIR", str(tmp_path))
    return tmp_path / "solutions"


def same(one: Solution, two: Solution) -> bool:
    arrays = zip((*one.turns, one.table), (*two.turns, two.table), strict=True)
    return all(np.array_equal(a, b) for a, b in arrays)


def test_solved_kept_remembered_and_read(forgotten: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[tuple[int, int]] = []
    found = solution(ALL, lambda done, total: told.append((done, total)))
    assert found.seconds is not None
    assert list(forgotten.iterdir()) == [found.file]
    assert len(told) > 20
    assert told == sorted(told)
    assert len({total for _, total in told}) == 1
    assert told[0][0] == 0
    assert told[-1][0] == told[-1][1]

    assert solution(benben.game("batisseurs", first=2)) is found

    monkeypatch.setattr(solving, "_known", {})
    read = solution(ALL)
    assert read.seconds is None
    assert read.file == found.file
    assert same(read, found)


def test_a_file_that_is_not_what_was_written_is_solved_again(
    forgotten: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = solution(ALL).file
    assert file is not None
    written = file.read_bytes()
    half = len(written) // 2
    other = io.BytesIO()
    np.savez(other, table=np.zeros((2, 2)))
    flipped = written[:half] + bytes([written[half] ^ 1]) + written[half + 1 :]
    for damaged in (b"", written[:half], flipped, other.getvalue()):
        file.write_bytes(damaged)
        monkeypatch.setattr(solving, "_known", {})
        again = solution(ALL)
        assert again.seconds is not None
        assert again.file == file
        monkeypatch.setattr(solving, "_known", {})
        assert same(solution(ALL), again)
        assert solution(ALL).seconds is None


def test_another_rule_is_another_file(forgotten: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rules = forgotten.parent / "rules.py"
    rules.write_text("# other rules", "utf-8")
    before = solving._file("all")
    monkeypatch.setattr(ALL.rules, "__file__", str(rules))
    assert solving._file("all") not in (before, solving._file("free"))


def test_without_a_cache_it_is_solved_and_not_kept(
    forgotten: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (forgotten.parent / "file").write_text("", "utf-8")
    monkeypatch.setenv("BENBEN_CACHE_DIR", str(forgotten.parent / "file" / "cache"))
    found = solution(ALL)
    assert found.file is None
    assert found.seconds is not None
    assert f"{found.first_player:.12f}" == "0.550492318216"
    assert "not kept" in solve(ALL, Console(file=io.StringIO()))[-1]


def test_nothing_is_left_behind_where_it_cannot_be_kept(forgotten: Path) -> None:
    in_the_way = solving._file("all")
    in_the_way.mkdir(parents=True)
    assert solution(ALL).file is None
    assert list(forgotten.iterdir()) == [in_the_way]


def test_cancelled_while_solving(forgotten: Path) -> None:
    cancelled = Event()
    told: list[int] = []

    def cancel(done: int, total: int) -> None:
        told.append(done)
        if len(told) == 5:
            cancelled.set()

    with pytest.raises(Cancelled):
        solution(ALL, cancel, cancelled)
    assert len(told) == 5
    with pytest.raises(Cancelled):
        solution(ALL, cancel, cancelled)
    assert len(told) == 5  # not even begun
    assert not forgotten.exists()
    assert solution(ALL).seconds is not None


def test_threads_that_ask_together_get_the_same(forgotten: Path) -> None:
    told: list[int] = []
    with ThreadPoolExecutor(4) as threads:
        asked = [
            threads.submit(solution, ALL, lambda done, total: told.append(done)) for _ in range(4)
        ]
    assert len({id(each.result()) for each in asked}) == 1
    assert told == sorted(told)  # one of them solved


def test_cancelled_while_another_thread_is_solving(forgotten: Path) -> None:
    cancelled = Event()
    cancelled.set()
    with solving._lock, pytest.raises(Cancelled):
        solution(ALL, cancelled=cancelled)


@pytest.mark.parametrize(
    ("name", "players"), [("batisseurs", 4), ("quadrille", 2), ("objectif", 3)]
)
def test_other_games_are_not_solved(name: str, players: int) -> None:
    game = benben.game(name, players=players)
    with pytest.raises(BenbenError, match=f"{name} for {players} .* solved is batisseurs for 2–3"):
        solve(game, Console(file=io.StringIO()))


# ---- What the terminal tells


def test_the_report(forgotten: Path) -> None:
    out = io.StringIO()
    lines = solve(FREE, Console(file=out, width=80))
    assert lines[:4] == [
        "batisseurs, 2 players, placing=free",
        "429 board states, 232 up to mirror images",
        "first player wins: 0.552706785965",
        "second player wins: 0.447293214035",
    ]
    file = solution(FREE).file
    assert lines[4].startswith("solved in ")
    assert lines[4].endswith(f" s; {file}")
    assert len(lines) == 5
    assert out.getvalue() == ""  # no bar where nobody watches


def test_a_bar_in_a_terminal(forgotten: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = io.StringIO()
    console = Console(file=out, force_terminal=True, width=80)
    solve(ALL, console)
    assert "Solving batisseurs" in out.getvalue()
    assert "100%" in out.getvalue()
    monkeypatch.setattr(solving, "_known", {})
    assert solve(ALL, console)[4].startswith("read from the cache; ")
