"""Attacks on a server, one at a time: `python -m bench.attacks NAME URL SECONDS`.

Each is what one visitor could do from one address, reported as 203.0.113.7, with requests that are
bounded in rate and time. It prints a line when its preparations are done and the load begins.
Only servers on loopback are attacked.
"""

import asyncio
import random
import sys
import time
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from itertools import count
from typing import Any
from urllib.parse import urlsplit

import httpx

from benben.table.events import Said, Sat
from tests.live.playing import Match, at_random, table_options

ATTACKER = "203.0.113.7"
REQUESTS_PER_SECOND = 100.0  # twice what one address may ask for
CONNECTIONS = 40
LONG_NAME_BYTES = 1_900_000
BOT_TABLES = 150
LISTED_TABLES = 300
IPV6_NETWORKS = 900


class Attacker:
    """One visitor with a client for HTTP, and a pace that all of their requests share."""

    def __init__(self, url: str, seconds: float) -> None:
        self.url, self.until = url, time.monotonic() + seconds
        limits = httpx.Limits(max_connections=CONNECTIONS, max_keepalive_connections=CONNECTIONS)
        self.http = httpx.AsyncClient(
            base_url=url, headers={"X-Forwarded-For": ATTACKER}, limits=limits, timeout=60
        )
        self._next = time.monotonic()

    async def pace(self) -> None:
        self._next = max(self._next, time.monotonic() - 0.1) + 1 / REQUESTS_PER_SECOND
        await asyncio.sleep(self._next - time.monotonic())

    async def get(self, path: str, **more: Any) -> httpx.Response:
        await self.pace()
        return await self.http.get(path, **more)

    async def post(self, path: str, body: Any = None, **more: Any) -> httpx.Response:
        await self.pace()
        return await self.http.post(path, json={} if body is None else body, **more)

    async def open(self, game: str, **options: Any) -> str:
        return str((await self.post("/api/tables", {"game": game, **options})).json()["id"])

    async def sit(self, table: str, seat: int) -> dict[str, str]:
        """The headers of the person who took the seat."""
        body = {"name": f"Eve{seat}", "nonce": "n"}
        answer = await self.post(f"/api/tables/{table}/seats/{seat}", body)
        return {"Authorization": f"Bearer {answer.json()['token']}"}

    async def bring(self, record: str) -> str:
        """The id of a record that was brought; empty if it was refused."""
        await self.pace()
        headers = {"Content-Type": "application/json"}
        answer = await self.http.post("/api/records", content=record, headers=headers)
        return str(answer.json()["id"]) if answer.is_success else ""

    async def repeat(self, request: Callable[[], Awaitable[object]], loops: int) -> None:
        """Send a request again and again from several loops until the time is over."""

        async def loop() -> None:
            while time.monotonic() < self.until:
                try:
                    await request()
                except httpx.HTTPError:
                    await asyncio.sleep(0.1)

        begin()
        await asyncio.gather(*(loop() for _ in range(loops)))

    async def connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        where = urlsplit(self.url)
        return await asyncio.open_connection(where.hostname, where.port)


def begin() -> None:
    sys.stdout.write("begun\n")
    sys.stdout.flush()


def _record(game: str, players: int, *, name: str = "", talk: int = 0, seed: int = 0) -> str:
    """A finished game by our own luck; it is as right as one played at a table."""
    match = Match(table_options(game, players=players))
    for seat in range(players):
        match.store(Sat(seat, (name if seat == 0 else "") or f"P{seat}", f"nonce{seed}"))
    match.settle()
    for number in range(talk):
        match.store(Said(number % players, "x" * 300))
    match.play(at_random(seed))
    match.settle()
    return str(match.record)


# ---- The attacks


async def nothing(eve: Attacker) -> None:
    """No attack."""
    begin()
    await asyncio.sleep(max(0.0, eve.until - time.monotonic()))


