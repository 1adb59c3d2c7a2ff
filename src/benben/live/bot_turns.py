"""Bots' turns at the tables whose lease this server has.

A bot thinks only while a person waits for it. Otherwise its turn is parked: the store notes that it
has no deadline until a person is there. If a person has days for their moves, the game goes on
meanwhile, slowly.
"""

import asyncio
import hmac
import logging
import threading
from typing import TYPE_CHECKING

from benben.core.player import Cancelled, Turn
from benben.live.bots import RecentBots
from benben.live.session import BotTurn, TableSession
from benben.store.database import StoreFailed
from benben.store.event_log import NoSuchTable, Stored
from benben.table.deadlines import Deadline
from benben.table.options import Days

if TYPE_CHECKING:
    from benben.live.tables import Tables

log = logging.getLogger("benben.live")

RETRY_SECONDS = 5.0  # until what could not be stored is tried again
BOT_RETRY_SECONDS = 5.0, 600.0  # until a bot that failed is tried again: at first, and at most
# Bots think for this many milliseconds after a person last acted at a table, or after our start.
ATTENDED_MS = 2 * 60_000
# The time between two moves of bots in a game over days while no person is there.
UNATTENDED_PAUSE_MS = 60_000


class BotTurns:
    """Plays bots' turns. `started` is when this server started, in milliseconds."""

    def __init__(self, tables: "Tables", min_seconds: float) -> None:
        self._tables, self._store, self._scheduler = tables, tables.store, tables.scheduler
        self.started = 0
        self.min_seconds = min_seconds  # for a move: people like to see what happened
        self._players = RecentBots()
        self._closing = False

    def close(self) -> None:
        self._closing = True

    def begin(self, session: TableSession) -> None:
        """Let the bot at a table think, if it is its turn and this server has the lease."""
        if self._closing or session.lease is None or not self._scheduler.plays_bots:
            return
        if session.table.bot_to_move is not None and session.bot_turn is None:
            session.bot_turn = BotTurn(session.turn, threading.Event())
            self._tables.start(self._play(session, session.bot_turn))

    async def _play(self, session: TableSession, turn: BotTurn) -> None:
        self._scheduler.start_renewing(session)
        try:
            if not self._is_attended(session) and await self._park(session, turn):
                return
            seat, move = await self._choose_move(session, turn)
            if session.bot_failures:
                log.info("the bot at table %s plays again", session.id)
                session.bot_failures = 0
            async with session.lock:
                while session.bot_turn is turn and turn.turn == session.turn:
                    if isinstance(await session.append(session.table.moved(seat, move)), Stored):
                        break
                    # Another server has stored an event that does not change the turn.
                if session.bot_turn is turn:
                    session.bot_turn = None
                    await session.apply_automatic_events()
        except (Cancelled, NoSuchTable):
            pass
        except StoreFailed as error:  # the next holder of the lease tries again
            log.error("the bot at table %s has to wait: %s", session.id, error)
        except Exception as error:
            await self._retry_later(session, turn, error)
        finally:
            if session.bot_turn is turn:
                session.bot_turn = None
            if session.bot_turn is None:
                self._scheduler.stop_renewing(session)

    async def _choose_move(self, session: TableSession, turn: BotTurn) -> tuple[int, str]:
        """The bot's move, after a while that people can follow."""
        table = session.table
        await self._tables.wait_for_bots(table.options.game, len(table.seats), table.bot_to_move)
        if turn.cancelled.is_set():
            raise Cancelled
        seat, level = table.to_move, table.bot_to_move
        if seat is None or level is None or table.start is None or table.position is None:
            raise Cancelled
        bot = self._players.take(session.id, seat, level, table.game)
        given = Turn.at(
            table.start,
            table.moves,
            table.position,
            bot.budget,
            self._seed(session),
            turn.cancelled,
        )
        loop = asyncio.get_running_loop()
        began = loop.time()
        thought = await self._tables.bot_pool.think(bot.player, given, session.opener or session.id)
        self._players.put_back(session.id, seat, level, bot)
        await asyncio.sleep(max(0.0, self.min_seconds - (loop.time() - began)))
        return seat, thought.move

    def _seed(self, session: TableSession) -> int:
        """The seed of a bot's move. It depends on a key that only the servers have.

        From public numbers anybody could replay the bot for each secret that it may have, and see
        which one leads to its moves.
        """
        about = f"bot {session.id} {session.table.number}".encode()
        digest = hmac.digest(self._store.server_key.encode(), about, "sha256")
        return int.from_bytes(digest[:6])

    async def _retry_later(self, session: TableSession, turn: BotTurn, error: Exception) -> None:
        """Try again after a pause that doubles with each failure."""
        session.bot_failures += 1
        shortest, longest = BOT_RETRY_SECONDS
        pause = min(longest, shortest * 2 ** min(session.bot_failures - 1, 30))
        log.error(
            "the bot at table %s could not move (try %d): %r; next try in %.0f s",
            session.id,
            session.bot_failures,
            error,
            pause,
            exc_info=error if session.bot_failures == 1 else None,
        )
        try:
            async with session.lock:
                if session.bot_turn is turn:
                    retry = Deadline(self._tables.now() + round(1000 * pause), bot=True)
                    await self._scheduler.release(session, retry)
        except StoreFailed as failed:  # then the lease expires, and the turn is tried again
            log.error("the bot at table %s has to wait: %s", session.id, failed)

    # ---- Parked turns

    def _is_attended(self, session: TableSession) -> bool:
        """Whether a person waits for the bot, as far as this server knows.

        A person who acted a short while ago may look again, and after a start nobody is known to be
        there yet. Programs need not look at tables. Where bots play for all who sat here, only
        people who look count.
        """
        people = [seat for seat in session.table.seats if seat.person]
        if session.presence.players or any(seat.program for seat in people):
            return True
        if not people:
            return False
        since = self._tables.now() - ATTENDED_MS
        return self.started > since or session.acted_since(since)

    async def _park(self, session: TableSession, turn: BotTurn) -> bool:
        """Put off a bot's turn until a person is there; False if it need not wait after all."""
        async with session.lock:
            if session.bot_turn is not turn or session.lease is None:
                raise Cancelled
            now, due = self._tables.now(), None
            if self._is_attended(session) or await self._is_attended_elsewhere(session, now):
                return False
            table = session.table
            if isinstance(table.options.pace, Days) and any(seat.person for seat in table.seats):
                due = session.last_at + UNATTENDED_PAUSE_MS
                if due <= now:
                    return False
            await self._scheduler.release(session, Deadline(due, bot=True), parked=True)
            session.bot_turn = None
        self.resume_if_attended(session)  # somebody may have come while that was being stored
        return True

    async def _is_attended_elsewhere(self, session: TableSession, now: int) -> bool:
        """Whether another server has reported a person a short while ago."""
        if not self._store.shared:
            return False
        at = await asyncio.to_thread(self._store.leases.attended_at, session.id)
        return at is not None and at > now - ATTENDED_MS

    def resume_if_attended(self, session: TableSession) -> None:
        """If a person is here and a bot's turn may be parked, let a server play it now."""
        waits = session.table.bot_to_move is not None and session.bot_turn is None
        if waits and session.presence.players and not self._closing:
            self._tables.start(self._resume(session))

    async def _resume(self, session: TableSession) -> None:
        while session.presence.players:
            try:
                if await self._store.leases.report_person(session.id, self._tables.now()):
                    session.deadline = None
                    self._scheduler.wake()
                return
            except StoreFailed as error:
                log.error("the bot at table %s has to wait: %s", session.id, error)
            await asyncio.sleep(RETRY_SECONDS)
