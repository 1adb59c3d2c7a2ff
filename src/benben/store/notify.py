"""What servers that share a PostgreSQL database tell each other.

Whatever is to be told goes by NOTIFY, in the transaction that stores it: it is heard after the
commit, by every server that listens, or not at all. Each server has one connection to listen by,
which is made anew when it is lost; what was told meanwhile was not heard, so whoever listens has
to look for themselves then.

A message is a few words: its kind, the server it comes from, and the rest. One of more than some
8,000 bytes cannot be sent: what may be long is only named, and has to be read.
"""

import asyncio
import logging
from collections.abc import Callable, Iterable
from contextlib import aclosing, suppress
from secrets import token_hex
from typing import TYPE_CHECKING, TypeAlias

from sqlalchemy import Connection, text

from benben.store.database import Database, StoreFailed

if TYPE_CHECKING:
    from psycopg import AsyncConnection  # only there where the database is PostgreSQL

log = logging.getLogger("benben.store")

NAME = "benben"  # of the channel
_SERVING = 0x62656E62656F  # the advisory lock that every server shares while it serves
_PAUSES = 0.05, 1.0  # seconds until a lost connection is made anew: at first, and at most
_LOOK = 5.0  # seconds until it is looked again whether the connection is still there
_LONGEST = 7_000  # bytes of a message
OPENING_SECONDS = 15.0  # until a start without notifications is given up
_PROBE_SECONDS = 5.0  # until a notification to ourselves must have come
_NO_NOTIFICATIONS = (
    "its notifications (LISTEN) do not come through: connect to PostgreSQL itself, or by a pool "
    "in session mode, not in transaction mode"
)

Hear: TypeAlias = Callable[[list[str]], None]  # is given the words that follow the sender

_tell = text(f"SELECT pg_notify('{NAME}', each) FROM unnest(CAST(:messages AS text[])) AS each")


def tell(connection: Connection, messages: Iterable[str]) -> None:
    """Tell every server, ourselves aside, when the transaction is committed."""
    if connection.dialect.name == "postgresql":
        sent = signed(connection, messages)
        if sent:
            connection.execute(_tell, {"messages": sent})


def signed(connection: Connection, messages: Iterable[str]) -> list[str]:
    """Messages as they are sent: each says from whom it comes."""
    ours = connection.get_execution_options()["server"]
    return [f"{kind} {ours} {rest}" for kind, _, rest in (m.partition(" ") for m in messages)]


def of_many(kind: str, things: Iterable[str]) -> list[str]:
    """Messages of a kind, each of as many things as fit: few words each, with no end of them."""
    messages: list[str] = []
    for thing in things:
        if messages and len(messages[-1]) + len(thing) < _LONGEST:
            messages[-1] += f" {thing}"
        else:
            messages.append(f"{kind} {thing}")
    return messages


class Notifications:
    """Hears what other servers tell. Where there can be no others it is silent."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._hear: dict[str, Hear] = {}
        self._connected: list[Callable[[], None]] = []
        self._listening: asyncio.Task[None] | None = None
        self._alone: asyncio.Future[bool] | None = None
        self._error = ""  # why we do not listen

    def on(self, kind: str, hear: Hear) -> None:
        """Let messages of a kind be heard."""
        self._hear[kind] = hear

    def on_connected(self, look: Callable[[], None]) -> None:
        """Told when we listen again, and do not know what we have missed."""
        self._connected.append(look)

    async def open(self, *, serves: bool) -> bool:
        """Listen from now on; whether no server was there that serves people, as we do then.

        StoreFailed if that is not possible within some seconds.
        """
        if self._database.sqlite:
            return True
        self._alone = asyncio.get_running_loop().create_future()
        self._listening = asyncio.create_task(self._listen(serves))
        try:
            async with asyncio.timeout(OPENING_SECONDS):
                return await self._alone
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

    async def _listen(self, serves: bool) -> None:
        shortest, longest = _PAUSES
        pause = shortest
        while True:
            try:
                async with await self._database.listening() as connection:
                    await connection.execute(f"LISTEN {NAME}")
                    assert self._alone is not None
                    if not self._alone.done() and not await self._notifications_work(connection):
                        self._alone.set_exception(
                            StoreFailed(self._database.where, _NO_NOTIFICATIONS)
                        )
                        return
                    # For what comes together with the answer to something else.
                    connection.add_notify_handler(lambda told: self._take(told.payload))
                    self._begin(await _come(connection) if serves else False)
                    pause = shortest
                    await self._hear_all(connection)
            except Exception as error:
                self._error = str(self._database.failed(error))
                log.warning("not told what other servers do: %s", self._error)
            await asyncio.sleep(pause)
            pause = min(2 * pause, longest)

    async def _notifications_work(self, connection: "AsyncConnection") -> bool:
        """Whether notifications come through: LISTEN succeeds also where they never do."""
        probe = f"probe {self._database.server} {token_hex(8)}"
        async with await self._database.listening() as other:
            await other.execute("SELECT pg_notify(%s, %s)", (NAME, probe))
        async with aclosing(connection.notifies(timeout=_PROBE_SECONDS)) as heard:
            async for told in heard:
                if told.payload == probe:
                    return True
                self._take(told.payload)
        return False

    def _begin(self, alone: bool) -> None:
        assert self._alone is not None
        if not self._alone.done():
            self._alone.set_result(alone)
        else:
            for look in self._connected:
                look()

    async def _hear_all(self, connection: "AsyncConnection") -> None:
        """Until the connection is lost.

        psycopg's own way of waiting for notifications begins anew after each, which takes longer
        than to take in what most of them tell.
        """
        loop, postgres = asyncio.get_running_loop(), connection.pgconn
        place = postgres.socket  # which a connection that is lost does not tell any more
        lost: asyncio.Future[None] = loop.create_future()

        def read() -> None:
            try:
                postgres.consume_input()
                while (told := postgres.notifies()) is not None:
                    self._take(told.extra.decode())
            except Exception as error:
                loop.remove_reader(place)
                lost.set_exception(error)

        while True:
            loop.add_reader(place, read)
            try:
                await asyncio.wait([lost], timeout=_LOOK)
            finally:
                loop.remove_reader(place)
            if lost.done():
                lost.result()
            await connection.execute("SELECT 1")  # fails if the connection is dead

    def _take(self, message: str) -> None:
        kind, _, rest = message.partition(" ")
        sender, _, words = rest.partition(" ")
        if sender == self._database.server or kind not in self._hear:
            return
        try:
            self._hear[kind](words.split(" "))
        except Exception:  # one that cannot be understood must not keep us from the others
            log.exception("another server told something strange: %s", kind)


async def _come(connection: "AsyncConnection") -> bool:
    """Whether we are the first to come; whoever comes next, until we go, is not."""
    found = await connection.execute(f"SELECT pg_try_advisory_lock({_SERVING})")
    row = await found.fetchone()
    alone = bool(row and row[0])
    await connection.execute(f"SELECT pg_advisory_lock_shared({_SERVING})")
    if alone:
        await connection.execute(f"SELECT pg_advisory_unlock({_SERVING})")
    return alone
