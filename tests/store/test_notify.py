"""What one server tells is heard by the others: once, in order, whatever the connection does."""

import asyncio
import logging
from typing import Any

import psycopg
import pytest

from benben.store import notify as channel_module
from benben.store.database import Database, StoreFailed
from benben.store.notify import Notifications
from benben.store.store import Store
from tests.live.servers import run
from tests.store.postgres import Postgres

MANY = [f"word {number}" for number in range(300)]


class Hearing:
    """A server that hears words, and knows when it has all of them."""

    def __init__(self, url: str) -> None:
        self.database = Database(url)
        self.channel = Notifications(self.database)
        self.heard: list[str] = []
        self._changed = asyncio.Event()
        self.channel.on("word", self._hear)

    def _hear(self, words: list[str]) -> None:
        self.heard += words
        self._changed.set()

    async def until(self, word: str) -> list[str]:
        async with asyncio.timeout(60):
            while word not in self.heard:
                self._changed.clear()
                await self._changed.wait()
        return self.heard


def test_words_are_heard_once_and_in_order_also_while_the_connection_is_looked_at(
    postgres: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(channel_module, "_CHECK_SECONDS", 0.001)

    async def play(url: str) -> None:
        with Store.open(url) as store:
            hearing = Hearing(url)
            await hearing.channel.open(serves=True)
            for message in MANY:
                await store.cluster.notify([message])
            assert await hearing.until("299") == [str(number) for number in range(300)]
            await hearing.channel.close()

    run(play(postgres.fresh()))


def test_one_does_not_hear_oneself_nor_what_is_not_understood(
    postgres: Postgres, caplog: pytest.LogCaptureFixture
) -> None:
    async def play(url: str) -> None:
        hearing = Hearing(url)
        hearing.channel.on("number", lambda words: hearing.heard.append(f"{int(words[0])}"))
        await hearing.channel.open(serves=True)
        ours = hearing.database.server
        async with await psycopg.AsyncConnection.connect(url, autocommit=True) as other:
            for message in (
                "",
                "word",
                f"word {ours} ours",
                "strange they any",
                "number they x",
                "number they 7",
                "word they theirs",
            ):
                await other.execute("SELECT pg_notify('benben', %s)", (message,))
            assert await hearing.until("theirs") == ["", "7", "theirs"]
        await hearing.channel.close()

    with caplog.at_level(logging.ERROR, "benben.store"):
        run(play(postgres.fresh()))
    assert [each.getMessage() for each in caplog.records] == [
        "a notification of another server could not be handled: number"
    ]


def test_a_lost_connection_is_made_anew_and_whoever_listens_looks_for_themselves(
    postgres: Postgres, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """It is known at once that it is lost, not only when it is next looked at."""
    monkeypatch.setattr(channel_module, "_CHECK_SECONDS", 3600.0)

    async def play(url: str) -> None:
        with Store.open(url) as store:
            hearing, again = Hearing(url), asyncio.Event()
            hearing.channel.on_connected(again.set)
            assert await hearing.channel.open(serves=True)
            async with await psycopg.AsyncConnection.connect(url, autocommit=True) as other:
                await other.execute(
                    "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory'"
                )
            async with asyncio.timeout(60):
                await again.wait()
            await store.cluster.notify(["word after"])
            assert await hearing.until("after") == ["after"]
            await hearing.channel.close()

    run(play(postgres.fresh()))
    assert [each.levelname for each in caplog.records] == ["WARNING"], "no callback has failed"


class Deaf(Database):
    """A database behind a pool that takes LISTEN and passes on no notification."""

    async def listening(self) -> psycopg.AsyncConnection:
        connection = await super().listening()
        execute = connection.execute

        async def forget(query: Any, *rest: Any) -> Any:
            return await execute("SELECT 1" if "LISTEN" in query else query, *rest)

        connection.execute = forget  # type: ignore[method-assign, assignment]
        return connection


def test_where_notifications_do_not_come_through_a_start_fails(
    postgres: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(channel_module, "_PROBE_SECONDS", 0.2)

    async def play(url: str) -> None:
        with pytest.raises(StoreFailed, match="not in transaction mode"):
            await Notifications(Deaf(url)).open(serves=True)

    run(play(postgres.fresh()))
