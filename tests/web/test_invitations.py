"""One address has one invitation of a bot pending, and some of its tables, not all."""

import pytest

from benben.store.programs import Program
from benben.table.table import Refused
from benben.web.invitations import MOST_TABLES, PENDING_SECONDS, Invitations

REX = Program("rex", "Rex", 0)


def test_an_invitation_is_pending_until_it_is_answered_or_for_a_while() -> None:
    now = 100.0
    invitations = Invitations(lambda: now)
    invitations.add(REX, "a", "one")
    with pytest.raises(Refused, match="wait for its answer"):
        invitations.add(REX, "a", "two")
    invitations.add(REX, "a", "one")  # the same one again
    invitations.add(REX, "b", "two")
    assert invitations.unanswered(REX, "a") == ["one"]
    invitations.add(REX, "a", "two", answered=["one"])
    now += PENDING_SECONDS
    invitations.add(REX, "a", "three")


def test_one_address_has_a_part_of_a_bots_tables() -> None:
    invitations = Invitations()
    seated: list[str] = []
    for number in range(MOST_TABLES):
        invitations.add(REX, "a", f"t{number}", seated=seated, answered=seated)
        seated.append(f"t{number}")
    with pytest.raises(Refused, match="that you invited it to"):
        invitations.add(REX, "a", "another", seated=seated, answered=seated)
    invitations.add(REX, "b", "another", seated=seated)
    over = seated[1:]
    invitations.add(REX, "a", "another", seated=over)  # one game is over


def test_an_invitation_that_is_answered_late_counts_too() -> None:
    now = 100.0
    invitations = Invitations(lambda: now)
    for number in range(MOST_TABLES):
        invitations.add(REX, "a", f"t{number}")
        now += PENDING_SECONDS
    with pytest.raises(Refused, match="that you invited it to"):
        invitations.add(REX, "a", "another")
    now += 600
    invitations.add(REX, "a", "another")  # none of them was answered


def test_an_invitation_that_was_not_sent_does_not_count() -> None:
    invitations = Invitations()
    invitations.add(REX, "a", "one")
    invitations.remove(REX, "a", "one")
    invitations.add(REX, "a", "two")


def test_memory_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("benben.web.invitations._MOST_REMEMBERED", 3)
    invitations = Invitations()
    for n in range(9):
        invitations.add(REX, f"a{n}", "t")
    assert len(invitations._invited) == 3
