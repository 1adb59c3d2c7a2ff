"""Reminders in the store: whom mail may be sent to, how much, and what is kept of them."""

from dataclasses import replace
from threading import Thread

import pytest
from sqlalchemy import text

from benben.store.database import StoreFailed
from benben.store.mail import (
    CONFIRM_WITHIN,
    DAY,
    REMEMBERED,
    MailQuota,
    Reminder,
    TooMuchMail,
    mailbox_hash,
)
from benben.store.store import Store
from benben.store.tables import StoredTable
from benben.table.tokens import hashed
from tests.store.databases import create, give, on_sqlite, together

ANN = "ann@example.org"
NOON = 20_000 * DAY + DAY // 2
MOST = 20


def asked(store: Store, seat: int = 0, address: str = ANN, at: int = NOON) -> Reminder:
    """A reminder of a seat that somebody holds."""
    if store.seat_of_token(f"token {seat}", "t") is None:
        give(store, "t", seat, f"token {seat}")
    reminder = Reminder("t", seat, f"feed {seat} {at}", address, "fr", 7)
    kept = store.reminders.set(reminder, at)
    assert kept is not None
    return kept


def confirmed(store: Store, seat: int = 0, address: str = ANN, at: int = NOON) -> Reminder:
    reminder = asked(store, seat, address, at)
    store.reminders.claim_confirmation(reminder, f"link {seat}", at, MOST)
    box = store.reminders.by_link(f"link {seat}", at)
    assert box is not None
    assert store.reminders.confirm(box, reminder.feed, at)
    return replace(reminder, unconfirmed=None)


def everything(store: Store) -> str:
    """All that is kept of reminders and mailboxes."""
    with store.writer.engine.connect() as connection:
        found = [
            connection.execute(text(f"SELECT * FROM {table}")).all()
            for table in ("reminders", "mailboxes")
        ]
    return str(found)


# ---- Of seats


def test_a_seat_has_one_reminder_as_long_as_somebody_holds_it(store: Store) -> None:
    reminders = store.reminders
    first = Reminder("t", 1, "hash 1", ANN, "fr", 7)
    assert reminders.set(first, NOON) is None, "nobody sits there"
    assert reminders.of_seat("t", 1) is None
    other = asked(store, 2, "")
    first = asked(store, 1)
    assert (first.address, first.unconfirmed) == (ANN, NOON)
    assert reminders.of_seat("t", 1) == reminders.by_feed(first.feed) == first
    second = asked(store, 1, "", NOON + 1)
    assert reminders.by_feed(first.feed) is None
    assert reminders.of_seat("t", 1) == reminders.by_feed(second.feed) == second
    reminders.drop("t", 1)
    reminders.drop("t", 1)
    assert reminders.of_seat("t", 1) is None
    assert store.seat_of_token("token 1", "t") == 1
    asked(store, 1)
    give(store, "t", 1, None)
    assert reminders.of_seat("t", 1) is None
    assert ANN not in everything(store)
    assert reminders.of_seat("t", 2) == other
    for unknown in ("none", "\0"):
        assert reminders.of_seat(unknown, 1) is reminders.by_feed(unknown) is None
    with pytest.raises(StoreFailed, match="cannot be kept"):
        reminders.set(Reminder("t", 2, "hash", "\0", "en", 0), NOON)


@on_sqlite
def test_an_address_confirmed_for_a_seat_stays_so_and_another_does_not(store: Store) -> None:
    confirmed(store)
    assert asked(store, at=NOON + 1).confirmed
    assert not asked(store, address="ann+x@example.org", at=NOON + 2).confirmed
    assert not asked(store, at=NOON + 3).confirmed, "it was given up in between"
    assert not asked(store, 1).confirmed, "another seat is another request"


# ---- Mail about turns


@on_sqlite
def test_mail_is_sent_only_to_a_confirmed_address(store: Store) -> None:
    waiting = asked(store)
    assert store.reminders.claim_turn(waiting, 9, NOON, MOST) is None
    sure = confirmed(store, at=NOON + 1)
    assert store.reminders.claim_turn(sure, 9, NOON, MOST)


def test_of_servers_that_would_remind_at_once_one_does(store: Store, database: str) -> None:
    reminder = confirmed(store)
    with Store.open(database) as other:
        answers: list[str | None] = []

        def remind(server: Store) -> None:
            answers.append(server.reminders.claim_turn(reminder, 9, NOON, MOST))

        together([Thread(target=remind, args=[each]) for each in (store, other, store, other)])
    assert [each is None for each in answers].count(False) == 1
    kept = store.reminders.of_seat("t", 0)
    assert kept == replace(reminder, known=9)
    store.reminders.return_turn(reminder, 9, NOON)
    assert store.reminders.of_seat("t", 0) == reminder, "it was not sent after all"


