"""Actions for a seat of a table, without tokens, and the events they become."""

from benben.core.position import Position
from benben.table import actions, events
from benben.table.events import AnyEvent, Strength
from benben.table.table import Change, Table


def next_event(table: Table, now: int) -> AnyEvent | None:
    return event_of(table.next_automatic_event(now))


def sit(
    table: Table,
    seat: int,
    name: str,
    nonce: str = "",
    program: bool = False,
    expected: bool = False,
    commitment: str = "",
) -> events.Sat:
    event = actions.Sit("", seat, name, nonce, program, expected, commitment).check(table).event
    assert isinstance(event, events.Sat)
    return event


def decline(table: Table, seat: int) -> AnyEvent | None:
    return event_of(actions.Decline("", seat).check(table))


def commit(table: Table, seat: int, commitment: str) -> AnyEvent | None:
    return event_of(actions.Commit("", commitment).check(table, seat))


def reveal(table: Table, seat: int, nonce: str) -> AnyEvent | None:
    return event_of(actions.Reveal("", nonce).check(table, seat))


def move(table: Table, seat: int, move: str, number: int | None = None) -> Change:
    return actions.Move("", move, number).check(table, seat)


def ask_undo(table: Table, seat: int) -> AnyEvent:
    return actions.AskUndo("").check(table, seat).event


def answer_undo(table: Table, seat: int, granted: bool) -> AnyEvent:
    return actions.AnswerUndo("", granted).check(table, seat).event


def resign(table: Table, seat: int) -> AnyEvent:
    return actions.Resign("").check(table, seat).event


def say(table: Table, seat: int, text: str = "", phrase: str = "") -> AnyEvent:
    return actions.Say("", text, phrase).check(table, seat).event


def hint(
    table: Table,
    seat: int,
    strength: Strength,
    number: int | None = None,
    about: Position | None = None,
) -> AnyEvent | None:
    return event_of(actions.AskHint("", strength, number, about).check(table, seat))


def leave(table: Table, seat: int) -> AnyEvent | None:
    return event_of(actions.Leave("").check(table, seat))


def reclaim(table: Table, seat: int) -> AnyEvent:
    return actions.Reclaim("").check(table, seat).event


def seat_bot(table: Table, seat: int, level: int) -> AnyEvent:
    return actions.SeatBot("", seat, level).check(table, seat).event


def event_of(change: Change | None) -> AnyEvent | None:
    return None if change is None else change.event
