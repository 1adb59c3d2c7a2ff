"""When a server next has to act at a table: in every state, and after every move."""

import pytest
from msgspec.structs import replace

import benben
from benben.table import events
from benben.table.deadlines import NO_DEADLINE, Deadline, Deadlines
from benben.table.events import AnyEvent
from benben.table.options import Days, LiveClock, NoClock, Pace
from benben.table.record import TableRecord, rebuild, verify
from benben.table.table import Change
from benben.table.views import table_view
from tests.configurations import GAMES, LABELS
from tests.live.playing import SECRET, Match, at_random, first, options_of, table_options
from tests.table import asking

DAY = 24 * 3600 * 1000
HOUR, MINUTE = 3600 * 1000, 60 * 1000
DEADLINES = Deadlines(DAY, [MINUTE, HOUR])
OPENED = 1_000_000


def last_at(of: Match) -> int:
    return of.entries[-1].at if of.entries else OPENED


def next_event(of: Match, now: int) -> AnyEvent | None:
    return asking.event_of(DEADLINES.next_automatic_event(of.table, last_at(of), now))


def deadline(of: Match, now: int | None = None) -> Deadline:
    return DEADLINES.next_deadline(of.table, last_at(of), of.now if now is None else now)


# ---- Every state


def test_a_table_without_a_game_is_closed_some_time_after_its_last_event() -> None:
    empty = Match(table_options())
    opened = empty.now
    assert DEADLINES.of_new(opened) == opened + DAY
    assert deadline(empty) == Deadline(opened + DAY)
    empty.store(asking.sit(empty.table, 0, "Ann", "n"))
    at = empty.entries[-1].at
    assert deadline(empty) == Deadline(at + DAY)
    assert next_event(empty, at + DAY - 1) is None
    assert next_event(empty, at + DAY) == events.Expired()
    assert deadline(empty, at + DAY) == Deadline(at + DAY)
    empty.store(events.Expired())
    assert deadline(empty, at + DAY) == NO_DEADLINE
    assert next_event(empty, at + 2 * DAY) is None


def test_who_has_no_clock_is_not_waited_for() -> None:
    people = Match(table_options())
    people.fill()
    assert deadline(people) == NO_DEADLINE
    assert next_event(people, people.now + 99 * DAY) is None, "a game does not expire"


def test_a_clock_is_due_when_it_runs_out() -> None:
    live = Match(table_options(pace=LiveClock(60)))
    live.fill()
    ends = live.table.clock.runs_out_at
    assert ends is not None
    assert deadline(live) == Deadline(ends)
    assert deadline(live, ends) == Deadline(ends)
    assert isinstance(next_event(live, ends), events.TimedOut)


def test_who_has_days_is_reminded_before() -> None:
    days = Match(table_options(pace=Days(2)))
    days.fill()
    came = days.table.turns[-1].at
    assert deadline(days, came) == Deadline(came + MINUTE)
    assert not DEADLINES.is_reminded(days.table, came + MINUTE - 1)
    assert DEADLINES.is_reminded(days.table, came + MINUTE)
    assert deadline(days, came + MINUTE) == Deadline(came + HOUR)
    assert deadline(days, came + HOUR) == Deadline(came + 2 * DAY)
    assert not Deadlines(DAY).is_reminded(days.table, came + HOUR)
    assert Deadlines(DAY).next_deadline(days.table, last_at(days), came) == Deadline(came + 2 * DAY)
    live = Match(table_options(pace=LiveClock(7200)))
    live.fill()
    assert not DEADLINES.is_reminded(live.table, live.now + HOUR), "they are there, or lose"


def test_a_bot_has_to_be_let_think_at_once() -> None:
    bots = Match(table_options(bots=(0, 1), pace=LiveClock(60)))
    bots.fill()
    bots.decide(first)
    assert bots.table.bot_to_move == 1
    assert deadline(bots) == Deadline(bots.now, bot=True)