@on_sqlite
def test_an_address_gets_so_many_mails_a_day_and_no_more(store: Store, database: str) -> None:
    spellings = [ANN, "Ann@Example.org", "ann+games@example.org"]
    people = [confirmed(store, seat, each) for seat, each in enumerate(spellings)]  # 3 mails
    for number in range(8, 11):
        for i, each in enumerate(people):
            with_limit = store.reminders.claim_turn(each, number, NOON, 8)
            assert (with_limit is None) == (3 + 3 * (number - 8) + i >= 8)
            people[i] = replace(each, known=number)
    with Store.open(database) as other:  # as after a restart, or beside this one
        assert other.reminders.claim_turn(people[0], 20, NOON, 8) is None
        people[0] = replace(people[0], known=20)
        tomorrow = NOON + DAY
        assert other.reminders.claim_turn(people[0], 21, tomorrow, 1)
        assert other.reminders.claim_turn(people[1], 21, tomorrow, 1) is None
        other.reminders.return_turn(people[0], 21, tomorrow)
        people[1] = replace(people[1], known=21)
        assert other.reminders.claim_turn(people[1], 22, tomorrow, 1), "one was not sent"


def test_servers_together_keep_to_the_cap(store: Store, database: str) -> None:
    people = [confirmed(store, seat, at=NOON - DAY) for seat in range(8)]
    with Store.open(database) as other:
        sent: list[str] = []

        def remind(server: Store, reminder: Reminder) -> None:
            if (stop := server.reminders.claim_turn(reminder, 9, NOON, 3)) is not None:
                sent.append(stop)

        both = (store, other)
        jobs = [(both[i % 2], each) for i, each in enumerate(people)]
        together([Thread(target=remind, args=job) for job in jobs])
    assert len(sent) == 3


# ---- Confirming


def test_one_link_is_sent_however_many_ask(store: Store, database: str) -> None:
    people = [asked(store, seat) for seat in range(4)]
    with Store.open(database) as other:
        sent: list[str] = []

        def ask(server: Store, reminder: Reminder) -> None:
            link = f"link {reminder.seat}"
            if server.reminders.claim_confirmation(reminder, link, NOON, MOST):
                sent.append(link)

        both = (store, other)
        jobs = [(both[i % 2], each) for i, each in enumerate(people)]
        together([Thread(target=ask, args=job) for job in jobs])
    assert len(sent) == 1
    late = NOON + CONFIRM_WITHIN
    assert store.reminders.by_link(sent[0], late - 1)
    assert store.reminders.by_link(sent[0], late) is None
    again = asked(store, 5, "ANN+again@example.org", late)
    assert store.reminders.claim_confirmation(again, "another", late, MOST)


def test_a_link_confirms_what_its_owner_chooses(store: Store) -> None:
    mine, strangers = asked(store, 0), asked(store, 1, at=NOON + 1)
    assert store.reminders.claim_confirmation(strangers, "link", NOON, MOST)
    assert store.reminders.claim_confirmation(mine, "other link", NOON, MOST) is None
    box = store.reminders.by_link("link", NOON)
    assert box is not None
    assert store.reminders.waiting(box, NOON) == [strangers, mine], "the newest first"
    assert store.reminders.confirm(box, mine.feed, NOON)
    assert store.reminders.waiting(box, NOON) == [strangers]
    assert not store.reminders.confirm(box, mine.feed, NOON), "nothing waits any more"
    bob = asked(store, 2, "bob@example.org")
    assert not store.reminders.confirm(box, bob.feed, NOON), "it is not theirs"
    third = asked(store, 3)
    assert store.reminders.claim_confirmation(third, "third", NOON, MOST) is None
    assert store.reminders.confirm(box, third.feed, NOON), "the first link is still good"
    assert store.reminders.confirm(box, strangers.feed, NOON)
    assert store.reminders.by_link("link", NOON) is None, "it has done its work"
    assert store.reminders.claim_confirmation(asked(store, 4), "next", NOON, MOST)


@on_sqlite
def test_a_link_that_could_not_be_sent_can_be_sent_again(store: Store) -> None:
    reminder = asked(store)
    assert store.reminders.claim_confirmation(reminder, "lost", NOON, 1)
    store.reminders.return_confirmation(reminder, "lost", NOON)
    assert store.reminders.by_link("lost", NOON) is None
    assert store.reminders.claim_confirmation(reminder, "link", NOON, 1)


