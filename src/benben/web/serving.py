"""`benben serve`: one process that serves tables until it is told to stop."""

import asyncio
import gc
import logging
import os
import signal
import socket
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress

import uvicorn
from litestar import Litestar

from benben.bots.warm import Progress
from benben.core.errors import BenbenError
from benben.table.store import Store
from benben.web.app import create_app
from benben.web.limits import Limits
from benben.web.settings import Settings
from benben.web.state import AppState
from benben.web.transport import Protocol

COLLECTING = (10_000, 50, 100)  # seldom: tables stay, and looking through all of them takes long
GRACE = 10  # seconds for answers under way when the server stops
# Seconds until a connection at rest is closed: after proxies and clients would close it, who mostly
# wait a minute or less. If we were first, a request could just be under way, and be lost.
REST = 75


class Server(uvicorn.Server):
    """A server whose streams end when it stops, and for which a signal to stop is no failure."""

    def __init__(self, app: Litestar, ready: Callable[[], None]) -> None:
        config = uvicorn.Config(
            app,
            access_log=False,  # we have our own, without queries
            http=Protocol,
            log_config=None,
            lifespan="on",
            server_header=False,
            timeout_graceful_shutdown=GRACE,
            timeout_keep_alive=REST,
            ws="none",
        )
        super().__init__(config)
        logging.getLogger("uvicorn.access").disabled = True
        self._state: AppState = app.state.benben
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if not self.should_exit:
            self._ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._state.end_streams()
        await super().shutdown(sockets)

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        stops = (signal.SIGINT, signal.SIGTERM)
        before = {each: signal.signal(each, self.handle_exit) for each in stops}
        try:
            yield
        finally:
            for each, handler in before.items():
                signal.signal(each, handler)


def serve(
    host: str = "127.0.0.1",
    port: int = 8000,
    database: str | None = None,
    *,
    limits: Limits | None = None,
    say: Callable[[str], None] = lambda address: None,
    watch: Callable[[Sequence[Progress]], None] = lambda games: None,
) -> None:
    """Serve until SIGTERM or SIGINT; `say` is told the address when people can come.

    `watch` is told from then on how far the games are, whenever that changes.

    BenbenError if the address cannot be had, the store not be opened, or the environment not be
    understood. Port 0 is any free port.
    """
    _log_to_stderr()
    settings = Settings.of(os.environ)
    _allow_many_connections()
    gc.set_threshold(*COLLECTING)
    listening = listen(host, port)
    try:
        store = Store.open(database)
    except BenbenError:
        listening.close()
        raise
    name, number = listening.getsockname()[:2]
    address = f"http://{f'[{name}]' if ':' in name else name}:{number}"
    app = create_app(store=store, limits=limits, settings=settings)
    preparation = app.state.benben.preparation

    def begin() -> None:
        say(address)
        preparation.watch = lambda: watch(preparation.progress)

    server = Server(app, begin)
    with asyncio.Runner(loop_factory=server.config.get_loop_factory()) as runner:
        runner.run(server.serve(sockets=[listening]))


def listen(host: str, port: int) -> socket.socket:
    """A socket people can connect to; it says that it is TCP, or asyncio would delay answers."""
    if not 0 <= port <= 65535:  # the system would take what is left of it by 65536
        raise BenbenError(f"cannot serve at {host}:{port}: ports are 0 to 65535")
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        listening = socket.socket(family, kind, protocol)
        try:
            if sys.platform != "win32":  # where it would let two servers share a port
                listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listening.bind(address)
            listening.listen(2048)
        except OSError:
            listening.close()
            raise
    except (OSError, UnicodeError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise BenbenError(f"cannot serve at {host}:{port}: {why}") from error
    return listening


def _log_to_stderr() -> None:
    """One line a request and one for whatever goes wrong."""
    logging.basicConfig(
        level=logging.INFO, format="%(asctime)s %(levelname)s %(name)s: %(message)s"
    )
    for name in ("uvicorn.error", "alembic", "asyncio"):
        logging.getLogger(name).setLevel(logging.WARNING)


def _allow_many_connections() -> None:
    """Every stream is an open file, and the usual limit is about a thousand."""
    with suppress(ImportError, ValueError, OSError):
        import resource  # there is none on Windows

        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
