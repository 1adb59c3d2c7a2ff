"""Mail to whoever asked for it when it is their turn, at tables that are played over days.

Nobody waits for it: it is sent by threads of its own, a while after the turn came. Who has played
by then needs none. A mail that cannot be sent is tried again some times.
"""

import asyncio
import logging
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

from benben.table.loaded import LoadedTable
from benben.table.table import TurnCame
from benben.table.tables import Tables
from benben.table.terms import Days
from benben.web.reminders.mail import letter, send
from benben.web.settings import Settings

log = logging.getLogger("benben.web.mail")

PAUSES = (60.0, 60.0, 600.0, 3600.0, 6 * 3600.0)  # seconds before each try
THREADS = 2


class Mailer:
    """Told of every turn that comes to a person."""

    def __init__(
        self, tables: Tables, settings: Settings, pauses: Sequence[float] = PAUSES
    ) -> None:
        self._tables, self._settings, self._pauses = tables, settings, pauses
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="mail")
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def carries(self) -> bool:
        """Whether mail can be sent at all."""
        return self._settings.mail is not None

    def turn_came(self, loaded: LoadedTable) -> None:
        if self.carries and isinstance(loaded.table.terms.pace, Days):
            task = asyncio.create_task(self._deliver(loaded.id, loaded.table.turns[-1]))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def close(self) -> None:
        """What is being sent is waited for; the rest is sent after the next start."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await asyncio.to_thread(self._threads.shutdown, cancel_futures=True)

    async def _deliver(self, table: str, turn: TurnCame) -> None:
        for pause in self._pauses:
            await asyncio.sleep(pause)
            try:
                await self._try(table, turn)
                return
            except Exception as error:  # whose words may have an address in them
                code = getattr(error, "smtp_code", "")
                kind = f"{type(error).__name__} {code}".strip()
                log.warning("no mail could be sent for table %s: %s", table, kind)
        log.error("a mail for table %s is given up", table)

    async def _try(self, table: str, turn: TurnCame) -> None:
        """Send it, if it is still needed; in a thread of ours, as a mail server may hang."""
        loaded = await self._tables.find(table)
        if _is_on(loaded, turn):
            chosen, game = loaded.table.order.index(turn.seat), loaded.table.terms.game
            loop = asyncio.get_running_loop()
            await loop.run_in_executor(self._threads, self._send, table, chosen, game, turn.number)

    def _send(self, table: str, seat: int, game: str, number: int) -> None:
        """To whoever chose this seat, for the turn that came by the event of this number.

        It is noted before it is sent: if we die in between it is lost, but none is sent twice.
        """
        store = self._tables.store
        reminder = store.reminder(table, seat)
        if reminder is None or not reminder.address or reminder.known >= number:
            return
        if store.set_known(reminder, number):
            try:
                send(letter(reminder, game, number, self._settings), self._settings)
            except Exception:
                store.set_known(replace(reminder, known=number), reminder.known)
                raise


def _is_on(loaded: LoadedTable, turn: TurnCame) -> bool:
    """Whether a person is still waited for since this turn came."""
    table = loaded.table
    return table.to_move == turn.seat and table.turns[-1] == turn and table.seats[turn.seat].person
