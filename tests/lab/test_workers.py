"""Games are the same wherever they are played, and none is lost with whoever plays it."""

import os
import signal
import sys
from _thread import interrupt_main
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from threading import Thread

import pytest
from distributed import LocalCluster

import benben
from benben.bots.entrants import Entrant
from benben.core.errors import BenbenError
from benben.lab.arena import Arena
from benben.lab.code import code_here
from benben.lab.jobs import Job, play_batch_elsewhere
from benben.lab.ledger import Entry, Ledger
from benben.lab.match import Played
from benben.lab.workers import HERE, Where, play_games
from tests.lab.players import Answering, Noting, Sleeping, make, seated

GAME = benben.game("objectif", first=1)
LINEUPS = (("random", "greedy"), ("greedy", "random"))
PROCESSES = Where(2, processes=True)


@pytest.fixture(scope="module")
def cluster() -> Iterator[LocalCluster]:
    """Two workers of Dask's, each a process of its own."""
    with LocalCluster(  # type: ignore[no-untyped-call]
        n_workers=2,
        threads_per_worker=1,
        processes=True,
        host="127.0.0.1",
        dashboard_address=":0",
        silence_logs=50,
    ) as made:
        yield made


def played(job: Job, count: int, where: Where = HERE) -> dict[int, Played]:
    with closing(play_games(job, range(count), where)) as games:
        return dict(games)


# ---- Elsewhere


@pytest.mark.slow
def test_processes_and_clusters_change_nothing(cluster: LocalCluster) -> None:
    job = Job(GAME, LINEUPS, "elsewhere", openings=2)
    here = played(job, 40)
    assert sorted(here) == list(range(40))
    assert played(job, 40, Where(2)) == here
    assert played(job, 40, PROCESSES) == here
    assert played(job, 40, Where(cluster=cluster.scheduler_address)) == here
    assert played(Job(GAME, LINEUPS, "other"), 40) != here


def test_a_worker_killed_in_a_tournament_costs_no_game(
    cluster: LocalCluster, tmp_path: Path
) -> None:
    arena = Arena(GAME, ["uct:20", "greedy", "random"], "killed", openings=2)
    where = Where(cluster=cluster.scheduler_address)
    killed: list[int] = []

    def kill(entry: Entry) -> None:
        if entry.game >= 6 and not killed:
            killed.append(next(iter(cluster.workers.values())).pid)
            os.kill(killed[0], signal.SIGKILL)

    with Ledger(tmp_path / "undisturbed", arena.header) as ledger:
        undisturbed = arena.play(10, ledger)
    with Ledger(tmp_path / "disturbed", arena.header) as ledger:
        disturbed = arena.play(10, ledger, where, note=kill)
    assert len(killed) == 1

    def told(entries: list[Entry]) -> list[dict[str, object]]:
        return [vars(entry) | {"seconds": None} for entry in entries]

    assert len(undisturbed) == 60
    assert told(disturbed) == told(undisturbed)
    assert (tmp_path / "disturbed").read_text().count("\n") == 61, "no game is there twice"


def fatal(name: str) -> Entrant:
    """Bots of which one ends the process that it thinks in, unless a file says it has."""
    if name == "fatal":
        mark = Path(os.environ["BENBEN_TEST_MARK"])
        if mark.exists():
            return make("random")
        if mark.parent.exists():
            mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return make(name)


@pytest.mark.slow
@pytest.mark.parametrize("always", [False, pytest.param(True, marks=pytest.mark.long)])
def test_a_process_that_dies_is_replaced_but_not_for_ever(
    always: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mark = tmp_path / "nowhere" / "mark" if always else tmp_path / "mark"
    monkeypatch.setenv("BENBEN_TEST_MARK", str(mark))
    monkeypatch.setattr("benben.lab.workers._MOST_LOSSES", 1)
    job = Job(GAME, (("random", "fatal"),), make=fatal)
    where = Where(1, processes=True)
    if always:
        with pytest.raises(BenbenError, match="worker after worker was lost over game 0"):
            played(job, 2, where)
    else:
        assert played(job, 2, where) == played(Job(GAME, (("random", "random"),)), 2)


def test_other_code_plays_no_games() -> None:
    job = Job(GAME, LINEUPS)
    assert len(play_batch_elsewhere(code_here(), "same", job, [3, 4]).games) == 2
    with pytest.raises(BenbenError, match="a worker has another version"):
        play_batch_elsewhere("0123", "other", job, [3])


def test_a_cluster_that_is_not_there() -> None:
    with pytest.raises(BenbenError, match="no cluster answers at nonsense://"):
        played(Job(GAME, LINEUPS), 1, Where(cluster="nonsense://127.0.0.1:1"))


def test_a_cluster_needs_dask(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(BenbenError, match=r"pip install 'benben\[cluster\]'"):
        played(Job(GAME, LINEUPS), 1, Where(cluster="tcp://127.0.0.1:1"))


# ---- Stopping


def test_what_is_finished_comes_before_an_interrupt() -> None:
    sleeper = Sleeping()

    def maker(name: str) -> Entrant:
        return seated(sleeper) if name == "sleeping" else make(name)

    def press_ctrl_c() -> None:
        if sleeper.asleep.wait(20):
            interrupt_main()

    job = Job(GAME, (("random", "first"), ("random", "sleeping")), make=maker)
    Thread(target=press_ctrl_c, daemon=True).start()
    got: list[int] = []

    def play() -> None:
        with closing(play_games(job, [0, 2, 4, 1, 6], Where(1))) as games:
            got.extend(number for number, _ in games)

    with pytest.raises(KeyboardInterrupt):
        play()
    assert got == [0, 2, 4]


@pytest.mark.parametrize("jobs", [1, 2])
def test_leaving_early_closes_all_players(jobs: int) -> None:
    made: list[Noting] = []

    def maker(name: str) -> Entrant:
        made.append(Noting())
        return seated(made[-1], name)

    with closing(
        play_games(Job(GAME, (("a", "b"),), make=maker), range(1000), Where(jobs))
    ) as all_:
        for number, _ in all_:
            if number > 10:
                break
    assert {player.closed for player in made} == {1}
    assert sum(len(player.turns) for player in made) < 100 * 24


def test_a_player_that_cannot_be_made_ends_it() -> None:
    def maker(name: str) -> Entrant:
        raise BenbenError("none today")

    with pytest.raises(BenbenError, match="none today"):
        played(Job(GAME, LINEUPS, make=maker), 10, Where(2))


def test_who_fails_is_closed_and_begins_anew() -> None:
    failing = Answering("z99")
    job = Job(GAME, (("random", "bad"),), make=lambda name: seated(failing, name))
    failures = [game.failures for game in played(job, 3).values()]
    assert [list(each) for each in failures] == [[0]] * 3
