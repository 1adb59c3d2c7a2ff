"""A server that cannot do its background work says so and ends; one bad game is not offered."""

import asyncio
import logging
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest

from benben.core.errors import BenbenError
from benben.core.warm import RULES, Stage
from benben.live.scheduler import Scheduler
from benben.store import notify as channel
from benben.store.database import Database, StoreFailed
from benben.store.store import Store
from benben.web import kernel_compiler
from benben.web import state as state_module
from benben.web.app import App, create_app
from benben.web.serving import Server, listen
from benben.web.state import AppState
from tests.store.postgres import Postgres
from tests.web.compiling import Compiler
from tests.web.processes import PATIENCE, Forked
from tests.web.site import eventually, refused, serving


def _let_claims_fail(signal: Path) -> None:
    """Let background work fail as soon as a file is there."""

    async def fail(self: Scheduler) -> None:
        while not signal.exists():
            await asyncio.sleep(0.01)
        raise EOFError("swordfish")

    Scheduler.run = fail  # type: ignore[method-assign]


def _check_failing(folder: Path, begun: str, *command: str) -> None:
    """A process whose background work stops ends by itself, and says that it failed, and why."""
    log, signal = folder / "log", folder / "fail"
    log.touch()
    process = Forked(command, log, partial(_let_claims_fail, signal))
    try:
        eventually(lambda: begun in log.read_text(), f"the log says {begun!r}")
        signal.touch()
        status = process.wait(20)
    finally:
        process.kill()
    told = log.read_text()
    assert status == 2, told
    assert told.endswith("benben: background work has stopped (EOFError): see the log\n"), told
    assert "EOFError: swordfish" in told, "the log has the cause"


@pytest.mark.slow
def test_a_server_whose_background_work_stops_ends(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path / 'x.sqlite3'}"
    begun = "Benben is at http://"
    _check_failing(tmp_path, begun, "serve", "--port", "0", "--database", database)


def test_a_thinking_server_whose_work_stops_ends(tmp_path: Path, postgres: Postgres) -> None:
    begun = "Bots think here, one at a time\n"
    _check_failing(tmp_path, begun, "think", "--thinkers", "1", "--database", postgres.fresh())


class Running:
    """A server in a thread, which may end by an error."""

    def __init__(self, app: App) -> None:
        self.error: BenbenError | None = None
        self._listening, self._started = listen("127.0.0.1", 0), threading.Event()
        self.server = Server(app, self._started.set)
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def _run(self) -> None:
        try:
            self.server.run([self._listening])
        except BenbenError as error:
            self.error = error

    def started(self) -> httpx.Client:
        assert self._started.wait(PATIENCE)
        port = self._listening.getsockname()[1]
        return httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=PATIENCE)

    def join(self) -> None:
        self._thread.join(PATIENCE)
        assert not self._thread.is_alive()


def test_a_server_is_not_ready_as_soon_as_background_work_has_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, compiler: Compiler
) -> None:
    compiler.finish_all()
    fails = threading.Event()

    async def run(self: Any) -> None:
        while not fails.is_set():
            await asyncio.sleep(0.01)
        raise KeyError("swordfish")

    monkeypatch.setattr(state_module.AppState, "_send_heartbeats", run)
    app = create_app(AppState(Store.open(f"sqlite:///{tmp_path / 'x.sqlite3'}")))
    server = Running(app)
    app.state.on_failure = lambda: None  # it stops a little later
    try:
        with server.started() as http, ExitStack() as streams:
            eventually(lambda: http.get("/readyz").is_success, "the server is ready")
            assert "benben_background_running 1.0" in http.get("/metrics").text
            table = http.post("/api/tables", json={"game": "quadrille"}).json()["id"]
            stream = streams.enter_context(http.stream("GET", f"/api/tables/{table}/events"))
            assert next(stream.iter_lines()) == "event: table"
            fails.set()
            eventually(lambda: not http.get("/readyz").is_success, "it is not ready any more")
            answer = http.get("/readyz")
            refused(answer, 503, "background-stopped")
            assert "KeyError" in answer.text
            assert "swordfish" not in answer.text
            told = http.get("/metrics").text
            assert "benben_background_running 0.0" in told
            assert "benben_ready 0.0" in told
            server.server.stop()
            server.join()  # though somebody listens
    finally:
        fails.set()
        server.server.stop()
        server.join()
    assert "background work has stopped (KeyError)" in str(server.error)


