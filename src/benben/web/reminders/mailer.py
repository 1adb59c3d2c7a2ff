"""Sends reminders and confirmations by mail, with retries, in threads of its own.

A reminder is sent a while after the turn began, if the player has not moved by then; a mail that
asks to confirm an address is sent at once. Each seat has at most one confirmation to be retried,
and the server MOST_WAITING: others are sent with the next turn.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from email.message import EmailMessage

from benben.live.session import TableSession
from benben.live.signals import ReminderDue
from benben.live.tables import Tables
from benben.table.table import TurnCame
from benben.table.tokens import hashed, new_token
from benben.web.reminders.messages import confirmation_message, turn_message
from benben.web.reminders.smtp import NotEncrypted, send
from benben.web.settings import Settings

log = logging.getLogger("benben.web.mail")

THREADS = 2
MOST_WAITING = 200  # confirmations that are being sent, or will be retried


class Mailer:
    """Sends the mails of a server."""

    def __init__(self, tables: Tables, settings: Settings) -> None:
        self._tables, self._settings = tables, settings
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="mail")
        self._tasks: set[asyncio.Task[None]] = set()
        # Confirmations that are being sent, or will be retried, by table and seat.
        self.waiting: dict[tuple[str, int], asyncio.Task[None]] = {}
        tables.signals.subscribe(ReminderDue, self._on_reminder_due)

    @property
    def can_send(self) -> bool:
        """Whether mail can be sent at all."""
        return self._settings.mail is not None

    def _on_reminder_due(self, signal: ReminderDue) -> None:
        """Remind the player to move. If it fails, the signal comes again."""
        session, turn = signal.session, signal.session.table.turns[-1]
        self._begin(session.id, lambda: self._try_turn(session.id, turn), [0.0])

    def ask_to_confirm(self, table: str, seat: int) -> None:
        """Send a mail that asks to confirm the address of a chosen seat.

        Retries for an earlier address of the seat are cancelled.
        """
        if not self.can_send:
            return
        waiting, key = self.waiting, (table, seat)
        if (earlier := waiting.pop(key, None)) is not None:
            earlier.cancel()
        if len(waiting) >= MOST_WAITING:
            log.warning("too many mails wait to be sent: none is sent for table %s now", table)
            return

        def end(task: asyncio.Task[None]) -> None:
            if waiting.get(key) is task:
                del waiting[key]

        pauses = (0.0, *self._settings.mail_pauses[1:])
        waiting[key] = self._begin(table, lambda: self._try_confirmation(table, seat), pauses)
        waiting[key].add_done_callback(end)

    async def close(self) -> None:
        """Wait for mails that are being sent. The others are sent after the next start."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await asyncio.to_thread(self._threads.shutdown, cancel_futures=True)

    def _begin(
        self, table: str, attempt: Callable[[], Awaitable[None]], pauses: Sequence[float]
    ) -> asyncio.Task[None]:
        task = asyncio.create_task(_retry(table, attempt, pauses))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def _try_turn(self, table: str, turn: TurnCame) -> None:
        session = await self._tables.find(table)
        if _is_on(session, turn):
            seat = session.table.order.index(turn.seat)
            await self._in_thread(self._send_turn, session, seat, turn.number)

    async def _try_confirmation(self, table: str, seat: int) -> None:
        session = await self._tables.find(table)
        await self._in_thread(self._send_confirmation, session, seat)

    async def _in_thread(
        self, send: Callable[..., None], session: TableSession, *args: int
    ) -> None:
        """Run in the mailer's threads, as a mail server may hang."""
        loop, game = asyncio.get_running_loop(), session.table.options.game
        await loop.run_in_executor(self._threads, send, session.id, game, *args)

    # ---- In a thread. A mail is stored as sent before it is sent: after a crash in between it is
    # lost, but none is sent twice.

    def _send_turn(self, table: str, game: str, seat: int, number: int) -> None:
        """Remind the player of a chosen seat of the turn that began with an event."""
        reminders, at = self._tables.store.reminders, self._tables.now()
        reminder = reminders.of_seat(table, seat)
        if reminder is None or not reminder.address or reminder.known >= number:
            return
        if not reminder.confirmed:  # the confirmation may have been lost
            self._send_confirmation(table, game, seat)
            return
        stop = reminders.claim_turn(reminder, number, at, self._settings.mail_daily_limit)
        if stop is None:
            return
        try:
            self._send(turn_message(reminder, game, number, stop, self._settings))
        except Exception:
            reminders.return_turn(reminder, number, at)
            raise

    def _send_confirmation(self, table: str, game: str, seat: int) -> None:
        reminders, at = self._tables.store.reminders, self._tables.now()
        reminder = reminders.of_seat(table, seat)
        if reminder is None or reminder.unconfirmed is None:
            return
        key, settings = new_token(), self._settings
        limits = settings.mail_daily_limit, settings.mail_daily_total
        stop = reminders.claim_confirmation(reminder, hashed(key), at, *limits)
        if stop is None:
            return
        try:
            self._send(confirmation_message(reminder, game, key, stop, self._settings))
        except Exception:
            reminders.return_confirmation(reminder, hashed(key), at)
            raise

    def _send(self, mail: EmailMessage) -> None:
        assert self._settings.mail is not None
        send(mail, self._settings.mail)


async def _retry(
    table: str, attempt: Callable[[], Awaitable[None]], pauses: Sequence[float]
) -> None:
    for pause in pauses:
        await asyncio.sleep(pause)
        try:
            await attempt()
            return
        except NotEncrypted as error:
            log.error("could not send a mail for table %s: %s", table, error)
        except Exception as error:  # its message may have an address, which is not logged
            code = getattr(error, "smtp_code", "")
            kind = f"{type(error).__name__} {code}".strip()
            log.warning("could not send a mail for table %s: %s", table, kind)
    if len(pauses) > 1:
        log.error("gave up on a mail for table %s", table)


def _is_on(session: TableSession, turn: TurnCame) -> bool:
    """Whether a person still has this turn."""
    table = session.table
    return table.to_move == turn.seat and table.turns[-1] == turn and table.seats[turn.seat].person