def test_what_follows_by_itself_is_due_at_once() -> None:
    dice = Match(table_options("batisseurs", pace=LiveClock(60)))
    dice.fill(begin=False)
    assert isinstance(asking.next_event(dice.table, dice.now), events.Began)
    assert deadline(dice) == Deadline(dice.now)
    dice.store(asking.next_event(dice.table, dice.now))
    assert isinstance(asking.next_event(dice.table, dice.now), events.Threw)
    assert deadline(dice) == Deadline(dice.now)
    dice.settle()
    dice.store(asking.resign(dice.table, 0))
    assert isinstance(asking.next_event(dice.table, dice.now), events.Ended)
    assert deadline(dice) == Deadline(dice.now)
    dice.settle()
    assert dice.table.closed
    assert deadline(dice) == NO_DEADLINE


@pytest.mark.parametrize("bots", [(), (0, 1)])
def test_a_game_by_unknown_rules_is_not_gone_on_with(bots: tuple[int, ...]) -> None:
    played = Match(table_options(bots=bots, pace=LiveClock(60)))
    played.fill()
    if bots:
        played.decide(first)
    other = replace(played.table.options, rules=99)
    table = rebuild(other, SECRET, played.entries)
    assert not table.playable
    assert DEADLINES.next_deadline(table, last_at(played), played.now + HOUR) == NO_DEADLINE
    lobby = rebuild(other, SECRET, [])
    assert DEADLINES.next_deadline(lobby, 5, 5) == Deadline(5 + DAY), (
        "but it is not kept open for ever"
    )


@pytest.mark.parametrize("pace", [LiveClock(600), Days(1)])
def test_whoever_comes_back_in_a_turn_that_came_to_a_bot(pace: Pace) -> None:
    """That turn is in nobody's list of turns."""
    away = Match(
        table_options("objectif", bots=(1, 0, 0), players=3, first=1, pace=pace, leaver="bot")
    )
    away.fill()
    away.store(asking.leave(away.table, 1))
    away.decide(first)
    assert (away.table.to_move, away.table.turns) == (1, [])
    away.store(asking.reclaim(away.table, 1))
    assert away.table.bot_to_move is None
    assert deadline(away) == Deadline(away.table.clock.runs_out_at)
    assert not DEADLINES.is_reminded(away.table, away.now + HOUR)


# ---- After every move


@pytest.mark.parametrize("pace", [NoClock(), LiveClock(600, 5), Days(1)])
@pytest.mark.parametrize("game", GAMES, ids=LABELS)
def test_what_a_move_will_need_is_what_it_needs(game: benben.Game, pace: Pace) -> None:
    for seed in range(2):
        bots = (0, 1, 0, 1)[: game.players] if seed else ()
        played = Checked(options_of(game, bots, pace=pace, secret=f"{seed:064}"), f"{seed:064}")
        played.fill()
        played.play(at_random(seed), 150)
        assert played.checked > 10


class Checked(Match):
    """What is foretold of every move and throw is compared with what is so then."""

    checked = 0

    def store(self, event: AnyEvent | Change | None) -> None:
        if not isinstance(event, Change) or not event.event.traits.step:
            super().store(event)
        else:
            foretold = DEADLINES.deadline_after(self.table, event, self.now)
            super().store(event)
            assert foretold == deadline(self, self.entries[-1].at)
            self.checked += 1
            self.now += 7 * 1000  # a turn of several moves has more than one reminder's time


def test_other_events_are_looked_at_at_once_or_change_nothing() -> None:
    table = Match(table_options()).table
    for event, expected in (
        (events.Sat(0, "Ann", "n"), Deadline(7)),
        (events.Said(0, "hello"), None),
        (events.Expired(), NO_DEADLINE),
        (events.Ended((1.0, 0.0), "x", ""), NO_DEADLINE),
    ):
        assert DEADLINES.deadline_after(table, Change(event), 7) == expected


# ---- The record of a table that expired


def test_a_record_without_a_game_can_be_read_but_not_checked() -> None:
    lobby = Match(table_options())
    lobby.store(asking.sit(lobby.table, 0, "Ann", "n"))
    lobby.store(events.Expired())
    record = TableRecord.parse(str(lobby.record))
    assert record.secret == ""
    assert rebuild(record.options, "", record.entries).expired
    with pytest.raises(benben.BenbenError, match="closed before a game began"):
        verify(record)


def test_what_anybody_sees_of_it() -> None:
    lobby = Match(table_options())
    before = table_view(lobby.table, None, lobby.now)
    lobby.store(events.Expired())
    after = table_view(lobby.table, None, lobby.now)
    assert (before.expired, after.expired) == (False, True)
    assert (after.secret, after.result) == ("", None)
