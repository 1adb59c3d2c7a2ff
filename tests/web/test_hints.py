"""Hints over HTTP."""

import pytest

from benben.core.registry import names
from benben.table.record import TableRecord, verify
from tests.web.in_process import site
from tests.web.site import Person, Site, eventually, refused

__all__ = ["site"]


def against_a_bot(site: Site, game: str) -> Person:
    (person,) = site.table(game, 1, players=2, seats=[{}, {"bot": 1}])
    eventually(lambda: "legal" in person.look(), "one's turn")
    return person


@pytest.mark.parametrize("game", names())
def test_a_hint_of_each_strength(site: Site, game: str) -> None:
    person = against_a_bot(site, game)
    legal = [each["move"] for each in person.look()["legal"]]
    told = [person.do("hints", {"strength": each}) for each in ("nudge", "idea", "move")]
    nudge, idea, move = (each["hint"] for each in told)
    assert set(nudge) == {"strength", "places"}
    assert set(idea["idea"]) == {"id", "general", "parameters"}
    assert "move" not in idea
    assert move["move"]["move"] in legal
    assert nudge["places"] == idea["places"] == move["places"]
    seen = person.look()
    assert told[-1]["number"] == seen["number"]
    assert [seat.get("hints", 0) for seat in seen["seats"]] == [1, 0]
    assert person.do("hints", {"strength": "idea"}) == {"number": seen["number"], "hint": idea}
    person.do("move", {"move": move["move"]["move"], "number": seen["number"]})
    person.do("resign")
    over = person.look()
    assert over["seats"][0]["hints"] == 1
    verify(TableRecord.parse(person.record().content))


def test_what_is_refused(site: Site) -> None:
    ann, bob = site.table()
    refused(ann.ask("hints", {"strength": "nudge"}), 409, "no-hints")
    refused(Person(site, ann.table).ask("hints", {}), 401, "no-token")
    refused(ann.ask("hints", {"strength": "all"}), 400, "bad-request")
    person = against_a_bot(site, "quadrille")
    number = person.look()["number"]
    stale = refused(person.ask("hints", {"number": number - 1}), 409, "stale")
    assert stale == {"number": number}
    person.do("resign")
    refused(person.ask("hints", {}), 409, "over")
    refused(bob.ask("hints", {}), 409, "no-hints")


def test_whoever_watches_is_told_that_it_was_taken(site: Site) -> None:
    person = against_a_bot(site, "pyramidis")
    with Person(site, person.table).listening() as heard:
        next(heard)
        person.do("hints", {"strength": "nudge"})
        message = next(each for each in heard if each.kind == "event")
    assert message.data["event"] == {"kind": "hinted", "seat": 0, "strength": "nudge"}
    assert message.data["now"]["seats"][0]["hints"] == 1
    assert "legal" not in message.data["now"]
    (notice,) = site.get(f"tables/{person.table}/history")["notices"]
    assert (notice["kind"], notice["strength"]) == ("hinted", "nudge")
