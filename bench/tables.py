"""Tables where two play at random, at a Benben server and at one of boardgame.io.

At both a table has two seats with secrets of their own, each with a connection over which it is
told of every move. A move is done when both have been told.
"""

import asyncio
import random
import time
from abc import ABC, abstractmethod
from functools import partial
from typing import Any
from zlib import crc32

import msgspec

from bench.wire import Address, Callers, WebSocket, WireError, follow, websocket

SEATS = (0, 1)


class Table(ABC):
    """Two seats; `number` says how far each of them knows the game."""

    def __init__(self) -> None:
        self.numbers = [-1, -1]
        self.over = False
        self._waited_for = 0
        self._all_told: asyncio.Future[float] | None = None

    async def told(self, number: int) -> float:
        """Wait until both seats know the game up to a number; when that was."""
        if min(self.numbers) >= number:
            return time.perf_counter()
        self._waited_for = number
        self._all_told = asyncio.get_running_loop().create_future()
        return await self._all_told

    def _tell(self, seat: int, number: int) -> None:
        self.numbers[seat] = number
        waiting = self._all_told
        if waiting and not waiting.done() and min(self.numbers) >= self._waited_for:
            waiting.set_result(time.perf_counter())

    @abstractmethod
    async def move(self, rng: random.Random) -> float:
        """Whoever is to move does; the seconds until both know."""


class Side(ABC):
    """A server under load, or several. A table's requests go to one of them, by the table's id."""

    def __init__(self, *at: Address) -> None:
        self._at, self._callers = at, [Callers(each) for each in at]

    def at(self, table: str = "") -> Address:
        return self._at[self._server(table)]

    def callers(self, table: str = "") -> Callers:
        return self._callers[self._server(table)]

    async def _post(self, path: str, body: Any, table: str = "") -> Any:
        return msgspec.json.decode(await self.callers(table).post(path, msgspec.json.encode(body)))

    def _server(self, table: str) -> int:
        return crc32(table.encode()) % len(self._at)

    @abstractmethod
    async def open(self) -> Table:
        """A new table, both seated and listening."""

    @abstractmethod
    async def another(self, table: Any) -> Table:
        """A new table instead of one where the game is over."""


# ---- Benben: quadrille, each seat a stream of server-sent events


class _Legal(msgspec.Struct):
    move: str


class _Seen(msgspec.Struct):
    to_move: int | None = None
    legal: list[_Legal] = []
    result: msgspec.Raw = msgspec.Raw()


class _Whole(_Seen, kw_only=True):
    number: int


class _Told(msgspec.Struct):
    number: int
    now: _Seen | None = None


_whole, _told = msgspec.json.Decoder(_Whole).decode, msgspec.json.Decoder(_Told).decode


class BenbenTable(Table):
    def __init__(self, side: "Benben", id: str, tokens: list[str]) -> None:
        super().__init__()
        self._path, self._tokens = f"/api/tables/{id}", tokens
        self._at, self._callers = side.at(id), side.callers(id)
        self._now: _Seen | None = None  # as whoever is to move sees it
        self._number = 0  # of the event it is so after
        self._streams: list[asyncio.Transport] = []

    async def listen(self) -> None:
        for seat in SEATS:
            path, token = f"{self._path}/events", self._tokens[seat]
            stream = await follow(self._at, path, token, partial(self._read, seat))
            self._streams.append(stream)
        await self.told(0)

    def _read(self, seat: int, chunk: bytes) -> None:
        for message in chunk.split(b"\n\n"):
            kind, _, rest = message.removeprefix(b"event: ").partition(b"\n")
            if kind not in (b"table", b"event"):
                continue  # it keeps the connection alive, or tells who is there
            data = rest.partition(b"data: ")[2]
            told = _whole(data) if kind == b"table" else _told(data)
            seen = told if isinstance(told, _Whole) else told.now
            if seen is None:
                continue  # there is more to come
            if seen.to_move == seat:
                self._now, self._number = seen, told.number
            self.over = self.over or bool(bytes(seen.result))
            self._tell(seat, told.number)

    async def move(self, rng: random.Random) -> float:
        now = self._now
        assert now is not None
        assert now.to_move is not None
        move = {"move": rng.choice(now.legal).move, "number": self._number}
        begun = time.perf_counter()
        answered = asyncio.ensure_future(
            self._callers.post(
                f"{self._path}/move", msgspec.json.encode(move), self._tokens[now.to_move]
            )
        )
        done = await self.told(self._number + 1)
        await answered
        return done - begun

    def close(self) -> None:
        for stream in self._streams:
            stream.close()


def _person(seat: int) -> dict[str, str]:
    return {"name": f"P{seat}", "nonce": "n"}


class Benben(Side):
    async def open(self) -> BenbenTable:
        id = (await self._post("/api/tables", {"game": "quadrille"}))["id"]
        tokens = [
            (await self._post(f"/api/tables/{id}/seats/{seat}", _person(seat), id))["token"]
            for seat in SEATS
        ]
        table = BenbenTable(self, id, tokens)
        await table.listen()
        return table

    async def another(self, table: BenbenTable) -> BenbenTable:
        table.close()
        return await self.open()


