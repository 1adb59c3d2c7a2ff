"""News in small parcels: whoever follows them knows the table as whoever asks for it does."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from itertools import groupby
from typing import Any

import msgspec
import pytest

import benben
from benben.table import events
from benben.table.events import AnyEvent
from benben.table.options import LiveClock, TableOptions
from benben.table.record import Entry
from benben.table.table import Table
from benben.web.streams import EventEncoder
from benben.web.viewers import Viewer
from tests.configurations import GAMES, LABELS
from tests.live.playing import SECRET, Match, at_random, options_of, table_options
from tests.live.sessions import unstored_session
from tests.sizes import LONG, rotating
from tests.table import asking
from tests.web.following import Follower, Missed
from tests.web.in_process import site
from tests.web.site import Message, Person, Site, messages

__all__ = ["site"]


_ALL = [pytest.param(game, id=label) for game, label in zip(GAMES, LABELS, strict=True)]
# Each game in one way, or in a long run in all; what is told depends little on it.
SOME_GAMES = [
    one
    for name, some in groupby(_ALL, lambda each: each.values[0].name)  # type: ignore[union-attr]
    for one in (list(some) if LONG else list(some)[-1:])
]


def read(text: bytes) -> list[Message]:
    return list(messages(iter(text.decode().splitlines())))


def told(viewer: Viewer, after: int, now: int) -> bytes:
    """All events of a table after a number, as they are sent to a viewer."""
    session = viewer.session
    return EventEncoder(session).encode(viewer, session.entries[after:], now)


def as_asked(viewer: Viewer, now: int) -> Any:
    """What GET answers, as JSON."""
    return msgspec.json.decode(msgspec.json.encode(viewer.full_view(now)))


def without_clocks(table: dict[str, Any]) -> dict[str, Any]:
    seats = [{k: v for k, v in seat.items() if k != "left"} for seat in table["seats"]]
    return table | {"seats": seats}


class Replay:
    """A record applied event by event, with followers at every seat and beside the table."""

    def __init__(self, made: TableOptions) -> None:
        self.session = unstored_session(Table(made, SECRET))
        chosen = (None, *range(len(self.session.table.seats)))
        self.viewers = [Viewer(self.session, each) for each in chosen]

    def apply(self, entry: Entry) -> None:
        self.session.apply_remote(entry, None)


def every_kind_of_game(game: benben.Game, seed: int, **more: Any) -> Match:
    """Seats taken and left, talk, undo, a bot that takes over, and the end or a resignation."""
    policies: dict[str, Any] = {"leaver": "wait" if seed % 3 == 1 else "bot", "resign": "bot"}
    match = Match(options_of(game, **(policies | more)))
    table, dice = match.table, benben.RandomStream.seeded(seed)
    match.store(asking.sit(table, 0, "Eve", "n"))
    match.store(asking.say(table, 0, "hello"))
    match.store(asking.leave(table, 0))
    match.fill()
    match.store(events.Paused(match.now - 5, match.now))
    choose = at_random(seed)
    while table.to_move is not None:
        seat = dice.below(game.players)
        for wish in _wishes(match, seat, dice.below(40)):
            try:
                event = wish()
            except benben.BenbenError:
                continue
            match.store(event)
            match.settle()
        if table.to_move is not None:
            match.decide(choose)
    match.store(events.Rematched("another", 0))
    match.store(events.Said(0, phrase="thanks"))
    return match


def _wishes(match: Match, seat: int, luck: int) -> list[Callable[[], AnyEvent | None]]:
    table = match.table
    seats = range(len(table.seats))
    last = table.steps[-1].seat if table.steps else None
    mover = seat if last is None else last
    if luck == 0 and len(match.entries) > 60:
        return [partial(asking.resign, table, seat)]
    if luck < 4:
        return [partial(asking.leave, table, seat)]
    if luck < 10:
        return [partial(asking.reclaim, table, each) for each in seats]
    if luck < 15:
        granted = [partial(asking.answer_undo, table, each, True) for each in seats]
        return [partial(asking.ask_undo, table, mover), *granted]
    if luck < 17:
        refused = [partial(asking.answer_undo, table, each, False) for each in seats]
        return [
            partial(asking.ask_undo, table, mover),
            partial(asking.say, table, seat, "please"),
            *refused,
        ]
    return [partial(asking.say, table, seat, "hm")] if luck < 20 else []


@pytest.mark.parametrize("terms_too", [{}, {"pace": LiveClock(600, 5), "drawn": True}])
@pytest.mark.parametrize("game", SOME_GAMES)
def test_whoever_follows_knows_what_whoever_asks_is_told(
    game: benben.Game, terms_too: dict[str, Any]
) -> None:
    matches = [every_kind_of_game(game, seed, **terms_too) for seed in range(3)]
    kinds = {type(entry.event) for match in matches for entry in match.entries}
    assert {events.Undone, events.TakenOver, events.Reclaimed, events.Stood} <= kinds
    assert events.Left in kinds
    for match in matches:
        _follow(match)


def _follow(match: Match) -> None:
    replay = Replay(match.table.options)
    followers = [Follower(as_asked(viewer, match.now)) for viewer in replay.viewers]
    for entry in match.entries:
        replay.apply(entry)
        for viewer, follower in zip(replay.viewers, followers, strict=True):
            (message,) = read(told(viewer, entry.number - 1, entry.at))
            follower.hear(message)
            heard, asked = follower.table, as_asked(viewer, entry.at)
            if isinstance(entry.event, events.Said):  # talk does not tell the time
                heard, asked = without_clocks(heard), without_clocks(asked)
            assert heard == asked


@pytest.mark.slow
@pytest.mark.parametrize("game", SOME_GAMES)
def test_whoever_was_away_goes_on_after_what_they_know(game: benben.Game) -> None:
    """From every event on, at a few moments: all that was missed comes, each once."""
    match = every_kind_of_game(game, 6, drawn=True, pace=LiveClock(600))
    replay = Replay(match.table.options)
    known: list[list[Any]] = [[as_asked(viewer, match.now) for viewer in replay.viewers]]
    dice = benben.RandomStream.seeded(3)
    for entry in match.entries:
        replay.apply(entry)
        now = [as_asked(viewer, entry.at) for viewer in replay.viewers]
        if entry.number < 12 or dice.below(8) == 0:
            for after in {*range(min(entry.number, 8)), dice.below(entry.number)}:
                for viewer, before, seen in zip(replay.viewers, known[after], now, strict=True):
                    follower = Follower(before)
                    heard = read(told(viewer, after, entry.at))
                    assert [each.number for each in heard] == [*range(after + 1, entry.number + 1)]
                    for message in heard:
                        follower.hear(message)
                    assert without_clocks(follower.table) == without_clocks(seen)
        known.append(now)


def test_a_gap_in_the_numbers_is_noticed() -> None:
    match = Match(table_options())
    match.fill()
    replay = Replay(match.table.options)
    follower = Follower(as_asked(replay.viewers[0], 0))
    for entry in match.entries:
        replay.apply(entry)
    for after in (1, 2):
        with pytest.raises(Missed):
            follower.hear(read(told(replay.viewers[0], after, 0))[0])


def test_who_is_expected_and_who_comes_instead_is_told() -> None:
    before = Match(table_options("batisseurs", players=4))
    before.fill()
    before.store(asking.resign(before.table, 2))
    before.settle()
    match = Match(before.table.rematch_options(before.table.options.commitment))
    table = match.table
    match.store(asking.sit(table, 2, "Ann2", "n", expected=True))
    match.store(asking.decline(table, 3))
    match.store(asking.sit(table, 3, "Eve", "n"))
    match.store(asking.leave(table, 3))
    match.store(asking.seat_bot(table, 0, 3))
    match.store(asking.seat_bot(table, 3, 1))
    match.store(asking.sit(table, 1, "Ann1", "n", expected=True))
    match.settle()
    assert match.rebuilt() == table
    assert [seat.level for seat in table.seats] == [3, 0, 0, 1]
    _follow(match)


def test_a_name_that_was_erased_is_told() -> None:
    match = Match(table_options())
    match.fill()
    replay = Replay(match.table.options)
    for entry in match.entries:
        replay.apply(entry)
    table, viewer = replay.session.table, replay.viewers[0]
    follower = Follower(as_asked(viewer, 0))
    for event in (events.Forgotten(0), events.Moved(0, "@a1")):
        replay.apply(Entry(table.number + 1, 0, event))
        (message,) = read(told(viewer, table.number - 1, 0))
        assert ("seats" in message.data["now"]) == isinstance(event, events.Forgotten)
        follower.hear(message)
        assert follower.table == as_asked(viewer, 0)
    assert follower.table["seats"][0] == {"taken": True}


def test_a_table_that_is_closed_before_its_game_is_told() -> None:
    match = Match(table_options())
    match.store(asking.sit(match.table, 0, "Ann", "n"))
    match.store(events.Expired())
    match.store(asking.say(match.table, 0, "a pity"))
    _follow(match)


# ---- How much is sent


def _moves_with_sizes(game: benben.Game, seed: int) -> Iterator[tuple[int, int, int]]:
    """After each move: its number, and the bytes a watching and the moving seat is sent."""
    match = Match(options_of(game))
    match.fill()
    match.play(at_random(seed), most=400)
    replay, moves = Replay(match.table.options), 0
    spectator, *seats = replay.viewers
    for entry in match.entries:
        replay.apply(entry)
        moves += isinstance(entry.event, events.Moved)
        mover = replay.session.table.to_move
        watching = len(told(spectator, entry.number - 1, entry.at))
        moving = 0 if mover is None else len(told(seats[mover], entry.number - 1, entry.at))
        if isinstance(entry.event, events.Moved):
            yield moves, watching, moving


@pytest.mark.parametrize("layout", ["regular", "random"])
def test_a_move_of_quadrille_is_told_in_under_700_bytes(layout: str) -> None:
    longest = 0
    for seed in range(12):
        sizes = list(_moves_with_sizes(benben.game("quadrille", layout=layout), seed))
        longest = max(longest, len(sizes))
        assert max(watching for _, watching, _ in sizes) < 700
    assert longest > 60, "as far as that"


@pytest.mark.parametrize("game", GAMES, ids=LABELS)
def test_whoever_is_to_move_is_told_in_under_8_kb(game: benben.Game) -> None:
    assert max(moving for _, _, moving in _moves_with_sizes(game, 4)) < 8_000


@pytest.mark.parametrize("game", SOME_GAMES)
def test_what_is_encoded_once_for_many_is_what_each_would_be_sent(game: benben.Game) -> None:
    match = every_kind_of_game(game, 5)
    replay = Replay(match.table.options)
    encoder = EventEncoder(replay.session)
    for entry in match.entries:
        replay.apply(entry)
        for since in (entry.number - 1, max(0, entry.number - 3)):
            for viewer in replay.viewers:
                fresh = replay.session.entries[since:]
                assert encoder.encode(viewer, fresh, entry.at) == told(viewer, since, entry.at)


def test_where_nothing_is_hidden_all_who_are_not_to_move_are_told_the_same() -> None:
    match = Match(table_options("batisseurs", players=4, drawn=True))
    match.fill()
    match.play(at_random(1), most=20)
    replay = Replay(match.table.options)
    for entry in match.entries:
        replay.apply(entry)
        mover = replay.session.table.to_move
        texts = {
            told(viewer, entry.number - 1, 0)
            for viewer in replay.viewers
            if mover is None or viewer.seat != mover
        }
        assert len(texts) == 1


def test_talk_says_nothing_of_the_position() -> None:
    match = Match(table_options())
    match.fill()
    match.store(asking.say(match.table, 0, "hm"))
    replay = Replay(match.table.options)
    for entry in match.entries:
        replay.apply(entry)
    (message,) = read(told(replay.viewers[1], len(match.entries) - 1, 0))
    assert set(message.data) == {"number", "at", "event"}


# ---- Over HTTP


@rotating("game", benben.names())
def test_streams_of_a_whole_game(site: Site, game: str) -> None:
    people = site.table(game, players=2)
    everybody = [*people, Person(site, people[0].table)]
    with ExitStack() as stack:
        heard = [stack.enter_context(each.listening()) for each in everybody]
        followers = [Follower() for _ in everybody]
        for turn in range(60):
            seen = people[0].look()
            if "result" in seen:
                break
            mover = people[seen["to_move"]]
            mover.move(turn * 7)
            if turn % 9 == 4 and game != "batisseurs":
                mover.do("chat", {"text": "oh"})
                if "to_move" in mover.look():
                    mover.do("undo")
                    people[1 - seen["to_move"]].do("undo/answer", {"granted": True})
            for each, stream, follower in zip(everybody, heard, followers, strict=True):
                now = each.look()
                while follower.table.get("number", -1) < now["number"]:
                    follower.hear(next(stream))
                assert follower.table == now
