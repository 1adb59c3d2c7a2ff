"""`benben serve`: one process that serves tables until it is told to stop."""

import asyncio
import gc
import logging
import os
import socket
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress

import uvicorn

from benben.bots.warm import Progress
from benben.core.errors import BenbenError
from benben.live.process import log_to_stderr, signals_call
from benben.store.database import Database, StoreFailed
from benben.store.store import Store
from benben.web.app import App, create_app
from benben.web.limits import Limits
from benben.web.reach import ServerAddresses
from benben.web.settings import Settings
from benben.web.transport import ConnectionLimits, Connections

COLLECTING = (10_000, 50, 100)  # seldom: tables stay, and looking through all of them takes long
GRACE = 10  # seconds for answers under way when the server stops
# Seconds until a connection at rest is closed: after proxies and clients would close it, who mostly
# wait a minute or less. If we were first, a request could just be under way, and be lost.
REST = 75
SEND_BUFFER = 262_144  # bytes

_NOBODY_THINKS = (
    "with --thinkers 0 nobody would play the bots' turns, as a file has one server; let it think, "
    "or keep tables in PostgreSQL, where `benben think` does"
)
_TICK = 0.1  # seconds between looks at whether uvicorn is to stop: as often as it looks itself


class Server:
    """A server whose streams end when it stops, and for which a signal to stop is no failure.

    uvicorn waits for open connections before it tells the application of the end, and has no hook
    for what must happen first. But it says by `started` and `should_exit` how far it is.
    """

    def __init__(
        self, app: App, ready: Callable[[], None], limits: ConnectionLimits | None = None
    ) -> None:
        config = uvicorn.Config(
            app,
            access_log=False,  # we have our own, without queries
            http=Connections(limits),  # type: ignore[arg-type]  # it is called as a class would be
            log_config=None,
            lifespan="on",
            server_header=False,
            timeout_graceful_shutdown=GRACE,
            timeout_keep_alive=REST,
            ws="none",
        )
        self._uvicorn = uvicorn.Server(config)
        # `access_log=False` is undone by whoever configures logging later, and paths have keys.
        logging.getLogger("uvicorn.access").disabled = True
        self._state, self._ready = app.state, ready

    @property
    def rest(self) -> float:
        """Seconds until a connection at rest is closed."""
        return self._uvicorn.config.timeout_keep_alive

    def run(self, listening: socket.socket) -> None:
        """Serve until a signal comes, or `stop` is called from another thread.

        BenbenError if the start fails, or background work stops.
        """
        host, port = listening.getsockname()[:2]
        self._state.reach = ServerAddresses(host, port, self._state.settings.address)
        loops = self._uvicorn.config.get_loop_factory()
        # uvicorn has handlers of its own while it serves, and after the end sends itself again what
        # it has caught, for whoever was there before: so that is us.
        with signals_call(self.stop), asyncio.Runner(loop_factory=loops) as runner:
            try:
                runner.run(self._serve(listening))
            except SystemExit:  # by uvicorn, if the start fails
                if self._state.failure is None:
                    raise
        if self._state.failure is not None:
            raise self._state.failure

    def stop(self) -> None:
        self._uvicorn.should_exit = True

    async def _serve(self, listening: socket.socket) -> None:
        watching = asyncio.create_task(self._watch())
        try:
            await self._uvicorn.serve(sockets=[listening])
        finally:
            watching.cancel()

    async def _watch(self) -> None:
        server = self._uvicorn
        while not (server.started or server.should_exit):
            await asyncio.sleep(_TICK / 5)
        if not server.should_exit:
            self._ready()
        while not server.should_exit:
            await asyncio.sleep(_TICK)
            if self._state.failure is not None:
                server.should_exit = True
        self._state.end_streams()


def serve(
    host: str = "127.0.0.1",
    port: int = 8000,
    database: str | None = None,
    *,
    thinkers: int | None = None,
    limits: Limits | None = None,
    say: Callable[[ServerAddresses], None] = lambda reach: None,
    watch: Callable[[Sequence[Progress]], None] = lambda games: None,
) -> None:
    """Serve until SIGTERM or SIGINT; `say` is told the addresses when people can come.

    `watch` is told from then on how far the games are, whenever that changes.

    BenbenError if the address cannot be had, the store not be opened or another server has it, or
    the environment not be understood; or if background work stops. Port 0 is any free port. With
    no `thinkers` bots' turns are left to thinking servers, which a file cannot have.
    """
    log_to_stderr()
    settings = Settings.of(os.environ)
    _allow_many_connections()
    gc.set_threshold(*COLLECTING)
    place = Database(database)
    if thinkers == 0 and place.sqlite:
        raise StoreFailed(place.where, _NOBODY_THINKS)
    with listen(host, port) as listening, place.reserved():
        store = Store(place)
        app = create_app(store=store, thinkers=thinkers, limits=limits, settings=settings)
        preparation = app.state.preparation

        def begin() -> None:
            assert app.state.reach is not None
            say(app.state.reach)
            preparation.watch = lambda: watch(preparation.progress)

        Server(app, begin).run(listening)


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
            # Of every connection: what a client does not read is held by the system, too.
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
            listening.bind(address)
            listening.listen(2048)
        except OSError:
            listening.close()
            raise
    except (OSError, UnicodeError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise BenbenError(f"cannot serve at {host}:{port}: {why}") from error
    return listening


def _allow_many_connections() -> None:
    """Every stream is an open file, and the usual limit is about a thousand."""
    with suppress(ImportError, ValueError, OSError):
        import resource  # there is none on Windows

        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
