"""The parts of a server: store, tables, streams, background work; how they start and stop."""

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from itertools import accumulate

from benben.core.errors import BenbenError
from benben.core.warm import RULES
from benben.live.background import BackgroundPool
from benben.live.bot_turns import RETRY_SECONDS
from benben.live.process import background_failure
from benben.live.tables import Tables
from benben.store.database import StoreFailed
from benben.store.store import Store
from benben.web.async_cache import AsyncCache
from benben.web.bot_streams import BotStreams
from benben.web.client_errors import ClientErrors
from benben.web.documents import MOST_CACHED, File
from benben.web.errors import ApiError
from benben.web.fair_queue import FairQueue
from benben.web.kernel_compiler import KernelCompiler
from benben.web.limits import Limits, Usage
from benben.web.metrics import Metrics
from benben.web.opinions import MOST, Opinions
from benben.web.previews import Previews
from benben.web.reach import ServerAddresses
from benben.web.reminders.mailer import Mailer
from benben.web.reviewing import Reviews
from benben.web.settings import Settings
from benben.web.streams import Streams

log = logging.getLogger("benben.web")

HEARTBEAT = 5.0  # seconds between two
TRIM_INTERVAL, TRIM_STEP = 10.0, 0.1  # seconds between looks at the quota of uploaded records


class AppState:
    """The parts of a server, which handlers get as `app`.

    From `open` on, when the server starts, `_run` does the background work, until `close`. If it
    fails, `failure` has the reason, and `on_failure` is called, which stops the server.
    """

    def __init__(
        self,
        store: Store,
        *,
        thinkers: int | None = None,
        limits: Limits | None = None,
        settings: Settings | None = None,
    ) -> None:
        """The store is open, and is closed with the state.

        At most `thinkers` bots think at once, by default one for each core.
        """
        self.settings = settings = settings or Settings()
        self.metrics = Metrics()
        self.kernels = KernelCompiler()
        self.previews = Previews()
        self.client_errors = ClientErrors()
        self.documents = AsyncCache[File](MOST_CACHED)
        self.closed = False
        self.counts = Usage(limits or Limits())
        self.reach: ServerAddresses | None = None  # known when it listens
        self._work: asyncio.Task[None] | None = None
        self.failure: BenbenError | None = None  # why the process has to end
        self.on_failure: Callable[[], None] = lambda: None
        self._heartbeat_failed = False
        # Threads for long work of requests, so that reads of the store, in the event loop's default
        # executor, do not wait for it.
        self.checking = FairQueue("check")
        self.replaying = FairQueue("replay")
        self.rendering = FairQueue("page")
        self.store = store
        reminders = [round(1000 * seconds) for seconds in accumulate(settings.mail_pauses)]
        store.writer.on_commit = self.metrics.committed
        self.tables = Tables(
            store,
            bot_delay=settings.bot_delay,
            thinkers=thinkers,
            grace=settings.grace,
            expiry=settings.expiry_ms,
            reminders=reminders if settings.mail else (),
            require_ready=self.kernels.require_ready,
            wait_for_bots=self.kernels.wait_for_bots,
        )
        self.streams = Streams(self.tables, settings.keep_alive)
        self.bot_streams = BotStreams(self.tables, settings.keep_alive)
        self.background = BackgroundPool(MOST + 2, self.tables.bot_pool, lambda: self.tables.moves)
        self.opinions = Opinions(self.background, self.kernels.wait_for_bots, settings.keep_alive)
        self.mailer = Mailer(self.tables, settings)
        self.reviews = Reviews(self.tables, self.kernels, self.replaying, self.background)

    @property
    def ready(self) -> bool:
        """Whether people can play all games, background work runs, and heartbeats are stored."""
        failed = self.failure is not None or self._heartbeat_failed
        return self.kernels.ready and not failed and not self.closed

    def not_ready(self) -> ApiError:
        """The error for `/readyz` that says why the server is not ready."""
        if self.failure is not None:
            return ApiError(503, "background-stopped", str(self.failure))
        if self._heartbeat_failed:
            words, retry = "heartbeats cannot be stored: see the log", str(round(RETRY_SECONDS))
            return ApiError(503, "store-failed", words, headers={"Retry-After": retry})
        return self.kernels.not_ready()

    async def open(self) -> None:
        try:
            await self.tables.join()
        except BenbenError as error:
            self.failure = error
            raise
        self._work = asyncio.create_task(self._run())

    def end_streams(self) -> None:
        """End all streams. Subscribers may reconnect to the next server."""
        self.streams.close()
        self.bot_streams.close()
        self.opinions.close()

    async def close(self) -> None:
        """Stop all work. Acknowledged events are already stored."""
        self.closed = True
        self.end_streams()
        if self._work is not None:
            self._work.cancel()
            with suppress(asyncio.CancelledError):
                await self._work
        for queue in (self.checking, self.replaying, self.rendering):
            queue.close()
        self.previews.close()
        await self.reviews.close()
        await self.background.close()
        await self.mailer.close()
        try:
            await self.tables.close()
        finally:
            await asyncio.to_thread(self.store.close)

    async def _run(self) -> None:
        """Do the background work, and open each game when its kernels are loaded.

        An unexpected error ends the process, so that its supervisor restarts it: without clocks,
        bots and heartbeats it would only seem to work.
        """
        try:
            async with asyncio.TaskGroup() as group:
                group.create_task(self.tables.scheduler.run())
                group.create_task(self._trim_records())
                group.create_task(self._send_heartbeats())
                group.create_task(self.kernels.compile())
                async for job in self.kernels.load():
                    if job.stage is RULES:
                        await self.tables.open_game(job.game)
                    self.kernels.set_ready(job)
        except Exception as error:
            log.exception("background work has stopped: the server ends")
            self.failure = background_failure(error)
            self.on_failure()

    async def _trim_records(self) -> None:
        most_bytes = self.settings.records_max_mb * 1_000_000
        while True:
            try:
                trim = self.store.archive.trim_records
                while await asyncio.to_thread(trim, self.tables.now(), most_bytes):
                    await asyncio.sleep(TRIM_STEP)
            except StoreFailed as error:
                log.error("uploaded records were not trimmed: %s", error)
            await asyncio.sleep(TRIM_INTERVAL)

    async def _send_heartbeats(self) -> None:
        """Store every few seconds that this server is alive, and at which open tables people wait.

        Heartbeats count for clocks only when all games are ready: games that open later pause their
        clocks since the last heartbeat that counts.
        """
        servers = self.store.cluster
        while True:
            try:
                attended = self.tables.waiting_here() if self.store.shared else ()
                await asyncio.to_thread(
                    servers.heartbeat,
                    self.tables.now(),
                    ready=self.kernels.ready,
                    attended=attended,
                )
                if self.store.shared:
                    await self.bot_streams.compare()
                self._heartbeat_failed = False
            except StoreFailed as error:
                self._heartbeat_failed = True
                log.error("cluster heartbeat failed: %s", error)
            await asyncio.sleep(HEARTBEAT)
