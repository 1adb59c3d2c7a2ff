"""Whoever listens to a stream: told at once if they keep up, and never more than they have read.

Most of what is told can be sent without waiting for anything. To wake a task for each who listens,
only to send something, would take longer than making what is sent.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Generator
from contextlib import closing
from types import coroutine
from typing import Any, TypeAlias

from litestar.types import Receive, Scope, Send

from benben.store.database import StoreFailed

# Sends some text; done when there is room for more.
Write: TypeAlias = Callable[[bytes], Awaitable[None]]

log = logging.getLogger("benben.web")

_HEADERS = [(b"content-type", b"text/event-stream; charset=utf-8")]


class Listener:
    """Somebody to be told, until they have gone or there is nothing more to tell."""

    def __init__(self, write: Write, on_read: Callable[[], None]) -> None:
        """`on_read` is called when somebody who was behind has read what they were told."""
        self._write, self._on_read = write, on_read
        self._behind: asyncio.Task[None] | None = None
        self._ended: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    @property
    def ready(self) -> bool:
        """Whether there is room for more. If not, tell it when `on_read` is called."""
        return self._behind is None and not self._ended.done()

    def tell(self, text: bytes) -> None:
        assert self.ready
        try:
            self._behind = at_once(self._write(text))
        except Exception as error:
            self.fail(error)
        if self._behind is not None:
            self._behind.add_done_callback(self._caught_up)

    def end(self) -> None:
        """There is nothing more to tell."""
        if not self._ended.done():
            self._ended.set_result(None)

    def fail(self, error: BaseException) -> None:
        """The same, as something went wrong."""
        if not self._ended.done():
            self._ended.set_exception(error)

    async def until_end(self) -> None:
        """Wait until all is told, and was sent. If nobody listens any more, cancel this."""
        try:
            await self._ended
            if self._behind is not None:
                await self._behind
        finally:
            self.end()
            if self._behind is not None:
                self._behind.cancel()

    def _caught_up(self, sent: asyncio.Task[None]) -> None:
        self._behind = None
        if sent.cancelled():
            return
        error = sent.exception()
        if error is not None:
            self.fail(error)
        elif self.ready:
            self._on_read()


class EventStream:
    """An answer that goes on for as long as `follow` does, or until nobody listens any more."""

    def __init__(self, follow: Callable[[Write], Awaitable[None]]) -> None:
        self._follow = follow

    async def __call__(self, _: Scope, receive: Receive, send: Send) -> None:
        def write(text: bytes) -> Awaitable[None]:
            return send({"type": "http.response.body", "body": text, "more_body": True})

        await send({"type": "http.response.start", "status": 200, "headers": _HEADERS})
        following = asyncio.ensure_future(self._follow(write))
        gone = asyncio.ensure_future(_until_gone(receive))
        try:
            await asyncio.wait((following, gone), return_when=asyncio.FIRST_COMPLETED)
        finally:
            gone.cancel()
            following.cancel()
        if following.done():
            try:
                following.result()
            except StoreFailed as error:  # its answer has begun: whoever listens will come back
                log.error("a stream has ended, as the store failed: %s", error)
            await send({"type": "http.response.body", "body": b"", "more_body": False})


async def _until_gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


def at_once(work: Awaitable[None]) -> asyncio.Task[None] | None:
    """Do something as far as it goes without waiting; a task for the rest, if there is one.

    From Python 3.12 on a task can begin like this by itself (`eager_start`).
    """
    steps = work.__await__()
    try:
        waits_for = next(steps)
    except StopIteration:
        return None
    return asyncio.create_task(_go_on(waits_for, steps))


async def _go_on(waits_for: Any, steps: Generator[Any, Any, None]) -> None:
    await _rest(waits_for, steps)


@coroutine
def _rest(waits_for: Any, steps: Generator[Any, Any, None]) -> Generator[Any, Any, None]:
    with closing(steps):
        yield waits_for
        yield from steps