# ---- Quotas of confirmations


def request(
    store: Store, table: str, sender: str, address: str, at: int = NOON, total: int = MOST
) -> str:
    """Ask for mail at a table's first seat; the quota that is used up, if any."""
    reminder = Reminder(table, 0, f"feed {table}", address, "fr", 7)
    try:
        assert store.reminders.set(reminder, at, MailQuota(sender, 2, total)) is not None
    except TooMuchMail as error:
        return error.scope
    return ""


def tables_of(store: Store, *names: str) -> None:
    for name in names:
        create(store, StoredTable(name, 1, "", "", listed=True))
        give(store, name, 0, f"token {name}")


@on_sqlite
def test_a_sender_and_a_table_may_ask_for_so_many_confirmations_a_day(store: Store) -> None:
    tables_of(store, "a", "b", "c")
    boxes = [f"{n}@example.org" for n in range(9)]
    assert request(store, "a", "eve", boxes[0]) == ""
    assert request(store, "b", "eve", boxes[1]) == ""
    before = everything(store)
    assert request(store, "c", "eve", boxes[2]) == "sender", "whatever the table"
    assert everything(store) == before, "nothing has changed"
    assert request(store, "c", "ann", boxes[3]) == ""
    assert request(store, "c", "bob", boxes[4]) == "", "what was refused does not count"
    assert request(store, "c", "dan", boxes[5]) == "table", "for any sender"
    tomorrow = NOON + DAY
    assert request(store, "c", "eve", boxes[6], tomorrow) == ""
    assert request(store, "c", "eve", boxes[7], tomorrow) == ""
    assert request(store, "c", "eve", boxes[8], tomorrow) != ""


@on_sqlite
def test_a_stopped_address_counts_as_any_other_and_a_confirmed_one_does_not(store: Store) -> None:
    tables_of(store, "a", "b")
    reminder = asked(store)
    stop = store.reminders.claim_confirmation(reminder, "link", NOON, MOST)
    assert stop
    box = store.reminders.by_stop_key(stop)
    assert box is not None
    store.reminders.stop_all(box)
    assert [request(store, "a", "eve", ANN) for _ in range(3)] == ["", "", "table"]
    bob = "bob@example.org"
    assert request(store, "b", "bob", bob) == ""
    waiting = store.reminders.of_seat("b", 0)
    assert waiting is not None
    assert store.reminders.claim_confirmation(waiting, "bob's link", NOON, MOST)
    box = store.reminders.by_link("bob's link", NOON)
    assert box is not None
    assert store.reminders.confirm(box, waiting.feed, NOON)
    assert [request(store, "b", "bob", bob) for _ in range(3)] == ["", "", ""]


def test_servers_together_keep_to_the_total_of_a_day(store: Store, database: str) -> None:
    people = [asked(store, seat, f"{seat}@example.org") for seat in range(8)]
    with Store.open(database) as other:
        sent: list[Reminder] = []

        def ask(server: Store, reminder: Reminder) -> None:
            link = f"link {reminder.seat}"
            if server.reminders.claim_confirmation(reminder, link, NOON, MOST, 3):
                sent.append(reminder)

        both = (store, other)
        jobs = [(both[i % 2], each) for i, each in enumerate(people)]
        together([Thread(target=ask, args=job) for job in jobs])
    assert len(sent) == 3
    tables_of(store, "a", "b")
    assert request(store, "a", "eve", "eve@example.org", total=3) == "server"
    assert request(store, "a", "eve", "eve@example.org", total=4) == ""
    assert request(store, "b", "eve", "eve@example.org", NOON + DAY, total=3) == ""
    store.reminders.return_confirmation(sent[0], f"link {sent[0].seat}", NOON)
    late = next(each for each in people if each not in sent)
    assert store.reminders.claim_confirmation(late, "again", NOON, MOST, 3), "one was not sent"
    assert store.reminders.claim_confirmation(sent[1], "twice", NOON, MOST, 4) is None
    sender = next(each for each in people if each not in (*sent, late))
    assert store.reminders.claim_confirmation(sender, "fourth", NOON, MOST, 4), (
        "a mail that is not needed does not count"
    )


def test_counts_are_deleted_after_their_day(store: Store) -> None:
    tables_of(store, "a")
    assert request(store, "a", "eve", ANN) == ""

    def kept() -> list[str]:
        with store.writer.engine.connect() as connection:
            return [key for (key,) in connection.execute(text("SELECT key FROM mail_counts"))]

    assert "sender eve" in kept()
    store.cluster.heartbeat(NOON + DAY)
    assert kept() == []


