"""One address has one invitation of a bot pending, and some of its tables, not all."""

import pytest

from benben.web.invitations import MOST_TABLES, PENDING_SECONDS, Invitations


def test_an_invitation_is_pending_until_it_is_answered_or_for_a_while() -> None:
    now = 100.0
    invitations = Invitations(lambda: now)
    assert invitations.add("rex", "a", "one") is None
    assert invitations.add("rex", "a", "two") == "pending"
    assert invitations.add("rex", "a", "one") is None, "the same one again"
    assert invitations.add("rex", "b", "two") is None
    assert invitations.unanswered("rex", "a") == ["one"]
    assert invitations.add("rex", "a", "two", answered=["one"]) is None
    now += PENDING_SECONDS
    assert invitations.add("rex", "a", "three") is None


def test_one_address_has_a_part_of_a_bots_tables() -> None:
    invitations = Invitations()
    seated: list[str] = []
    for number in range(MOST_TABLES):
        assert invitations.add("rex", "a", f"t{number}", seated=seated, answered=seated) is None
        seated.append(f"t{number}")
    assert invitations.add("rex", "a", "another", seated=seated, answered=seated) == "full"
    assert invitations.add("rex", "b", "another", seated=seated) is None
    over = seated[1:]
    assert invitations.add("rex", "a", "another", seated=over) is None, "one game is over"


def test_an_invitation_that_is_answered_late_counts_too() -> None:
    now = 100.0
    invitations = Invitations(lambda: now)
    for number in range(MOST_TABLES):
        assert invitations.add("rex", "a", f"t{number}") is None
        now += PENDING_SECONDS
    assert invitations.add("rex", "a", "another") == "full"
    now += 600
    assert invitations.add("rex", "a", "another") is None, "none of them was answered"


def test_an_invitation_that_was_not_sent_does_not_count() -> None:
    invitations = Invitations()
    assert invitations.add("rex", "a", "one") is None
    invitations.remove("rex", "a", "one")
    assert invitations.add("rex", "a", "two") is None


def test_memory_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("benben.web.invitations._MOST_REMEMBERED", 3)
    invitations = Invitations()
    for n in range(9):
        invitations.add("rex", f"a{n}", "t")
    assert len(invitations._invited) == 3
