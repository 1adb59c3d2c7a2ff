"""Answers go out in one piece; and what of uvicorn that relies on is as it was."""

import asyncio
import inspect
import socket
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from uvicorn import Config
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.server import ServerState

from benben.web.transport import BatchingTransport, Connections
from tests.web.site import Site, serving

CHANGED = "uvicorn has changed underneath benben.web.transport: see whether it still batches"


class Wire:
    """A transport that notes what is done with it."""

    def __init__(self) -> None:
        self.done: list[bytes | str] = []

    def write(self, data: bytes) -> None:
        self.done.append(data)

    def close(self) -> None:
        self.done.append("close")

    def is_closing(self) -> bool:
        return "close" in self.done


def test_what_is_written_in_one_round_is_sent_together() -> None:
    async def run() -> list[bytes | str]:
        wire = Wire()
        gathering = BatchingTransport(wire, asyncio.get_running_loop())  # type: ignore[arg-type]
        gathering.write(b"head ")
        gathering.write(b"body")
        assert wire.done == []
        await asyncio.sleep(0)
        gathering.write(b"another ")
        await asyncio.sleep(0)
        gathering.write(b"the last")
        assert not gathering.is_closing()
        gathering.close()
        assert gathering.is_closing()
        await asyncio.sleep(0)
        return wire.done

    assert asyncio.run(run()) == [b"head body", b"another ", b"the last", "close"]


def test_uvicorns_protocol_is_given_its_transport_as_before() -> None:
    parameters = inspect.signature(HttpToolsProtocol.connection_made).parameters
    assert list(parameters) == ["self", "transport"], CHANGED

    async def run() -> None:
        async def app(scope: Any, receive: Any, send: Any) -> None:
            pass

        config = Config(app, log_config=None)
        config.load()
        protocol = Connections()(config=config, server_state=ServerState(), app_state={})
        ours, theirs = socket.socketpair()
        with theirs:
            loop = asyncio.get_running_loop()
            assert getattr(protocol, "loop", None) is loop, CHANGED
            transport, _ = await loop.create_connection(lambda: protocol, sock=ours)
            assert isinstance(getattr(protocol, "transport", None), BatchingTransport), CHANGED
            transport.close()

    asyncio.run(run())


def test_head_and_body_of_an_answer_are_sent_at_once(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[bytes] = []
    init = BatchingTransport.__init__

    class Noting:
        """The transport of the system, with an ear at it."""

        def __init__(self, transport: asyncio.Transport) -> None:
            self._transport = transport

        def write(self, data: bytes) -> None:
            sent.append(bytes(data))
            self._transport.write(data)

        def __getattr__(self, name: str) -> Any:
            return getattr(self._transport, name)

    def noting(self: BatchingTransport, transport: Any, loop: asyncio.AbstractEventLoop) -> None:
        init(self, Noting(transport), loop)  # type: ignore[arg-type]

    monkeypatch.setattr(BatchingTransport, "__init__", noting)
    at = urlsplit(str(site.http.base_url))
    with socket.create_connection((at.hostname, at.port)) as line:
        line.sendall(b"GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        told = b"".join(iter(lambda: line.recv(4096), b""))
    assert told.startswith(b"HTTP/1.1 200 OK\r\n")
    assert told.endswith(b"\r\n\r\nwell\n")
    assert sent == [told], CHANGED


def test_tests_run_on_the_loop_that_serves(tmp_path: Path) -> None:
    """Both by `Server.run`; where there is uvloop, on uvloop."""
    uvloop = pytest.importorskip("uvloop")
    with serving(tmp_path, wait=False) as site:
        work = site.state._work
        assert work is not None
        assert isinstance(work.get_loop(), uvloop.Loop)


def test_what_may_be_no_http_is_refused(site: Site) -> None:
    """By us, or by what reads HTTP for us: which methods there are, one parser knows better."""
    assert site.http.request("BREW", "/api/games").status_code in (400, 405)
    assert site.http.get("/api/games").is_success, "and whoever comes next is served"