# ---- boardgame.io: boardgame_io/server.js, each seat a WebSocket that speaks socket.io


class _Ctx(msgspec.Struct):
    current: str = msgspec.field(name="currentPlayer")
    gameover: Any = None


class _G(msgspec.Struct):
    pawns: list[int]


class _State(msgspec.Struct):
    number: int = msgspec.field(name="_stateID")
    ctx: _Ctx = msgspec.field()
    game: _G = msgspec.field(name="G")


class _Sync(msgspec.Struct):
    state: _State


_NAME = "steps"
_PREFIX = f"42/{_NAME},".encode()
_raw = msgspec.json.Decoder(list[msgspec.Raw]).decode
_state, _sync = msgspec.json.Decoder(_State).decode, msgspec.json.Decoder(_Sync).decode


class BoardgameIoTable(Table):
    def __init__(self, match: str, secrets: list[str]) -> None:
        super().__init__()
        self.match, self._secrets = match, secrets
        self._now: _State | None = None
        self._lines: list[_Line] = []

    async def connect(self, at: Address) -> None:
        for seat in SEATS:
            line = _Line(self, seat)
            self._lines.append(line)
            line.socket = await websocket(at, "/socket.io/?EIO=4&transport=websocket", line.hear)
        await self.told(0)

    async def take_over(self, old: "BoardgameIoTable") -> None:
        """Go on with the connections of another table, as its clients would."""
        self._lines = old._lines
        for line in self._lines:
            line.table = self
            self.sync(line.seat)
        await self.told(0)

    def sync(self, seat: int) -> None:
        self._say(seat, ["sync", self.match, str(seat), self._secrets[seat], len(SEATS)])

    def hear(self, seat: int, text: bytes) -> None:
        kind, *rest = _raw(text[len(_PREFIX) :])
        if bytes(kind) == b'"update"':
            state = _state(rest[1])
        elif bytes(kind) == b'"sync"':
            state = _sync(rest[1]).state
        else:
            return  # who is there
        if bytes(rest[0])[1:-1].decode() != self.match:
            return  # of the table before
        self._now = state
        self.over = state.ctx.gameover is not None
        self._tell(seat, state.number)

    async def move(self, rng: random.Random) -> float:
        now = self._now
        assert now is not None
        seat = int(now.ctx.current)
        action = {
            "type": "MAKE_MOVE",
            "payload": {
                "type": "step",
                "args": [rng.choice(_around(now.game.pawns, seat))],
                "playerID": str(seat),
                "credentials": self._secrets[seat],
            },
        }
        begun = time.perf_counter()
        self._say(seat, ["update", action, now.number, self.match, str(seat)])
        return await self.told(now.number + 1) - begun

    def _say(self, seat: int, what: list[Any]) -> None:
        self._lines[seat].send(_PREFIX + msgspec.json.encode(what))


class _Line:
    """A seat's connection, at the table where it is now."""

    socket: WebSocket

    def __init__(self, table: BoardgameIoTable, seat: int) -> None:
        self.table, self.seat = table, seat

    def send(self, text: bytes) -> None:
        self.socket.send(text)

    def hear(self, text: bytes) -> None:
        if text.startswith(_PREFIX):
            self.table.hear(self.seat, text)
        elif text == b"2":
            self.send(b"3")  # still here
        elif text.startswith(b"0"):
            self.send(b"40/" + _NAME.encode() + b",")
        elif text.startswith(b"40/"):
            self.table.sync(self.seat)
        else:
            raise WireError(text[:200].decode())


def _around(pawns: list[int], seat: int) -> list[int]:
    """The squares a pawn may step to, on 8 files and 6 ranks."""
    rank, file = divmod(pawns[seat], 8)
    near = [
        8 * (rank + up) + file + along
        for up in (-1, 0, 1)
        for along in (-1, 0, 1)
        if 0 <= rank + up < 6 and 0 <= file + along < 8
    ]
    return [square for square in near if square not in pawns]


class BoardgameIo(Side):
    async def open(self) -> BoardgameIoTable:
        table = await self._seated()
        await table.connect(self.at())
        return table

    async def another(self, table: BoardgameIoTable) -> BoardgameIoTable:
        fresh = await self._seated()
        await fresh.take_over(table)
        return fresh

    async def _seated(self) -> BoardgameIoTable:
        path = f"/games/{_NAME}"
        match = (await self._post(f"{path}/create", {"numPlayers": len(SEATS)}))["matchID"]
        secrets = [
            (await self._post(f"{path}/{match}/join", {"playerID": str(seat), "playerName": "Ann"}))
            for seat in SEATS
        ]
        return BoardgameIoTable(match, [each["playerCredentials"] for each in secrets])


SIDES: dict[str, type[Side]] = {"benben": Benben, "boardgame.io": BoardgameIo}
