"""A table under any sequence of commands, throws, bot moves and waiting: what always holds.

The rules of the state machine send commands with good and bad arguments. A refused command must
leave the table as it was. The invariants compare the table with a replica that only gets its stored
events, and with what viewers and the deadline queue know of it.
"""

from collections.abc import Callable, Sequence
from functools import partial
from itertools import count
from typing import Any, get_args

import msgspec
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from benben.core.errors import BadNotation, IllegalMove
from benben.core.rules import CHANCE
from benben.table import events as happened
from benben.table.appending import Need
from benben.table.events import AnyEvent, Strength, from_json, to_json
from benben.table.fairness import commitment, nonce_commitment
from benben.table.loaded import LoadedTable
from benben.table.needs import NOTHING, Needs
from benben.table.news import news
from benben.table.record import TableRecord, rebuild, verify
from benben.table.table import PHRASES, Refused, Table
from benben.table.terms import Days, Leaver, LiveClock, NoClock, Pace, Resign, Terms
from benben.table.views import event_view, table_view
from tests.table.playing import SECRET, terms
from tests.web.following import Follower
from tests.web.site import Message

MINUTE_MS = 60_000
HOUR_MS = 60 * MINUTE_MS
DEADLINES = Needs(expiry=48 * HOUR_MS, reminders=[HOUR_MS])
INCREMENT_SECONDS = 5
NONCES = ("n1", "n2", "n3")
BY_COMMITMENT = {nonce_commitment(nonce): nonce for nonce in NONCES}

# The events that may happen in each phase of a table; nothing else is ever appended.
BEFORE = (
    happened.Sat,
    happened.Committed,
    happened.Revealed,
    happened.Unrevealed,
    happened.BotSeated,
    happened.Declined,
    happened.Stood,
    happened.Forgotten,
    happened.Began,
    happened.Said,
    happened.Paused,
    happened.Expired,
)
DURING = (
    happened.Threw,
    happened.Moved,
    happened.UndoAsked,
    happened.UndoGranted,
    happened.UndoRefused,
    happened.Undone,
    happened.Resigned,
    happened.TimedOut,
    happened.Left,
    happened.TakenOver,
    happened.Reclaimed,
    happened.Forgotten,
    happened.Paused,
    happened.Said,
    happened.Hinted,
)
OVER = (happened.Ended, happened.Said, happened.Forgotten)
CLOSED = (happened.Said, happened.Forgotten, happened.Rematched)
EXPIRED = (happened.Stood, happened.Said, happened.Forgotten)

seats = st.integers(-1, 4)  # some do not exist
choices = st.integers(0, 99)
Outcome = AnyEvent | Sequence[AnyEvent] | None
Command = Callable[[], Outcome]


def _events(found: Outcome) -> Sequence[AnyEvent]:
    if found is None:
        return ()
    return found if isinstance(found, Sequence) else (found,)


