"""Nobody sees what is not theirs to see, to the last byte."""

import msgspec
import pytest

import benben
from benben.table import events
from benben.table.table import Table
from benben.table.views import table_view, visible_event
from tests.configurations import GAMES, LABELS
from tests.live.playing import Match, at_random, options_of, table_options


def everything_seen(match: Match, viewer: int | None) -> bytes:
    """All a viewer is told from the first event to the last, and sees after each."""
    table = Table(match.table.options, match.table.secret)
    seen = []
    for entry in match.entries:
        table.apply(entry.event, entry.at)
        seen.append(msgspec.json.encode(visible_event(table, entry.event, viewer)))
        seen.append(msgspec.json.encode(table_view(table, viewer, entry.at)))
    return b"\n".join(seen)


def with_goals(match: Match, goals: str) -> Match:
    """The same public moves, with other goals dealt in secret."""
    twin = Match(match.table.options, match.table.secret)
    for entry in match.entries:
        event = entry.event
        if isinstance(event, events.Began):
            start = event.start.rsplit(" ", 1)[0] + " " + goals
            event = events.Began(event.order, start, event.draws)
        if isinstance(event, events.Ended):
            break
        twin.store(event)
    return twin


@pytest.mark.parametrize("viewer", [None, 0, 1, 2])
def test_other_goals_look_the_same_until_they_are_shown(viewer: int | None) -> None:
    match = Match(table_options("objectif", players=3))
    match.fill()
    match.play(at_random(1))
    start = match.table.start
    assert start is not None
    goals = str(start).split()[-1]
    colours = {pile[0] for pile in str(start).split()[0].split("/")}
    assert len(colours) == 5
    free = sorted(colours - set(goals))
    swapped = "".join(
        goal if seat == viewer else free.pop() if free else goal for seat, goal in enumerate(goals)
    )
    assert swapped != goals
    before = len(match.entries) - 2  # the last move shows all goals, and the end follows
    one, other = with_goals(match, goals), with_goals(match, swapped)
    one.entries, other.entries = one.entries[:before], other.entries[:before]
    assert everything_seen(one, viewer) == everything_seen(other, viewer)
    assert b'"facts":{"goals"' in everything_seen(one, viewer)
    for seat, goal in enumerate(goals):
        if seat != viewer and swapped[seat] != goal:
            assert everything_seen(one, seat) != everything_seen(other, seat), "one sees one's own"


@pytest.mark.parametrize("game", GAMES, ids=LABELS)
def test_the_secret_is_told_at_the_end_and_not_before(game: benben.Game) -> None:
    match = Match(options_of(game))
    match.fill()
    match.play(at_random(2))
    secret = match.table.secret.encode()
    for viewer in (None, 0):
        *before, end, last = everything_seen(match, viewer).split(b"\n")
        assert not any(secret in line for line in before)
        assert secret in end
        assert secret in last


@pytest.mark.parametrize("game", GAMES, ids=LABELS)
def test_the_seat_to_move_gets_its_moves_in_under_8_kb(game: benben.Game) -> None:
    match = Match(options_of(game))
    match.fill()
    largest = 0
    while (seat := match.table.to_move) is not None:
        seen = table_view(match.table, seat, match.now)
        assert match.table.position is not None
        assert [each.move for each in seen.legal] == match.table.position.moves()
        legal = msgspec.json.encode(seen.legal)
        largest = max(largest, len(legal))
        for other in (None, *(set(range(game.players)) - {seat})):
            assert table_view(match.table, other, match.now).legal == []
        match.decide(at_random(len(match.entries)))
    assert 100 < largest < 8_192


def test_a_kind_of_event_that_is_not_public_needs_a_view_of_its_own() -> None:
    class Peeked(events.Event, frozen=True, tag="peeked"):
        traits = events.Traits(public=False)

    match = Match(table_options())
    match.fill()
    with pytest.raises(TypeError, match="no public view of Peeked"):
        visible_event(match.table, Peeked(), None)  # type: ignore[arg-type]
