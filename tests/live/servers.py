"""Servers as far as tables are concerned: in this process, on a real database."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from benben.core.registry import names
from benben.live.session import TableSession
from benben.live.tables import Tables
from benben.store.store import Store
from benben.table import actions
from benben.table.options import TableOptions
from tests.store.migrated import sqlite_file


class Time:
    """Milliseconds that pass when the test says so."""

    def __init__(self) -> None:
        self.ms = 1_000_000

    def __call__(self) -> int:
        return self.ms


@asynccontextmanager
async def match(
    where: Path | str, now: Time | None = None, *, serves: bool = True, **how: Any
) -> AsyncIterator[Tables]:
    """The tables of a server, in a folder or at the URL of a database."""
    url = where if isinstance(where, str) else sqlite_file(where / "match.sqlite3")
    with Store.open(url) as store:
        options: dict[str, Any] = {"bot_delay": 0.0, "now": now}
        tables = Tables(store, **options | how)
        await tables.join(serves=serves)
        for game in names():
            await tables.open_game(game)
        running = asyncio.create_task(tables.scheduler.run())
        try:
            yield tables
        finally:
            running.cancel()
            await asyncio.wait([running])
            await tables.close()


def run(task: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(task, 60))


def made(template: TableOptions) -> Any:
    def make(commitment: str) -> TableOptions:
        fields = {name: getattr(template, name) for name in template.__struct_fields__}
        return TableOptions(**(fields | {"commitment": commitment}))

    return make


def token(seat: int) -> str:
    return f"token {seat}"


async def sit(tables: Tables, name: str, seat: int) -> None:
    await tables.act(name, actions.Sit(token(seat), seat, f"Ann{seat}", f"n{seat}"))


async def until(tables: Tables, name: str, wanted: Any) -> None:
    """Wait until the table is as wanted."""
    session = await tables.find(name)
    await until_session(session, lambda: wanted(session.table))


async def until_session(session: TableSession, wanted: Callable[[], bool]) -> None:
    """Wait until something is true of a table in memory."""
    changed = asyncio.Event()
    unsubscribe = session.subscribe(changed.set)
    try:
        while not wanted():
            changed.clear()
            await changed.wait()
    finally:
        unsubscribe()


async def first_move(tables: Tables, name: str, seat: int, key: str | None = None) -> int:
    position = (await tables.find(name)).table.position
    assert position is not None
    return await tables.act(name, actions.Move(token(seat), position.moves()[0]), key)