class TableMachine(RuleBasedStateMachine):
    """One table after another: a rematch goes on with the next."""

    loaded: LoadedTable
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
        begin=st.sampled_from([True, True, True, False]),
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
        begin: bool,
    ) -> None:
        name, players = game
        more = {"pace": pace, "leaver": leaver, "resign": resign, "listed": listed, "drawn": drawn}
        self.now, self.guests = 1_000_000, count(1)
        self._open(terms(name, bots[:players], players=players, **more))
        if begin:
            self.take_all_seats(committed=False)

    def _open(self, made: Terms) -> None:
        self.loaded = LoadedTable("table", Table(made, SECRET), [], opened=self.now)
        self.replica = Table(made, SECRET)
        self.need = Need(DEADLINES.of_new(self.now))  # as the deadline queue has it
        self.draws: list[int] = []
        self.followers: dict[int | None, Follower] = {}

    @property
    def table(self) -> Table:
        return self.loaded.table

    # ---- How events are stored

    def _command(self, ask: Command) -> bool:
        """Send a command; whether it was accepted."""
        try:
            found = ask()
        except (Refused, IllegalMove, BadNotation):
            return False
        for event in _events(found):
            self._store(event)
        return True

    def _store(self, event: AnyEvent) -> None:
        table, at = self.table, self.now
        assert isinstance(event, self._possible())
        mover, moves, times = table.to_move, table.moves, self._times()
        foretold = DEADLINES.after(self.loaded, event, at)
        self.loaded.apply(event, at)
        self.replica.apply(from_json(to_json(event)), at)
        if foretold is not None:
            self.need = foretold
        self._check_clocks(event, mover, times)
        match event:
            case happened.Moved(seat, move):
                assert seat == mover
                assert table.moves == (*moves, move)
            case happened.Threw(throw, draw):
                assert table.moves == (*moves, throw)
                assert draw not in self.draws, "no number is drawn twice"
                self.draws.append(draw)
            case happened.Undone(seat, keep):
                assert table.moves == moves[:keep]
                assert table.to_move == seat
            case _:
                assert table.moves == moves
        self.now += 10

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
            and not isinstance(event, happened.Paused)
        ):
            assert after[mover] <= before[mover], "nobody gains time in their own turn"
        if isinstance(self.table.terms.pace, LiveClock) and not isinstance(event, happened.Paused):
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

    @rule(ms=st.sampled_from([5_000, HOUR_MS]))
    def server_is_down(self, ms: int) -> None:
        if not self.table.closed and not self.table.over:
            since, before = self.now, self._times()
            self.now += ms
            self._store(happened.Paused(since, self.now))
            self.now -= 10
            assert self._times() == before, "nobody loses time to it"

    @precondition(lambda self: self.need.at is not None and self.need.at <= self.now)
    @rule(choice=choices)
    def serve(self, choice: int) -> None:
        """What a server does when a table's deadline has come."""
        event = DEADLINES.owed(self.loaded, self.now)
        if event is not None:
            self._store(event)
        elif self.table.bot_to_move is not None:
            self._decide(choice)
        else:
            self.need = DEADLINES.of(self.loaded, self.now)
            assert self.need == NOTHING or not self.table.closed

    def _settle(self) -> None:
        while (event := DEADLINES.owed(self.loaded, self.now)) is not None:
            self._store(event)
        self.need = DEADLINES.of(self.loaded, self.now)

    # ---- Before the game

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
        there = self.table.seats[seat] if 0 <= seat < len(self.table.seats) else None
        kept = there is not None and there.kept_for != ""
        promised = nonce_commitment(nonce) if committed else ""
        clear = "" if committed else nonce
        if there is not None and expected and kept:
            name = there.kept_for
        sit = partial(self.table.sit, seat, name, clear, program, expected and kept, promised)
        if self._command(sit):
            assert there is not None
            assert there.free
            assert self.table.seats[seat].taken

    @precondition(lambda self: not self.table.begun and not self.table.expired)
    @rule(committed=st.booleans())
    def take_all_seats(self, committed: bool) -> None:
        for seat, each in enumerate(self.table.seats):
            if each.free:
                nonce = NONCES[seat % len(NONCES)]
                promised = nonce_commitment(nonce) if committed else ""
                clear = "" if committed else nonce
                name, kept = each.kept_for or f"Guest {next(self.guests)}", each.kept_for != ""
                sit = partial(self.table.sit, seat, name, clear, False, kept, promised)
                assert self._command(sit)
        self._settle()

    @precondition(lambda self: self.table.start_phase is not None)
    @rule()
    def commit_and_reveal_all(self) -> None:
        while (phase := self.table.start_phase) is not None:
            seat = self.table.start_pending[0]
            if phase == "commit":
                assert self._command(partial(self.table.commit, seat, nonce_commitment("n1")))
            else:
                nonce = BY_COMMITMENT[self.table.commitments[seat]]
                assert self._command(partial(self.table.reveal, seat, nonce))
        self._settle()
        assert self.table.begun

    @rule(seat=seats, nonce=st.sampled_from(NONCES))
    def commit(self, seat: int, nonce: str) -> None:
        self._command(partial(self.table.commit, seat, nonce_commitment(nonce)))

    @rule(seat=seats, nonce=st.sampled_from(NONCES))
    def reveal(self, seat: int, nonce: str) -> None:
        self._command(partial(self.table.reveal, seat, nonce))

    @rule(seat=seats, level=st.integers(0, 7))
    def seat_bot(self, seat: int, level: int) -> None:
        self._command(partial(self.table.seat_bot, seat, level))

    @rule(seat=seats)
    def decline(self, seat: int) -> None:
        self._command(partial(self.table.decline, seat))

    # ---- In the game

    @rule(seat=seats, choice=choices, late=st.integers(0, 3))
    def move(self, seat: int, choice: int, late: int) -> None:
        position = self.table.position
        moves = position.moves() if position is not None and self.table.to_move is not None else []
        move = moves[choice % len(moves)] if moves else "x"
        self._command(partial(self.table.move, seat, move, self.table.number - late))

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
            assert self._command(partial(self.table.move, seat, move, self.table.number))
        else:
            assert not self._command(partial(self.table.move, seat, move)), "a bot is to move"
            self._store(happened.Moved(seat, move))

    @rule(seat=seats)
    def ask_undo(self, seat: int) -> None:
        self._command(partial(self.table.ask_undo, seat))

    @rule(seat=seats, granted=st.booleans())
    def answer_undo(self, seat: int, granted: bool) -> None:
        self._command(partial(self.table.answer_undo, seat, granted))

    @rule(seat=seats, strength=st.sampled_from(get_args(Strength)))
    def hint(self, seat: int, strength: Strength) -> None:
        self._command(partial(self.table.hint, seat, strength))

    @rule(seat=seats)
    def leave(self, seat: int) -> None:
        self._command(partial(self.table.leave, seat))

    @rule(seat=seats)
    def reclaim(self, seat: int) -> None:
        self._command(partial(self.table.reclaim, seat))

    @rule(seat=seats)
    def resign(self, seat: int) -> None:
        self._command(partial(self.table.resign, seat))

    # ---- At any time

    @rule(seat=seats, text=st.sampled_from(["hello", "", "a\nb"]), phrase=st.booleans())
    def say(self, seat: int, text: str, phrase: bool) -> None:
        self._command(partial(self.table.say, seat, text, PHRASES[0] if phrase else ""))

    @rule(seat=seats)
    def erase(self, seat: int) -> None:
        if self._command(partial(self.table.forget, seat)):
            assert self.table.seats[seat].name == ""
            entries = self.loaded.entries
            began = [each.number for each in entries if isinstance(each.event, happened.Began)]
            for entry in entries[began[0] if began else 0 :]:
                if isinstance(entry.event, happened.Said) and entry.event.seat == seat:
                    assert entry.event.text == ""

    @precondition(lambda self: self.table.closed and self.table.begun)
    @rule()
    def rematch(self) -> None:
        before, seats = self.table, self.table.seats
        self._store(happened.Rematched("next", 0))
        self._check_record()
        self._open(before.rematch_terms(commitment(SECRET)))
        for number, seat in enumerate(seats):
            again = self.table.seats[before.rematch_seat(number)]
            if seat.taken:
                assert (again.kept_for, again.level) == (seat.name, 0)
            else:
                assert (again.name, again.level) == (seat.name, seat.level)

    # ---- What always holds

    @invariant()
    def only_stored_events_change_the_table(self) -> None:
        assert self.table == self.replica
        assert self.table.clock == self.replica.clock

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
        due = DEADLINES.owed(self.loaded, self.now) is not None
        if due or self.table.bot_to_move is not None:
            assert self.need.at is not None
            assert self.need.at <= self.now

    @rule(viewer=st.none() | st.integers(0, 3))
    def look(self, viewer: int | None) -> None:
        """A viewer sees no secret, and knows the same from the news as from a whole view."""
        if viewer is not None and viewer >= len(self.table.seats):
            viewer = None
        table, loaded = self.table, self.loaded
        eyes = None if viewer is None else table.order[viewer]
        seen = table_view(table, eyes, self.now)
        plain = msgspec.json.decode(msgspec.json.encode(seen))
        assert (SECRET in str(plain)) == (table.closed and table.begun)
        can_play = eyes is not None and eyes == table.to_move
        assert bool(seen.legal) == can_play
        plain.pop("legal", None)
        self._check_goals(eyes, seen.start)
        follower = self.followers.setdefault(viewer, Follower(plain))
        fresh = loaded.entries[follower.table["number"] :]
        for message in news(table, loaded.views, eyes, fresh, self.now) if fresh else ():
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
        for entry in self.loaded.entries:
            if isinstance(entry.event, happened.Began):
                told = event_view(self.table, entry.event, eyes)
                assert isinstance(told, happened.Began)
                assert told.start.split()[-1] == masked

    def teardown(self) -> None:
        if hasattr(self, "loaded"):
            self._check_record()

    def _check_record(self) -> None:
        """Its record rebuilds the table, and anybody can check the luck of a finished game."""
        record = TableRecord(id="table", terms=self.table.terms, entries=tuple(self.loaded.entries))
        record = TableRecord.parse(str(record))
        again = rebuild(record.terms, SECRET, record.entries)
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
TestTable.settings = settings(stateful_step_count=30)
