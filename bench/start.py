"""Starting a server where many games are under way: `make bench-start` writes start.md.

Tables are stored before: a few real ones, copied under other ids. A start with them is measured
beside one with none, turn by turn; then how late a server is with many clocks that run out at once.
"""

import argparse
import asyncio
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from sqlalchemy import Connection, delete, func, select, text, update

from benben.core.registry import game, names
from benben.live.tables import Tables
from benben.store.clock import milliseconds
from benben.store.schema import downtimes, events, servers, tables
from benben.store.store import Store
from benben.table import actions
from benben.table.options import Days, LiveClock, Pace, TableOptions
from benben.table.tokens import new_token
from bench.measuring import HERE, commit_if_known, machine, note
from bench.server import benben
from tests.store.postgres import running

STORED, DUE = 100_000, 200
MOVES = 6  # of each game
ROUNDS, IDLE, LOOK = 5, 5.0, 0.02  # starts; seconds
AHEAD = 10.0  # seconds from starting a server until many clocks run out
WANTED_RATIO, WANTED_MEMORY = 1.5, 30.0  # times; MB
_PATIENCE = 120.0  # seconds
# Of ten tables, at how many people have days, hours, or wait for others.
_KINDS: tuple[tuple[Pace, bool, int], ...] = (
    (Days(3), True, 8),
    (LiveClock(3 * 3600), True, 1),
    (Days(3), False, 1),
)


@dataclass
class Start:
    """One start: how long it took, and the memory it took then and a while later, in MB."""

    seconds: float
    ready: float
    idle: float


@dataclass
class Filled:
    """A kind of database, with nothing in it and with very much."""

    name: str
    empty: str  # URLs
    full: str
    without: list[Start] = field(default_factory=list)
    with_them: list[Start] = field(default_factory=list)
    late: tuple[float, float] = 0.0, 0.0  # seconds from when clocks ran out, see `lateness`


# ---- Storing tables


def fill(url: str, count: int) -> None:
    """A few real tables, and copies of them."""
    with Store.open(url) as store:
        made, write = asyncio.run(_play_some(store)), store.writer.do_blocking
        for ids, parts in made:
            copies = count * parts // (10 * len(ids)) - 1
            write(partial(_copy, ids, copies))
        if store.shared:
            write(lambda connection: connection.execute(text("ANALYZE")) and None)
        stored = write(
            lambda connection: connection.execute(select(func.count()).select_from(tables)).scalar()
        )
    assert stored == count, f"{stored} tables"


async def _play_some(store: Store) -> list[tuple[list[str], int]]:
    """The ids of some tables of every kind, and how many of ten tables are to be like them."""
    server = Tables(store, thinkers=0)
    await server.join()
    for each in names():
        await server.open_game(each)
    found = [
        ([await _play(server, each, pace, begins) for each in names()], parts)
        for pace, begins, parts in _KINDS
    ]
    await server.close()
    return found


async def _play(server: Tables, name: str, pace: Pace, begins: bool) -> str:
    played = game(name, players=2)

    def make(commitment: str) -> TableOptions:
        bots = (0,) * played.players
        options, version = played.options, played.rules.VERSION
        return TableOptions(
            game=name,
            game_options=options,
            rules=version,
            bots=bots,
            pace=pace,
            commitment=commitment,
        )

    session = await server.open(make)
    seats = [new_token() for _ in range(2 if begins else 1)]
    for seat, token in enumerate(seats):
        await server.act(session.id, actions.Sit(token, seat, f"Ann{seat}", "n"))
    for _ in range(MOVES if begins else 0):
        table = session.table
        if table.to_move is None or table.position is None:
            break
        token = seats[table.order.index(table.to_move)]
        await server.act(session.id, actions.Move(token, table.position.moves()[0]))
    assert not session.table.closed
    return session.id