def test_a_server_that_cannot_store_heartbeats_is_not_ready(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, compiler: Compiler
) -> None:
    compiler.finish_all()
    monkeypatch.setattr(state_module, "HEARTBEAT", 0.02)
    with serving(tmp_path) as site:
        heartbeat = site.state.store.cluster.heartbeat

        def fail(*_: Any, **__: Any) -> None:
            raise StoreFailed("/secret/place", "the disk is full")

        monkeypatch.setattr(site.state.store.cluster, "heartbeat", fail)
        eventually(lambda: not site.http.get("/readyz").is_success, "it is not ready")
        answer = site.http.get("/readyz")
        refused(answer, 503, "store-failed")
        assert "secret" not in answer.text
        assert "benben_ready 0.0" in site.http.get("/metrics").text
        monkeypatch.setattr(site.state.store.cluster, "heartbeat", heartbeat)
        eventually(lambda: site.http.get("/readyz").is_success, "it is ready again")


# ---- One game


@pytest.fixture
def loading(monkeypatch: pytest.MonkeyPatch) -> Callable[[str, int], list[str]]:
    """Let the loading of a game's stage fail so many times; what was tried."""

    def fail(what: str, times: int) -> list[str]:
        tried: list[str] = []

        async def load(game: str, stage: Stage) -> None:
            name = f"{game}.{stage.name}"
            tried.append(name)
            if name == what and tried.count(name) <= times:
                raise EOFError("Ran out of input")

        monkeypatch.setattr(kernel_compiler, "load", load)
        monkeypatch.setattr(kernel_compiler, "LOAD_PAUSE", 0.01)
        return tried

    return fail


@pytest.mark.slow
def test_a_game_whose_rules_cannot_be_loaded_is_not_offered(
    tmp_path: Path,
    compiler: Compiler,
    loading: Callable[[str, int], list[str]],
    caplog: pytest.LogCaptureFixture,
) -> None:
    compiler.finish_all()
    tried = loading("pyramidis.rules", 99)
    with serving(tmp_path) as site, caplog.at_level(logging.ERROR):
        eventually(lambda: len(tried) == 9, "all is loaded that can be")
        opened = site.http.post("/api/tables", json={"game": "pyramidis"})
        detail = refused(opened, 503, "game-unavailable")
        assert detail == {"game": "pyramidis", "stage": "rules"}
        (ann,) = site.table("quadrille", people=1, seats=[{}, {"bot": 1}])
        ann.move()
        eventually(lambda: len(ann.look()["moves"]) == 2, "bots play the other games")
        told = {each["game"]: each for each in site.get("server")["games"]}
        assert (told["pyramidis"]["ready"], told["pyramidis"]["seconds"]) == ("no", 0)
        assert {each["ready"] for each in told.values()} == {"no", "bots"}
        assert "benben_games_failed 1.0" in site.http.get("/metrics").text
        eventually(lambda: site.state.store.cluster.last_ready() is not None, "it says it is there")
    assert "pyramidis is not offered" in caplog.text


def test_a_game_whose_bots_cannot_be_loaded_is_played_without(
    tmp_path: Path, compiler: Compiler, loading: Callable[[str, int], list[str]]
) -> None:
    compiler.finish_all()
    tried = loading("quadrille.bots", 99)
    with serving(tmp_path) as site:
        eventually(lambda: len(tried) == 10, "all is loaded that can be")
        wanted = {"game": "quadrille", "seats": [{}, {"bot": 1}]}
        detail = refused(site.http.post("/api/tables", json=wanted), 503, "game-unavailable")
        assert detail == {"game": "quadrille", "stage": "bots"}
        site.table("quadrille")[0].move()


def test_what_cannot_be_loaded_for_a_moment_is_tried_again(
    tmp_path: Path, compiler: Compiler, loading: Callable[[str, int], list[str]]
) -> None:
    compiler.finish_all()
    tried = loading("quadrille.rules", 2)
    with serving(tmp_path) as site:
        site.table("quadrille")[0].move()
    assert tried.count("quadrille.rules") == 3


def test_a_server_without_any_game_ends(
    tmp_path: Path, compiler: Compiler, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def load(game: str, stage: Stage) -> None:
        if stage is RULES:
            raise MemoryError

    compiler.finish_all()
    monkeypatch.setattr(kernel_compiler, "load", load)
    monkeypatch.setattr(kernel_compiler, "LOAD_PAUSE", 0.01)
    server = Running(create_app(AppState(Store.open(f"sqlite:///{tmp_path / 'x.sqlite3'}"))))
    server.join()
    assert "background work has stopped (RuntimeError)" in str(server.error)


# ---- Where nothing is heard of other servers


def test_a_server_that_cannot_listen_ends_with_a_clear_error(
    postgres: Postgres, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def refuse(self: Database) -> Any:
        raise OSError("no connection for LISTEN")

    monkeypatch.setattr(channel, "OPENING_SECONDS", 0.3)
    monkeypatch.setattr(Database, "listening", refuse)
    began = time.monotonic()
    server = Running(create_app(AppState(Store.open(postgres.fresh()))))
    server.join()
    assert isinstance(server.error, StoreFailed)
    assert "cannot listen to other servers" in str(server.error)
    assert "no connection for LISTEN" in str(server.error)
    assert time.monotonic() - began < PATIENCE
    assert "Traceback" not in caplog.text
