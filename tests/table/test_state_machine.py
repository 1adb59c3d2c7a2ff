"""Test a table under any sequence of commands, throws, bot moves and waiting.

The rules of the state machine send commands with good and bad arguments. A refused command must not
change the table; what an accepted one may do is asserted beside it, from what the table was before.
The invariants compare the table with a replica that only gets its stored events, and with what
viewers and the deadline queue know of it.
"""

from collections.abc import Callable, Sequence
from itertools import count
from typing import Any, get_args

import msgspec
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from benben.bots.levels import LEVELS
from benben.core.errors import BadNotation, IllegalMove
from benben.core.position import Position
from benben.core.rules import CHANCE
from benben.live.session import TableSession
from benben.table import actions, events
from benben.table.actions import PHRASES
from benben.table.deadlines import NO_DEADLINE, Deadline, Deadlines
from benben.table.events import AnyEvent, Strength, from_json, to_json
from benben.table.fairness import commitment, nonce_commitment
from benben.table.news import news
from benben.table.options import Days, Leaver, LiveClock, NoClock, Pace, Resign, TableOptions
from benben.table.record import TableRecord, rebuild, verify
from benben.table.seats import Seat
from benben.table.table import (
    STAND_IN,
    START_GRACE_LIVE_MS,
    START_GRACE_MS,
    Change,
    Refused,
    StartPhase,
    Table,
    TurnCame,
)
from benben.table.views import table_view, visible_event
from tests.live.playing import SECRET, table_options
from tests.live.sessions import unstored_session
from tests.table import asking
from tests.web.following import Follower
from tests.web.site import Message

MINUTE_MS = 60_000
HOUR_MS = 60 * MINUTE_MS
DEADLINES = Deadlines(expiry=48 * HOUR_MS, reminders=[HOUR_MS])
INCREMENT_SECONDS = 5
NONCES = ("n1", "n2", "n3")
BY_COMMITMENT = {nonce_commitment(nonce): nonce for nonce in NONCES}

# The events that may happen in each phase of a table; nothing else is ever appended.
BEFORE = (
    events.Sat,
    events.Committed,
    events.Revealed,
    events.Unrevealed,
    events.BotSeated,
    events.Declined,
    events.Stood,
    events.Forgotten,
    events.Began,
    events.Said,
    events.Paused,
    events.Expired,
)
DURING = (
    events.Threw,
    events.Moved,
    events.UndoAsked,
    events.UndoGranted,
    events.UndoRefused,
    events.Undone,
    events.Resigned,
    events.TimedOut,
    events.Left,
    events.TakenOver,
    events.Reclaimed,
    events.Forgotten,
    events.Paused,
    events.Said,
    events.Hinted,
)
OVER = (events.Ended, events.Said, events.Forgotten)
CLOSED = (events.Said, events.Forgotten, events.Rematched)
EXPIRED = (events.Stood, events.Said, events.Forgotten)

seats = st.sampled_from([0, 0, 0, 1, 1, 1, 2, 2, 3, 4, -1])  # some do not exist
choices = st.integers(0, 99)
NEW_POSITION = (events.Began, events.Moved, events.Threw, events.Undone)
# Events that end a request to take a move back.
ANSWERS = (events.Moved, events.Threw, events.Undone, events.UndoRefused)

Outcome = AnyEvent | Change | list[AnyEvent] | None


def before(machine: "TableMachine") -> bool:
    """Whether to send what belongs before the game: then, and sometimes too late."""
    return not machine.table.begun or machine.table.number % 8 == 0


def during(machine: "TableMachine") -> bool:
    """Whether to send what belongs into the game: then, and sometimes too early or too late."""
    return (machine.table.begun and not machine.table.over) or machine.table.number % 8 == 0


def _events(found: Outcome) -> Sequence[AnyEvent | Change]:
    if found is None:
        return ()
    return found if isinstance(found, list) else (found,)


