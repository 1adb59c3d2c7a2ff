"""All the tables of a house: what people ask for is checked, stored, and then told.

A table is rebuilt from its record when somebody asks for it, and kept in memory while somebody
might ask again. Events are stored one by one, each under the next number; if another server was
quicker, its events are read and the wish is checked anew. Nothing is told before it is stored.

Everything here runs on one event loop. Bots think in threads, one thought a table at a time and
first come first served, so that no table can keep the others waiting.
"""

import asyncio
import hashlib
import logging
import time
from collections.abc import Awaitable, Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from threading import Event as Flag
from typing import Any, TypeAlias, TypeVar

import msgspec

from benben.bots.entrants import entrant
from benben.core.errors import BenbenError
from benben.core.player import Cancelled, Turn
from benben.table import events as happened
from benben.table.events import AnyEvent, from_json, to_json
from benben.table.fairness import commitment, new_secret
from benben.table.loaded import ASIDE, PLAYED, LoadedTable
from benben.table.record import Entry, rebuild
from benben.table.store import Append, Conflict, NewTable, NoSuchTable, Store, Stored, StoreFailed
from benben.table.table import Table
from benben.table.terms import Terms
from benben.table.tokens import new_id

log = logging.getLogger("benben.table")

RETRY = 5.0  # seconds until the house tries again what could not be stored
BOT_DELAY = 0.8  # seconds a bot takes at least: people like to see what happened
TRUST = 5_000  # milliseconds for which a token is known, where there are other servers
MOST_IDLE = 2000  # tables kept in memory that nobody looks at

T = TypeVar("T")
Wish: TypeAlias = Callable[[Table], AnyEvent | None]


def milliseconds() -> int:
    return time.time_ns() // 1_000_000


