"""Finished games as data: one JSON object a line, as docs/records.md describes it."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal, TypeAlias

import msgspec

from benben.core.errors import BenbenError
from benben.lab.arena import OUT
from benben.lab.gamefile import Header
from benben.lab.ledger import Entry, read_ledger
from benben.store.store import Store
from benben.table import events
from benben.table.options import TableOptions
from benben.table.record import Entry as TableEntry
from benben.table.record import rebuild

FORMAT = 1
_PAGE = 100  # tables read at a time

Source: TypeAlias = Literal["table", "arena"]
Kind: TypeAlias = Literal["person", "program", "bot"]


class SeatData(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """Who played on a seat: `bot` as `benben arena` names it, also one that took over."""

    kind: Kind
    bot: str = ""
    name: str = ""
    hints: int = 0  # positions in which one was given
    failed: str = ""  # why


class ResultData(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    shares: tuple[float, ...]
    reason: str


class GameData(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True
):
    """A finished game. `start` is the whole position, secrets too; `moves` has the throws too."""

    format: int = msgspec.field(name="benben-game")
    source: Source
    id: str
    game: str
    rules: int
    options: dict[str, str | int]
    seats: tuple[SeatData, ...]
    start: str
    moves: tuple[str, ...]
    result: ResultData
    begun: datetime | None = None
    ended: datetime | None = None

    def line(self) -> bytes:
        return msgspec.json.encode(self) + b"\n"


def schema() -> bytes:
    """What a line looks like, as JSON Schema."""
    return msgspec.json.format(msgspec.json.encode(msgspec.json.schema(GameData)), indent=2)


# ---- Tables


def count_tables(store: Store, since: datetime | None = None) -> int:
    """How many `table_games` looks at."""
    return store.lists.count_finished(_milliseconds(since))


def table_games(
    store: Store, game: str | None = None, since: datetime | None = None, names: bool = False
) -> Iterator[GameData | None]:
    """The finished tables of a store, one after another; None for one that is left out.

    Those are tables of other games, where none was played, whose rules are not known here, or that
    were over before `since`. With `names` it is said what people, programs and bots were called.
    """
    after = ""
    while page := store.lists.finished(_milliseconds(since), after, _PAGE):
        for table, options, secret in page:
            yield _table_game(store, table, options, secret, game, names)
        after = page[-1][0]


def _table_game(
    store: Store, table: str, options_text: str, secret: str, game: str | None, names: bool
) -> GameData | None:
    try:
        options = msgspec.json.decode(options_text, type=TableOptions)
        if game not in (None, options.game):
            return None
        entries = [
            TableEntry(event.number, event.at, events.from_json(event.body))
            for event in store.events(table)
        ]
        played = rebuild(options, secret, entries)
    except (BenbenError, msgspec.MsgspecError):  # of a game or rules that are not known here
        return None
    at = {type(entry.event): entry.at for entry in entries}
    if not played.playable or not played.closed or played.start is None or played.result is None:
        return None
    seats = tuple(
        SeatData(
            "program" if seat.program else "person" if seat.taken else "bot",
            bot=str(seat.level or ""),
            name=seat.name if names else "",
            hints=len(hints),
        )
        for seat, hints in zip(played.seats, played.hints, strict=True)
    )
    return GameData(
        format=FORMAT,
        source="table",
        id=table,
        game=options.game,
        rules=options.rules,
        options=options.game_options,
        seats=seats,
        start=str(played.start),
        moves=played.moves,
        result=ResultData(played.result.shares, played.result.reason),
        begun=_time(at[events.Began]),
        ended=_time(at[events.Ended]),
    )


def _milliseconds(time: datetime | None) -> int:
    return 0 if time is None else round(time.timestamp() * 1000)


def _time(milliseconds: int) -> datetime:
    return datetime.fromtimestamp(milliseconds / 1000, UTC)


# ---- Arenas


def arena_games(path: Path, game: str | None = None) -> Iterator[GameData | None]:
    """The games of a file of results, in the order they ended in; None for one left out.

    Those are games of another than `game`, and those that were not played.
    """
    header, entries = read_ledger(path)
    for entry in entries:
        if entry.reason == OUT or game not in (None, header["game"]):
            yield None
        else:
            yield _arena_game(path, header, entry)


def _arena_game(path: Path, header: Header, entry: Entry) -> GameData:
    return GameData(
        format=FORMAT,
        source="arena",
        id=f"{path.stem}-{entry.game:06}",
        game=header["game"],
        rules=header["rules"],
        options=header["options"],
        seats=tuple(
            SeatData("bot", bot=bot, failed=entry.failures.get(seat, ""))
            for seat, bot in enumerate(entry.bots)
        ),
        start=entry.start,
        moves=entry.moves,
        result=ResultData(entry.shares, entry.reason),
    )
