"""The least of HTTP, server-sent events and WebSockets that a load of moves needs.

Written for speed, not for use: whoever measures a server must not be slower than it is.
"""

import asyncio
import base64
import os
import struct
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

Told = Callable[[bytes], None]  # what is done with a message

_TEXT, _CLOSE, _PING, _PONG = 0x1, 0x8, 0x9, 0xA


@dataclass(frozen=True)
class Address:
    host: str
    port: int


class WireError(Exception):
    """A server said something else than it should."""


class Caller(asyncio.Protocol):
    """A connection that asks one thing after another, each answered with a Content-Length."""

    def __init__(self, at: Address, client: str = "") -> None:
        self._at, self._client, self._got = at, _forwarded(client), b""
        self.open = True
        self._answer: asyncio.Future[bytes] | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def connection_lost(self, error: Exception | None) -> None:
        self.open = False
        if self._answer is not None and not self._answer.done():
            self._answer.set_exception(WireError("the server closed a connection"))

    async def post(self, path: str, body: bytes, token: str = "") -> bytes:
        """The body of the answer, which must be a success."""
        what = f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n"
        return await self._request("POST", path, token, what, body)

    async def get(self, path: str, token: str = "") -> bytes:
        """The body of the answer, which must be a success."""
        return await self._request("GET", path, token)

    async def _request(
        self, method: str, path: str, token: str, headers: str = "", body: bytes = b""
    ) -> bytes:
        self._answer = asyncio.get_running_loop().create_future()
        who = f"Authorization: Bearer {token}\r\n" if token else ""
        head = (
            f"{method} {path} HTTP/1.1\r\nHost: {self._at.host}\r\n{self._client}{who}{headers}\r\n"
        )
        self._transport.write(head.encode() + body)
        return await self._answer

    def data_received(self, data: bytes) -> None:
        self._got += data
        head, found, rest = self._got.partition(b"\r\n\r\n")
        if not found or self._answer is None:
            return
        length = int(head.lower().partition(b"content-length:")[2].split(b"\r\n", 1)[0])
        if len(rest) < length:
            return
        self._got = rest[length:]
        if self._answer.cancelled():
            return  # it has ended for whoever asked
        if head[9:10] == b"2":
            self._answer.set_result(rest[:length])
        else:
            self._answer.set_exception(WireError(rest[:length].decode()))


class Callers:
    """Some connections that take turns, as a proxy would have them.

    `client` is the address that the proxy reports, if any.
    """

    def __init__(self, at: Address, client: str = "") -> None:
        self._at, self.client = at, client
        self._free: deque[Caller] = deque()

    async def post(self, path: str, body: bytes, token: str = "") -> bytes:
        caller = await self._take()
        answer = await caller.post(path, body, token)
        self._free.append(caller)
        return answer

    async def get(self, path: str, token: str = "") -> bytes:
        caller = await self._take()
        answer = await caller.get(path, token)
        self._free.append(caller)
        return answer

    async def _take(self) -> Caller:
        while self._free and not self._free[0].open:
            self._free.popleft()  # the server has closed what was long unused
        return self._free.popleft() if self._free else await self._another()

    async def _another(self) -> Caller:
        loop = asyncio.get_running_loop()
        return (
            await loop.create_connection(
                lambda: Caller(self._at, self.client), self._at.host, self._at.port
            )
        )[1]


class EventStream(asyncio.Protocol):
    """A stream of server-sent events in chunks; a chunk is told whole."""

    def __init__(self, told: Told) -> None:
        self._told, self._got, self._begun = told, b"", False

    def data_received(self, data: bytes) -> None:
        self._got += data
        if not self._begun:
            head, found, rest = self._got.partition(b"\r\n\r\n")
            if not found:
                return
            if head[9:12] != b"200":
                raise WireError(head.decode())
            self._begun, self._got = True, rest
        while (end := self._got.find(b"\r\n")) >= 0:
            last = end + 2 + int(self._got[:end], 16)
            if len(self._got) < last + 2:
                return
            chunk, self._got = self._got[end + 2 : last], self._got[last + 2 :]
            self._told(chunk)


def _forwarded(client: str) -> str:
    return f"X-Forwarded-For: {client}\r\n" if client else ""


async def follow(
    at: Address, path: str, token: str, told: Told, client: str = ""
) -> asyncio.Transport:
    """Listen to a stream with somebody's token."""
    loop = asyncio.get_running_loop()
    transport, _ = await loop.create_connection(lambda: EventStream(told), at.host, at.port)
    who = f"Authorization: Bearer {token}\r\n"
    head = f"GET {path} HTTP/1.1\r\nHost: {at.host}\r\n{_forwarded(client)}{who}\r\n"
    transport.write(head.encode())
    return transport


class WebSocket(asyncio.Protocol):
    """Text both ways, in frames that are whole messages."""

    def __init__(self, told: Told) -> None:
        self._told, self._got, self._begun = told, b"", False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport

    def send(self, text: bytes, kind: int = _TEXT) -> None:
        """A frame must be masked; a mask of zeros changes nothing."""
        size = len(text)
        short = size < 126
        head = bytes([0x80 | kind, 0x80 | (size if short else 126)])
        self.transport.write(head + (b"" if short else struct.pack(">H", size)) + bytes(4) + text)

    def data_received(self, data: bytes) -> None:
        self._got += data
        if not self._begun:
            head, found, rest = self._got.partition(b"\r\n\r\n")
            if not found:
                return
            if head[9:12] != b"101":
                raise WireError(head.decode())
            self._begun, self._got = True, rest
        while (frame := self._frame()) is not None:
            kind, text = frame
            if kind == _TEXT:
                self._told(text)
            elif kind == _PING:
                self.send(text, _PONG)
            elif kind == _CLOSE:
                self.transport.close()

    def _frame(self) -> tuple[int, bytes] | None:
        got = self._got
        if len(got) < 2:
            return None
        size, start = got[1], 2
        if size >= 126:
            start, form = (4, ">H") if size == 126 else (10, ">Q")
            if len(got) < start:
                return None
            (size,) = struct.unpack_from(form, got, 2)
        if len(got) < start + size:
            return None
        self._got = got[start + size :]
        return got[0] & 0xF, got[start : start + size]


async def websocket(at: Address, path: str, told: Told) -> WebSocket:
    loop = asyncio.get_running_loop()
    _, socket = await loop.create_connection(lambda: WebSocket(told), at.host, at.port)
    key = base64.b64encode(os.urandom(16)).decode()
    socket.transport.write(
        f"GET {path} HTTP/1.1\r\nHost: {at.host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
    )
    return socket
