"""When a table next needs a server: of every state it can be in, and after every move."""

import asyncio
from pathlib import Path

import pytest
from msgspec.structs import replace

import benben
from benben.live.deadlines import NOTHING, Deadlines
from benben.live.session import TableSession
from benben.live.tables import EXPIRY
from benben.store.event_log import Deadline
from benben.table import actions, events
from benben.table.events import AnyEvent
from benben.table.options import Days, LiveClock, NoClock, Pace
from benben.table.record import TableRecord, rebuild, verify
from benben.table.table import Change, Refused
from tests.configurations import GAMES, LABELS
from tests.live.playing import SECRET, Match, at_random, first, terms, terms_of
from tests.live.servers import Time, made, match, run, sit, token, until
from tests.table import asking

DAY = 24 * 3600 * 1000
HOUR, MINUTE = 3600 * 1000, 60 * 1000
NEEDS = Deadlines(DAY, [MINUTE, HOUR])


def session(of: Match) -> TableSession:
    return TableSession("table", of.table, of.entries, opened=of.now)


def owed(session: TableSession, now: int) -> AnyEvent | None:
    return asking.event_of(NEEDS.next_automatic_event(session, now))


def need(of: Match, now: int | None = None) -> Deadline:
    return NEEDS.of(session(of), of.now if now is None else now)


# ---- Every state


def test_a_table_without_a_game_is_closed_some_time_after_its_last_event() -> None:
    empty = Match(terms())
    opened = empty.now
    assert NEEDS.of_new(opened) == opened + DAY
    assert need(empty) == Deadline(opened + DAY)
    empty.store(asking.sit(empty.table, 0, "Ann", "n"))
    at = empty.entries[-1].at
    assert need(empty) == Deadline(at + DAY)
    assert owed(session(empty), at + DAY - 1) is None
    assert owed(session(empty), at + DAY) == events.Expired()
    assert need(empty, at + DAY) == Deadline(at + DAY)
    empty.store(events.Expired())
    assert need(empty, at + DAY) == NOTHING
    assert owed(session(empty), at + 2 * DAY) is None


def test_who_has_no_clock_is_not_waited_for() -> None:
    people = Match(terms())
    people.fill()
    assert need(people) == NOTHING
    assert owed(session(people), people.now + 9 * EXPIRY) is None, "a game does not expire"


def test_a_clock_is_due_when_it_runs_out() -> None:
    live = Match(terms(pace=LiveClock(60)))
    live.fill()
    ends = live.table.clock.runs_out
    assert ends is not None
    assert need(live) == Deadline(ends)
    assert need(live, ends) == Deadline(ends)
    assert isinstance(owed(session(live), ends), events.TimedOut)


def test_who_has_days_is_reminded_before() -> None:
    days = Match(terms(pace=Days(2)))
    days.fill()
    came = days.table.turns[-1].at
    assert need(days, came) == Deadline(came + MINUTE)
    assert not NEEDS.is_reminded(session(days), came + MINUTE - 1)
    assert NEEDS.is_reminded(session(days), came + MINUTE)
    assert need(days, came + MINUTE) == Deadline(came + HOUR)
    assert need(days, came + HOUR) == Deadline(came + 2 * DAY)
    assert not Deadlines(DAY).is_reminded(session(days), came + HOUR)
    assert Deadlines(DAY).of(session(days), came) == Deadline(came + 2 * DAY)
    live = Match(terms(pace=LiveClock(7200)))
    live.fill()
    assert not NEEDS.is_reminded(session(live), live.now + HOUR), "they are there, or lose"


def test_a_bot_has_to_be_let_think_at_once() -> None:
    bots = Match(terms(bots=(0, 1), pace=LiveClock(60)))
    bots.fill()
    bots.decide(first)
    assert bots.table.bot_to_move == 1
    assert need(bots) == Deadline(bots.now, bot=True)


