"""An arena in the terminal: what it prints, where, and what programs get."""

import io
import json
from pathlib import Path

import pytest
from rich.console import Console

import benben
from benben.bots.entrants import Entrant
from benben.core.errors import BenbenError, UnknownPlayer
from benben.lab.arena import Arena
from benben.lab.ledger import Entry
from benben.lab.workers import Where
from benben.terminal import contest, standings
from benben.terminal.contest import Contest
from benben.terminal.saves import load
from tests.lab.players import make

GAME = benben.game("objectif", first=1)


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("BENBEN_DATA_DIR", str(tmp_path))
    return tmp_path


def run(
    bots: str = "random,first,late", games: int = 12, terminal: bool = False, fresh: bool = False
) -> tuple[Contest, str]:
    err = io.StringIO()
    console = Console(file=err, force_terminal=terminal, width=80, highlight=False)
    arena = Arena(GAME, contest.names(bots))
    return contest.run(arena, games, console, Where(2), make, fresh=fresh), err.getvalue()


def shown(done: Contest) -> str:
    out = io.StringIO()
    standings.report(done, Console(file=out, width=80, highlight=False))
    return out.getvalue()


def test_a_table_for_people(data: Path) -> None:
    done, err = run()
    assert err == ""
    lines = shown(done).splitlines()
    assert max(map(len, lines[:-1])) <= 80
    assert lines[0] == "objectif, 2 players, 12 games in 2 rounds; par is 50.0%"
    cross = lines.index("Points of 100 that a row took from a column (in brackets: not decided)")
    rows = {line.split()[0]: line.split() for line in lines[1:cross] if line.strip()}
    assert rows["Bot"] == "Bot Seats Share 95 % Elo 95 % Failed ms/move".split()
    assert rows["random"][1] == "8"
    assert lines[cross + 2].split() == "Bot 1 2 3".split()
    *others, last = (line.split() for line in lines[cross + 4 : cross + 7])
    assert {name: points[-1] for _, name, *points in others} == {
        "random": "(100.0)",
        "first": "(100.0)",
    }
    assert last == ["3", "late", "(0.0)", "(0.0)", "–"]
    assert rows["random"][4] == "0"
    assert rows["late"][2] == "0.0%"
    assert rows["late"][3].startswith("0.0–")
    assert rows["late"][-2] == "out"
    assert "late failed: raised ZeroDivisionError" in lines
    assert lines[-1] == f"Every game is in {done.path}"
    assert done.path.parent == data / "arena"
    assert done.path.read_text().count("\n") == 13


def test_a_crosstable_of_a_gauntlet_has_gaps() -> None:
    arena = Arena(GAME, ["random", "raising", "first", "random2", "raising2"], gauntlet=True)
    done = contest.run(arena, 8, Console(file=io.StringIO()), make=make)
    assert len(done.entries) == 8
    out = shown(done)
    rows = [line.split() for line in out.split("not decided)")[1].splitlines()[4:9]]
    cells = {name: points for _, name, *points in rows}
    assert sorted(map(len, cells.values())) == [2, 2, 2, 2, 5]
    assert cells["random"].count("100.0") + cells["random"].count("(100.0)") == 2
    assert "is better than" not in out, "with five bots the table says it"
    told = json.loads(standings.as_json(done))
    assert told["gauntlet"] is True
    assert [pair["bots"][0] for pair in told["pairs"]] == ["random"] * 4
    assert [pair["score"] for pair in told["pairs"]][::3] == [1.0, 1.0]


def test_every_game_as_a_record(tmp_path: Path) -> None:
    arena = Arena(GAME, ["random", "late"])
    folder, err = tmp_path / "games", Console(file=io.StringIO())
    first = contest.run(arena, 2, err, make=make, path=tmp_path / "a.jsonl")
    assert not folder.exists()
    done = contest.run(arena, 10, err, make=make, path=tmp_path / "a.jsonl", records=folder)
    assert f"Every game is a record in {folder}" in shown(done)
    played = [entry for entry in done.entries if entry.reason != "out"]
    assert first.entries[0].reason == played[0].reason == "failed"
    assert [file.name for file in sorted(folder.iterdir())] == [
        f"a-{entry.game:06}.txt" for entry in played
    ]
    for entry, file in zip(played, sorted(folder.iterdir()), strict=True):
        record = load(file, err)
        assert record.moves == entry.moves
        assert record.seats == entry.bots
        assert record.result is not None
        assert record.result.shares == entry.shares


