"""Opinions of positions as they grow, each over one connection for as long as somebody reads it.

They share the background with reviews (`live/background.py`). A caller who asks anew, or goes away,
ends what they asked for before.
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

MOST = 4  # at once at a server: each takes up to 128 MB
EACH = 2  # from one address
_RETRY = "5"  # seconds
_A_MOMENT = 0.25  # seconds until it is asked again for what is on its way

T = TypeVar("T")


@dataclass(frozen=True)
class Caller:
    """Who asks: somebody at an address, by a name that they have chosen for themselves."""

    address: str
    name: str = ""


class Opinions:
    """The opinions that are being asked for at a server."""

    def __init__(
        self,
        background: BackgroundPool,
        wait_for_bots: Callable[[str], Awaitable[None]],
        keep_alive: float = KEEP_ALIVE,
        seconds: float = SECONDS,
    ) -> None:
        self.seconds = seconds
        self._background, self._wait_for_bots = background, wait_for_bots
        self._keep_alive = keep_alive
        self._asked: dict[BackgroundWork, Caller] = {}
        self._closed = False

    @property
    def open(self) -> int:
        return len(self._asked)

    def admit(self, caller: Caller) -> None:
        """Raise ApiError if there are too many, not counting what this caller asked before."""
        others = Counter(each.address for each in self._asked.values() if each != caller)
        again = caller in self._asked.values()  # then it takes no more places than before
        # The last place is for an address that has none.
        places = MOST - 1 if others[caller.address] and not again else MOST
        headers = {"Retry-After": _RETRY}
        if others[caller.address] >= EACH:
            words = f"{EACH} opinions are asked for from here: wait a moment"
            raise ApiError(429, "too-many-opinions", words, headers=headers)
        if others.total() >= places or self._closed:
            words = "too many opinions are asked for: wait a moment"
            raise ApiError(503, "too-many-opinions", words, headers=headers)

    async def follow(self, question: Question, caller: Caller, write: Write) -> None:
        """Write opinions until the last one, or until the caller goes away."""
        for work in [work for work, each in self._asked.items() if each == caller]:
            work.set()
        work = self._background.opinion()
        self._asked[work] = caller
        try:
            await self._quietly(
                asyncio.ensure_future(self._wait_for_bots(question.game.name)), write
            )
            found = opinions(question, work, self.seconds)
            while not work.is_set():
                step = asyncio.ensure_future(self._background.run(work, _next, found, work))
                opinion = await self._quietly(step, write)
                if opinion is None:
                    await asyncio.sleep(_A_MOMENT)
                else:
                    await write(message("opinion", opinion))
                    if opinion.done:
                        return
        finally:
            work.set()
            del self._asked[work]

    def close(self) -> None:
        """End all of them."""
        self._closed = True
        for work in self._asked:
            work.set()

    async def _quietly(self, work: "asyncio.Future[T]", write: Write) -> T:
        """Wait for something; a connection that is silent for long would be closed."""
        try:
            while not (await asyncio.wait({work}, timeout=self._keep_alive))[0]:
                await write(COMMENT)
            return work.result()
        finally:
            work.cancel()


def _next(found: Iterator[Opinion | None], work: BackgroundWork) -> Opinion | None:
    return None if work.checkpoint() else next(found, None)
