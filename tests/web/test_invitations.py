"""One address has one invitation of a bot pending, and some of its tables, not all."""

import pytest

from benben.web.invitations import MOST_TABLES, PENDING_SECONDS, Invitations


def test_an_invitation_is_pending_for_a_while() -> None:
    now = 100.0
    invitations = Invitations(lambda: now)
    assert invitations.pending("rex", "a") == ""
    invitations.add("rex", "a", "one")
    assert invitations.pending("rex", "a") == "one"
    assert invitations.pending("rex", "b") == ""
    now += PENDING_SECONDS
    assert invitations.pending("rex", "a") == ""


def test_one_address_has_a_part_of_a_bots_tables() -> None:
    invitations = Invitations()
    tables = {f"t{n}" for n in range(MOST_TABLES)}
    for table in sorted(tables):
        assert not invitations.full("rex", "a", tables)
        invitations.add("rex", "a", table)
    assert invitations.full("rex", "a", tables)
    assert not invitations.full("rex", "b", tables)
    assert not invitations.full("rex", "a", tables - {"t3"}), "one game is over"


def test_memory_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("benben.web.invitations._MOST_REMEMBERED", 3)
    invitations = Invitations()
    for n in range(9):
        invitations.add("rex", f"a{n}", "t")
    assert len(invitations._invited) == 3
