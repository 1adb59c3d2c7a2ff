"""Follows what other servers store: applies their events to the tables in memory here."""

import asyncio
import logging
from collections.abc import Callable, Iterable, Mapping

import msgspec

from benben.live.bot_turns import BotTurns
from benben.live.scheduler import Scheduler
from benben.live.session import StartTask, TableSession
from benben.store.database import StoreFailed
from benben.store.store import Store
from benben.table.events import from_json
from benben.table.options import TableOptions
from benben.table.record import Entry

log = logging.getLogger("benben.live")


class Replication:
    """Handles the notifications of other servers. `tables` are those in memory, by id."""

    def __init__(
        self,
        store: Store,
        tables: Mapping[str, TableSession],
        scheduler: Scheduler,
        bot_turns: BotTurns,
        start: StartTask,
    ) -> None:
        self._store, self._tables, self._start = store, tables, start
        self._scheduler, self._bot_turns = scheduler, bot_turns
        on: Callable[..., None] = store.notifications.on
        on("event", self._on_event)
        on("terms", self._on_options)
        on("due", lambda _: scheduler.wake())
        on("parked", self._on_parked)
        store.notifications.on_connected(self._resynchronize)

    def _on_event(self, words: list[str]) -> None:
        name, number, waits, at, key, *rest = words
        session, body = self._tables.get(name), " ".join(rest)
        if session is not None and session.table.number < int(number):
            is_next = session.table.number + 1 == int(number)
            if body and is_next and not session.lock.locked():
                entry = Entry(int(number), int(at), from_json(body))
                session.apply_remote(entry, None if key == "-" else key)
                session.cancel_stale_thinking()
            else:  # something was missed, or is being stored here
                self._start(self._catch_up(session))
        if waits == "bot":
            self._scheduler.wake()

    def _on_options(self, words: list[str]) -> None:
        """A name was erased from the options of a table."""
        session = self._tables.get(words[0])
        if session is not None:
            self._start(self._read_options([session]))

    def _on_parked(self, words: list[str]) -> None:
        """A bot's turn was parked, as its server knows of no person at the table."""
        session = self._tables.get(words[0])
        if session is not None:
            self._bot_turns.resume_if_attended(session)

    def _resynchronize(self) -> None:
        """The connection was lost for a while: look for what was missed."""
        self._start(self._catch_up_all())
        for session in list(self._tables.values()):
            self._bot_turns.resume_if_attended(session)

    async def _catch_up_all(self) -> None:
        while True:
            try:
                known = dict(self._tables)
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
        self._scheduler.wake()

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
                    session.set_options(msgspec.json.decode(stored.options, type=TableOptions))
        except StoreFailed as error:
            log.error("the options of tables cannot be read again: %s", error)