def test_what_follows_by_itself_is_due_at_once() -> None:
    dice = Match(terms("batisseurs", pace=LiveClock(60)))
    dice.fill(begin=False)
    assert isinstance(asking.next_event(dice.table, dice.now), events.Began)
    assert need(dice) == Deadline(dice.now)
    dice.store(asking.next_event(dice.table, dice.now))
    assert isinstance(asking.next_event(dice.table, dice.now), events.Threw)
    assert need(dice) == Deadline(dice.now)
    dice.settle()
    dice.store(asking.resign(dice.table, 0))
    assert isinstance(asking.next_event(dice.table, dice.now), events.Ended)
    assert need(dice) == Deadline(dice.now)
    dice.settle()
    assert dice.table.closed
    assert need(dice) == NOTHING


@pytest.mark.parametrize("bots", [(), (0, 1)])
def test_a_game_by_unknown_rules_is_not_gone_on_with(bots: tuple[int, ...]) -> None:
    played = Match(terms(bots=bots, pace=LiveClock(60)))
    played.fill()
    if bots:
        played.decide(first)
    other = replace(played.table.terms, rules=99)
    table = rebuild(other, SECRET, played.entries)
    assert not table.playable
    kept = TableSession("table", table, played.entries)
    assert NEEDS.of(kept, played.now + HOUR) == NOTHING
    lobby = TableSession("table", rebuild(other, SECRET, []), [], opened=5)
    assert NEEDS.of(lobby, 5) == Deadline(5 + DAY), "but it is not kept open for ever"


@pytest.mark.parametrize("pace", [LiveClock(600), Days(1)])
def test_whoever_comes_back_in_a_turn_that_came_to_a_bot(pace: Pace) -> None:
    """That turn is in nobody's list of turns."""
    away = Match(terms("objectif", bots=(1, 0, 0), players=3, first=1, pace=pace, leaver="bot"))
    away.fill()
    away.store(asking.leave(away.table, 1))
    away.decide(first)
    assert (away.table.to_move, away.table.turns) == (1, [])
    away.store(asking.reclaim(away.table, 1))
    assert away.table.bot_to_move is None
    assert need(away) == Deadline(away.table.clock.runs_out)
    assert not NEEDS.is_reminded(session(away), away.now + HOUR)


# ---- After every move


@pytest.mark.parametrize("pace", [NoClock(), LiveClock(600, 5), Days(1)])
@pytest.mark.parametrize("game", GAMES, ids=LABELS)
def test_what_a_move_will_need_is_what_it_needs(game: benben.Game, pace: Pace) -> None:
    for seed in range(2):
        bots = (0, 1, 0, 1)[: game.players] if seed else ()
        played = Checked(terms_of(game, bots, pace=pace, secret=f"{seed:064}"), f"{seed:064}")
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
            foretold = NEEDS.after(session(self), event, self.now)
            super().store(event)
            assert foretold == need(self, self.entries[-1].at)
            self.checked += 1
            self.now += 7 * 1000  # a turn of several moves has more than one reminder's time


def test_other_events_are_looked_at_at_once_or_change_nothing() -> None:
    lobby = Match(terms())
    assert NEEDS.after(session(lobby), Change(events.Sat(0, "Ann", "n")), 7) == Deadline(7)
    assert NEEDS.after(session(lobby), Change(events.Said(0, "hello")), 7) is None
    assert NEEDS.after(session(lobby), Change(events.Expired()), 7) == NOTHING
    assert NEEDS.after(session(lobby), Change(events.Ended((1.0, 0.0), "x", "")), 7) == NOTHING


# ---- By a server that runs


