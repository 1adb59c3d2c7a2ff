"""How answers go out: what is written in one round of the event loop is sent together.

uvicorn writes the head of an answer, then its body. Sent as they come these are two packets, and
two calls of the system, each of which takes longer than it takes to make most answers.

A protocol of one's own is something uvicorn takes (`Config(http=…)`), but what it writes to is not:
there is no option to send head and body together, and an ASGI application cannot. So this reaches
into how its protocol is given its transport, `connection_made`. What we rely on there is tested by
`tests/web/test_transport.py`, which says so if a new uvicorn does it in another way.
"""

import asyncio
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol


class Protocol(HttpToolsProtocol):
    """uvicorn's, but for what it writes to."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(BatchingTransport(transport, self.loop))  # type: ignore[arg-type]


class BatchingTransport:
    """A transport that sends at the end of a round what was written in it."""

    def __init__(self, transport: asyncio.Transport, loop: asyncio.AbstractEventLoop) -> None:
        self._transport, self._loop = transport, loop
        self._waiting: list[bytes] = []

    def write(self, data: bytes) -> None:
        if not self._waiting:
            self._loop.call_soon(self._send)
        self._waiting.append(data)

    def close(self) -> None:
        """After all that was written."""
        self._send()
        self._transport.close()

    def _send(self) -> None:
        waiting, self._waiting = self._waiting, []
        if waiting and not self._transport.is_closing():  # if so nobody reads it
            self._transport.write(b"".join(waiting))

    def __getattr__(self, name: str) -> Any:
        """Everything else is as it was."""
        return getattr(self._transport, name)