_NUMBERS = "WITH RECURSIVE copy(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM copy WHERE i < {count})"
_COPIES = (
    "INSERT INTO tables (id, opened, terms, secret, listed, over, touched, live, due, bot) "
    "{numbers} SELECT id || '-' || i, opened, terms, secret, listed, over, touched, live, due, bot "
    "FROM tables, copy WHERE id IN ({ids})",
    "INSERT INTO events (table_id, number, at, body, key, mark) "
    "{numbers} SELECT table_id || '-' || i, number, at, body, key, mark "
    "FROM events, copy WHERE table_id IN ({ids})",
    "INSERT INTO tokens (hash, table_id, seat) "
    "{numbers} SELECT hash || '-' || i, table_id || '-' || i, seat "
    "FROM tokens, copy WHERE table_id IN ({ids})",
)


def _copy(ids: list[str], count: int, connection: Connection) -> None:
    quoted = ", ".join(f"'{each}'" for each in ids)
    for each in _COPIES:
        statement = each.format(numbers=_NUMBERS.format(count=count), ids=quoted)
        connection.execute(text(statement))


def make_due(url: str, count: int, at: int) -> list[str]:
    """Move the time of some tables so that their clocks run out then; their ids.

    They are as if they had been played until now: no server was away meanwhile.
    """

    def transaction(connection: Connection) -> list[str]:
        live = select(tables.c.id, tables.c.due).where(tables.c.options.like('%"live"%'))
        live = live.where(~tables.c.over, tables.c.id.like("%-%")).limit(count)
        rows = connection.execute(live).all()
        for row in rows:
            by, one = at - row.due, tables.c.id == row.id
            connection.execute(
                update(tables).where(one).values(due=at, opened=tables.c.opened + by)
            )
            connection.execute(
                update(events).where(events.c.table_id == row.id).values(at=events.c.at + by)
            )
        for table in (servers, downtimes):
            connection.execute(delete(table))
        return [row.id for row in rows]

    with Store.open(url) as store:
        return store.writer.do_blocking(transaction)


# ---- Measuring


def start(url: str, folder: Path) -> Start:
    begun = time.monotonic()
    with benben("Benben", url, folder / "log", LOOK) as served:
        took, ready = time.monotonic() - begun, served.memory()
        time.sleep(IDLE)
        return Start(took, ready / 1024, served.memory() / 1024)


def lateness(url: str, folder: Path, count: int) -> tuple[float, float]:
    """Of many clocks that run out at once, the first and the last: seconds until it is stored."""
    at = milliseconds() + round(1000 * AHEAD)
    ids = make_due(url, count, at)
    assert len(ids) == count, f"{len(ids)} tables"
    over = select(func.count()).select_from(tables).where(tables.c.id.in_(ids), tables.c.over)
    told = select(func.min(events.c.at), func.max(events.c.at)).where(
        events.c.table_id.in_(ids), events.c.body.like('%"ended"%')
    )
    with benben("Benben", url, folder / "log", LOOK):
        assert milliseconds() < at, "the server was not ready in time"
        deadline = time.monotonic() + AHEAD + _PATIENCE
        with Store.open(url) as store:
            write = store.writer.do_blocking
            while write(lambda connection: connection.execute(over).scalar()) != count:
                assert time.monotonic() < deadline, "clocks have run out, and nobody is told"
                time.sleep(0.5)
            first, last = write(lambda connection: tuple(connection.execute(told).one()))
    return (first - at) / 1000, (last - at) / 1000


def measure(options: argparse.Namespace) -> list[Filled]:
    note("kernels")
    subprocess.run([sys.executable, "-m", "benben.bots.warm"], check=True)
    with (
        tempfile.TemporaryDirectory(prefix="benben") as name,
        running({"max_connections": "50"}) as postgres,
    ):
        folder = Path(name)
        empty, full = (f"sqlite:///{folder / each}.sqlite3" for each in ("empty", "full"))
        kinds = [
            Filled("SQLite", empty, full),
            Filled("PostgreSQL", postgres.fresh(), postgres.fresh()),
        ]
        for each in kinds:
            note(f"{options.tables} tables on {each.name}")
            Store.open(each.empty).close()
            fill(each.full, options.tables)
        for number in range(options.rounds):
            note(f"round {number + 1} of {options.rounds}")
            for each in kinds:
                each.without.append(start(each.empty, folder))
                each.with_them.append(start(each.full, folder))
        for each in kinds:
            note(f"{DUE} clocks on {each.name}")
            each.late = lateness(each.full, folder, DUE)
    return kinds


