"""`benben serve`: one process that serves tables until a signal stops it."""

import gc
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
from benben.web.state import AppState
from benben.web.transport import Connections

GC_THRESHOLDS = (10_000, 50, 100)  # high: tables are many long-lived objects
GRACE_SECONDS = 10  # for responses under way when the server stops
# Until an idle connection is closed: longer than proxies and clients wait, mostly a minute or less.
# If the server closed it first, a request could be lost.
KEEP_ALIVE_SECONDS = 75
SEND_BUFFER = 262_144  # bytes

_NOBODY_THINKS = (
    "with --thinkers 0 nobody would play the bots' turns, as a file has one server; let it think, "
    "or keep tables in PostgreSQL, where `benben think` does"
)
# The middleware logs requests, with secrets in paths masked, instead of uvicorn. A level persists,
# while programs that configure logging later undo `access_log=False`.
_LOGGING = {
    "version": 1,
    "incremental": True,
    "loggers": {"uvicorn.access": {"level": "CRITICAL"}},
}


class Server(uvicorn.Server):
    """A server whose streams end when it stops, and for which a signal to stop is no failure.

    uvicorn waits for open connections before it tells the application of the end, so `shutdown`
    ends the streams first. `ready` is called when people can connect.
    """

    def __init__(self, app: App, ready: Callable[[], None]) -> None:
        config = uvicorn.Config(
            app,
            access_log=False,
            http=Connections(),  # type: ignore[arg-type]  # it is called as a class would be
            log_config=_LOGGING,
            lifespan="on",
            server_header=False,
            timeout_graceful_shutdown=GRACE_SECONDS,
            timeout_keep_alive=KEEP_ALIVE_SECONDS,
            ws="none",
        )
        super().__init__(config)
        self._state, self._ready = app.state, ready
        self._state.on_failure = self.stop

    def run(self, sockets: list[socket.socket] | None = None) -> None:
        """Serve until a signal comes, or `stop` is called from another thread.

        BenbenError if the start fails, or background work stops.
        """
        # uvicorn installs its own handlers while it serves. At the end it raises again the signals
        # that it has caught, for these handlers.
        with signals_call(self.stop):
            try:
                super().run(sockets)
            except SystemExit:  # by uvicorn, if the start fails
                if self._state.failure is None:
                    raise
        if self._state.failure is not None:
            raise self._state.failure

    def stop(self) -> None:
        self.should_exit = True

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        assert sockets
        host, port = sockets[0].getsockname()[:2]
        self._state.reach = ServerAddresses(host, port, self._state.settings.address)
        await super().startup(sockets)
        if not self.should_exit:
            self._ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._state.end_streams()
        await super().shutdown(sockets)


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
    """Serve until SIGTERM or SIGINT; `say` is called with the addresses when people can connect.

    From then on `watch` is called with the progress of all games whenever it changes.

    Raise BenbenError if the address is not available, the store cannot be opened or has another
    server, a setting is not valid, or background work stops. Port 0 is any free port. With 0
    `thinkers` only thinking servers run bots' turns, which requires PostgreSQL.
    """
    log_to_stderr()
    settings = Settings.of(os.environ)
    _allow_many_connections()
    gc.set_threshold(*GC_THRESHOLDS)
    place = Database(database)
    if thinkers == 0 and place.sqlite:
        raise StoreFailed(place.where, _NOBODY_THINKS)
    with listen(host, port) as listening, place.reserved():
        state = AppState(Store(place), thinkers=thinkers, limits=limits, settings=settings)

        def begin() -> None:
            assert state.reach is not None
            say(state.reach)
            state.kernels.on_progress = lambda: watch(state.kernels.progress)

        Server(create_app(state), begin).run([listening])


def listen(host: str, port: int) -> socket.socket:
    """A listening socket, of protocol TCP by name: else asyncio does not set TCP_NODELAY."""
    if not 0 <= port <= 65535:  # the system would take it modulo 65536
        raise BenbenError(f"cannot serve at {host}:{port}: ports are 0 to 65535")
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        listening = socket.socket(family, kind, protocol)
        try:
            if sys.platform != "win32":  # where it would let two servers share a port
                listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            # For every connection: the system also buffers what a client does not read.
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
    """Raise the limit of open files: every stream needs one, and the default is about 1,000."""
    with suppress(ImportError, ValueError, OSError):
        import resource  # there is none on Windows

        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
