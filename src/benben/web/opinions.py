"""Opinions of positions as they grow, each over one connection for as long as somebody reads it.

However many are asked for, one processor thinks about them, a slice of some milliseconds each in
turn; and it rests while bots that people play with need every processor. Whoever asks anew, or goes
away, ends what they asked for before.
"""

import asyncio
from collections import Counter, deque
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from threading import Condition, Event
from typing import TypeVar

from benben.learn.opinions import SECONDS, Opinion, Question, opinions
from benben.web.errors import ApiError
from benben.web.sse import COMMENT, KEEP_ALIVE, Write, message

MOST = 4  # at once at a server: each takes up to 128 MB
EACH = 2  # from one address
_RETRY = "5"  # seconds
_REST = 0.01  # seconds until it is looked again whether there is time to think
_A_MOMENT = 0.25  # seconds until it is asked again for what is on its way

T = TypeVar("T")


@dataclass(frozen=True)
class Caller:
    """Who asks: somebody at an address, by a name that they have chosen for themselves."""

    address: str
    name: str = ""


class Turnstile:
    """Lets one think at a time, each in turn, and nobody while bots are busy."""

    def __init__(self, busy: Callable[[], bool]) -> None:
        self._busy = busy
        self._queue: deque[Event] = deque()  # who is first thinks
        self._changed = Condition()

    def pass_through(self, who: Event) -> None:
        """Wait until it is their turn, or they are cancelled; after a slice, for the next one."""
        with self._changed:
            first = bool(self._queue) and self._queue[0] is who
            if first and len(self._queue) == 1 and not self._busy():
                return
            self._leave(who)
            self._queue.append(who)
            while not Event.is_set(who) and (self._queue[0] is not who or self._busy()):
                self._changed.wait(_REST)

    def leave(self, who: Event) -> None:
        """They think no more, for now."""
        with self._changed:
            self._leave(who)

    def _leave(self, who: Event) -> None:
        if who in self._queue:
            self._queue.remove(who)
            self._changed.notify_all()


class Flag(Event):
    """Whether an opinion is no longer wanted. A player asks it after every slice of its thinking:
    then others have their turn."""

    def __init__(self, turns: Turnstile) -> None:
        super().__init__()
        self._turns = turns

    def is_set(self) -> bool:
        if not super().is_set():
            self._turns.pass_through(self)
        return super().is_set()


class Opinions:
    """All that are being asked for at a server."""

    def __init__(
        self,
        busy: Callable[[], bool],
        until_bots: Callable[[str], Awaitable[None]],
        keep_alive: float = KEEP_ALIVE,
        seconds: float = SECONDS,
    ) -> None:
        self.seconds = seconds
        self._turns, self._until_bots, self._keep_alive = Turnstile(busy), until_bots, keep_alive
        self._threads = ThreadPoolExecutor(MOST + 1, thread_name_prefix="opinion")
        self._asked: dict[Flag, Caller] = {}
        self._closed = False

    @property
    def open(self) -> int:
        return len(self._asked)

    def admit(self, caller: Caller) -> None:
        """Problem if there are too many; not counting what this caller has asked before."""
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
        """Write what is thought, for as long as it is awaited or until there is nothing more."""
        for flag in [flag for flag, each in self._asked.items() if each == caller]:
            flag.set()
        flag = Flag(self._turns)
        self._asked[flag] = caller
        try:
            await self._quietly(asyncio.ensure_future(self._until_bots(question.game.name)), write)
            found = opinions(question, flag, self.seconds)
            loop = asyncio.get_running_loop()
            while not Event.is_set(flag):
                step = loop.run_in_executor(self._threads, self._next, found, flag)
                opinion = await self._quietly(step, write)
                if opinion is None:
                    await asyncio.sleep(_A_MOMENT)
                else:
                    await write(message("opinion", opinion))
                    if opinion.done:
                        return
        finally:
            flag.set()
            del self._asked[flag]

    def close(self) -> None:
        """Let every one end."""
        self._closed = True
        for flag in self._asked:
            flag.set()
        self._threads.shutdown(wait=False, cancel_futures=True)

    def _next(self, found: Iterator[Opinion | None], flag: Flag) -> Opinion | None:
        try:
            return None if flag.is_set() else next(found, None)
        finally:
            self._turns.leave(flag)

    async def _quietly(self, work: "asyncio.Future[T]", write: Write) -> T:
        """Wait for something; a connection that is silent for long would be closed."""
        try:
            while not (await asyncio.wait({work}, timeout=self._keep_alive))[0]:
                await write(COMMENT)
            return work.result()
        finally:
            work.cancel()
