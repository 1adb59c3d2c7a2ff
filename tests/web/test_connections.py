"""Clients that are too slow, too greedy or too many lose their connection; others do not."""

import asyncio
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, TypeAlias

import pytest
from uvicorn import Config
from uvicorn.server import ServerState

from benben.web.limits import address_key
from benben.web.serving import listen
from benben.web.transport import ConnectionLimits, Connections, Protocol

SHORT = 0.15  # seconds a client is given in these tests
LARGE = 4_000_000  # bytes: more than the buffers of the system hold
GET = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"
POST = b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n%b"

App: TypeAlias = Callable[[Any, Any, Any], Awaitable[None]]
Reader: TypeAlias = asyncio.StreamReader
Writer: TypeAlias = asyncio.StreamWriter


async def echo(scope: Any, receive: Any, send: Any) -> None:
    """Answer how many bytes the body had."""
    length, more = 0, True
    while more:
        message = await receive()
        if message["type"] != "http.request":
            return
        length, more = length + len(message["body"]), message["more_body"]
    await respond(send, b"%d" % length)


async def respond(send: Any, body: bytes) -> None:
    headers = [(b"content-length", b"%d" % len(body))]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": body})


async def large(scope: Any, receive: Any, send: Any) -> None:
    await respond(send, bytes(LARGE))


@dataclass
class Server:
    """A server on loopback with its counts, and the protocols of its connections."""

    port: int
    connections: Connections
    protocols: list[Protocol]

    async def connect(self) -> tuple[Reader, Writer]:
        """A client whose own buffers are small."""
        line = socket.socket()
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        line.setblocking(False)
        await asyncio.get_running_loop().sock_connect(line, ("127.0.0.1", self.port))
        return await asyncio.open_connection(sock=line, limit=4096)


@asynccontextmanager
async def serving(app: App, **limits: Any) -> AsyncIterator[Server]:
    given: dict[str, Any] = {"request_seconds": SHORT, "unread_seconds": SHORT} | limits
    connections, protocols = Connections(ConnectionLimits(**given)), []
    config = Config(app, log_config=None, lifespan="off")
    config.load()
    state = ServerState()

    def connect() -> Protocol:
        protocols.append(connections(config=config, server_state=state, app_state={}))
        return protocols[-1]

    server = await asyncio.get_running_loop().create_server(connect, sock=listen("127.0.0.1", 0))
    async with server:
        yield Server(server.sockets[0].getsockname()[1], connections, protocols)
        for each in protocols:
            if each.transport is not None:
                each.transport.abort()


def run(test: Coroutine[Any, Any, None]) -> None:
    """On the loop that serves: where there is uvloop, on uvloop."""

    async def soon() -> None:
        async with asyncio.timeout(10):
            await test

    with asyncio.Runner(loop_factory=Config(echo, log_config=None).get_loop_factory()) as runner:
        runner.run(soon())


async def answer(reader: Reader) -> tuple[int, bytes]:
    """The status and the body of an answer."""
    head = await reader.readuntil(b"\r\n\r\n")
    length = next(line for line in head.split(b"\r\n") if line.startswith(b"content-length"))
    return int(head.split()[1]), await reader.readexactly(int(length.split()[1]))


async def closed(reader: Reader) -> bytes:
    """What is still sent until the connection is closed."""
    try:
        return await reader.read()
    except ConnectionResetError:
        return b""


@pytest.mark.parametrize(
    "sent",
    [b"", b"\r\n\r\n", b"GET / HTTP/1.1\r\nHost: x\r\n", POST % (10, b"half")],
    ids=["nothing", "empty lines", "half a head", "half a body"],
)
@pytest.mark.parametrize("first", [True, False], ids=["at once", "after an answer"])
def test_a_request_that_is_not_completed_ends_its_connection(sent: bytes, first: bool) -> None:
    async def test() -> None:
        async with serving(echo) as server:
            reader, writer = await server.connect()
            if not first:
                writer.write(GET)
                assert await answer(reader) == (200, b"0")
            writer.write(sent)
            if sent or first:  # else it is at rest, which the keep-alive timeout ends
                assert await closed(reader) == b""
            writer.close()

    run(test())


def test_a_head_without_end_is_refused() -> None:
    async def test() -> None:
        async with serving(echo, head_bytes=1000, request_seconds=60) as server:
            reader, writer = await server.connect()
            writer.write(b"GET / HTTP/1.1\r\nHost: x\r\nA: " + b"a" * 500)
            await asyncio.sleep(0.02)
            writer.write(b"a" * 600)
            status, body = await answer(reader)
            assert status == 431
            assert b"1000 bytes" in body
            assert await closed(reader) == b""
            writer.close()

    run(test())


@pytest.mark.parametrize("path", [b"/", b"/" + b"p" * 1000])
def test_a_whole_head_that_is_too_large_is_refused(path: bytes) -> None:
    async def test() -> None:
        async with serving(echo, head_bytes=1000) as server:
            reader, writer = await server.connect()
            more = b"" if len(path) > 1 else b"".join(b"X-%d: x\r\n" % n for n in range(200))
            writer.write(b"GET %b HTTP/1.1\r\nHost: x\r\n%b\r\n" % (path, more))
            assert (await answer(reader))[0] == 431
            assert await closed(reader) == b""
            writer.close()

    run(test())