class TableMachine(RuleBasedStateMachine):
    """One table after another: a rematch goes on with the next."""

    session: TableSession
    replica: Table

    @initialize(
        game=st.sampled_from(
            [("quadrille", 2), ("objectif", 3), ("pyramidis", 4), ("batisseurs", 2)]
        ),
        bots=st.sampled_from([(0, 0, 0, 0), (0, 2, 0, 0), (1, 0, 1, 1)]),
        pace=st.sampled_from([NoClock(), LiveClock(60, INCREMENT_SECONDS), Days(1)]),
        leaver=st.sampled_from(get_args(Leaver)),
        resign=st.sampled_from(get_args(Resign)),
        listed=st.booleans(),
        drawn=st.booleans(),
        begin=st.sampled_from(["", "clear", "clear", "committed"]),
        turns=st.integers(0, 12),
    )
    def open_table(
        self,
        game: tuple[str, int],
        bots: tuple[int, ...],
        pace: Pace,
        leaver: Leaver,
        resign: Resign,
        listed: bool,
        drawn: bool,
        begin: str,
        turns: int,
    ) -> None:
        name, players = game
        more = {"pace": pace, "leaver": leaver, "resign": resign, "listed": listed, "drawn": drawn}
        self.now, self.guests = 1_000_000, count(1)
        self._open(table_options(name, bots[:players], players=players, **more))
        if begin:
            self.take_all_seats(committed=begin == "committed")
            self.play(choice=turns, turns=turns)

    def _open(self, made: TableOptions) -> None:
        self.session = unstored_session(Table(made, SECRET), opened=self.now)
        self.replica = Table(made, SECRET)
        self.deadline = Deadline(DEADLINES.of_new(self.now))  # as the deadline queue has it
        self.draws: list[int] = []
        self.agreed: set[int] = set()  # seats that granted the undo that is asked for
        self.lost: set[int] = set()  # seats that resigned, or ran out of time for good
        self.hints: dict[tuple[int, Position], Strength] = {}
        self.turns: list[TurnCame] = []
        self.deciding: int | None = None
        self.position_number = 0  # the event that led to the position
        self.pending_since = 0  # when the table began to wait for nonces or commitments
        self.overdue: set[int] = set()  # seats that others were waiting for when the time was over
        self.followers: dict[int | None, Follower] = {}

    @property
    def table(self) -> Table:
        return self.session.table

    def _next_automatic_event(self) -> Change | None:
        return DEADLINES.next_automatic_event(self.table, self.session.last_at, self.now)

    @property
    def _phase(self) -> StartPhase | None:
        """What a full table waits for, unless it has expired."""
        return None if self.table.expired else self.table.start_phase

    # ---- How events are stored

    def _command(self, ask: Callable[..., Outcome], *arguments: Any) -> bool:
        """Ask for an action; whether it was accepted."""
        try:
            found = ask(self.table, *arguments)
        except (Refused, IllegalMove, BadNotation):
            return False
        for event in _events(found):
            self._store(event)
        return True

    def _store(self, change: AnyEvent | Change) -> None:
        """Apply an event with the position it was checked with, and to the replica without."""
        if not isinstance(change, Change):
            change = Change(change)
        event, table, at = change.event, self.table, self.now
        assert isinstance(event, self._possible())
        mover, moves, times = table.to_move, table.moves, self._times()
        phase, seated = table.start_phase, list(table.seats)
        self._check_event(event)
        foretold = DEADLINES.deadline_after(table, change, at)
        self.session.apply_stored(change, at)
        self.replica.apply(from_json(to_json(event)), at)
        if foretold is not None:
            self.deadline = foretold
        self._check_clocks(event, mover, times)
        match event:
            case events.Moved(seat, move):
                assert seat == mover
                assert table.moves == (*moves, move)
            case events.Threw(throw, draw):
                assert table.moves == (*moves, throw)
                assert draw not in self.draws, "no number is drawn twice"
                self.draws.append(draw)
            case events.Undone(seat, keep):
                assert table.moves == moves[:keep]
                assert table.to_move == seat
            case events.Resigned(seat) | events.TimedOut(seat):
                assert table.moves == moves
                assert table.result is not None
                assert table.result.shares[seat] == 0
            case events.Began(order):
                assert all(table.seats[order[i]] is seat for i, seat in enumerate(seated))
            case _:
                assert table.moves == moves
        if isinstance(event, ANSWERS):
            assert table.undo is None
        if isinstance(event, NEW_POSITION):
            self.position_number = table.number
        self._check_turns(at)
        if isinstance(event, events.Paused):
            self.pending_since = max(self.pending_since, event.until)
        if table.start_phase != phase:
            self.pending_since = at
        self.now += 10

    def _check_turns(self, at: int) -> None:
        """A person's turn comes when another seat had decided before."""
        seat = self.table.to_move
        if seat is not None and seat != self.deciding:
            self.deciding = seat
            if self.table.seats[seat].person:
                self.turns.append(TurnCame(seat, self.table.number, at))
        assert self.table.turns == self.turns

    def _check_event(self, event: AnyEvent) -> None:
        """Whether a table as it is now may store an event, whoever or whatever caused it."""
        table = self.table
        match event:
            case events.Moved(seat):
                assert seat == table.to_move
            case events.UndoAsked(seat, keep):
                assert table.undo is None
                assert self._asked(seat), "there is somebody to agree"
                self._check_undo(seat, keep)
                self.agreed = set()
            case events.UndoGranted(seat):
                assert table.undo is not None
                self.agreed.add(seat)
                assert self._asked(table.undo.seat) - self.agreed, "somebody else has to agree"
            case events.Undone(seat, keep):
                assert len(self._asked(seat) - self.agreed) <= 1, "all but who agrees just now"
                self._check_undo(seat, keep)
            case events.Resigned(seat) | events.TimedOut(seat):
                assert isinstance(event, events.Resigned) or self._has_no_time(seat)
                assert not self._others_play_on(seat)
                assert (table.options.leaver, type(event)) != ("bot", events.TimedOut)
                self.lost.add(seat)
            case events.TakenOver(seat, level, resigned, timed_out):
                assert level == STAND_IN
                assert not timed_out or self._has_no_time(seat)
                assert table.seats[seat].person
                assert self._others_play_on(seat) if resigned else table.options.leaver == "bot"
                if resigned:
                    self.lost.add(seat)
            case events.Left(seat):
                assert table.options.leaver == "wait"
                assert not table.seats[seat].away
            case events.Reclaimed(seat):
                assert table.seats[seat].away
                assert seat not in self.lost
            case events.Began(order, _, draws):
                self._check_deal(order)
                self.draws += range(draws)
            case events.Unrevealed(seat):
                if seat not in self.overdue:
                    assert self.now >= self.pending_since + self._grace_ms()
                    self.overdue = set(table.start_pending)
                assert seat in self.overdue
                self.overdue.remove(seat)
            case events.Stood(seat):
                self.overdue.discard(seat)

    def _has_no_time(self, seat: int) -> bool:
        return self.table.to_move == seat and self.table.clock.now(seat, self.now) == 0

    def _check_undo(self, seat: int, keep: int) -> None:
        """An undo takes back a seat's last decision and what followed, but no throw."""
        mine = [number for number, step in enumerate(self.table.steps) if step.seat == seat]
        assert keep == mine[-1]
        assert all(step.seat is not None for step in self.table.steps[keep:])

    def _asked(self, seat: int) -> set[int]:
        """The seats that have to agree to an undo: other people who are there."""
        return {
            other
            for other, each in enumerate(self.table.seats)
            if other != seat and each.taken and not (each.level or each.away or each.program)
        }

    def _to_answer(self) -> set[int]:
        """The seats whose answer to a request to take a move back is missing."""
        undo = self.table.undo
        return set() if undo is None else self._asked(undo.seat) - self.agreed

    def _others_play_on(self, seat: int) -> bool:
        """Whether the game goes on when a seat has lost."""
        people = {other for other, each in enumerate(self.table.seats) if each.taken}
        return self.table.options.resign == "bot" and bool(people - self.lost - {seat})

    def _pending(self) -> set[int]:
        """The seats whose nonce is not known yet."""
        people = {seat for seat, each in enumerate(self.table.seats) if each.taken}
        return people - self.table.nonces.keys()

    def _grace_ms(self) -> int:
        match self.table.options.pace:
            case Days(days):
                return days * START_GRACE_MS
            case LiveClock():
                return START_GRACE_LIVE_MS
        return START_GRACE_LIVE_MS if self.table.options.listed else START_GRACE_MS

    def _check_deal(self, order: tuple[int, ...]) -> None:
        """The game begins when every seat is taken and every nonce known."""
        table = self.table
        assert not any(seat.free for seat in table.seats)
        assert not self._pending()
        if not table.options.drawn:
            assert order == tuple(range(len(table.seats)))

    def _possible(self) -> tuple[type[AnyEvent], ...]:
        if self.table.expired:
            return EXPIRED
        if not self.table.begun:
            return BEFORE
        if not self.table.over:
            return DURING
        return CLOSED if self.table.closed else OVER

    def _times(self) -> list[int]:
        return [self.table.clock.now(seat, self.now) for seat in range(len(self.table.seats))]

    def _check_clocks(self, event: AnyEvent, mover: int | None, before: list[int]) -> None:
        after = self._times()
        if (
            mover is not None
            and mover == self.table.to_move
            and not isinstance(event, events.Paused)
        ):
            assert after[mover] <= before[mover], "nobody gains time in their own turn"
        if isinstance(self.table.options.pace, LiveClock) and not isinstance(event, events.Paused):
            gains = [new - old for new, old in zip(after, before, strict=True)]
            assert sum(gains) in (0, INCREMENT_SECONDS * 1000)
            assert min(gains) == 0

    # ---- Time, and what the server does by itself

    @rule(ms=st.sampled_from([200, 30_000, 3 * MINUTE_MS, 25 * HOUR_MS]))
    def wait(self, ms: int) -> None:
        table, before = self.table, self._times()
        self.now += ms
        for seat, (old, new) in enumerate(zip(before, self._times(), strict=True)):
            assert new == (max(0, old - ms) if seat == table.clock.thinking else old)

    @precondition(lambda self: self.table.clock.runs_out_at is not None)
    @rule(early_ms=st.sampled_from([0, 0, 1]))
    def wait_for_the_clock(self, early_ms: int) -> None:
        """The server looks when the time of a seat is over, or nearly so."""
        assert self.table.clock.runs_out_at is not None
        self.now = max(self.now, self.table.clock.runs_out_at - early_ms)
        self._settle()

    @precondition(lambda self: self._phase is not None)
    @rule(early_ms=st.sampled_from([0, 1]))
    def wait_for_the_start(self, early_ms: int) -> None:
        """The server looks when the time for nonces and commitments is over, or nearly so."""
        self.now = max(self.now, self.pending_since + self._grace_ms() - early_ms)
        self._settle()

    @rule(ms=st.sampled_from([5_000, HOUR_MS]))
    def server_is_down(self, ms: int) -> None:
        if not self.table.closed and not self.table.over:
            since, before = self.now, self._times()
            self.now += ms
            self._store(events.Paused(since, self.now))
            self.now -= 10
            assert self._times() == before, "nobody loses time to it"

    @precondition(lambda self: self.deadline.at is not None and self.deadline.at <= self.now)
    @rule(choice=choices)
    def serve(self, choice: int) -> None:
        """What a server does when a table's deadline has come."""
        change = self._next_automatic_event()
        if change is not None:
            self._store(change)
        elif self.table.bot_to_move is not None:
            self._decide(choice)
        else:
            self.deadline = DEADLINES.next_deadline(self.table, self.session.last_at, self.now)
            assert self.deadline == NO_DEADLINE or not self.table.closed
            self._check_settled()

    def _settle(self) -> None:
        while (change := self._next_automatic_event()) is not None:
            self._store(change)
        self.deadline = DEADLINES.next_deadline(self.table, self.session.last_at, self.now)
        self._check_settled()

    def _check_settled(self) -> None:
        """What is left to do is up to somebody."""
        table = self.table
        if table.closed:
            return
        assert not table.over
        if table.position is None:
            assert any(seat.free for seat in table.seats) or self._pending()
            if not any(seat.free for seat in table.seats):
                assert self.now < self.pending_since + self._grace_ms()
            return
        assert table.position.to_move != CHANCE
        assert table.undo is None or self._to_answer()
        seat = table.to_move
        if seat is not None and table.seats[seat].person and table.clock.runs:
            assert table.clock.now(seat, self.now) > 0

    def _seat(self, seat: int) -> Seat | None:
        return self.table.seats[seat] if 0 <= seat < len(self.table.seats) else None

    # ---- Before the game

    @precondition(before)
    @rule(
        seat=seats,
        name=st.sampled_from(["Ann", "Bob", "ann", "Cleo", ""]),
        nonce=st.sampled_from(NONCES),
        committed=st.booleans(),
        program=st.booleans(),
        expected=st.booleans(),
    )
    def sit(
        self, seat: int, name: str, nonce: str, committed: bool, program: bool, expected: bool
    ) -> None:
        there = self._seat(seat)
        kept = there is not None and there.reserved_for != ""
        others = [each.name or each.reserved_for for each in self.table.seats if each is not there]
        promised = nonce_commitment(nonce) if committed else ""
        clear = "" if committed else nonce
        if there is not None and expected and kept:
            name = there.reserved_for
        reserved = expected and kept
        if self._command(asking.sit, seat, name, clear, program, reserved, promised):
            assert there is not None
            assert there.free
            assert not kept or expected or (program and name == there.reserved_for)
            assert (kept and expected) or name.lower() not in map(str.lower, others)
            assert self.table.seats[seat].taken

    @precondition(lambda self: not self.table.begun and not self.table.expired)
    @rule(committed=st.booleans())
    def take_all_seats(self, committed: bool) -> None:
        for seat, each in enumerate(self.table.seats):
            if each.free:
                nonce = NONCES[seat % len(NONCES)]
                promised = nonce_commitment(nonce) if committed else ""
                clear = "" if committed else nonce
                name, kept = (
                    each.reserved_for or f"Guest {next(self.guests)}",
                    each.reserved_for != "",
                )
                assert self._command(asking.sit, seat, name, clear, False, kept, promised)
        self._settle()

    @precondition(lambda self: self._phase is not None)
    @rule()
    def commit_and_reveal_all(self) -> None:
        self._settle()  # time may be over
        if self._phase is None:
            return
        while (phase := self.table.start_phase) is not None:
            seat = self.table.start_pending[0]
            if phase == "commit":
                assert self._command(asking.commit, seat, nonce_commitment("n1"))
            else:
                nonce = BY_COMMITMENT[self.table.commitments[seat]]
                assert self._command(asking.reveal, seat, nonce)
        self._settle()
        assert self.table.begun

    @precondition(lambda self: self._phase == "reveal")
    @rule(seat=seats)
    def reveal_and_leave(self, seat: int) -> None:
        """Somebody leaves when another's nonce is known already."""
        first = self.table.start_pending[0]
        nonce = BY_COMMITMENT[self.table.commitments[first]]
        assert self._command(asking.reveal, first, nonce)
        if not self.table.begun and seat != first:
            self._leave(seat)

    @precondition(before)
    @rule(seat=seats, nonce=st.sampled_from(NONCES))
    def commit(self, seat: int, nonce: str) -> None:
        known = {*self.table.commitments, *self.table.nonces}
        number = self.table.number
        self._command(asking.commit, seat, nonce_commitment(nonce))
        assert self.table.number == number or seat not in known, "what was promised stays"

    @precondition(before)
    @rule(seat=seats, nonce=st.sampled_from(NONCES))
    def reveal(self, seat: int, nonce: str) -> None:
        phase, commitments, number = (
            self.table.start_phase,
            dict(self.table.commitments),
            self.table.number,
        )
        self._command(asking.reveal, seat, nonce)
        if self.table.number > number:
            assert phase == "reveal"
            assert commitments[seat] == nonce_commitment(nonce)

    # Only the holder of a seat may ask for a bot: so somebody has a seat in every game.
    @precondition(lambda self: before(self) and any(seat.taken for seat in self.table.seats))
    @rule(seat=seats, level=st.integers(0, 7))
    def seat_bot(self, seat: int, level: int) -> None:
        there = self._seat(seat)
        if self._command(asking.seat_bot, seat, level):
            assert there is not None
            assert there.free
            assert level in LEVELS

    @precondition(before)
    @rule(seat=seats)
    def decline(self, seat: int) -> None:
        closed, number = self.table.closed, self.table.number
        if self._command(asking.decline, seat):
            assert self.table.seats[seat].reserved_for == ""
            assert not closed or self.table.number == number

    # ---- In the game

    @precondition(during)
    @rule(seat=seats, choice=choices, late=st.integers(0, 3))
    def move(self, seat: int, choice: int, late: int) -> None:
        position = self.table.position
        moves = position.moves() if position is not None and self.table.to_move is not None else []
        move = moves[choice % len(moves)] if moves else "x"
        known = self.table.number - late
        current = self.position_number <= known
        if self._command(asking.move, seat, move, known):
            assert current, "the position was the one that the player saw"

    @precondition(lambda self: self.table.to_move is not None)
    @rule(choice=choices, turns=st.integers(1, 8))
    def play(self, choice: int, turns: int) -> None:
        """Whoever is to move moves, people and bots alike."""
        while turns and self.table.to_move is not None:
            self._decide(choice)
            self._settle()
            choice, turns = choice * 7 + 3, turns - 1

    def _decide(self, choice: int) -> None:
        seat, position = self.table.to_move, self.table.position
        assert seat is not None
        assert position is not None
        moves = position.moves()
        move = moves[choice % len(moves)]
        if self.table.seats[seat].person:
            assert self._command(asking.move, seat, move, self.table.number)
        else:
            assert not self._command(asking.move, seat, move), "a bot is to move"
            self._store(self.table.moved(seat, move))

    @precondition(during)
    @rule(seat=seats, last=st.booleans())
    def ask_undo(self, seat: int, last: bool) -> None:
        steps = self.table.steps
        if last and steps and steps[-1].seat is not None:
            seat = steps[-1].seat
        if self._command(asking.ask_undo, seat):
            assert (self.table.undo is None) == (not self._asked(seat))

    @precondition(during)
    @rule(seat=seats, granted=st.booleans())
    def answer_undo(self, seat: int, granted: bool) -> None:
        self._answer(seat, granted)

    @precondition(lambda self: self.table.steps and not self.table.over)
    @rule(answers=st.lists(st.sampled_from([True, True, False]), max_size=3))
    def ask_and_answer(self, answers: list[bool]) -> None:
        """A person takes back their last move, and others answer, who may do so only once."""
        people = [i for i, seat in enumerate(self.table.seats) if seat.person]
        movers = [step.seat for step in self.table.steps if step.seat in people]
        if movers and movers[-1] is not None:
            self.ask_undo(movers[-1], last=False)
        for granted in answers:
            waiting = self._to_answer()
            if waiting:
                assert self._answer(min(waiting), granted)
                self._answer(min(waiting), granted)

    def _answer(self, seat: int, granted: bool) -> bool:
        waiting = self._to_answer()
        accepted = self._command(asking.answer_undo, seat, granted)
        if accepted:
            assert seat in waiting
            assert (self.table.undo is None) == (not granted or waiting == {seat})
        return accepted

    @precondition(during)
    @rule(seat=seats, strengths=st.lists(st.sampled_from(get_args(Strength)), max_size=3))
    def hints_in_a_row(self, seat: int, strengths: list[Strength]) -> None:
        for strength in strengths:
            self._hint(seat if self.table.to_move is None else self.table.to_move, strength)
            self._hint(seat, strength)

    def _hint(self, seat: int, strength: Strength) -> None:
        table = self.table
        turn, number = table.to_move, table.number
        if self._command(asking.hint, seat, strength):
            assert seat == turn
            assert table.position is not None
            others = (each for i, each in enumerate(table.seats) if i != seat)
            assert not any(each.taken or not each.level for each in others)
            strengths = get_args(Strength)
            had = self.hints.get((seat, table.position))
            is_new = had is None or strengths.index(had) < strengths.index(strength)
            assert (table.number > number) == is_new
            if is_new:
                self.hints[seat, table.position] = strength

    @precondition(during)
    @rule(seat=seats, again=st.booleans())
    def leave(self, seat: int, again: bool) -> None:
        self._leave(seat)
        if again:
            self._leave(seat)

    def _leave(self, seat: int) -> None:
        table, there, begun = self.table, self._seat(seat), self.table.begun
        forfeits = table.options.leaver == "forfeit"
        stays = forfeits and begun and 0 <= seat < len(table.seats) and self._others_play_on(seat)
        if self._command(asking.leave, seat):
            assert there is not None
            if not begun:
                assert table.seats[seat].free
            elif forfeits and not stays:
                assert table.over
            else:
                assert table.seats[seat].away
                assert table.seats[seat].person == (table.options.leaver == "wait")

    @precondition(during)
    @rule(seat=seats)
    def reclaim(self, seat: int) -> None:
        if self._command(asking.reclaim, seat):
            assert self.table.seats[seat].person
            assert not self.table.seats[seat].away
            if isinstance(self.table.options.pace, LiveClock):
                assert self.table.clock.left[seat] > 0

    @precondition(during)
    @rule()
    def reclaim_all(self) -> None:
        for seat in range(len(self.table.seats)):
            self.reclaim(seat)

    @precondition(lambda self: self.table.number % 4 == 1)  # likewise
    @rule(seat=seats)
    def resign(self, seat: int) -> None:
        if self._command(asking.resign, seat):
            assert seat in self.lost
            if self.table.result is not None:
                assert self.table.result.shares[seat] == 0

    # ---- At any time

    @rule(seat=seats, text=st.sampled_from(["hello", "", "a\nb"]), phrase=st.booleans())
    def say(self, seat: int, text: str, phrase: bool) -> None:
        if self._command(asking.say, seat, text, PHRASES[0] if phrase else ""):
            assert phrase or (text == "hello" and not self.table.options.listed)

    @precondition(lambda self: self.table.number % 4 == 0)  # not often: it ends many games
    @rule(seat=seats)
    def erase(self, seat: int) -> None:
        if self._command(actions.erase, seat):
            assert self.table.seats[seat].name == ""
            if self.table.begun and not self.table.over:
                assert not self.table.seats[seat].person, "nobody waits for them"
            entries = self.session.entries
            began = [each.number for each in entries if isinstance(each.event, events.Began)]
            for entry in entries[began[0] if began else 0 :]:
                if isinstance(entry.event, events.Said) and entry.event.seat == seat:
                    assert entry.event.text == ""

    @precondition(lambda self: self.table.closed and self.table.begun)
    @rule()
    def rematch(self) -> None:
        before, seats = self.table, self.table.seats
        self._store(events.Rematched("next", 0))
        self._check_record()
        self._open(before.rematch_options(commitment(SECRET)))
        for number, seat in enumerate(seats):
            again = self.table.seats[before.rematch_seat(number)]
            if seat.taken:
                assert (again.reserved_for, again.level) == (seat.name, 0)
                programs = self.table.options.programs
                assert seat.program == (before.rematch_seat(number) in programs)
            else:
                assert (again.name, again.level) == (seat.name, seat.level)

    # ---- What always holds

    @invariant()
    def only_stored_events_change_the_table(self) -> None:
        assert self.table == self.replica
        assert self.table.clock == self.replica.clock

    @invariant()
    def void_nonces_are_gone(self) -> None:
        """While a seat is free or has to commit, no nonce that was committed to is known."""
        waits = not self.table.begun and not self.table.closed
        if waits and self.table.start_phase != "reveal" and self._pending():
            assert not self.table.commitments.keys() & self.table.nonces.keys()

    @invariant()
    def a_request_waits_for_somebody(self) -> None:
        undo = self.table.undo
        if undo is not None and not self.table.over:
            assert undo.seat not in self.lost
            assert self.table.granted == self.agreed

    @invariant()
    def somebody_is_to_move_while_the_game_is_on(self) -> None:
        table = self.table
        if table.to_move is not None:
            assert table.begun
            assert not table.over
            assert not table.closed
            assert table.position is not None
            assert table.to_move == table.position.to_move
        elif table.begun and not table.over:
            assert table.position is not None
            assert table.position.to_move == CHANCE
        if table.result is not None:
            assert abs(sum(table.result.shares) - 1) < 1e-9

    @invariant()
    def nothing_is_due_without_a_deadline(self) -> None:
        due = self._next_automatic_event() is not None
        if due or self.table.bot_to_move is not None:
            assert self.deadline.at is not None
            assert self.deadline.at <= self.now

    @rule(viewer=st.none() | st.integers(0, 3))
    def look(self, viewer: int | None) -> None:
        """A viewer sees no secret, and knows the same from the news as from a whole view."""
        if viewer is not None and viewer >= len(self.table.seats):
            viewer = None
        table, session = self.table, self.session
        eyes = None if viewer is None else table.order[viewer]
        seen = table_view(table, eyes, self.now)
        plain = msgspec.json.decode(msgspec.json.encode(seen))
        assert (SECRET in str(plain)) == (table.closed and table.begun)
        can_play = eyes is not None and eyes == table.to_move
        assert bool(seen.legal) == can_play
        plain.pop("legal", None)
        self._check_goals(eyes, seen.start)
        follower = self.followers.setdefault(viewer, Follower(plain))
        fresh = session.entries[follower.table["number"] :]
        for message in news(table, session.views, eyes, fresh, self.now) if fresh else ():
            data = msgspec.json.decode(msgspec.json.encode(message))
            follower.hear(Message("event", message.number, data, ""))
        assert _timeless(follower.table) == _timeless(plain)

    def _check_goals(self, eyes: int | None, start: str) -> None:
        """Of Objectif's goals a seat sees its own, and a spectator none."""
        if self.table.start is None or not self.table.game.hides or self.table.over:
            return
        goals = str(self.table.start).split()[-1]
        masked = "".join(goal if seat == eyes else "?" for seat, goal in enumerate(goals))
        assert start.split()[-1] == masked
        for entry in self.session.entries:
            if isinstance(entry.event, events.Began):
                told = visible_event(self.table, entry.event, eyes)
                assert isinstance(told, events.Began)
                assert told.start.split()[-1] == masked

    def teardown(self) -> None:
        if hasattr(self, "loaded"):
            self._check_record()

    def _check_record(self) -> None:
        """Its record rebuilds the table, and anybody can check the luck of a finished game."""
        record = TableRecord(
            id="table", options=self.table.options, entries=tuple(self.session.entries)
        )
        record = TableRecord.parse(str(record))
        again = rebuild(record.options, SECRET, record.entries)
        assert again == self.table
        assert again.clock == self.table.clock
        if self.table.closed and self.table.begun:
            assert verify(record) == self.table.draws
        if self.table.start is not None:
            position = self.table.start
            for move in self.table.moves:
                position = position.play(move)
            assert position == self.table.position


def _timeless(table: dict[str, Any]) -> dict[str, Any]:
    """A view without the clocks: talk does not tell the time."""
    return table | {
        "seats": [{k: v for k, v in seat.items() if k != "left"} for seat in table["seats"]]
    }


TestTable = TableMachine.TestCase
TestTable.settings = settings(
    max_examples=settings().max_examples // 2,
    stateful_step_count=50,
    report_multiple_bugs=False,  # one is enough, and shrinking more takes minutes
)
