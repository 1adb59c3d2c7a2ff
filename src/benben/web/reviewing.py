"""Reviews of finished games, made one at a time in the background (`live/background.py`).

Reviews are stored without names: those of the table or record are added when a review is shown.
"""

import asyncio
import logging
import time
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

import msgspec
from msgspec.structs import replace

from benben.bots import exact
from benben.core.player import Cancelled
from benben.learn.reviews.making import Reviewing, unbegun
from benben.learn.reviews.review import VERSION, FinishedGame, NotOver, Review, game_of_table
from benben.live.background import BackgroundPool, BackgroundWork, measure_lag
from benben.live.session import TableSession
from benben.live.signals import EventStored
from benben.live.tables import Tables
from benben.store.database import StoreFailed
from benben.store.event_log import NoSuchTable
from benben.table.events import Ended
from benben.table.record import Entry, TableRecord, rebuild
from benben.table.table import Refused, Table
from benben.web.async_cache import AsyncCache
from benben.web.errors import ApiError
from benben.web.fair_queue import FairQueue
from benben.web.kernel_compiler import KernelCompiler

log = logging.getLogger("benben.web")

MOST_WAITING = 8  # reviews that have not begun
MOST_PER_ADDRESS = 2  # unfinished reviews that one address has requested
RETRY = 20  # seconds until a refused client may ask again
_CACHED = 50  # reviews in memory, and uploaded records
_UPDATE_SECONDS = 0.3  # between two updates of an unfinished review
# Before a review begins that nobody requested: without a move at any table, and with the event loop
# never later than this.
IDLE_SECONDS, IDLE_LAG_SECONDS = 1.0, 0.05


@dataclass(eq=False)
class _Job:
    """A queued or running review. If nobody requested it, it ends after the first look."""

    game: FinishedGame
    latest: Review
    address: str  # whose request began it; empty if no request did
    work: BackgroundWork


@dataclass(frozen=True)
class Finished:
    """The finished game of a table or an uploaded record."""

    id: str  # of the record
    table: Table
    entries: list[Entry]