# ---- What is kept, and for how long


def test_an_address_nobody_confirms_is_forgotten(store: Store) -> None:
    waiting, sure = asked(store, 0), confirmed(store, 1, "bob@example.org")
    late = NOON + CONFIRM_WITHIN
    store.cluster.heartbeat(late - 1)
    assert store.reminders.of_seat("t", 0) == waiting
    store.cluster.heartbeat(late)
    assert ANN not in everything(store)
    kept = store.reminders.by_feed(waiting.feed)
    assert kept == replace(waiting, address="", unconfirmed=None), "the feed goes on"
    assert store.reminders.of_seat("t", 1) == sure


def test_who_stops_all_mail_gets_none_until_they_allow_it(store: Store) -> None:
    create(store, StoredTable("u", 1, "", "", listed=True))
    give(store, "u", 0, "hash")
    first, second = confirmed(store, 0), asked(store, 1, "Ann+x@example.org")
    stop = store.reminders.claim_turn(first, 9, NOON, MOST)
    assert stop
    box = store.reminders.by_stop_key(stop)
    assert box is not None
    assert box.hash == mailbox_hash(ANN)
    store.reminders.stop_all(box)
    assert "ann" not in everything(store).lower(), "only a hash of the address is kept"
    for each in (first, second):
        kept = store.reminders.by_feed(each.feed)
        assert kept is not None
        assert kept.address == ""
    asking = Reminder("u", 0, "feed u", ANN, "en", 0)
    kept = store.reminders.set(asking, NOON)
    assert kept == replace(asking, address=""), "accepted, and not kept"
    late = NOON + 2 * REMEMBERED
    confirmed(store, 2, "bob@example.org", late)
    assert store.reminders.by_stop_key(stop), "what was stopped is remembered"
    assert store.reminders.claim_confirmation(asking, "link", late, MOST) is None
    store.reminders.allow(box)
    assert store.reminders.claim_confirmation(asked(store, 3, at=late), "link", late, MOST)


@on_sqlite
def test_a_mailbox_that_nothing_is_sent_to_is_forgotten(store: Store) -> None:
    stops = []
    for seat, address in enumerate((ANN, "bob@example.org")):
        stop = store.reminders.claim_turn(confirmed(store, seat, address), 9, NOON, MOST)
        assert stop
        stops.append(stop)
    store.reminders.drop("t", 0)
    for days, known in ((REMEMBERED - DAY, True), (REMEMBERED + DAY, False)):
        someone = asked(store, 2, "eve@example.org", NOON + days)
        store.reminders.claim_confirmation(someone, f"link {days}", NOON + days, MOST)
        assert (store.reminders.by_stop_key(stops[0]) is not None) == known
    assert store.reminders.by_stop_key(stops[1]) is not None, "he has reminders"


@pytest.mark.parametrize("same", ["ANN@example.ORG", "ann+x@example.org", "Ann+x+y@EXAMPLE.org"])
def test_spellings_of_one_mailbox(same: str) -> None:
    assert mailbox_hash(same) == mailbox_hash(ANN)
    assert mailbox_hash(f"b{same}") != mailbox_hash(ANN)
    assert mailbox_hash("+a@example.org") != mailbox_hash("+b@example.org")


@pytest.mark.parametrize("same", ["a.nn@gmail.com", "A.N.N+x@googlemail.com", "ann@googlemail.com"])
def test_spellings_of_one_gmail_box(same: str) -> None:
    assert mailbox_hash(same) == mailbox_hash("ann@gmail.com")
    assert mailbox_hash("a.nn@example.org") != mailbox_hash(ANN)
    assert mailbox_hash("ann@gmail.com.example.org") != mailbox_hash("ann@gmail.com")


@on_sqlite
def test_a_gmail_box_that_was_stopped_by_an_earlier_version_stays_stopped(store: Store) -> None:
    dotted = "a.nn+x@gmail.com"
    stop = store.reminders.claim_turn(confirmed(store, 0, dotted), 9, NOON, MOST)
    assert stop
    box = store.reminders.by_stop_key(stop)
    assert box is not None
    store.reminders.stop_all(box)
    with store.writer.engine.begin() as connection:  # as that version stored it
        former = {"old": hashed("a.nn@gmail.com"), "new": box.hash}
        connection.execute(text("UPDATE mailboxes SET hash = :old WHERE hash = :new"), former)
    assert asked(store, 1, dotted).address == ""
