"""How a server starts, goes on after a restart, and ends."""

import logging
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest
from typer.testing import CliRunner, Result

from benben.cli import app as command
from benben.core.errors import BenbenError
from benben.store.database import Database, StoreFailed
from benben.store.store import Store
from benben.web.app import create_app
from benben.web.serving import GRACE_SECONDS, Server, listen, serve
from benben.web.state import AppState
from tests.sizes import rotating
from tests.store.postgres import Postgres
from tests.web.processes import process
from tests.web.site import Person, eventually, serving


def test_a_restart_finds_tables_and_tokens(tmp_path: Path) -> None:
    with serving(tmp_path, bot_delay=600.0) as site:
        (person,) = site.table(people=1, seats=[{}, {"bot": 1}])
        person.move()
        before = person.look()
        assert before["to_move"] == 1
    with serving(tmp_path) as site:
        again = Person(site, person.table, person.token)
        with again.listening(**{"Last-Event-ID": str(before["number"])}) as heard:
            message = next(each for each in heard if each.kind == "event")
        assert message.number == before["number"] + 1
        assert message.data["event"]["kind"] == "moved"
        assert again.look()["moves"][:1] == before["moves"]


def _listen_until_it_ends(address: str, stop: Callable[[], None]) -> None:
    with httpx.Client(base_url=address, timeout=60) as http:
        eventually(lambda: http.get("/readyz").is_success, "the server is ready")
        table = http.post("/api/tables", json={"game": "quadrille"}).json()["id"]
        with http.stream("GET", f"/api/tables/{table}/events") as stream:
            lines = stream.iter_lines()
            assert next(lines) == "event: table"
            stop()
            assert list(lines)[-1] == "", "the stream has come to its end"


@pytest.mark.slow
@rotating("how", [signal.SIGTERM, signal.SIGINT])
def test_the_command_serves_until_it_is_told_to_stop(tmp_path: Path, how: signal.Signals) -> None:
    database = f"sqlite:///{tmp_path / 'x.sqlite3'}"
    command = [sys.executable, "-m", "benben", "serve", "--port", "0", "--database", database]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as server:
        try:
            assert server.stdout is not None
            assert server.stderr is not None
            line = server.stdout.readline()
            assert re.fullmatch(r"Benben is at http://127\.0\.0\.1:\d+\n", line)
            _listen_until_it_ends(line.split()[-1], lambda: server.send_signal(how))
            told = server.stderr.read()
            assert server.wait() == 0, told
        finally:
            server.kill()  # or it would be waited for when something went wrong
    assert "Traceback" not in told
    assert "GET /readyz 200" in told


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
@pytest.mark.parametrize("when", ["starting", "serving"])
def test_a_signal_ends_it_well_and_is_heeded_as_before_afterwards(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, when: str, how: signal.Signals
) -> None:
    """Also if uvicorn should come to treat signals in another way."""
    came: list[str] = []
    app = create_app(AppState(Store.open(f"sqlite:///{tmp_path / 'x.sqlite3'}")))
    open_, close = app.state.open, app.state.close

    async def opening() -> None:
        await open_()
        if when == "starting":
            signal.raise_signal(how)

    async def closing() -> None:
        came.append("closed")
        await close()

    monkeypatch.setattr(app.state, "open", opening)
    monkeypatch.setattr(app.state, "close", closing)

    def ready() -> None:
        came.append("ready")
        signal.raise_signal(how)

    before = [signal.getsignal(each) for each in (signal.SIGTERM, signal.SIGINT)]
    Server(app, ready).run([listen("127.0.0.1", 0)])
    assert came == (["closed"] if when == "starting" else ["ready", "closed"])
    assert [signal.getsignal(each) for each in (signal.SIGTERM, signal.SIGINT)] == before


def test_streams_end_before_connections_are_waited_for(tmp_path: Path) -> None:
    """uvicorn would wait for them, and cut them off in the end."""
    with serving(tmp_path) as site:
        person = site.table()[0]
        with person.listening() as heard:
            next(heard)
            began = time.monotonic()
            site.stop()
            assert [each.kind for each in heard if each.kind == "table"] == [], "it has ended well"
        assert time.monotonic() - began < GRACE_SECONDS / 2


