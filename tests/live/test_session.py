"""Who is notified of what happens at a table."""

import asyncio
import logging

import pytest

from benben.live.session import TableSession
from benben.table import events
from benben.table.record import Entry
from benben.table.table import Table
from tests.live.playing import SECRET, table_options
from tests.live.sessions import unstored_session


def opened() -> TableSession:
    return unstored_session(Table(table_options(), SECRET))


def sit(session: TableSession, seat: int) -> None:
    event = events.Sat(seat, f"Ann{seat}", "n")
    session.apply_remote(Entry(session.table.number + 1, 1, event), None)


def test_every_subscriber_is_called_once_for_all_changes_in_one_step() -> None:
    async def test() -> None:
        session, called = opened(), []
        for name in ("one", "two"):
            session.subscribe(lambda name=name: called.append(name))  # type: ignore[misc]
        sit(session, 0)
        session.presence.stream_opened(0)
        assert called == []
        await asyncio.sleep(0)
        assert called == ["one", "two"]
        sit(session, 1)
        await asyncio.sleep(0)
        assert called == ["one", "two"] * 2
        session.stop()

    asyncio.run(test())


def test_who_has_unsubscribed_is_not_called() -> None:
    async def test() -> None:
        session, called = opened(), []
        unsubscribe = session.subscribe(lambda: called.append("one"))
        session.subscribe(unsubscribe)
        sit(session, 0)
        await asyncio.sleep(0)
        sit(session, 1)
        await asyncio.sleep(0)
        assert called == ["one"]

    asyncio.run(test())


def test_a_subscriber_that_fails_does_not_affect_others(caplog: pytest.LogCaptureFixture) -> None:
    async def test() -> None:
        session, called = opened(), []
        session.subscribe(lambda: 1 // 0)  # type: ignore[arg-type]
        session.subscribe(lambda: called.append("two"))
        sit(session, 0)
        await asyncio.sleep(0)
        assert called == ["two"]

    with caplog.at_level(logging.ERROR):
        asyncio.run(test())
    assert "ZeroDivisionError" in caplog.text


def test_without_subscribers_no_event_loop_is_needed() -> None:
    session = opened()
    sit(session, 0)
    assert session.table.number == 1
