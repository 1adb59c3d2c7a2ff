"""Streams of events: everything once, in order, and only what the listener may know."""

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from time import monotonic

import pytest

from benben.web.limits import Limits
from tests.web.site import Message, Person, Site, eventually, refused, serving


def take(heard: Iterator[Message], count: int) -> list[Message]:
    """The next messages, but for signs of life and who is there."""
    told = (message for message in heard if message.kind not in ("", "present"))
    return list(islice(told, count))


def test_who_is_there(tmp_path: Path) -> None:
    with serving(tmp_path, grace=0.0) as site:
        check_who_is_there(site)


def check_who_is_there(site: Site) -> None:
    first, second = site.table()
    with first.listening() as heard:
        present = (message.data["seats"] for message in heard if message.kind == "present")
        assert next(present) == [0]
        with second.listening() as other, second.listening() as again:
            take(other, 1)
            take(again, 1)
            assert next(present) == [0, 1]
        assert next(present) == [0]
        with Person(site, first.table).listening() as spectator:
            take(spectator, 1)
            first.move()  # nobody's coming and going but the players' is told
            assert next(message.kind for message in heard if message.kind) == "event"


def test_whoever_comes_back_soon_was_there_all_the_time(tmp_path: Path) -> None:
    with serving(tmp_path, grace=1.0) as site:
        first, second = site.table()
        with first.listening() as heard:
            present = (message.data["seats"] for message in heard if message.kind == "present")
            assert next(present) == [0]
            for _ in range(3):  # a page that is loaded again and again
                with second.listening() as other:
                    take(other, 1)
            assert next(present) == [0, 1]
            gone = monotonic()
            assert next(present) == [0], "told once, when the time is over"
            assert 0.5 < monotonic() - gone < 10
            second.look()
            assert next(present) == [0, 1], "a hidden page looks now and then"
            assert next(present) == [0]
            site.http.get("/api/tables/mine", headers={"Benben-Tokens": second.token})
            assert next(present) == [0, 1]
            assert next(present) == [0]
        assert len(site.state.tables.sessions) == 1


def test_whoever_says_good_bye_is_not_waited_for(tmp_path: Path) -> None:
    with serving(tmp_path, grace=60.0) as site:
        first, second = site.table()
        with first.listening() as heard:
            present = (message.data["seats"] for message in heard if message.kind == "present")
            assert next(present) == [0]
            with second.listening() as other:
                take(other, 1)
                assert next(present) == [0, 1]
            second.look()
            second.do("leave")
            assert next(present) == [0]
            second.look()  # who has left does not come back by looking
            second.do("reclaim")
            second.look()
            assert next(present) == [0, 1]


def test_first_the_table_then_every_event(site: Site) -> None:
    first, second = site.table()
    with first.listening() as heard:
        (whole,) = take(heard, 1)
        assert (whole.kind, whole.number) == ("table", 3)
        assert whole.data == first.look()
        first.move()
        second.do("chat", {"text": "hm"})
        events = take(heard, 2)
    assert [(each.kind, each.number) for each in events] == [("event", 4), ("event", 5)]
    assert [each.data["event"]["kind"] for each in events] == ["moved", "said"]
    assert "view" in events[0].data["now"]
    assert "now" not in events[1].data, "talk changes nothing"
    assert events[-1].data["at"] >= events[0].data["at"] > 0


@pytest.mark.parametrize("known", range(8))
def test_a_stream_goes_on_without_gap_or_repeat(site: Site, known: int) -> None:
    first, second = site.table()
    for person in (first, second, first, second):
        person.move()
    with second.listening(**{"Last-Event-ID": str(known)}) as heard:
        first.move()
        events = take(heard, 8 - known)
    assert [each.number for each in events] == list(range(known + 1, 9))
    assert [each.data["number"] for each in events] == list(range(known + 1, 9))
    assert "now" in events[-1].data
    kept = second.record().json()["entries"][known:]
    assert [each.data["event"] for each in events] == [entry["event"] for entry in kept]


@pytest.mark.parametrize("nonsense", ["-1", "x", "99", "9" * 5000, ""])
def test_who_knows_no_event_of_ours_gets_the_whole_table(site: Site, nonsense: str) -> None:
    first, _ = site.table()
    with first.listening(**{"Last-Event-ID": nonsense}) as heard:
        (whole,) = take(heard, 1)
    assert (whole.kind, whole.number) == ("table", 3)


def test_the_stream_of_who_stands_up_ends(site: Site) -> None:
    name = site.open()
    person = site.sit(name, 0)
    with person.listening() as heard:
        person.do("leave")
        kinds = [each.data["event"]["kind"] for each in heard if each.kind == "event"]
    assert kinds == ["stood"], "and then the server closed it"
    assert person.ask("chat", {"text": "hm"}).status_code == 401


def test_a_silent_stream_is_kept_alive_and_ends_with_the_server(tmp_path: Path) -> None:
    with serving(tmp_path, keep_alive=0.05) as site:
        first, _ = site.table()
        with first.listening() as heard:
            assert [each.kind for each in islice(heard, 4)] == ["table", "present", "", ""]
            assert site.state.streams.open == 1
            site.state.streams.close()
            assert all(each.kind == "" for each in heard), "it ends by itself"


def test_who_goes_is_not_waited_for(tmp_path: Path) -> None:
    with serving(tmp_path, keep_alive=0.05) as site:
        first, _ = site.table()
        with first.listening() as heard:
            take(heard, 1)
        eventually(lambda: site.state.streams.open == 0, "the stream has ended")


@pytest.mark.parametrize(
    ("few", "status"),
    [(Limits(0, 0, 0, 0, address_streams=2), 429), (Limits(0, 0, 0, 0, streams=2), 503)],
)
def test_streams_have_places_that_are_free_again_when_they_end(
    tmp_path: Path, few: Limits, status: int
) -> None:
    with serving(tmp_path, keep_alive=0.05, limits=few) as site:
        first, second = site.table()
        with first.listening() as one:
            take(one, 1)
            with second.listening() as other:
                take(other, 1)
                answer = site.http.get(f"/api/tables/{first.table}/events")
                refused(answer, status, "too-many-streams")
                assert int(answer.headers["retry-after"]) > 0
                first.move()

            def heard() -> bool:
                with site.http.stream("GET", f"/api/tables/{first.table}/events") as answer:
                    return answer.is_success and next(answer.iter_lines()) == "event: table"

            eventually(heard, "there is room again")
        for _ in range(5):
            assert site.http.get("/api/tables/nowhere/events").status_code in (404, status)
