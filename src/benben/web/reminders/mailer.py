"""Decides which mails are sent, and sends them until they have arrived at the mail server.

Nobody waits for it: mails are sent by threads of their own. A mail about a turn is sent a while
after the turn came, as whoever has played by then needs none; one that asks to confirm an address
is sent at once. A mail that cannot be sent is tried again a few times. Each seat has at most one
confirmation that is tried again, and the server MOST_WAITING: others follow with the next turn.
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

PAUSES = (60.0, 60.0, 600.0, 3600.0, 6 * 3600.0)  # seconds before each try
THREADS = 2
MOST_WAITING = 200  # confirmations that are being sent, or will be tried again


class Mailer:
    """Told when it is time to remind somebody, and of every address that is to be confirmed."""

    def __init__(
        self, tables: Tables, settings: Settings, pauses: Sequence[float] = PAUSES
    ) -> None:
        self._tables, self._settings, self._pauses = tables, settings, pauses
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="mail")
        self._tasks: set[asyncio.Task[None]] = set()
        self._confirmations: dict[tuple[str, int], asyncio.Task[None]] = {}  # by table and seat
        tables.signals.subscribe(ReminderDue, self._on_reminder_due)

    @property
    def waiting(self) -> int:
        """How many confirmations are being sent, or will be tried again."""
        return len(self._confirmations)

    @property
    def carries(self) -> bool:
        """Whether mail can be sent at all."""
        return self._settings.mail is not None

    def _on_reminder_due(self, signal: ReminderDue) -> None:
        """Remind the player to move, unless they were. If it fails, the signal comes again."""
        session, turn = signal.session, signal.session.table.turns[-1]
        self._begin(session.id, lambda: self._try_turn(session.id, turn), [0.0])

    def ask_to_confirm(self, table: str, seat: int) -> None:
        """The owner of the address that was given for a seat, as chosen.

        An earlier address of the seat is not tried again.
        """
        if not self.carries:
            return
        waiting, key = self._confirmations, (table, seat)
        if (earlier := waiting.pop(key, None)) is not None:
            earlier.cancel()
        if len(waiting) >= MOST_WAITING:
            log.warning("too many mails wait to be sent: none is sent for table %s now", table)
            return

        def end(task: asyncio.Task[None]) -> None:
            if waiting.get(key) is task:
                del waiting[key]

        pauses = (0.0, *self._pauses[1:])
        waiting[key] = self._begin(table, lambda: self._try_confirmation(table, seat), pauses)
        waiting[key].add_done_callback(end)

    async def close(self) -> None:
        """What is being sent is waited for; the rest is sent after the next start."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await asyncio.to_thread(self._threads.shutdown, cancel_futures=True)

    def _begin(
        self, table: str, attempt: Callable[[], Awaitable[None]], pauses: Sequence[float]
    ) -> asyncio.Task[None]:
        task = asyncio.create_task(_keep_trying(table, attempt, pauses))
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
        """One of ours, as a mail server may hang."""
        loop, game = asyncio.get_running_loop(), session.table.options.game
        await loop.run_in_executor(self._threads, send, session.id, game, *args)

    # ---- In a thread. A mail is noted before it is sent: if we die in between it is lost, but
    # none is sent twice.

    def _send_turn(self, table: str, game: str, seat: int, number: int) -> None:
        """To whoever chose this seat, for the turn that came by the event of this number."""
        reminders, at = self._tables.store.reminders, self._tables.now()
        reminder = reminders.of_seat(table, seat)
        if reminder is None or not reminder.address or reminder.known >= number:
            return
        if not reminder.confirmed:  # the mail that asks for it may have been lost
            self._send_confirmation(table, game, seat)
            return
        stop = reminders.claim_turn(reminder, number, at, self._settings.daily_limit)
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
        key, limits = new_token(), (self._settings.daily_limit, self._settings.mail_total)
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


async def _keep_trying(
    table: str, attempt: Callable[[], Awaitable[None]], pauses: Sequence[float]
) -> None:
    for pause in pauses:
        await asyncio.sleep(pause)
        try:
            await attempt()
            return
        except NotEncrypted as error:
            log.error("could not send a mail for table %s: %s", table, error)
        except Exception as error:  # whose words may have an address in them
            code = getattr(error, "smtp_code", "")
            kind = f"{type(error).__name__} {code}".strip()
            log.warning("could not send a mail for table %s: %s", table, kind)
    if len(pauses) > 1:
        log.error("gave up on a mail for table %s", table)


def _is_on(session: TableSession, turn: TurnCame) -> bool:
    """Whether a person is still waited for since this turn came."""
    table = session.table
    return table.to_move == turn.seat and table.turns[-1] == turn and table.seats[turn.seat].person
