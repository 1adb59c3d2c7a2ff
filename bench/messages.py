"""How much a move sends to whoever is told of it: `make bench-messages` writes messages.md.

Games are played at random, without a server; a message is measured as it is written to a stream,
beside one that tells the whole table after the event, as all did once.
"""

from collections.abc import Iterator
from datetime import UTC, datetime
from statistics import median

import msgspec

import benben
from benben.table.events import AnyEvent, Moved
from benben.table.table import Table
from benben.table.views import TableView, visible_event
from benben.web.sse import message
from benben.web.streams import EventEncoder
from benben.web.viewers import Viewer
from bench.measuring import HERE, commit
from tests.live.playing import SECRET, Match, at_random, table_options
from tests.live.sessions import unstored_session

GAMES = 200
MOMENTS = (5, 50)
WATCHING, MOVING = "watching", "to move"


class Whole(msgspec.Struct, omit_defaults=True):
    """An event as it was told before."""

    number: int
    at: int
    event: AnyEvent
    table: TableView


def sizes(game: str, seed: int) -> Iterator[tuple[int, str, int, int]]:
    """Of some moves of a game: which, to whom, and the bytes before and now."""
    match = Match(table_options(game, players=2))
    match.fill()
    match.play(at_random(seed), most=max(MOMENTS))
    session, moves = unstored_session(Table(match.table.options, SECRET)), 0
    for entry in match.entries:
        session.apply_remote(entry, None)
        moves += isinstance(entry.event, Moved)
        if not isinstance(entry.event, Moved) or moves not in MOMENTS:
            continue
        for seat in {None, session.table.to_move}:  # while a throw is due nobody is to move
            viewer = Viewer(session, seat)
            event = visible_event(session.table, entry.event, seat)
            whole = Whole(entry.number, entry.at, event, viewer.full_view(entry.at))
            before = len(message("event", whole, entry.number))
            now = len(EventEncoder(session).encode(viewer, [entry], entry.at))
            yield moves, WATCHING if seat is None else MOVING, before, now


def main() -> None:
    rows = []
    for game in benben.names():
        found: dict[tuple[int, str], list[tuple[int, int]]] = {
            (moves, who): [] for moves in MOMENTS for who in (WATCHING, MOVING)
        }
        for seed in range(GAMES):
            for moves, who, before, now in sizes(game, seed):
                found[moves, who].append((before, now))
        rows += [_row(game, *which, pairs) for which, pairs in found.items() if pairs]
    text = f"""# What a move sends

By `make bench-messages`, on commit {commit()}, {datetime.now(UTC):%Y-%m-%d}.

Bytes of the message on a table's stream after the 5th and the 50th move of {GAMES} games of two,
played at random (of those that last as long): to a spectator, and to the seat that is to move next,
which is told what it may play. *Before*, each message had the whole table; *now* it has what has
changed. Medians, and the largest that was seen now.

| game | move | to whoever is | before | now | largest |
|---|---:|---|---:|---:|---:|
"""
    (HERE / "messages.md").write_text(text + "\n".join(rows) + "\n")


def _row(game: str, moves: int, who: str, pairs: list[tuple[int, int]]) -> str:
    before, now = median(pair[0] for pair in pairs), median(pair[1] for pair in pairs)
    largest = max(pair[1] for pair in pairs)
    return f"| {game} | {moves} | {who} | {before:,.0f} | {now:,.0f} | {largest:,} |"


if __name__ == "__main__":
    main()
