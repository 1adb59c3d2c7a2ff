"""A site without sockets: requests go to the app as uvicorn would pass them on.

It starts, answers and stops sooner than a server. What sockets, the HTTP parser and uvicorn do is
not tested by it. A module whose tests need none of that imports `site` from here.
"""

import asyncio
import queue
import threading
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import httptools
import httpx
import pytest
import uvicorn

from benben.web.reach import ServerAddresses
from tests.web.site import PATIENCE, Site, app_at, as_json, eventually

_END = {"type": "end"}  # after the last message of an answer


class _Answer(httpx.SyncByteStream):
    """What the app answers to one request, message by message."""

    def __init__(self, loop: asyncio.AbstractEventLoop, body: bytes) -> None:
        self._loop, self._body = loop, body
        self._messages: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._closed = asyncio.Event()
        self._received = False

    async def run(self, app: Any, scope: dict[str, Any]) -> None:
        try:
            await app(scope, self._receive, self._send)
        finally:
            self._messages.put(_END)

    async def _receive(self) -> dict[str, Any]:
        if not self._received:
            self._received = True
            return {"type": "http.request", "body": self._body, "more_body": False}
        await self._closed.wait()
        return {"type": "http.disconnect"}

    async def _send(self, message: Any) -> None:
        self._messages.put(message)

    def next_message(self) -> dict[str, Any]:
        try:
            message: dict[str, Any] = self._messages.get(timeout=PATIENCE)
        except queue.Empty:
            raise httpx.ReadTimeout(f"nothing was sent for {PATIENCE:.0f} seconds") from None
        return message

    def __iter__(self) -> Iterator[bytes]:
        more = True
        while more:
            message = self.next_message()
            if message is _END:
                raise httpx.RemoteProtocolError("the app ended within its answer")
            yield message.get("body", b"")
            more = message.get("more_body", False)

    def close(self) -> None:
        self._loop.call_soon_threadsafe(self._closed.set)


class AppTransport(httpx.BaseTransport):
    """Hands a sync client's requests to an app in the event loop of another thread.

    Unlike `httpx.ASGITransport` it lets answers be streams, and requests have any target.
    """

    def __init__(self, app: Any, loop: asyncio.AbstractEventLoop) -> None:
        self._app, self._loop = app, loop

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        answer = _Answer(self._loop, request.read())
        running = asyncio.run_coroutine_threadsafe(
            answer.run(self._app, _scope(request)), self._loop
        )
        start = answer.next_message()
        if start is _END:
            running.result(PATIENCE)
            raise httpx.RemoteProtocolError("the app answered nothing")
        return httpx.Response(start["status"], headers=start["headers"], stream=answer)


def _scope(request: httpx.Request) -> dict[str, Any]:
    target = httptools.parse_url(request.extensions.get("target", request.url.raw_path))
    path = target.path.decode("ascii")
    return {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.3"},
        "http_version": "1.1",
        "method": request.method,
        "scheme": "http",
        "path": unquote(path) if "%" in path else path,
        "raw_path": target.path,
        "query_string": target.query or b"",
        "root_path": "",
        "headers": [(name.lower(), value) for name, value in request.headers.raw],
        "client": ("127.0.0.1", 50_000),
        "server": ("127.0.0.1", 80),
        "state": {},
    }


@contextmanager
def in_process(where: Path | str, wait: bool = True, **options: Any) -> Iterator[Site]:
    """As `serving`, without a socket."""
    app = app_at(where, **options)
    app.state.reach = ServerAddresses("127.0.0.1", 80, app.state.settings.address)
    config = uvicorn.Config(app, lifespan="on", log_config=None)
    config.load()
    started: Future[asyncio.AbstractEventLoop] = Future()
    stopping = asyncio.Event()

    async def run() -> None:
        lifespan = config.lifespan_class(config)
        await lifespan.startup()
        assert not lifespan.should_exit, "the app does not start"
        started.set_result(asyncio.get_running_loop())
        await stopping.wait()
        await lifespan.shutdown()

    def run_loop() -> None:
        try:
            asyncio.run(run())
        except BaseException as error:
            if started.done():
                raise
            started.set_exception(error)

    thread = threading.Thread(target=run_loop)
    thread.start()
    loop = started.result(PATIENCE)

    def stop() -> None:
        if thread.is_alive():
            loop.call_soon_threadsafe(stopping.set)
        thread.join(PATIENCE)
        assert not thread.is_alive(), "the app does not stop"

    transport, hooks = AppTransport(config.loaded_app, loop), {"request": [as_json]}
    try:
        with httpx.Client(
            base_url="http://127.0.0.1", transport=transport, event_hooks=hooks
        ) as http:
            site = Site(http, app.state, stop)
            if wait:
                eventually(lambda: http.get("/readyz").is_success, "the app is ready", 300)
            yield site
    finally:
        stop()


@pytest.fixture(scope="session")
def site(site_in_process: Site) -> Site:
    """The one site in process, instead of the server for all tests."""
    return site_in_process