class Reviews:
    """The reviews of a server."""

    def __init__(
        self,
        tables: Tables,
        kernels: KernelCompiler,
        replaying: FairQueue,
        background: BackgroundPool,
    ) -> None:
        self._tables, self._archive, self._bots = tables, tables.store.archive, tables.bot_pool
        self._kernels, self._replaying, self._background = kernels, replaying, background
        self._jobs: dict[str, _Job] = {}  # by id, the running one first
        self._known: OrderedDict[str, Review] = OrderedDict()
        self._uploaded = AsyncCache[Finished](_CACHED)
        self._work: asyncio.Task[None] | None = None
        self._unasked: TableSession | None = None  # the last game that ended, if not reviewed yet
        self._idle_work: asyncio.Task[None] | None = None
        tables.signals.subscribe(EventStored, self._on_event)

    # ---- Requests

    async def review(self, id: str, address: str) -> Review:
        """Return a review as far as it is made; begin it if there is none.

        Raise NoSuchTable, Refused if the game is not over, or ApiError if too many are being made.
        """
        found = await self.find(id, address)
        game = self._game(found)
        review = await self._find_or_begin(id, game, address)
        return replace(review, names=list(game.names), table=id if found.id == id else "")

    async def _find_or_begin(self, id: str, game: FinishedGame, address: str) -> Review:
        known = None if id in self._jobs else await self._found(id)
        job = self._jobs.get(id)  # after the await: another request may have begun it
        if job is not None:
            job.work.unasked = False
            return job.latest
        if known is not None and _is_final(known, game):
            return known
        own = sum(each.address == address for each in self._jobs.values())
        if own >= MOST_PER_ADDRESS:
            status, words = 429, f"{own} reviews are being made for you: ask again when one is done"
        elif len(self._jobs) > MOST_WAITING:
            status, words = 503, "many reviews are being made: ask again a little later"
        else:
            return self._begin(id, game, known, address).latest
        if known is not None:  # a first look
            return known
        raise ApiError(status, "busy", words, headers={"Retry-After": str(RETRY)})

    async def find(self, id: str, address: str) -> Finished:
        """The table or record of an id; NoSuchTable if there is neither."""
        try:
            session = await self._tables.find(id)
            return Finished(id, session.table, session.entries)
        except NoSuchTable:
            found = await self._uploaded.get(id, lambda: self._rebuild_record(id, address))
            await self._archive.touch_record(id, self._tables.now())
            return found

    async def _rebuild_record(self, id: str, address: str) -> Finished:
        text = await asyncio.to_thread(self._archive.record, id)
        if text is None:
            raise NoSuchTable(id[:40])
        return await self._replaying.run(address, _rebuild, text, self._kernels.require_ready)

    def _game(self, found: Finished) -> FinishedGame:
        if not found.table.playable:
            raise Refused("other-rules", "played by rules that are not known here", None)
        try:
            return game_of_table(found.table)
        except NotOver as error:
            raise Refused("not-over", str(error), found.table.number) from None

    async def _found(self, id: str) -> Review | None:
        """The review that this or another server has made, if there is one."""
        known = self._known.get(id)
        if known is not None and known.complete:
            return known
        text = await asyncio.to_thread(self._archive.review, id, VERSION)
        if text is None:
            return known
        with suppress(msgspec.MsgspecError):
            known = msgspec.json.decode(text, type=Review)
            self._remember(known)
        return known

    def _remember(self, review: Review) -> None:
        self._known[review.id] = review
        self._known.move_to_end(review.id)
        if len(self._known) > _CACHED:
            self._known.popitem(last=False)

    # ---- Making

    def _on_event(self, signal: EventStored) -> None:
        """When a game is over, take a first look at it as soon as the server is idle.

        Its thread would compete with moves for the interpreter's lock, so it waits until nobody
        moves and the event loop is not late, and the next move cancels it. Of several games only
        the last one is reviewed so.
        """
        if isinstance(signal.event, Ended) and signal.session.table.playable:
            self._unasked = signal.session
            if self._idle_work is None or self._idle_work.done():
                self._idle_work = asyncio.create_task(self._look_when_idle())

    async def _look_when_idle(self) -> None:
        while (session := self._unasked) is not None:
            moves = self._tables.moves
            late = await measure_lag(IDLE_SECONDS) > IDLE_LAG_SECONDS
            if late or not self._is_idle(moves):
                continue
            try:
                reviewed = await self._found(session.id) is not None
                if session is self._unasked and self._is_idle(moves):
                    self._unasked = None
                    if not reviewed:
                        self._begin(session.id, game_of_table(session.table), None, "")
            except Exception as error:
                self._unasked = None
                if isinstance(error, StoreFailed):
                    log.warning("no first look at %s: %s", session.id, error)
                elif not isinstance(error, NotOver):
                    log.exception("no first look at %s", session.id)

    def _is_idle(self, moves: int) -> bool:
        """Whether nobody has moved since a count of moves, and nothing is thought about."""
        busy = self._jobs or self._bots.under_way or self._bots.waiting
        return moves == self._tables.moves and not busy

    def _begin(self, id: str, game: FinishedGame, known: Review | None, address: str) -> _Job:
        work = self._background.review(unasked=not address)
        job = _Job(game, known or unbegun(id, game), address, work)
        self._jobs[id] = job
        if self._work is None or self._work.done():
            self._work = asyncio.create_task(self._run())
        return job

    async def _run(self) -> None:
        while self._jobs:
            id, job = next(iter(self._jobs.items()))
            try:
                await self._kernels.wait_for_bots(job.game.game.name)
                exact.want(job.game.game)
                await self._background.run(job.work, self._make, id, job)
                self._remember(job.latest)
            except Cancelled:
                pass
            except Exception:
                log.exception("no review of %s", id)
            finally:
                self._jobs.pop(id, None)

    def _make(self, id: str, job: _Job) -> None:
        """Make a review in a thread: all of it, or the first look if nobody requested it."""
        reviewing = Reviewing(id, job.game, job.work)
        updated = 0.0
        for _ in reviewing.steps():
            if reviewing.looked and time.monotonic() - updated > _UPDATE_SECONDS:
                job.latest, updated = reviewing.review(), time.monotonic()
                if job.work.unasked:
                    break
        job.latest = reviewing.review()
        body = msgspec.json.encode(replace(job.latest, names=[])).decode()
        try:
            self._archive.save_review(id, VERSION, self._tables.now(), body)
        except StoreFailed as error:
            log.error("a review could not be stored: %s", error)

    async def close(self) -> None:
        """Cancel all reviews. They are made again at the next request."""
        for job in self._jobs.values():
            job.work.set()
        for task in (self._idle_work, self._work):
            if task is not None:
                task.cancel()
                with suppress(asyncio.CancelledError):
                    await task


def _rebuild(text: str, admit: Callable[[str], None]) -> Finished:
    record = TableRecord.parse(text)
    admit(record.options.game)
    entries = list(record.entries)
    return Finished(record.id, rebuild(record.options, record.secret, entries), entries)


def _is_final(review: Review, game: FinishedGame) -> bool:
    """Whether a review is complete, and not of a game that has been solved since."""
    if not review.complete:
        return False
    return review.exact or not exact.solvable(game.game) or exact.ready(game.game) is None