# ---- The report


def _median(values: Iterable[float]) -> float:
    return statistics.median(values)


def _ratio(each: Filled) -> float:
    """The median of the rounds' ratios."""
    pairs = zip(each.with_them, each.without, strict=True)
    return _median(a.seconds / b.seconds for a, b in pairs)


def _more(each: Filled) -> float:
    """Memory, in MB: the larger of what it takes more when it is ready, and a while later."""
    pairs = list(zip(each.with_them, each.without, strict=True))
    return max(
        _median(a.ready - b.ready for a, b in pairs), _median(a.idle - b.idle for a, b in pairs)
    )


def _row(name: str, what: str, starts: list[Start]) -> str:
    seconds, ready, idle = (
        _median(getattr(each, part) for each in starts) for part in ("seconds", "ready", "idle")
    )
    return f"| {name} | {what} | {seconds:.2f} s | {ready:.0f} MB | {idle:.0f} MB |"


def _verdicts(each: Filled) -> list[str]:
    ratio, more = _ratio(each), max(0.0, _more(each))
    yes = {True: "yes", False: "**no**"}
    return [
        f"| {each.name}: start, times that with none | {ratio:.2f} | under {WANTED_RATIO:g} "
        f"| {yes[ratio < WANTED_RATIO]} |",
        f"| {each.name}: memory, more than with none | {more:.1f} MB | under {WANTED_MEMORY:g} MB "
        f"| {yes[more < WANTED_MEMORY]} |",
    ]


def report(kinds: list[Filled], options: argparse.Namespace) -> str:
    stored = f"{options.tables:,}"
    return "\n".join(
        [
            "# Starting with many games under way",
            "",
            f"By `make bench-start`, on commit {options.commit or commit_if_known()}, "
            f"{datetime.now(UTC):%Y-%m-%d}, Python {platform.python_version()}, {machine()}. "
            f"Medians of {options.rounds} starts each, turn by turn in one run; ratios and "
            "differences are medians of the rounds' own. The load of the last minute was "
            f"{os.getloadavg()[0]:.1f} when it ended: with much more than 2, others were at work.",
            "",
            f"{stored} tables that are not over: at 8 of 10 people have days for each turn, and "
            f"have made {MOVES} moves; at one they have hours; at one somebody waits for others. "
            "A start is from starting the process to `/readyz` (kernels are compiled already); "
            f"memory is resident, when it is ready and {IDLE:g} s later.",
            "",
            "| database | tables | start | memory | later |",
            "|---|---:|---:|---:|---:|",
            *(
                _row(each.name, what, starts)
                for each in kinds
                for what, starts in (("0", each.without), (stored, each.with_them))
            ),
            "",
            "| | | wanted | met |",
            "|---|---:|---:|---|",
            *(line for each in kinds for line in _verdicts(each)),
            "",
            f"Of these tables {DUE} have clocks that run out at the same moment, after the start. "
            "When their ends were stored, after that moment:",
            "",
            "| database | the first | the last |",
            "|---|---:|---:|",
            *(f"| {each.name} | {each.late[0]:.2f} s | {each.late[1]:.2f} s |" for each in kinds),
            "",
        ]
    )


def main() -> None:
    parser = argparse.ArgumentParser(prog="bench.start", description=__doc__)
    parser.add_argument("--commit", default="", help="which one this is, where Git cannot say")
    parser.add_argument("--tables", type=int, default=STORED)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--output", type=Path, default=HERE / "start.md")
    options = parser.parse_args()
    written = report(measure(options), options)
    options.output.write_text(written, "utf-8")
    sys.stdout.write(written)


if __name__ == "__main__":
    main()