def _start_second(database: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """A server that is expected to end by itself."""
    command = [sys.executable, "-m", "benben", "serve", "--port", "0", "--database", database]
    return subprocess.run(
        command, cwd=folder, capture_output=True, text=True, timeout=60, check=False
    )


def _start_here(database: str, *options: str) -> Result:
    """The same in this process."""
    return CliRunner().invoke(command, [*options, "serve", "--port", "0", "--database", database])


@pytest.mark.slow
def test_a_second_server_on_one_file_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = tmp_path / "house.sqlite3"
    (tmp_path / "elsewhere").symlink_to(database)
    with process(f"sqlite:///{database}", tmp_path / "log") as first:
        second = _start_second(f"sqlite:///{database}", tmp_path)
        assert (second.returncode, second.stdout) == (2, "")
        assert second.stderr == (
            f"benben: {database}: another server is using this file; end that one, or keep tables "
            "in PostgreSQL, which several servers can share\n"
        )
        monkeypatch.chdir(tmp_path)
        for name in ("house.sqlite3", "./elsewhere"):
            third = _start_here(f"sqlite:///{name}")
            assert (third.exit_code, third.stdout) == (2, "")
            assert third.stderr.startswith(f"benben: {name}: another server is using this file; ")
        french = _start_here(f"sqlite:///{database}", "--language", "fr").stderr
        assert "un autre serveur utilise ce fichier" in french
        with Database(f"sqlite:///{tmp_path / 'other.sqlite3'}").reserved():
            pass  # a server of another file is not refused
        with Store.open(f"sqlite:///{database}") as beside:
            assert beside.lists.open(["t"]) == [], "who does not serve may look"
        first.die()  # and lets go of it at once, whatever it has started
        first.wait()
    assert _owner_only(tmp_path / "house.sqlite3.lock")


@pytest.mark.slow
def test_servers_share_postgresql(tmp_path: Path, postgres: Postgres) -> None:
    database = postgres.fresh()
    with process(database, tmp_path / "1"), process(database, tmp_path / "2"):
        pass


def _owner_only(path: Path) -> bool:
    return path.stat().st_mode & 0o077 == 0


def test_uvicorn_logs_no_request_whoever_configures_logging(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with serving(tmp_path, wait=False) as site, caplog.at_level(logging.INFO):
        logging.getLogger("uvicorn.access").propagate = True
        with httpx.Client(base_url=site.http.base_url) as http:
            http.get("/feeds/secret")
        eventually(lambda: "GET /feeds/***" in caplog.text, "we have logged it")
    ours = [each.getMessage() for each in caplog.records if not each.name.startswith("http")]
    assert "secret" not in "".join(ours)


def test_a_connection_at_rest_outlives_those_of_proxies(tmp_path: Path) -> None:
    """Most close theirs after a minute; whoever is first must not be us."""
    with Store.open(f"sqlite:///{tmp_path / 'x.sqlite3'}") as store:
        server = Server(create_app(AppState(store)), lambda: None)
    assert server.config.timeout_keep_alive > 60


def test_what_cannot_be_served_is_said(tmp_path: Path) -> None:
    with listen("127.0.0.1", 0) as taken, pytest.raises(BenbenError, match="cannot serve at"):
        serve(port=taken.getsockname()[1], database=f"sqlite:///{tmp_path / 'x.sqlite3'}")
    with pytest.raises(BenbenError, match="cannot serve at"):
        listen("127.0.0.1", 70_000)
    with pytest.raises(StoreFailed, match="this is a folder"):
        serve(port=0, database=f"sqlite:///{tmp_path}")
    (tmp_path / "x.sqlite3.lock").mkdir()
    with pytest.raises(StoreFailed, match=r"\(no x\.sqlite3\.lock beside it\)"):
        serve(port=0, database=f"sqlite:///{tmp_path / 'x.sqlite3'}")