def test_a_table_where_no_game_begins_is_closed(tmp_path: Path) -> None:
    async def play() -> None:
        async with match(tmp_path, expiry=600) as tables:  # time to sit down, also if busy
            played = (await tables.open(made(terms()))).id
            for seat in (0, 1):
                await sit(tables, played, seat)
            name = (await tables.open(made(terms(listed=True)))).id
            waiting = await tables.find(name)
            await until(tables, name, lambda table: table.expired)
            assert [type(entry.event) for entry in waiting.entries] == [events.Expired]
            assert waiting.table.closed
            assert not waiting.table.over
            assert tables.store.open_tables([name]) == []
            assert tables.store.next_due([False, True]) is None
            with pytest.raises(Refused, match="had not begun in time"):
                await sit(tables, name, 0)
            assert not (await tables.find(played)).table.closed

    run(play())


def test_or_by_one_that_was_not_there_in_time(tmp_path: Path) -> None:
    now = Time()

    async def play() -> None:
        async with match(tmp_path, now) as tables:
            name = (await tables.open(made(terms(listed=True)))).id
            await sit(tables, name, 1)
            assert [each.id for each in tables.store.open_tables([name])] == [name]
        now.ms += EXPIRY
        async with match(tmp_path, now) as tables:
            await until(tables, name, lambda table: table.expired)
            assert tables.store.open_tables([name]) == []
            for refused in (
                tables.act(name, actions.Sit(token(0), 0, "Ann", "n")),
                tables.act(name, actions.SeatBot(token(1), 0, 3)),
                tables.rematch(name, token(1)),
            ):
                with pytest.raises(Refused) as error:
                    await refused
                assert (error.value.code, error.value.number) == ("expired", 2)
            await tables.act(name, actions.Leave(token(1)))
            assert tables.store.open_tables([name]) == [], "a seat is free, but nobody can sit down"

    run(play())


def test_somebody_who_comes_puts_it_off(tmp_path: Path) -> None:
    now = Time()

    async def play() -> None:
        async with match(tmp_path, now) as tables:
            name = (await tables.open(made(terms("objectif", players=3)))).id
            assert tables.store.next_due([False, True]) == now.ms + EXPIRY
            now.ms += EXPIRY - 1
            await sit(tables, name, 0)
            assert tables.store.next_due([False, True]) == now.ms + EXPIRY
        now.ms += EXPIRY - 1
        async with match(tmp_path, now) as tables:
            await sit(tables, name, 1)
            await sit(tables, name, 2)
            assert (await tables.find(name)).table.begun

    run(play())


def test_reminders_come_one_by_one(tmp_path: Path) -> None:
    """Far enough apart for a busy machine: what is overdue is left out."""

    async def play() -> None:
        async with match(tmp_path, reminders=[500, 1000]) as tables:
            told: asyncio.Queue[int] = asyncio.Queue()
            tables.on_reminder = lambda session: told.put_nowait(tables.now())
            name = (await tables.open(made(terms(pace=Days(1))))).id
            for seat in (0, 1):
                await sit(tables, name, seat)
            came = (await tables.find(name)).table.turns[-1].at
            times = [await told.get(), await told.get()]
            assert times[0] >= came + 500
            assert times[1] >= came + 1000
            due = came + DAY
            while (
                tables.store.next_due([False, True]) != due
            ):  # what is due next is stored soon after
                await asyncio.sleep(0.01)
            assert told.empty()

    run(play())


# ---- Its record


def test_a_record_without_a_game_can_be_read_but_not_checked() -> None:
    lobby = Match(terms())
    lobby.store(asking.sit(lobby.table, 0, "Ann", "n"))
    lobby.store(events.Expired())
    record = TableRecord.parse(str(lobby.record))
    assert record.secret == ""
    assert rebuild(record.terms, "", record.entries).expired
    with pytest.raises(benben.BenbenError, match="closed before a game began"):
        verify(record)


def test_what_anybody_sees_of_it() -> None:
    lobby = Match(terms())
    before = session(lobby).views.whole(None, lobby.now)
    lobby.store(events.Expired())
    after = session(lobby).views.whole(None, lobby.now)
    assert (before.expired, after.expired) == (False, True)
    assert (after.secret, after.result) == ("", None)
