"""Follows what other servers store: applies their events to the tables in memory here."""

import asyncio
import logging
from collections.abc import Iterable
from typing import TYPE_CHECKING

import msgspec

from benben.live.session import TableSession
from benben.store.database import StoreFailed
from benben.table.events import from_json
from benben.table.options import TableOptions
from benben.table.record import Entry

if TYPE_CHECKING:
    from benben.live.tables import Tables

log = logging.getLogger("benben.live")


class Replication:
    """Handles the notifications of other servers."""

    def __init__(self, tables: "Tables") -> None:
        self._tables, self._store, self._sessions = tables, tables.store, tables.sessions
        on = tables.store.notifications.on
        on("event", self._on_event)
        on("terms", self._on_options)
        on("due", lambda _: tables.scheduler.wake())
        on("parked", self._on_parked)
        tables.store.notifications.on_connected(self._resynchronize)

    def _on_event(self, words: list[str]) -> None:
        name, number, waits, at, key, *rest = words
        session, body = self._sessions.get(name), " ".join(rest)
        if session is not None and session.table.number < int(number):
            is_next = session.table.number + 1 == int(number)
            if body and is_next and not session.lock.locked():
                entry = Entry(int(number), int(at), from_json(body))
                session.apply_remote(entry, None if key == "-" else key)
                session.cancel_stale_thinking()
            else:  # something was missed, or is being stored here
                self._tables.start(self._catch_up(session))
        if waits == "bot":
            self._tables.scheduler.wake()

    def _on_options(self, words: list[str]) -> None:
        """A name was erased from the options of a table."""
        session = self._sessions.get(words[0])
        if session is not None:
            self._tables.start(self._read_options([session]))

    def _on_parked(self, words: list[str]) -> None:
        """A bot's turn was parked, as its server knows of no person at the table."""
        session = self._sessions.get(words[0])
        if session is not None:
            self._tables.bot_turns.resume_if_attended(session)

    def _resynchronize(self) -> None:
        """The connection was lost for a while: look for what was missed."""
        self._tables.start(self._catch_up_all())
        for session in list(self._sessions.values()):
            self._tables.bot_turns.resume_if_attended(session)

    async def _catch_up_all(self) -> None:
        while True:
            try:
                known = dict(self._sessions)
                numbers = await asyncio.to_thread(self._store.last_numbers, list(known))
                break
            except StoreFailed as error:
                log.error("events of other servers cannot be read: %s", error)
            await asyncio.sleep(1.0)
        for name, session in known.items():
            if session.table.number < numbers.get(name, 0):
                await self._catch_up(session)
        await self._read_options(
            each for each in known.values() if any(each.table.options.expected)
        )
        self._tables.scheduler.wake()

    async def _catch_up(self, session: TableSession) -> None:
        try:
            async with session.lock:
                await session.catch_up()
        except StoreFailed as error:
            log.error("events of table %s cannot be read: %s", session.id, error)

    async def _read_options(self, sessions: Iterable[TableSession]) -> None:
        try:
            for session in sessions:
                stored = await asyncio.to_thread(self._store.table, session.id)
                if stored is not None:
                    session.table.set_options(
                        msgspec.json.decode(stored.options, type=TableOptions)
                    )
        except StoreFailed as error:
            log.error("the options of tables cannot be read again: %s", error)