def test_bodies_and_pipelined_requests_do_not_count_as_heads() -> None:
    async def test() -> None:
        async with serving(echo, head_bytes=1000, request_seconds=60) as server:
            reader, writer = await server.connect()
            writer.write(POST % (5000, b"x" * 5000))
            assert await answer(reader) == (200, b"5000")
            writer.write(POST % (5000, b"x" * 2000))
            await asyncio.sleep(0.02)
            writer.write(b"x" * 3000 + GET[:10])  # the next one begins in the same data
            assert await answer(reader) == (200, b"5000")
            writer.write(GET[10:])
            assert await answer(reader) == (200, b"0")
            writer.write(b"GET /nonsense HTTP/9\r\n\r\n")
            assert b" 400 " in await closed(reader), "what is no HTTP is refused as before"
            writer.close()

    run(test())


def test_a_steady_upload_may_take_longer() -> None:
    async def test() -> None:
        async with serving(echo, slowest_bytes=100) as server:
            reader, writer = await server.connect()
            writer.write(POST % (1000, b""))
            for _ in range(10):
                writer.write(b"x" * 100)
                await asyncio.sleep(SHORT / 5)
            assert await answer(reader) == (200, b"1000")
            writer.close()

    run(test())


def test_an_answer_and_a_stream_may_take_longer() -> None:
    async def slow(scope: Any, receive: Any, send: Any) -> None:
        await asyncio.sleep(2 * SHORT)
        await respond(send, b"late")

    async def test() -> None:
        async with serving(slow) as server:
            reader, writer = await server.connect()
            for _ in range(2):
                writer.write(GET)
                assert await answer(reader) == (200, b"late")
            writer.close()

    run(test())


async def unread(server: Server) -> tuple[Reader, Writer]:
    """A client that has asked for a large answer and reads nothing of it."""
    reader, writer = await server.connect()
    writer.transport.pause_reading()  # type: ignore[attr-defined]
    writer.write(GET)
    return reader, writer


async def until(condition: Callable[[], object]) -> None:
    while not condition():
        await asyncio.sleep(0.01)


def test_who_does_not_read_an_answer_is_disconnected() -> None:
    async def test() -> None:
        async with serving(large) as server:
            _, writer = await unread(server)
            await until(lambda: server.connections.unread)
            key = address_key("127.0.0.1")
            assert 1_000_000 < server.connections.unread[key] <= LARGE + 1000
            (protocol,) = server.protocols
            await until(lambda: protocol not in protocol.connections)
            assert not server.connections.unread, "nothing of it is held any more"
            writer.transport.abort()

    run(test())


def test_who_reads_slowly_is_not_disconnected() -> None:
    async def test() -> None:
        async with serving(large, unread_seconds=0.4) as server:
            reader, writer = await server.connect()
            writer.write(GET)
            began = asyncio.get_running_loop().time()
            while asyncio.get_running_loop().time() < began + 0.8:
                await reader.readexactly(100_000)
                await asyncio.sleep(0.05)
            assert server.protocols[0].connections, "it is still there"
            writer.close()

    run(test())


def test_who_does_not_read_a_stream_is_disconnected() -> None:
    ended = asyncio.Event()

    async def stream(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})

        async def tell() -> None:
            while True:
                await send({"type": "http.response.body", "body": bytes(65536), "more_body": True})

        telling = asyncio.create_task(tell())
        while (await receive())["type"] != "http.disconnect":
            pass
        telling.cancel()
        ended.set()

    async def test() -> None:
        async with serving(stream) as server:
            _, writer = await unread(server)
            await ended.wait()
            assert not server.connections.unread
            writer.transport.abort()

    run(test())


def test_an_address_leaves_a_bounded_number_of_bytes_unread() -> None:
    async def test() -> None:
        async with serving(large, unread_bytes=2 * LARGE, unread_seconds=60) as server:
            clients = [await unread(server) for _ in range(4)]
            await until(lambda: len(server.protocols) == 4)
            open_ones = server.protocols[0].connections
            await until(lambda: len(open_ones) < 4)
            assert sum(server.connections.unread.values()) <= 2 * LARGE
            assert open_ones, "those before stay"
            for _, writer in clients:
                writer.transport.abort()

    run(test())


class Wire:
    """The transport of somebody at an address."""

    def __init__(self, host: str) -> None:
        self.host, self.sent, self.closing = host, b"", False

    def get_extra_info(self, name: str) -> Any:
        return {"peername": (self.host, 5), "sockname": ("10.0.0.1", 80)}.get(name)

    def write(self, data: bytes) -> None:
        self.sent += data

    def close(self) -> None:
        self.closing = True

    def is_closing(self) -> bool:
        return self.closing


def test_an_address_has_a_bounded_number_of_connections() -> None:
    async def test() -> None:
        connections = Connections(ConnectionLimits(connections=2))
        config = Config(echo, log_config=None)
        config.load()

        def connect(host: str) -> tuple[Protocol, Wire]:
            protocol = connections(config=config, server_state=ServerState(), app_state={})
            wire = Wire(host)
            protocol.connection_made(wire)  # type: ignore[arg-type]
            return protocol, wire

        many = [connect("203.0.113.5") for _ in range(3)]
        assert [wire.closing for _, wire in many] == [False, False, True]
        assert many[2][1].sent.startswith(b"HTTP/1.1 429 ")
        same = [connect(f"2001:db8:0:1::{n}") for n in range(3)]
        assert [wire.closing for _, wire in same] == [False, False, True], "a /64 is one address"
        assert not any(connect("127.0.0.1")[1].closing for _ in range(5)), "it may be a proxy"
        assert not any(connect("::1")[1].closing for _ in range(5))
        many[2][0].connection_lost(None)
        many[0][0].connection_lost(None)
        assert not connect("203.0.113.5")[1].closing
        assert connections.open[address_key("203.0.113.5")] == 2

    run(test())
