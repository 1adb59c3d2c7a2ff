"""What a server does so that all who share its database are one house.

It says now and then that it is there, removes what is left of servers that are not, and looks
whether the others know what it knows. Where there can be no others it does nothing.
"""

import asyncio
import logging

from benben.table.store import StoreFailed
from benben.table.tables import Tables
from benben.web.bot_streams import BotStreams

log = logging.getLogger("benben.web")

HEARTBEAT = 5.0  # seconds


class House:
    """As one of its servers knows it."""

    def __init__(self, tables: Tables, bot_streams: BotStreams) -> None:
        self._tables, self._bot_streams = tables, bot_streams

    async def run(self) -> None:
        """For as long as the server runs."""
        while self._tables.store.shared:
            try:
                await self._beat()
            except StoreFailed as error:
                log.error("other servers may think that we are dead: %s", error)
            await asyncio.sleep(HEARTBEAT)

    async def _beat(self) -> None:
        await self._tables.store.servers.beat_soon(self._tables.now())
        await self._tables.presence.compare()
        await self._bot_streams.compare()
