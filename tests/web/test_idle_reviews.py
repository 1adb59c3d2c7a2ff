"""Reviews that nobody asked for: made while the server is idle, never in the way of a move."""

import asyncio
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from benben.learn.reviews.making import Reviewing
from benben.learn.reviews.review import VERSION
from benben.live.tables import Tables
from benben.store.database import StoreFailed
from benben.web import reviewing
from tests.web.site import Site, eventually
from tests.web.test_reviews import over, reviewed

LATE = 60.0  # seconds


class BusyTables:
    """The tables of a server where somebody moves between the first looks at the count of moves."""

    LOOKS = 6

    def __init__(self, tables: Tables) -> None:
        self._tables, self.looks = tables, 0

    @property
    def moves(self) -> int:
        self.looks += 1
        return min(self.looks, self.LOOKS)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._tables, name)


@pytest.fixture(autouse=True)
def other_work_does_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    """The event loop of a test is late whenever the machine is busy."""
    monkeypatch.setattr(reviewing, "IDLE_LAG_SECONDS", LATE / 2)


def test_a_review_waits_until_nobody_moves(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    reviews = site.state.reviews
    eventually(lambda: not reviews._jobs, "nothing else is being reviewed")
    busy, begin, begun_after = BusyTables(site.state.tables), reviews._begin, list[int]()

    def counting(*args: Any, **more: Any) -> Any:
        begun_after.append(busy.looks)
        return begin(*args, **more)

    monkeypatch.setattr(reviews, "_tables", busy)
    monkeypatch.setattr(reviews, "_begin", counting)
    monkeypatch.setattr(reviewing, "IDLE_SECONDS", 0.01)
    over(site)
    eventually(lambda: begun_after, "the review has begun")
    assert begun_after[0] > BusyTables.LOOKS


def test_a_review_waits_until_the_event_loop_is_not_late(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    reviews, lags = site.state.reviews, [LATE, LATE, 0.0]
    begin, left = reviews._begin, list[int]()

    async def lag(_: float) -> float:
        await asyncio.sleep(0.01)
        return lags.pop(0) if lags else 0.0

    def counting(*args: Any, **more: Any) -> Any:
        left.append(len(lags))
        return begin(*args, **more)

    eventually(lambda: not reviews._jobs, "nothing else is being reviewed")
    monkeypatch.setattr(reviewing, "measure_lag", lag)
    monkeypatch.setattr(reviews, "_begin", counting)
    over(site)
    eventually(lambda: left, "the review has begun")
    assert left == [0]


def test_a_move_cancels_it(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[str] = []

    class Disturbed(Reviewing):
        """Somebody moves at another table as soon as it begins."""

        def steps(self) -> Iterator[None]:
            begun.append(self.id)
            site.state.tables.moves += 1
            yield from super().steps()

    with monkeypatch.context() as patched:
        patched.setattr(reviewing, "Reviewing", Disturbed)
        name = over(site)
        eventually(lambda: name in begun and not site.state.reviews._jobs, "it was cancelled")
    assert site.state.store.archive.review(name, VERSION) is None
    assert reviewed(site, name)["complete"], "it is made when somebody asks"


def test_a_game_that_was_reviewed_meanwhile_is_not_reviewed_again(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    reviews, lags = site.state.reviews, [LATE]

    async def lag(_: float) -> float:
        await asyncio.sleep(0.01)
        return lags[-1]

    eventually(lambda: not reviews._jobs, "nothing else is being reviewed")
    monkeypatch.setattr(reviewing, "measure_lag", lag)
    name = over(site)
    complete = reviewed(site, name)
    assert complete["complete"]
    lags.append(0.0)
    eventually(lambda: reviews._idle_work and reviews._idle_work.done(), "the server was idle")
    eventually(lambda: not reviews._jobs, "nothing is being reviewed")
    assert site.get(f"reviews/{name}") == complete


def test_a_store_that_fails_is_logged_without_a_traceback(
    site: Site, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: Any) -> None:
        raise StoreFailed("the database", "it is down")

    monkeypatch.setattr(site.state.reviews, "_archive", SimpleNamespace(review=fail))
    monkeypatch.setattr(reviewing, "IDLE_SECONDS", 0.01)
    over(site)
    eventually(lambda: "no first look" in caplog.text, "the failure is logged")
    (record,) = [each for each in caplog.records if "no first look" in each.getMessage()]
    assert record.exc_info is None
