"""What a server does so that all who share its database are one house.

It says now and then that it is there, removes what is left of servers that are not, and looks
whether the others know what it knows. Where there can be no others it does nothing.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable

from benben.live.tables import Tables
from benben.store.store import StoreFailed
from benben.web.bot_streams import BotStreams
from benben.web.limits import Counts
from benben.web.shared_limits import PAUSE, SharedLimits

log = logging.getLogger("benben.web")

HEARTBEAT = 5.0  # seconds


class ClusterNode:
    """As one of its servers knows it."""

    def __init__(self, tables: Tables, bot_streams: BotStreams, counts: Counts) -> None:
        self._tables, self._bot_streams = tables, bot_streams
        self._limits = SharedLimits(counts, tables.store)

    async def run(self) -> None:
        """For as long as the server runs."""
        if self._tables.store.shared:
            await asyncio.gather(
                _again_and_again(self._beat, HEARTBEAT),
                _again_and_again(self._limits.tell, PAUSE),
            )

    async def _beat(self) -> None:
        beat = await self._tables.store.servers.beat(self._tables.now())
        self._limits.share(beat.others)
        if self._tables.presence.alone and beat.others:
            self._tables.presence.read_all()
        self._tables.presence.alone = not beat.others
        self._limits.forget(beat.dead)
        self._tables.presence.read(beat.tables)  # the others are told
        await self._tables.presence.compare()
        await self._bot_streams.compare()


async def _again_and_again(deed: Callable[[], Awaitable[None]], pause: float) -> None:
    while True:
        try:
            await deed()
        except StoreFailed as error:
            log.error("other servers may not know what happens here: %s", error)
        await asyncio.sleep(pause)
