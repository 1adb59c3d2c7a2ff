"""Writing to subscribers: at once if they keep up, else when they have read."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from benben.store.database import StoreFailed
from benben.web.sse import COMMENT, EventStream, SseWriter, Write, run_eagerly


class Line:
    """A connection that can be full."""

    def __init__(self) -> None:
        self.sent: list[bytes] = []
        self.room = asyncio.Event()
        self.room.set()

    async def write(self, text: bytes) -> None:
        await self.room.wait()
        self.sent.append(text)


def writer_to(line: Line, on_ready: Callable[[], None] = lambda: None) -> SseWriter:
    return SseWriter(line.write, on_ready)


def test_what_need_not_wait_is_done_run_eagerly() -> None:
    async def test() -> None:
        line = Line()
        assert run_eagerly(line.write(b"one")) is None
        assert line.sent == [b"one"]

    asyncio.run(test())


@pytest.mark.parametrize("rounds", [0, 1, 3])
def test_what_has_to_wait_goes_on_by_itself(rounds: int) -> None:
    """Whether what it waits for comes before its task has begun, or after."""

    async def test() -> None:
        line = Line()
        line.room.clear()
        task = run_eagerly(line.write(b"one"))
        assert task is not None
        for _ in range(rounds):
            await asyncio.sleep(0)
        assert not line.sent
        line.room.set()
        await task
        assert line.sent == [b"one"]

    asyncio.run(test())


def test_what_waits_can_be_cancelled_and_cleans_up() -> None:
    async def test() -> None:
        done: list[str] = []

        async def work() -> None:
            try:
                await asyncio.Event().wait()
            finally:
                done.append("cleaned up")

        task = run_eagerly(work())
        assert task is not None
        await asyncio.sleep(0)
        task.cancel()
        await asyncio.wait([task])
        assert task.cancelled()
        assert done == ["cleaned up"]

    asyncio.run(test())


def test_who_is_behind_is_told_no_more_until_they_have_read() -> None:
    async def test() -> None:
        line, read = Line(), asyncio.Event()
        writer = writer_to(line, read.set)
        writer.send(b"one")
        assert writer.ready
        line.room.clear()
        writer.send(b"two")
        assert not writer.ready
        await asyncio.sleep(0)
        assert line.sent == [b"one"]
        line.room.set()
        await read.wait()
        assert writer.ready
        assert line.sent == [b"one", b"two"]

    asyncio.run(test())


def test_the_end_comes_after_all_that_was_told() -> None:
    async def test() -> None:
        line = Line()
        writer = writer_to(line)
        line.room.clear()
        writer.send(b"one")
        writer.end()
        ending = asyncio.create_task(writer.until_end())
        for _ in range(3):
            await asyncio.sleep(0)
        assert not ending.done()
        line.room.set()
        await ending
        assert line.sent == [b"one"]
        assert not writer.ready

    asyncio.run(test())


def test_who_goes_while_behind_leaves_no_task() -> None:
    async def test() -> None:
        line = Line()
        writer = writer_to(line)
        line.room.clear()
        writer.send(b"one")
        going = asyncio.create_task(writer.until_end())
        await asyncio.sleep(0)
        going.cancel()
        for _ in range(5):
            await asyncio.sleep(0)
        assert asyncio.all_tasks() == {asyncio.current_task()}
        assert not writer.ready
        assert not line.sent

    asyncio.run(test())


@pytest.mark.parametrize("later", [False, True])
def test_a_connection_that_fails_is_the_end(later: bool) -> None:
    async def test() -> None:
        async def write(_: bytes) -> None:
            if later:
                await asyncio.sleep(0)
            raise OSError("gone")

        writer = SseWriter(write, lambda: None)
        writer.send(b"one")
        with pytest.raises(OSError, match="gone"):
            await writer.until_end()

    asyncio.run(test())


def test_a_silent_subscriber_is_sent_comments_until_the_end() -> None:
    async def test() -> None:
        line = Line()
        writer = SseWriter(line.write, lambda: None, keep_alive=0.03)
        while len(line.sent) < 2:
            await asyncio.sleep(0.01)
        line.room.clear()
        await asyncio.sleep(0.1)
        writer.end()
        line.room.set()
        await writer.until_end()
        count = len(line.sent)
        await asyncio.sleep(0.1)
        assert set(line.sent) == {COMMENT}
        assert len(line.sent) == count

    asyncio.run(test())


class Asked:
    """A request for a stream, at an ASGI application."""

    def __init__(self) -> None:
        self.sent: list[Any] = []
        self.gone = asyncio.Event()

    async def receive(self) -> Any:
        await self.gone.wait()
        return {"type": "http.disconnect"}

    async def send(self, message: Any) -> None:
        self.sent.append(message)


def test_an_answer_ends_with_what_it_tells() -> None:
    async def test() -> None:
        async def follow(write: Write) -> None:
            await write(b"one")

        asked = Asked()
        await EventStream(follow)({}, asked.receive, asked.send)  # type: ignore[arg-type]
        assert asked.sent[0]["status"] == 200
        told = [(each["body"], each["more_body"]) for each in asked.sent[1:]]
        assert told == [(b"one", True), (b"", False)]
        await asyncio.sleep(0)
        assert asyncio.all_tasks() == {asyncio.current_task()}

    asyncio.run(test())


def test_an_answer_ends_when_nobody_listens() -> None:
    async def test() -> None:
        cleaned_up = asyncio.Event()

        async def follow(write: Write) -> None:
            try:
                await asyncio.Event().wait()
            finally:
                cleaned_up.set()

        asked = Asked()
        stream = EventStream(follow)(
            {},  # type: ignore[arg-type]
            asked.receive,
            asked.send,
        )
        answer = asyncio.create_task(stream)
        await asyncio.sleep(0)
        asked.gone.set()
        await answer
        await cleaned_up.wait()
        assert len(asked.sent) == 1, "nobody is told of the end"

    asyncio.run(test())


def test_an_answer_fails_as_what_it_tells_does() -> None:
    async def test() -> None:
        async def follow(write: Write) -> None:
            raise RuntimeError("a mistake")

        asked = Asked()
        with pytest.raises(RuntimeError, match="a mistake"):
            await EventStream(follow)({}, asked.receive, asked.send)  # type: ignore[arg-type]

    asyncio.run(test())


def test_an_answer_ends_when_the_store_fails_and_nothing_is_raised() -> None:
    """It has begun with 200, so there is no other way to say so: whoever listens comes back."""

    async def test() -> None:
        async def follow(write: Write) -> None:
            raise StoreFailed("the store", "it is away")

        asked = Asked()
        await EventStream(follow)({}, asked.receive, asked.send)  # type: ignore[arg-type]
        assert [each["more_body"] for each in asked.sent[1:]] == [False]

    asyncio.run(test())
