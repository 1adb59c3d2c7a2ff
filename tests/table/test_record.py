"""The record of a table: kept, read again, and its luck checked."""

import hashlib
import hmac
import json

import msgspec
import pytest

import benben
from benben.core.errors import BenbenError
from benben.table import events
from benben.table.events import from_json
from benben.table.fairness import commitment, luck, new_secret
from benben.table.record import Different, Entry, TableRecord, anonymized, verify
from tests.configurations import GAMES, LABELS
from tests.live.playing import SECRET, Match, at_random, options_of, table_options
from tests.table import asking

DICE = benben.game("batisseurs")


def finished(game: benben.Game) -> Match:
    match = Match(options_of(game, drawn=True))
    match.fill()
    match.play(at_random(1))
    return match


def changed(record: TableRecord, number: int, event: events.AnyEvent) -> TableRecord:
    entries = [
        Entry(entry.number, entry.at, event if entry.number == number else entry.event)
        for entry in record.entries
    ]
    return msgspec.structs.replace(record, entries=tuple(entries))


def number_of(record: TableRecord, kind: type) -> int:
    return next(entry.number for entry in record.entries if isinstance(entry.event, kind))


# ---- Luck


def test_the_key_of_all_luck() -> None:
    """Written out once more, as somebody who checks us would write it."""
    secret = new_secret()
    assert commitment(secret) == hashlib.sha256(bytes.fromhex(secret)).hexdigest()
    key = hmac.new(bytes.fromhex(secret), b"one\nthree", hashlib.sha256).digest()
    stream, ours = benben.RandomStream(key), luck(secret, {3: "three", 1: "one"})
    assert [stream.below(1000) for _ in range(20)] == [ours.below(1000) for _ in range(20)]
    later = luck(secret, {1: "one", 3: "three"}, 20)
    assert later.below(1000) == stream.below(1000)


def test_secrets_are_new() -> None:
    assert len({new_secret() for _ in range(100)}) == 100
    assert all(len(new_secret()) == 64 for _ in range(3))


def test_every_nonce_changes_the_luck() -> None:
    def start(nonce: str) -> str:
        match = Match(table_options("objectif"))
        match.store(asking.sit(match.table, 0, "Ann", "same"))
        match.store(asking.sit(match.table, 1, "Bob", nonce))
        match.settle()
        return str(match.table.start)

    assert start("x") == start("x")
    assert len({start(nonce) for nonce in "abcdef"}) == 6


# ---- Records


@pytest.mark.parametrize("game", GAMES, ids=LABELS)
def test_a_record_is_read_again_and_its_luck_is_right(game: benben.Game) -> None:
    match = finished(game)
    record = TableRecord.parse(str(match.record))
    assert record == match.record
    assert verify(record) == match.table.draws


def test_a_game_that_is_on_cannot_be_checked_yet() -> None:
    match = Match(table_options())
    match.fill()
    with pytest.raises(BenbenError, match="the game is still on"):
        verify(match.record)


def test_another_deal_or_throw_is_found_by_its_number() -> None:
    record = finished(DICE).record
    threw = number_of(record, events.Threw)
    event = record.entries[threw - 1].event
    assert isinstance(event, events.Threw)
    other = "=aaaaaa" if event.throw != "=aaaaaa" else "=bbbbbb"
    with pytest.raises(Different, match=f"event {threw}: should have been {event.throw}, by") as e:
        verify(changed(record, threw, events.Threw(other, event.draw)))
    assert e.value.number == threw
    with pytest.raises(Different, match=f"event {threw}: "):
        verify(changed(record, threw, events.Threw(event.throw, event.draw + 1)))
    objectif = finished(benben.game("objectif")).record
    began = number_of(objectif, events.Began)
    event = objectif.entries[began - 1].event
    assert isinstance(event, events.Began)
    start = event.start[:-2] + event.start[:-3:-1]  # goals exchanged
    with pytest.raises(Different, match=f"event {began}: should have been the start"):
        verify(changed(objectif, began, events.Began(event.order, start, event.draws)))


def test_another_nonce_or_secret_is_found() -> None:
    record = finished(DICE).record
    sat = record.entries[0].event
    assert isinstance(sat, events.Sat)
    began = number_of(record, events.Began)
    with pytest.raises(Different) as found:
        verify(changed(record, 1, events.Sat(sat.seat, sat.name, "another")))
    assert found.value.number >= began
    ended = record.entries[-1].event
    assert isinstance(ended, events.Ended)
    for secret in ("00" * 32, "no secret"):
        event = events.Ended(ended.shares, ended.reason, secret)
        with pytest.raises(Different, match=f"event {len(record.entries)}: the secret is"):
            verify(changed(record, len(record.entries), event))


def test_a_move_that_cannot_have_been_made_is_found() -> None:
    record = finished(benben.game("quadrille")).record
    moved = number_of(record, events.Moved)
    with pytest.raises(Different, match=f"event {moved}: cannot have happened: a1b2 is illegal"):
        verify(changed(record, moved, events.Moved(0, "a1b2")))


def test_a_move_out_of_turn_and_a_result_that_was_not_are_found() -> None:
    record = finished(benben.game("quadrille")).record
    moved = number_of(record, events.Moved)
    event = record.entries[moved - 1].event
    assert isinstance(event, events.Moved)
    with pytest.raises(Different, match=f"event {moved}: another seat was to move"):
        verify(changed(record, moved, events.Moved(1 - event.seat, event.move)))
    last = len(record.entries)
    ended = record.entries[-1].event
    assert isinstance(ended, events.Ended)
    forged = events.Ended(ended.shares[::-1], ended.reason, ended.secret)
    with pytest.raises(Different, match=f"event {last}: should have been the result"):
        verify(changed(record, last, forged))


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "this is not the record"),
        ("[]", "this is not the record"),
        ("{}", "this is not the record"),
        ("\xff", "this is not the record"),
    ],
)
def test_texts_that_are_no_records(text: str, why: str) -> None:
    with pytest.raises(BenbenError, match=why):
        TableRecord.parse(text)