def test_pairs_that_are_decided_and_those_that_are_not() -> None:
    done, _ = run("first,raising,random,random2", 48)
    out = shown(done)
    assert "first is better than raising: 100.0 points of 100 more a game (" in out
    assert "random is better than raising" in out
    assert "random and random2" in out.split("Not decided: ")[1]


def test_one_line_for_programs() -> None:
    done, _ = run()
    line = standings.as_json(done)
    assert "\n" not in line
    told = json.loads(line)
    assert (
        list(told)
        == (
            "game players options seed seconds openings gauntlet cpu games earlier rounds par "
            "bots pairs sprt failures file records"
        ).split()
    )
    assert (told["game"], told["players"], told["options"]) == ("objectif", 2, GAME.options)
    assert (told["games"], told["rounds"], told["earlier"], told["par"]) == (12, 2, 0, 0.5)
    assert (told["openings"], told["gauntlet"], told["cpu"], told["sprt"]) == (
        0,
        False,
        False,
        None,
    )
    assert (told["seed"], told["seconds"], told["file"]) == ("0", None, str(done.path))
    assert [bot["bot"] for bot in told["bots"]] == ["random", "first", "late"]
    for bot in told["bots"]:
        assert set(bot) == set("bot seats share elo failures unplayed ms_per_move".split())
        for figure in (bot["share"], bot["elo"]):
            assert figure["low"] <= figure["value"] <= figure["high"]
    assert sum(bot["share"]["value"] for bot in told["bots"]) == pytest.approx(1.5, abs=1e-5)
    late = told["bots"][2]
    assert 3 <= late["failures"] <= 4
    assert late["failures"] + late["unplayed"] == 8
    assert late["share"]["value"] == 0
    assert [pair["bots"] for pair in told["pairs"]] == [
        ["random", "first"],
        ["random", "late"],
        ["first", "late"],
    ]
    assert told["pairs"][0]["decided"] is False
    assert len(told["failures"]) == late["failures"]
    failure = told["failures"][0]
    assert failure["bot"] == "late"
    assert failure["why"] == "raised ZeroDivisionError"
    assert failure["seat"] in (1, 2)


def sequential(bots: str, games: int, points: float) -> Contest:
    arena = Arena(GAME, contest.names(bots), openings=2)
    sprt = contest.sequential(points, arena)
    return contest.run(arena, games, Console(file=io.StringIO()), Where(2), make, sprt=sprt)


def test_a_test_that_stops_when_it_is_clear_who_is_stronger() -> None:
    done = sequential("random,raising", 400, 10)
    assert 20 < len(done.entries) < 60
    line = "SPRT: random gets 60.0% against raising rather than 50.0%: stronger (ratio +"
    assert line in shown(done)
    told = json.loads(standings.as_json(done))
    assert told["openings"] == 2
    assert told["games"] == len(done.entries)
    assert told["sprt"]["stronger"] is True
    assert told["sprt"]["ratio"] > told["sprt"]["bound"] == pytest.approx(2.944439)
    again = sequential("random,raising", 400, 10)
    assert again.earlier == len(again.entries)
    assert json.loads(standings.as_json(again))["sprt"] == told["sprt"]


def test_a_test_says_who_is_not_stronger_and_what_is_open() -> None:
    worse = sequential("raising,random", 400, 10)
    assert "raising gets 50.0% against random rather than 60.0%: not stronger" in shown(worse)
    undecided = sequential("random,raising", 4, 10)
    assert len(undecided.entries) == 4
    assert "not decided whether random gets 50.0% or 60.0% against raising" in shown(undecided)
    assert json.loads(standings.as_json(undecided))["sprt"]["stronger"] is None


@pytest.mark.parametrize("points", [0, -1, 50, float("nan")])
def test_a_test_of_too_little_or_too_much(points: float) -> None:
    with pytest.raises(BenbenError, match="must be more than 0, at most 49"):
        contest.sequential(points, Arena(GAME, ["random", "first"]))


@pytest.mark.parametrize(("players", "bots"), [(2, "random,first,late"), (3, "random,first")])
def test_a_test_is_for_two(players: int, bots: str) -> None:
    arena = Arena(benben.game("objectif", players=players), contest.names(bots))
    with pytest.raises(BenbenError, match="two bots in a game of two"):
        contest.sequential(5, arena)
    assert contest.sequential(None, arena) is None


