"""Streams of opinions about positions, which improve for as long as a client reads them.

They share the background pool with reviews (`live/background.py`). A new request of a client ends
its previous one, and so does a disconnect.
"""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from typing import TypeVar

from benben.learn.opinions import SECONDS, Opinion, Question, opinions
from benben.live.background import BackgroundPool, BackgroundWork
from benben.web.errors import ApiError
from benben.web.sse import COMMENT, KEEP_ALIVE, Write, message

MOST = 4  # at a time: each takes up to 128 MB
EACH = 2  # at a time for one address
_RETRY = "5"  # seconds
_POLL_SECONDS = 0.25  # until the next attempt, if there is no new opinion

T = TypeVar("T")


@dataclass(frozen=True)
class Caller:
    """A client: an address, and the name in its `Benben-Reader` header."""

    address: str
    name: str = ""


class Opinions:
    """The opinion streams of a server."""

    def __init__(
        self,
        background: BackgroundPool,
        wait_for_bots: Callable[[str], Awaitable[None]],
        keep_alive: float = KEEP_ALIVE,
    ) -> None:
        self.seconds = SECONDS
        self._background, self._wait_for_bots = background, wait_for_bots
        self._keep_alive = keep_alive
        self._streams: dict[BackgroundWork, Caller] = {}
        self._closed = False

    @property
    def open(self) -> int:
        return len(self._streams)

    def admit(self, caller: Caller) -> None:
        """Raise ApiError if there are too many streams, not counting those of this caller."""
        others = Counter(each.address for each in self._streams.values() if each != caller)
        again = caller in self._streams.values()  # it replaces its previous stream
        # The last place is reserved for an address that has none.
        places = MOST - 1 if others[caller.address] and not again else MOST
        headers = {"Retry-After": _RETRY}
        if others[caller.address] >= EACH:
            words = f"{EACH} opinions are asked for from here: wait a moment"
            raise ApiError(429, "too-many-opinions", words, headers=headers)
        if others.total() >= places or self._closed:
            words = "too many opinions are asked for: wait a moment"
            raise ApiError(503, "too-many-opinions", words, headers=headers)

    async def follow(self, question: Question, caller: Caller, write: Write) -> None:
        """Write opinions until the last one, or until cancelled."""
        for work in [work for work, each in self._streams.items() if each == caller]:
            work.set()
        work = self._background.opinion()
        self._streams[work] = caller
        try:
            await self._with_keepalive(self._wait_for_bots(question.game.name), write)
            found = opinions(question, work, self.seconds)
            while not work.is_set():
                step = self._background.run(work, _next, found, work)
                opinion = await self._with_keepalive(step, write)
                if opinion is None:
                    await asyncio.sleep(_POLL_SECONDS)
                else:
                    await write(message("opinion", opinion))
                    if opinion.done:
                        return
        finally:
            work.set()
            del self._streams[work]

    def close(self) -> None:
        """End all streams."""
        self._closed = True
        for work in self._streams:
            work.set()

    async def _with_keepalive(self, work: Awaitable[T], write: Write) -> T:
        """Wait for something, and write comments meanwhile: proxies close silent connections."""
        task = asyncio.ensure_future(work)
        try:
            while not (await asyncio.wait({task}, timeout=self._keep_alive))[0]:
                await write(COMMENT)
            return task.result()
        finally:
            task.cancel()


def _next(found: Iterator[Opinion | None], work: BackgroundWork) -> Opinion | None:
    return None if work.checkpoint() else next(found, None)