class Tables:
    """The tables of one server. `now` tells the time in milliseconds."""

    def __init__(
        self,
        store: Store,
        *,
        now: Callable[[], int] = milliseconds,
        bot_delay: float = BOT_DELAY,
        thinkers: int = 2,
    ) -> None:
        self.store, self.now, self.bot_delay = store, now, bot_delay
        self._tables: dict[str, LoadedTable] = {}
        self._loading: dict[str, asyncio.Future[LoadedTable]] = {}
        self._thinkers = ThreadPoolExecutor(thinkers, thread_name_prefix="bot")
        self._tasks: set[asyncio.Task[Any]] = set()
        self.on_turn: Callable[[LoadedTable], None] = lambda loaded: (
            None
        )  # told when a person's turn came
        # Where a game is prepared while others are played: `admit` raises what is told to whoever
        # comes to a table of it too early, and bots wait before they think.
        self.admit: Callable[[str], None] = lambda game: None
        self.until_bots: Callable[[str], Awaitable[None]] = _at_once
        self._closing = False
        self._closed: dict[str, tuple[int, int]] = {}  # by game: when no server was there for it
        self.stored = self.moves = self.thoughts = 0  # since the start

    @property
    def loaded(self) -> int:
        """How many tables are in memory."""
        return len(self._tables)

    # ---- Opening and finding tables

    async def open(self, make: Callable[[str], Terms], name: str | None = None) -> str:
        """Open a table; `make` is given the commitment to the table's luck. Its id.

        The id is drawn, unless it is given. StoreFailed if there is such a table already.
        """
        secret = new_secret()
        terms = make(commitment(secret))
        terms.check()
        name = name or new_id()
        opened = NewTable(name, self.now(), _text(terms), secret, terms.listed)
        await self.store.create_soon(opened)
        self._keep(LoadedTable(name, Table(terms, secret), []))
        return name

    async def find(self, name: str) -> LoadedTable:
        """A table by its id, from memory or from its record; NoSuchTable if there is none."""
        if name in self._tables:
            self._tables[name] = self._tables.pop(name)  # the last asked for is the last to go
            return self._tables[name]
        if name not in self._loading:
            self._loading[name] = asyncio.ensure_future(self._load(name))
        try:
            return await asyncio.shield(self._loading[name])
        finally:
            self._loading.pop(name, None)

    async def _load(self, name: str) -> LoadedTable:
        kept = await asyncio.to_thread(self.store.table, name)
        if kept is None:
            raise NoSuchTable(name[:40])
        terms = msgspec.json.decode(kept.terms, type=Terms)
        self.admit(terms.game)
        entries = await self._stored(name, 0)
        loaded = LoadedTable(name, rebuild(terms, kept.secret, entries), entries)
        turns = [entry.number for entry in entries if not isinstance(entry.event, ASIDE)]
        loaded.turn = turns[-1] if turns else 0
        await self._pause(loaded)
        self._keep(loaded)
        return loaded

    async def _pause(self, loaded: LoadedTable) -> None:
        """The clock of a table that is seen for the first time stood still while we were closed."""
        clock, closed = loaded.table.clock, self._closed.get(loaded.table.terms.game)
        if closed is None or not clock.runs or clock.thinking is None:
            return
        since, until = closed
        if loaded.entries[-1].at < until:
            await self._append(loaded, happened.Paused(since, until))

    async def _stored(self, name: str, after: int) -> list[Entry]:
        rows = await asyncio.to_thread(self.store.events, name, after)
        return [Entry(row.number, row.at, from_json(row.body)) for row in rows]

    def _keep(self, loaded: LoadedTable) -> None:
        self._tables[loaded.id] = loaded
        if len(self._tables) > MOST_IDLE:
            for name, each in list(self._tables.items()):
                if each.idle and each is not loaded:
                    del self._tables[name]
                    break

    # ---- Who holds a seat

    async def holder(self, loaded: LoadedTable, token: str) -> int | None:
        """The seat, as chosen, of the token with this hash; None if it holds none here.

        What the store said is known until somebody gets up. Another server may let go of a token
        without an event: so where there may be one, not for long.
        """
        known = loaded.holders
        seat, since = known.get(token, (None, 0))
        if seat is not None and (not self.store.shared or self.now() < since + TRUST):
            return seat
        found = await asyncio.to_thread(self.store.who, token, loaded.id)
        if found is not None:
            known[token] = found, self.now()
        return found

    async def give(self, loaded: LoadedTable, seat: int, token: str) -> None:
        """Let whoever has the token with this hash act for a seat."""
        await self.store.add_token_soon(loaded.id, seat, token)
        loaded.holders[token] = seat, self.now()

    async def let_go(self, name: str, seat: int) -> None:
        """From now on nobody acts for a seat who could until now."""
        await asyncio.to_thread(self.store.drop_tokens, name, seat)
        if name in self._tables:
            self._tables[name].holders = {}  # another one: whoever asks just now fills the old

    # ---- Acting: check, store, tell

    async def act(self, name: str, wish: Wish, key: str | None = None) -> int:
        """Do what somebody would like to, and all that follows; the number of the event.

        Refused, or whatever else the wish raises, if it cannot be: then nothing has changed. The
        same key again is the same wish: it is answered, and not done twice. Who asked may go away
        meanwhile: what has begun is brought to its end.
        """
        return await asyncio.shield(self._start(self._act(name, wish, key)))

    async def _act(self, name: str, wish: Wish, key: str | None) -> int:
        loaded = await self.find(name)
        async with loaded.lock:
            number = await self._do(loaded, wish, key)
            await self._settle(loaded)
        return number

    async def _do(self, loaded: LoadedTable, wish: Wish, key: str | None) -> int:
        while True:
            try:
                event = wish(loaded.table)
            except BenbenError:
                done = await self._done_before(loaded, key)
                if done is not None:
                    return done
                if await self._catch_up(loaded):
                    continue  # it may be right for what there is now
                raise
            if event is None:
                return loaded.table.number
            stored = await self._append(loaded, event, key)
            if isinstance(stored, Stored):
                return stored.number
            # Another server was quicker: see what happened, and ask again.

    async def _done_before(self, loaded: LoadedTable, key: str | None) -> int | None:
        if key is None:
            return None
        return await asyncio.to_thread(self.store.number_of, loaded.id, key)

    async def _append(
        self, loaded: LoadedTable, event: AnyEvent, key: str | None = None
    ) -> Stored | Conflict:
        at, table = self.now(), loaded.table
        over = True if isinstance(event, happened.Ended) else None
        listed = False if isinstance(event, happened.Began) and table.terms.listed else None
        touches = not isinstance(event, PLAYED)
        stored = await self.store.append_soon(
            Append(loaded.id, table.number + 1, at, to_json(event), key, listed, over, touches)
        )
        if isinstance(stored, Conflict):
            await self._catch_up(loaded)
        elif not stored.repeated:
            turns = len(table.turns)
            loaded.apply(event, at)
            self.stored += 1
            self.moves += isinstance(event, happened.Moved)
            if len(table.turns) > turns:
                self.on_turn(loaded)
        return stored

    async def _catch_up(self, loaded: LoadedTable) -> bool:
        """Take in what another server has stored; whether there was anything."""
        missed = await self._stored(loaded.id, loaded.table.number)
        for entry in missed:
            loaded.apply(entry.event, entry.at)
        return bool(missed)

    async def _settle(self, loaded: LoadedTable) -> None:
        """Do what the house has to do: deal, throw, end; then wake the bot or set the clock."""
        while (event := loaded.table.due(self.now())) is not None:
            await self._append(loaded, event)
        self._wake(loaded)

    # ---- Bots and clocks

    def _wake(self, loaded: LoadedTable) -> None:
        if loaded.thinking is not None and loaded.thought_for != loaded.turn:
            loaded.thinking.set()  # there is something else to think about now, or nothing
            loaded.thinking = None
        if loaded.timer is not None:
            loaded.timer.cancel()
            loaded.timer = None
        if self._closing:
            return
        if loaded.table.bot_to_move is not None and loaded.thinking is None:
            loaded.thinking, loaded.thought_for = Flag(), loaded.turn
            self._start(self._let_bot_move(loaded, loaded.thinking))
        ends = loaded.table.clock.runs_out
        if ends is not None and loaded.table.due(ends) is not None:
            self._look_again(loaded, max(0, ends - self.now()) / 1000)

    def _look_again(self, loaded: LoadedTable, seconds: float) -> None:
        loop = asyncio.get_running_loop()
        loaded.timer = loop.call_later(seconds, lambda: self._start(self._time_is_up(loaded)))

    def _start(self, work: Coroutine[object, object, T]) -> asyncio.Task[T]:
        """Work that is known of until it is done."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def _time_is_up(self, loaded: LoadedTable) -> None:
        loaded.timer = None
        try:
            async with loaded.lock:
                await self._settle(loaded)
        except StoreFailed:
            self._look_again(loaded, RETRY)

    async def _let_bot_move(self, loaded: LoadedTable, cancelled: Flag) -> None:
        try:
            seat, move = await self._thought(loaded, cancelled)
            async with loaded.lock:
                if loaded.thinking is cancelled and loaded.thought_for == loaded.turn:
                    loaded.thinking = None
                    await self._append(loaded, happened.Moved(seat, move))
                    await self._settle(loaded)
        except Cancelled:
            pass
        except Exception:  # the store's trouble, or a bot's: nobody shall wait for ever
            log.exception("a bot could not move at table %s", loaded.id)
            self._look_again(loaded, RETRY)
        finally:
            if loaded.thinking is cancelled:
                loaded.thinking = None

    async def _thought(self, loaded: LoadedTable, cancelled: Flag) -> tuple[int, str]:
        """Whose move it is and what it is to be, after a while that people can follow."""
        table = loaded.table
        await self.until_bots(table.terms.game)
        if cancelled.is_set():
            raise Cancelled
        seat, level = table.to_move, table.bot_to_move
        if seat is None or level is None or table.start is None or table.position is None:
            raise Cancelled
        self.thoughts += 1
        bot = entrant(str(level), table.game)
        seed = int.from_bytes(hashlib.sha256(f"{loaded.id} {table.number}".encode()).digest()[:6])
        turn = Turn.at(table.start, table.moves, table.position, bot.budget, seed, cancelled)
        loop = asyncio.get_running_loop()
        began = loop.time()
        thought = await loop.run_in_executor(self._thinkers, bot.player.think, turn)
        await asyncio.sleep(max(0.0, self.bot_delay - (loop.time() - began)))
        return seat, thought.move

    # ---- Opening and closing the house

    async def reopen(self, game: str) -> None:
        """Find out since when the house was closed; before anybody comes to a table of this game.

        Until now: nobody could play while it was being prepared.
        """
        last = await asyncio.to_thread(self.store.last_heartbeat)
        if last is not None:
            self._closed[game] = (last, self.now())

    async def resume(self, game: str) -> None:
        """After a start: at every table of a game that is not over, bots and clocks go on."""
        for name, terms in await asyncio.to_thread(self.store.unfinished):
            try:
                if msgspec.json.decode(terms, type=_Played).game != game:
                    continue
                loaded = await self.find(name)
                async with loaded.lock:
                    await self._settle(loaded)
                if loaded.table.turns:
                    self.on_turn(loaded)  # whoever told of it before may not have come to its end
            except StoreFailed:
                raise
            except Exception:  # one that cannot be read must not keep the others waiting
                log.exception("table %s cannot go on", name)

    async def close(self) -> None:
        """Let nobody think on; what was acknowledged is stored already."""
        self._closing = True
        for loaded in self._tables.values():
            if loaded.thinking is not None:
                loaded.thinking.set()
            if loaded.timer is not None:
                loaded.timer.cancel()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._thinkers.shutdown(cancel_futures=True)


class _Played(msgspec.Struct):
    """Of a table's terms, what is played."""

    game: str


async def _at_once(_: str) -> None:
    """Nothing has to be waited for."""


def _text(terms: Terms) -> str:
    return msgspec.json.encode(terms).decode()
