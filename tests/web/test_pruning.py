"""`benben prune`, beside a server that runs, and by itself."""

import os
import signal
import sqlite3
import sys
import time
from pathlib import Path
from typing import Any

import pexpect
import pytest
from typer.testing import Result

from benben.store.mail import DAY
from benben.store.pruning import BATCH, Pruned, Pruning
from benben.store.store import Store
from benben.store.tables import StoredTable
from tests.store.databases import append, create
from tests.terminal.test_speech import NARROW
from tests.test_cli import run
from tests.web.in_process import in_process
from tests.web.site import Person, Site, refused

TODAY = time.time_ns() // 1_000_000


def prune(folder: Path, *arguments: str) -> Result:
    return run("prune", *arguments, "--database", f"sqlite:///{folder / 'tables.sqlite3'}")


def pruned(folder: Path, *arguments: str) -> str:
    done = prune(folder, *arguments)
    assert (done.exit_code, done.stderr) == (0, "")
    return done.stdout


def age(folder: Path, table: str, days: int) -> None:
    """Let everything at a table have happened so long ago."""
    for change in (
        "UPDATE tables SET touched = touched - ? WHERE id = ?",
        "UPDATE events SET at = at - ? WHERE table_id = ?",
    ):
        with sqlite3.connect(folder / "tables.sqlite3") as connection:
            connection.execute(change, (days * DAY, table))
        connection.close()


def fill(folder: Path, count: int) -> None:
    """Finished tables of 40 days ago, with an event each."""
    then = TODAY - 40 * DAY
    with Store.open(f"sqlite:///{folder / 'tables.sqlite3'}") as store:
        for n in range(count):
            create(store, StoredTable(f"t{n}", then, "{}", "secret", listed=False))
        for done in [append(store, f"t{n}", 1, then, "ended", over=True) for n in range(count)]:
            done.result()


def left(folder: Path) -> int:
    connection = sqlite3.connect(folder / "tables.sqlite3")
    try:
        return int(connection.execute("SELECT count(*) FROM tables").fetchone()[0])
    finally:
        connection.close()


def over(site: Site) -> Person:
    """Somebody at a table where the game is over."""
    person, _ = site.table("quadrille", resign="end")
    person.do("resign")
    return person


def test_prune_beside_a_server_that_has_the_tables_in_memory(tmp_path: Path) -> None:
    with in_process(tmp_path) as site:
        old, new, left = over(site), over(site), site.table("quadrille")[0]
        for each in (old, left):
            age(tmp_path, each.table, 31)
        count = len(old.record().json()["entries"])
        would = f"Would be removed: 1 table, {count} events\n"
        assert pruned(tmp_path, "30", "--dry-run") == would
        assert pruned(tmp_path, "30", "--dry-run") == would, "nothing was removed"
        assert pruned(tmp_path, "32") == "Removed: 0 tables, 0 events\n"
        assert pruned(tmp_path, "30") == f"Removed: 1 table, {count} events\n"
        old.look()  # is still in memory
        refused(old.ask("chat", {"text": "Hello?"}), 404, "no-such-table")
        refused(site.http.get(f"/api/tables/{old.table}"), 404, "no-such-table")
        assert pruned(tmp_path, "30", "--unfinished").startswith("Removed: 1 table, ")
        refused(left.ask("resign"), 404, "no-such-table")
        refused(site.http.get(f"/api/tables/{left.table}"), 404, "no-such-table")
        assert new.look()["result"]
    with in_process(tmp_path) as site:
        for gone in (old, left):
            refused(site.http.get(f"/api/tables/{gone.table}/record"), 404, "no-such-table")
        assert Person(site, new.table, new.token).look()["you"] == 0


def test_whoever_is_to_be_forgotten_is_though_the_next_table_was_pruned(tmp_path: Path) -> None:
    with in_process(tmp_path) as site:
        person = over(site)
        there = person.do("rematch", {"nonce": "n"})["id"]
        age(tmp_path, there, 31)
        pruned(tmp_path, "30", "--unfinished")
    with in_process(tmp_path) as site:
        refused(site.http.get(f"/api/tables/{there}"), 404, "no-such-table")
        again = Person(site, person.table, person.token)
        refused(again.ask("rematch", {"nonce": "n"}), 404, "no-such-table")
        again.do("forget")
        assert "Ann0" not in again.site.http.get(f"/api/tables/{person.table}").text


def test_many_tables_and_words_in_french(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(tmp_path, 2 * BATCH + 1)
    monkeypatch.setenv("BENBEN_LANGUAGE", "fr")
    words = f"{2 * BATCH + 1} tables, {2 * BATCH + 1} événements\n"
    assert pruned(tmp_path, "39", "--dry-run") == f"Serait supprimé{NARROW}: {words}"
    assert pruned(tmp_path, "39") == f"Supprimé{NARROW}: {words}"
    assert left(tmp_path) == 0


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_loses_nothing_and_says_what_was_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: signal.Signals
) -> None:
    fill(tmp_path, 3 * BATCH)
    remove = Pruning.remove

    def interrupted(*arguments: Any) -> Pruned:
        signal.raise_signal(how)
        return remove(*arguments)

    before = signal.getsignal(how)
    with monkeypatch.context() as patched:
        patched.setattr(Pruning, "remove", interrupted)
        done = prune(tmp_path, "39")
    assert done.exit_code == 130
    assert done.stdout == (
        f"Removed: {BATCH} tables, {BATCH} events\n"
        "Stopped before the end; the same command goes on from there.\n"
    )
    assert left(tmp_path) == 2 * BATCH
    assert signal.getsignal(how) == before
    assert pruned(tmp_path, "39") == f"Removed: {2 * BATCH} tables, {2 * BATCH} events\n"


def test_a_terminal_shows_how_far_it_is(tmp_path: Path) -> None:
    n = 3 * BATCH
    fill(tmp_path, n)
    words = ["-m", "benben", "prune", "39"]
    words += ["--database", f"sqlite:///{tmp_path / 'tables.sqlite3'}"]
    environment = os.environ | {"TERM": "xterm-256color"}
    terminal = pexpect.spawn(
        sys.executable, words, env=environment, dimensions=(24, 120), encoding="utf-8", timeout=60
    )
    terminal.expect(f"Removing old tables.*{n}/{n}.*Removed: {n} tables, {n} events")
    terminal.expect(pexpect.EOF)
    terminal.close()
    assert terminal.exitstatus == 0


@pytest.mark.parametrize("days", ["0", "-1", "36501"])
def test_days_that_make_no_sense(tmp_path: Path, days: str) -> None:
    done = prune(tmp_path, "--", days) if days == "-1" else prune(tmp_path, days)
    assert done.exit_code == 2
    if days != "-1":
        assert f"days={days}: must be a whole number from 1 to 36500" in done.stderr


def test_a_file_that_is_not_there_is_not_made(tmp_path: Path) -> None:
    done = prune(tmp_path, "30")
    assert done.exit_code == 2
    assert "tables.sqlite3: there is no such file" in done.stderr
    assert list(tmp_path.iterdir()) == []
