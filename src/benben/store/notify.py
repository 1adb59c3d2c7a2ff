"""Messages between servers that share a PostgreSQL database, by LISTEN and NOTIFY.

A message is sent in the transaction that stores what it is about, so every server that listens
receives it after the commit, or not at all. Each server listens on one connection, and reconnects
when it is lost. Messages of the meantime are lost: callbacks of `on_connected` have to read what
they may have missed.

A message is a few words: its kind, the server that sends it, and the rest. PostgreSQL allows 8,000
bytes: longer data is only named, and receivers read it from the database.
"""

import asyncio
import logging
from collections.abc import Callable, Iterable
from contextlib import aclosing, suppress
from secrets import token_hex
from time import monotonic
from typing import TYPE_CHECKING, TypeAlias

from sqlalchemy import Connection, text

from benben.store.database import Database, StoreFailed

if TYPE_CHECKING:
    from psycopg import AsyncConnection  # not installed for SQLite

log = logging.getLogger("benben.store")

NAME = "benben"  # of the channel
_SERVING = 0x62656E62656F  # the advisory lock that every server shares while it serves
_PAUSES = 0.05, 1.0  # seconds between attempts to reconnect: at first, and at most
_CHECK_SECONDS = 5.0  # between checks of the connection
_MAX_PAYLOAD_BYTES = 7_000
OPENING_SECONDS = 15.0  # until a start without notifications is given up
# Between two looks for messages: to wake up for each event of all servers took a fifth of a move's
# CPU at 200 moves/s and two servers. A worker starts a bot's turn this much later. People do not
# notice it, as all requests of a table go to one server.
_GATHERING_SECONDS = 0.05
_PROBE_SECONDS = 5.0  # until a notification to ourselves must have come
_NO_NOTIFICATIONS = (
    "its notifications (LISTEN) do not come through: connect to PostgreSQL itself, or by a pool "
    "in session mode, not in transaction mode"
)

Handler: TypeAlias = Callable[[list[str]], None]  # is given the words that follow the sender

_notify = text(f"SELECT pg_notify('{NAME}', each) FROM unnest(CAST(:messages AS text[])) AS each")


def notify(connection: Connection, messages: Iterable[str]) -> None:
    """Send messages to the other servers when the transaction is committed."""
    if connection.dialect.name == "postgresql":
        sent = with_sender(connection, messages)
        if sent:
            connection.execute(_notify, {"messages": sent})


def with_sender(connection: Connection, messages: Iterable[str]) -> list[str]:
    """Messages as they are sent: with the name of this server after the kind."""
    ours = connection.get_execution_options()["server"]
    return [f"{kind} {ours} {rest}" for kind, _, rest in (m.partition(" ") for m in messages)]


def pack(kind: str, items: Iterable[str]) -> list[str]:
    """Pack items into as few messages as fit in a payload."""
    messages: list[str] = []
    for item in items:
        if messages and len(messages[-1]) + len(item) < _MAX_PAYLOAD_BYTES:
            messages[-1] += f" {item}"
        else:
            messages.append(f"{kind} {item}")
    return messages


class Notifications:
    """Receives the messages of other servers; none if the database is SQLite."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._handlers: dict[str, Handler] = {}
        self._connected: list[Callable[[], None]] = []
        self._listening: asyncio.Task[None] | None = None
        self._opened: asyncio.Future[bool] | None = None  # whether no other server serves
        self._error = ""  # of the last attempt to connect

    def on(self, kind: str, handler: Handler) -> None:
        """Call a handler with each message of a kind."""
        self._handlers[kind] = handler

    def on_connected(self, callback: Callable[[], None]) -> None:
        """Call back after reconnecting: messages may have been lost."""
        self._connected.append(callback)

    async def open(self, *, serves: bool) -> bool:
        """Listen from now on; returns whether this is the only server, if it `serves` people.

        StoreFailed if that is not possible within some seconds.
        """
        if self._database.sqlite:
            return True
        self._opened = asyncio.get_running_loop().create_future()
        self._listening = asyncio.create_task(self._listen(self._opened, serves))
        try:
            async with asyncio.timeout(OPENING_SECONDS):
                return await self._opened
        except TimeoutError:
            await self.close()
            why = f"cannot listen to other servers: {self._error or 'no answer'}"
            raise StoreFailed(self._database.where, why) from None
        except StoreFailed:
            await self.close()
            raise

    async def close(self) -> None:
        if self._listening is not None:
            self._listening.cancel()
            with suppress(asyncio.CancelledError):
                await self._listening

    async def _listen(self, opened: asyncio.Future[bool], serves: bool) -> None:
        shortest, longest = _PAUSES
        pause = shortest
        while True:
            try:
                async with await self._database.listening() as connection:
                    await connection.execute(f"LISTEN {NAME}")
                    if not opened.done() and not await self._notifications_work(connection):
                        opened.set_exception(StoreFailed(self._database.where, _NO_NOTIFICATIONS))
                        return
                    alone = serves and await _acquire_serving_lock(connection)
                    if not opened.done():
                        opened.set_result(alone)
                    else:
                        for callback in self._connected:
                            callback()
                    pause = shortest
                    while True:
                        await self._receive(connection, _CHECK_SECONDS)
                        await connection.execute("SELECT 1")  # fails if the connection is dead
            except Exception as error:
                self._error = str(self._database.failed(error))
                log.warning("cannot receive notifications: %s", self._error)
            await asyncio.sleep(pause)
            pause = min(2 * pause, longest)

    async def _notifications_work(self, connection: "AsyncConnection") -> bool:
        """Whether notifications come through: LISTEN succeeds also where they never do."""
        probe = f"probe {self._database.server} {token_hex(8)}"
        async with await self._database.listening() as other:
            await other.execute("SELECT pg_notify(%s, %s)", (NAME, probe))
        return await self._receive(connection, _PROBE_SECONDS, until=probe)

    async def _receive(
        self, connection: "AsyncConnection", seconds: float, until: str | None = None
    ) -> bool:
        """Handle messages for some seconds, or until one of them; returns whether that one came."""
        end = monotonic() + seconds
        while (left := end - monotonic()) > 0:
            async with aclosing(connection.notifies(timeout=left, stop_after=1)) as received:
                async for each in received:  # all that have arrived
                    if each.payload == until:
                        return True
                    self._handle(each.payload)
            await asyncio.sleep(_GATHERING_SECONDS)
        return False

    def _handle(self, message: str) -> None:
        kind, _, rest = message.partition(" ")
        sender, _, words = rest.partition(" ")
        if sender == self._database.server or kind not in self._handlers:
            return
        try:
            self._handlers[kind](words.split(" "))
        except Exception:  # an invalid message must not prevent the next ones
            log.exception("a notification of another server could not be handled: %s", kind)


async def _acquire_serving_lock(connection: "AsyncConnection") -> bool:
    """Share the lock of all servers that serve, until disconnected; returns whether it was free."""
    found = await connection.execute(f"SELECT pg_try_advisory_lock({_SERVING})")
    row = await found.fetchone()
    alone = bool(row and row[0])
    await connection.execute(f"SELECT pg_advisory_lock_shared({_SERVING})")
    if alone:
        await connection.execute(f"SELECT pg_advisory_unlock({_SERVING})")
    return alone