async def long_name(eve: Attacker) -> None:
    """The review page of a record with a name of 1.9 MB."""
    brought = await eve.bring(_record("quadrille", 2, name="'&<>" * (LONG_NAME_BYTES // 4)))
    brought = brought or await eve.bring(_record("quadrille", 2))
    await eve.repeat(lambda: eve.get(f"/review/{brought}"), 3)


async def pages(eve: Attacker) -> None:
    """A rulebook's page as often as it is answered."""
    await eve.repeat(lambda: eve.get("/rules/objectif"), CONNECTIONS)


async def previews(eve: Attacker) -> None:
    """Pages of tables that do not exist."""
    numbers = count()
    await eve.repeat(lambda: eve.get(f"/t/nowhere{next(numbers)}"), CONNECTIONS)


async def bots_alone(eve: Attacker) -> None:
    """Tables of four bots of level 6 whose only person has left."""
    await _open_bot_tables(eve, watched=False)


async def bots_watched(eve: Attacker) -> None:
    """The same, and the person who left watches each of them."""
    await _open_bot_tables(eve, watched=True)


async def bots_watched_ipv6(eve: Attacker) -> None:
    """The same, each from another network of one IPv6 site."""
    await _open_bot_tables(eve, watched=True, ipv6=True)


async def _open_bot_tables(eve: Attacker, *, watched: bool, ipv6: bool = False) -> None:
    seats = [{}, *({"bot": 6} for _ in range(3))]
    watching: list[asyncio.Task[None]] = []
    for number in range(BOT_TABLES):
        if ipv6:
            eve.http.headers["X-Forwarded-For"] = _ipv6(number)
        try:
            table = await eve.open("pyramidis", players=4, seats=seats, leaver="bot")
            token = await eve.sit(table, 0)
            await eve.post(f"/api/tables/{table}/leave", headers=token)
        except KeyError:  # refused
            await asyncio.sleep(0.05)
            continue
        if watched:
            client = eve.http.headers["X-Forwarded-For"]
            watching.append(asyncio.create_task(_watch(eve, table, token, client)))
    begin()
    await asyncio.sleep(max(0.0, eve.until - time.monotonic()))


async def _watch(eve: Attacker, table: str, token: dict[str, str], client: str) -> None:
    reader, writer = await eve.connect()
    head = (
        f"GET /api/tables/{table}/events HTTP/1.1\r\nHost: localhost\r\n"
        f"Authorization: {token['Authorization']}\r\nX-Forwarded-For: {client}\r\n\r\n"
    )
    writer.write(head.encode())
    while await reader.read(65_536):
        pass


async def lobby(eve: Attacker) -> None:
    """Listed tables where nobody sits, and the list of open tables."""
    for number in range(LISTED_TABLES):
        pace = {"pace": "days", "days": 2} if number % 2 else {"pace": "none"}
        try:
            await eve.open("quadrille", listed=True, pace=pace)
        except KeyError:  # refused
            await asyncio.sleep(0.05)
    await eve.repeat(lambda: eve.get("/api/tables"), 8)


async def records(eve: Attacker) -> None:
    """Large records, each another one."""
    brought = [_record("quadrille", 2, talk=200, seed=seed) for seed in range(20)]
    await eve.repeat(lambda: eve.bring(random.choice(brought)), 8)


async def lab(eve: Attacker) -> None:
    """A balance report."""
    report = (await eve.get("/api/lab?language=en")).json()["reports"][0]["id"]
    await eve.repeat(lambda: eve.get(f"/api/lab/{report}?language=en"), 8)


async def openapi(eve: Attacker) -> None:
    """The description of the API."""
    await eve.repeat(lambda: eve.get("/api/openapi.json"), 8)


async def metrics(eve: Attacker) -> None:
    """The server's counters."""
    await eve.repeat(lambda: eve.get("/metrics"), 8)


async def history(eve: Attacker) -> None:
    """The history of a long game, from many connections."""
    brought = await eve.bring(_record("batisseurs", 4))
    await eve.repeat(lambda: eve.get(f"/api/reviews/{brought}/history"), CONNECTIONS)


async def chat(eve: Attacker) -> None:
    """Chat from three seats, and the record of the table they chat at."""
    table = await eve.open("objectif", players=4)
    tokens = [await eve.sit(table, seat) for seat in range(3)]

    async def say() -> None:
        headers = random.choice(tokens)
        await eve.post(f"/api/tables/{table}/chat", {"text": "x" * 300}, headers=headers)
        await eve.get(f"/api/tables/{table}/record")

    await eve.repeat(say, 8)


async def mail(eve: Attacker) -> None:
    """Mail addresses of strangers, given from both seats of many tables over days."""
    tokens: list[tuple[str, dict[str, str]]] = []
    for _ in range(20):
        table = await eve.open("quadrille", pace={"pace": "days", "days": 2})
        tokens += [(table, await eve.sit(table, seat)) for seat in range(2)]
    numbers = count()

    async def ask() -> None:
        table, token = random.choice(tokens)
        body = {"email": f"stranger{next(numbers)}@example.org"}
        await eve.post(f"/api/tables/{table}/reminders", body, headers=token)

    await eve.repeat(ask, 8)


async def slow_readers(eve: Attacker) -> None:
    """Connections that ask for a record and never read it."""
    brought = await eve.bring(_record("batisseurs", 4, talk=400))
    head = (
        f"GET /api/records/{brought} HTTP/1.1\r\nHost: localhost\r\n"
        f"X-Forwarded-For: {ATTACKER}\r\n\r\n"
    )

    async def hang() -> None:
        _, writer = await eve.connect()
        for _ in range(20):
            writer.write(head.encode())
            await eve.pace()
        await asyncio.sleep(5)
        writer.close()

    async def once() -> None:
        try:
            await hang()
        except OSError as error:
            raise httpx.TransportError(str(error)) from error

    await eve.repeat(once, CONNECTIONS)


async def reviews(eve: Attacker) -> None:
    """Reviews of many games."""
    ids = [await eve.bring(_record("objectif", 2, seed=seed)) for seed in range(12)]
    await eve.repeat(lambda: eve.get(f"/api/reviews/{random.choice(ids)}"), 4)


async def opinions(eve: Attacker) -> None:
    """The bots' opinion of a position, asked for anew every few seconds."""
    match = Match(table_options("quadrille", players=2))
    match.fill()
    body = {"position": str(match.table.position)}

    async def ask() -> None:
        await eve.pace()
        path = "/api/games/quadrille/opinions"
        async with eve.http.stream("POST", path, json=body) as answer:
            if not answer.is_success:
                await asyncio.sleep(0.2)
                return
            until = time.monotonic() + 3
            async for _ in answer.aiter_bytes():
                if time.monotonic() > until:
                    return

    await eve.repeat(ask, 4)


async def headers(eve: Attacker) -> None:
    """Header lines without end."""

    async def send() -> None:
        _, writer = await eve.connect()
        writer.write(b"GET / HTTP/1.1\r\nHost: localhost\r\n")
        try:
            for number in range(500):
                writer.write(b"X-%d: %s\r\n" % (number, b"x" * 8_000))
                await writer.drain()
                await asyncio.sleep(0.01)
        except OSError:
            await asyncio.sleep(0.1)
        finally:
            writer.close()

    await eve.repeat(send, 8)


async def half_requests(eve: Attacker) -> None:
    """Connections that never send a whole request."""

    async def send() -> None:
        _, writer = await eve.connect()
        writer.write(b"POST /api/tables HTTP/1.1\r\nHost: localhost\r\n")
        await asyncio.sleep(max(0.1, eve.until - time.monotonic()))
        writer.close()

    await eve.repeat(send, 300)


def _ipv6(network: int) -> str:
    """An address in one of the networks of a site."""
    return f"2001:db8:7:{network:x}::1"


async def ipv6(eve: Attacker) -> None:
    """Requests from the many networks of one IPv6 site."""

    async def look() -> None:
        network = random.randrange(IPV6_NETWORKS)
        await eve.get("/api/tables", headers={"X-Forwarded-For": _ipv6(network)})

    await eve.repeat(look, 8)


ATTACKS: Mapping[str, Callable[[Attacker], Coroutine[Any, Any, None]]] = {
    each.__name__.replace("_", "-"): each
    for each in (
        nothing,
        long_name,
        pages,
        previews,
        bots_alone,
        bots_watched,
        bots_watched_ipv6,
        lobby,
        records,
        lab,
        openapi,
        metrics,
        history,
        chat,
        mail,
        slow_readers,
        reviews,
        opinions,
        headers,
        half_requests,
        ipv6,
    )
}


def main() -> None:
    name, url, seconds = sys.argv[1:]
    if urlsplit(url).hostname not in ("127.0.0.1", "localhost", "::1"):
        sys.exit(f"{url} is not on loopback: only servers on this machine are attacked")
    asyncio.run(ATTACKS[name](Attacker(url, float(seconds))))


if __name__ == "__main__":
    main()