def test_records_of_other_forms_and_with_gaps() -> None:
    record = finished(benben.game("quadrille")).record
    with pytest.raises(
        BenbenError, match="the record is in format 2; this version reads only format 1"
    ):
        TableRecord.parse(str(msgspec.structs.replace(record, format=2)))
    with pytest.raises(BenbenError, match="without gaps"):
        TableRecord.parse(str(msgspec.structs.replace(record, entries=record.entries[1:])))
    assert record.secret == SECRET


def test_records_from_before_mean_what_they_meant() -> None:
    """What has been added since has a default: names of seats kept, resigning, who asked."""
    match = Match(table_options())
    match.fill()
    match.store(asking.resign(match.table, 0))
    match.settle()
    written = json.loads(str(match.record))
    for name in ("expected", "programs", "resign"):
        del written["terms"][name]
    old = TableRecord.parse(json.dumps(written))
    assert old == match.record
    assert verify(old) == match.table.draws
    assert from_json('{"kind":"rematched","table":"x"}') == events.Rematched("x")
    assert from_json('{"kind":"taken-over","seat":1,"level":3}') == events.TakenOver(1, 3)


# ---- Texts that no table stores


def ended(*before: events.AnyEvent) -> TableRecord:
    """A game of two that ends after some events."""
    match = Match(table_options())
    match.fill()
    for event in before:
        match.store(event)
    match.store(asking.resign(match.table, 0))
    match.settle()
    return match.record


@pytest.mark.parametrize(
    ("event", "why"),
    [
        (events.Said(0, "x" * 301), "at most 300 printable"),
        (events.Said(0, "two\nlines"), "at most 300 printable"),
        (events.Said(0, phrase="Sign in at evil.example"), "the phrases are hello"),
        (events.Said(2, "Hello"), "there is no seat 3"),
        (events.Said(-1, "Hello"), "there is no seat 0"),
        (events.TakenOver(1, 99), "there is no level 99"),
        (events.Rematched("Sign in at evil.example"), "not the id of a table"),
    ],
)
def test_an_event_that_no_table_stores_is_found(event: events.AnyEvent, why: str) -> None:
    record = ended(events.Said(0, "x" * 300), events.Said(1, phrase="hello"))
    assert verify(record) == 0
    with pytest.raises(Different, match=f"event 4: .*{why}") as found:
        verify(changed(record, 4, event))
    assert found.value.number == 4


@pytest.mark.parametrize(
    ("sat", "why"),
    [
        (events.Sat(0, "x" * 100, "n"), "the name is too long"),
        (events.Sat(0, "x\ny", "n"), "the name is too long"),
        (events.Sat(0, "Ann", "x" * 65), "a nonce has 1 to 64"),
        (events.Sat(0, "Ann", ""), "a nonce has 1 to 64"),
        (events.Sat(0, "Ann", "", commitment="x" * 100), "a commitment is the SHA-256"),
        (events.Sat(0, "Ann", "n", commitment="5e" * 32), "there is a nonce and"),
    ],
)
def test_a_seat_that_no_table_gives_is_found(sat: events.Sat, why: str) -> None:
    with pytest.raises(Different, match=f"event 1: {why}"):
        verify(changed(ended(), 1, sat))


def test_terms_that_no_table_has_are_found() -> None:
    record = ended()
    long = "x" * 100
    for other, why in (
        (msgspec.structs.replace(record.options, expected=(long, "")), "too long"),
        (msgspec.structs.replace(record.options, bot_names=("", long)), "too long"),
        (msgspec.structs.replace(record.options, programs=(7,)), "does not exist"),
        (msgspec.structs.replace(record.options, programs=(0,) * 1000), "does not exist"),
    ):
        with pytest.raises(BenbenError, match=why):
            verify(msgspec.structs.replace(record, options=other))
    with pytest.raises(BenbenError, match="the id of a record"):
        verify(msgspec.structs.replace(record, id="x" * 65))


@pytest.mark.parametrize("name", ["", "\ufdfd" * 24, "Z" + "\u0301" * 20, "é" * 24, "\u3164"])
def test_a_name_that_an_older_server_accepted_is_still_right(name: str) -> None:
    """Also that of somebody who was erased."""
    record = ended()
    sat = record.entries[0].event
    assert isinstance(sat, events.Sat)
    verify(changed(record, 1, events.Sat(sat.seat, name, sat.nonce)))


def test_a_record_without_people_is_the_same_game() -> None:
    record = ended(events.Said(0, "my words"), events.Said(1, phrase="hello"))
    named = msgspec.structs.replace(
        record.options, expected=("Cleo", ""), programs=(0,), bot_names=("Dan", "Eve")
    )
    stripped = anonymized(msgspec.structs.replace(record, options=named))
    assert verify(stripped) == verify(record)
    text = str(stripped)
    assert not [word for word in ("Ann", "my words", "Cleo", "Dan", "Eve") if word in text]
    assert "hello" in text
    ours = msgspec.structs.replace(record.options, bot_names=("Bak", "Teti"))
    kept = anonymized(msgspec.structs.replace(record, options=ours))
    assert kept.options.bot_names == ("Bak", "Teti")