def test_a_bot_that_never_moved_has_no_time() -> None:
    done, _ = run("random,first", 2)
    never = Entry(0, ("random", "first"), (1.0, 0.0), "out", "", (), (0, 0), (0.0, 0.0), {1: "out"})
    unplayed = Contest(done.arena, done.path, [never] * 2, 0, done.ratings)
    assert json.loads(standings.as_json(unplayed))["bots"][0]["ms_per_move"] is None
    assert "0, out" in shown(unplayed)


def test_games_that_are_no_whole_rounds() -> None:
    done, err = run(games=7)
    assert len(done.entries) == 12
    assert err == "7 games are not whole rounds of 6: 12 it will be\n"


def test_the_same_command_takes_what_is_there() -> None:
    first, _ = run(games=6)
    again, _ = run(games=12)
    assert again.earlier == 6
    assert again.entries[:6] == first.entries
    assert "12 games in 2 rounds, 6 of them from before" in shown(again)
    fresh, _ = run(games=12, fresh=True)
    assert fresh.earlier == 0


def test_results_where_somebody_wants_them(tmp_path: Path) -> None:
    arena = Arena(GAME, ["random", "first"])
    path = tmp_path / "deep" / "here.jsonl"
    done = contest.run(arena, 2, Console(file=io.StringIO()), make=make, path=path)
    assert done.path == path
    assert path.exists()


def test_a_bar_in_a_terminal() -> None:
    _, err = run(games=24, terminal=True)
    assert "Playing objectif" in err
    assert "24/24" in err
    assert "games/s" in err


@pytest.mark.parametrize("fresh", [False, True])
@pytest.mark.parametrize("terminal", [False, True])
def test_an_interrupt_says_how_to_go_on(terminal: bool, fresh: bool) -> None:
    err = io.StringIO()
    arena = Arena(GAME, ["random", "first"])
    made: list[str] = []

    def interrupted(name: str) -> Entrant:
        made.append(name)
        if len(made) > 2:  # both have been looked at, and games begin
            raise KeyboardInterrupt
        return make(name)

    console = Console(file=err, force_terminal=terminal, width=80, color_system=None)
    with pytest.raises(KeyboardInterrupt):
        contest.run(arena, 10, console, make=interrupted, fresh=fresh)
    *_, stopped, path, how = err.getvalue().rstrip().splitlines()
    assert stopped.endswith("Stopped after 0 of 10 games, kept in")
    assert path == str(arena.path)
    without = ", without --fresh," if fresh else ""
    assert how.startswith(f"The same command{without} goes on from there.")


def test_a_bot_there_is_not_costs_no_results() -> None:
    done, _ = run("random,first", 2)

    def unknown(name: str) -> Entrant:
        raise UnknownPlayer(name, "there is none")

    before = done.path.read_bytes()
    with pytest.raises(UnknownPlayer):
        contest.run(done.arena, 2, Console(file=io.StringIO()), make=unknown, fresh=True)
    assert done.path.read_bytes() == before


def test_names() -> None:
    assert contest.names("3, uct:1000,cmd:./bot --fast") == ["3", "uct:1000", "cmd:./bot --fast"]
    for bots in ("", "3,", ",", "3,,4"):
        with pytest.raises(BenbenError, match="names with a comma between them"):
            contest.names(bots)


@pytest.mark.parametrize(
    ("games", "jobs", "time_ms", "why"),
    [
        (0, 1, None, "games=0: must be a whole number from 1 to 1000000"),
        (1_000_001, 1, None, "games=1000001"),
        (1, 0, None, "jobs=0: must be a whole number from 1 to 64"),
        (1, 65, None, "jobs=65"),
        (1, 1, 0, "time-ms=0: must be a whole number from 1 to 3600000"),
        (1, 1, 3_600_001, "time-ms=3600001"),
    ],
)
def test_bad_numbers(games: int, jobs: int, time_ms: int | None, why: str) -> None:
    def check() -> None:
        contest.place(jobs, False, None)
        contest.check(games, time_ms)

    with pytest.raises(BenbenError, match=why):
        check()


def test_good_numbers() -> None:
    assert contest.check(1) is None  # type: ignore[func-returns-value]
    assert contest.check(1_000_000, 3_600_000) is None  # type: ignore[func-returns-value]
    assert contest.place(64, True, None) == Where(64, processes=True)
    assert contest.place(1, False, "tcp://a:1") == Where(cluster="tcp://a:1")


@pytest.mark.parametrize(("jobs", "processes"), [(2, False), (1, True)])
def test_games_are_played_in_one_place(jobs: int, processes: bool) -> None:
    with pytest.raises(BenbenError, match="--cluster says where games are played"):
        contest.place(jobs, processes, "tcp://127.0.0.1:8786")
