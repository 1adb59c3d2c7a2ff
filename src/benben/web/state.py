"""All that a server has: its store, its tables, its streams, and what it counts."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from itertools import accumulate

from benben.core.registry import names
from benben.table.loaded import GRACE
from benben.table.store import Store, StoreFailed
from benben.table.tables import BOT_DELAY, RETRY, Tables
from benben.web.bot_streams import BotStreams
from benben.web.house import HEARTBEAT, House
from benben.web.limits import Counts
from benben.web.metrics import Metrics
from benben.web.opinions import Opinions
from benben.web.previews import Previews
from benben.web.reach import Reach
from benben.web.reminders.mailer import PAUSES, Mailer
from benben.web.reviewing import Reviews
from benben.web.settings import Settings
from benben.web.streams import KEEP_ALIVE, Streams
from benben.web.warming import Preparation

log = logging.getLogger("benben.web")


class AppState:
    """Made closed. `open` when the server starts, `close` when it ends."""

    store: Store
    tables: Tables
    streams: Streams
    bot_streams: BotStreams
    opinions: Opinions
    mailer: Mailer
    reviews: Reviews
    house: House

    def __init__(
        self,
        url: str | None = None,
        *,
        store: Store | None = None,
        bot_delay: float = BOT_DELAY,
        keep_alive: float = KEEP_ALIVE,
        thinkers: int | None = None,
        grace: float = GRACE,
        counts: Counts,
        settings: Settings,
        mail_pauses: Sequence[float] = PAUSES,
    ) -> None:
        self.metrics = Metrics()
        self.preparation = Preparation()
        self.previews = Previews()
        self.closed = False
        self._given, self._url = store, url
        self._bot_delay, self._keep_alive, self._thinkers = bot_delay, keep_alive, thinkers
        self._grace, self.counts = grace, counts
        self.settings, self._mail_pauses = settings, mail_pauses
        self.reach: Reach | None = None  # known when it listens
        self._work: asyncio.Task[None] | None = None
        # Long work has threads of its own: reads of the store, on the loop's, never wait for it.
        self.checking = ThreadPoolExecutor(1, thread_name_prefix="check")
        self.replaying = ThreadPoolExecutor(1, thread_name_prefix="replay")

    @property
    def ready(self) -> bool:
        """Whether people can play every game."""
        return self.preparation.ready and not self.closed

    async def open(self) -> None:
        if self._given is None:
            self._given = await asyncio.to_thread(Store.open, self._url)
        self.store = self._given
        self.store.writer.on_commit = self.metrics.committed
        self.tables = Tables(
            self.store,
            bot_delay=self._bot_delay,
            thinkers=self._thinkers,
            grace=self._grace,
            expiry=self.settings.expiry,
            reminders=_moments(self._mail_pauses) if self.settings.mail else (),
        )
        self.tables.admit = self.preparation.admit
        self.tables.until_bots = self.preparation.until_bots
        self.streams = Streams(self.tables, self._keep_alive)
        self.bot_streams = BotStreams(self.tables, self._keep_alive)
        self.opinions = Opinions(
            lambda: self.tables.thinkers.busy, self.preparation.until_bots, self._keep_alive
        )
        self.mailer = Mailer(self.tables, self.settings, self._mail_pauses)
        self.reviews = Reviews(self.tables, self.preparation)
        self.tables.on_ended = self.reviews.ended
        self.tables.on_reminder = self.mailer.remind
        self.tables.on_sat = self.bot_streams.sat
        self.tables.on_left = self.bot_streams.left
        self.house = House(self.tables, self.bot_streams, self.counts)
        await self.tables.join()
        self._work = asyncio.create_task(self._run())

    def end_streams(self) -> None:
        """Let every stream end: who listens may come back to the next server."""
        self.streams.close()
        self.bot_streams.close()
        self.opinions.close()

    async def close(self) -> None:
        """What was acknowledged is stored; nothing else is waited for."""
        self.closed = True
        self.end_streams()
        if self._work is not None:
            self._work.cancel()
            with suppress(asyncio.CancelledError):
                await self._work
        for threads in (self.checking, self.replaying):
            threads.shutdown(wait=False, cancel_futures=True)
        await self.reviews.close()
        await self.mailer.close()
        try:
            await self.tables.close()
        finally:
            await asyncio.to_thread(self.store.close)

    async def _run(self) -> None:
        """Each game's tables go on as soon as it can be played.

        The first heartbeat comes after all of them: the last one says since when no server was
        running, and they have to know it.
        """
        waiting = set(names())
        try:
            async with asyncio.TaskGroup() as group:
                group.create_task(self.tables.run())
                group.create_task(self.house.run())

                async def resume(game: str) -> None:
                    await self.tables.resume(game)
                    waiting.discard(game)
                    if not waiting:
                        group.create_task(self._beat())

                def opened(game: str) -> None:
                    group.create_task(resume(game))

                await self.preparation.run(
                    lambda game: self._until_stored(self.tables.reopen, game), opened
                )
        except Exception:
            log.exception("work in the background has stopped")

    async def _until_stored(self, deed: Callable[[str], Awaitable[None]], game: str) -> None:
        while True:
            try:
                return await deed(game)
            except StoreFailed as error:
                log.error("cannot go on with the tables yet: %s", error)
            await asyncio.sleep(RETRY)

    async def _beat(self) -> None:
        while True:
            try:
                await asyncio.to_thread(self.store.heartbeat, self.store.server, self.tables.now())
            except StoreFailed as error:
                log.error("no heartbeat: %s", error)
            await asyncio.sleep(HEARTBEAT)


def _moments(pauses: Sequence[float]) -> list[int]:
    """Milliseconds after which something is tried, from the seconds before each try."""
    return [round(1000 * seconds) for seconds in accumulate(pauses)]
