"""The HTTP protocol of a connection: timeouts, limits per address, and batched writes.

uvicorn leaves three things to a proxy, which this protocol does itself, as Benben also runs without
one: a deadline and a maximum size for the head of a request, a timeout for clients that do not read
their responses, and limits on the connections and the unread bytes of an address.

uvicorn writes the head and the body of a response separately: two packets and two system calls.
Here, what is written in one iteration of the event loop is sent together: a small response takes
31 µs of CPU instead of 35 (uvloop), and wakes its client once instead of twice.

uvicorn accepts another protocol (`Config(http=…)`), but has no options for any of this. So this one
overrides `connection_made`, the callbacks of the parser and `send_400_response`, and reads `cycle`.
`tests/web/test_transport.py` and `tests/web/test_connections.py` fail if uvicorn changes there.
"""

import asyncio
import logging
from collections import Counter
from dataclasses import dataclass
from http import HTTPStatus
from ipaddress import ip_address
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from benben.web.limits import address_key, subtract

log = logging.getLogger("benben.web")

AT_ONCE = 16_384  # bytes: from this size on a write is sent at once


@dataclass(frozen=True)
class ConnectionLimits:
    """Limits of one connection, and of all connections of an address."""

    head_bytes: int = 32_768
    # Deadline of a request; it has a second more for every `slowest_bytes` received.
    request_seconds: float = 30.0
    slowest_bytes: int = 10_000
    unread_seconds: float = 30.0  # without reading anything while a response is pending
    # Of one address; a trusted proxy may have any number of connections.
    connections: int = 400
    unread_bytes: int = 32_000_000


class Connections:
    """Counts the connections of a server by address. Calling it makes the protocol of one."""

    def __init__(self, limits: ConnectionLimits | None = None) -> None:
        self.limits = limits or ConnectionLimits()
        self.open: Counter[str] = Counter()
        self.unread: Counter[str] = Counter()  # bytes

    def __call__(self, **kwargs: Any) -> "Protocol":
        return Protocol(self, **kwargs)


class Protocol(HttpToolsProtocol):
    """One connection."""

    def __init__(self, connections: Connections, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._connections, self._limits = connections, connections.limits
        self._key = ""  # of the address, if its connections are counted
        self._in_request = self._in_head = False
        self._begun = 0  # requests begun in the data that is being parsed
        self._received = 0  # bytes of the request so far, without that data
        self._request_since: float | None = None  # since when a request is awaited or incomplete
        self._unread: tuple[str, int] | None = None  # the address, and its unread bytes
        self._unread_since, self._sent = 0.0, 0
        self._timer: asyncio.TimerHandle | None = None  # for all timeouts

    # ---- Connections of an address

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(BatchingTransport(transport, self.loop))  # type: ignore[arg-type]
        if self.client is not None and not self._is_trusted(self.client[0]):
            self._key = address_key(self.client[0])
            self._connections.open[self._key] += 1
            if self._connections.open[self._key] > self._limits.connections:
                self._refuse(429, "Too many connections from this address.")
                return
        self._wait_for_request()

    def connection_lost(self, exc: Exception | None) -> None:
        if self._key:
            subtract(self._connections.open, self._key, 1)
        if self._timer is not None:
            self._timer.cancel()
        self._forget_unread()
        super().connection_lost(exc)

    def _is_trusted(self, host: str) -> bool:
        """Whether it may be a proxy, whose connections are those of many people."""
        if host in getattr(self.app, "trusted_hosts", ()):
            return True
        try:
            return ip_address(host).is_loopback
        except ValueError:
            return False

    # ---- Requests

    def data_received(self, data: bytes) -> None:
        self._begun = int(self._in_request)
        super().data_received(data)
        if self._in_request:
            if self._begun == 1:  # else most of the data may belong to the previous request
                self._received += len(data)
            if self._in_head and self._received > self._limits.head_bytes:
                self._refuse_head()
        if self._in_request or self.cycle is None or self.cycle.response_complete:
            self._wait_for_request()

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._in_request = self._in_head = True
        self._received = 0
        self._begun += 1

    def on_headers_complete(self) -> None:
        if self._head_size() > self._limits.head_bytes:
            raise _HeadTooLarge  # ends parsing: see send_400_response
        self._in_head = False
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        self._in_request, self._request_since = False, None
        super().on_message_complete()

    def send_400_response(self, msg: str) -> None:
        if self._in_head and self._head_size() > self._limits.head_bytes:
            self._refuse_head()
        else:
            super().send_400_response(msg)

    def _head_size(self) -> int:
        """The bytes of the head that were parsed so far."""
        return len(self.url) + sum(len(name) + len(value) + 4 for name, value in self.headers)

    def _refuse_head(self) -> None:
        self._refuse(431, f"The head of a request has at most {self._limits.head_bytes} bytes.")

    def _refuse(self, status: int, words: str) -> None:
        """Send a plain-text error, and close the connection."""
        if not self.transport.is_closing():
            body = words.encode()
            self.transport.write(
                b"HTTP/1.1 %d %b\r\ncontent-type: text/plain; charset=utf-8\r\n"
                b"content-length: %d\r\nconnection: close\r\n\r\n%b"
                % (status, HTTPStatus(status).phrase.encode(), len(body), body)
            )
            self.transport.close()

    def _wait_for_request(self) -> None:
        if self._request_since is None and not self.transport.is_closing():
            self._request_since = self.loop.time()
            self._schedule_check(self._limits.request_seconds)

    # ---- Answers

    def pause_writing(self) -> None:
        """Called by the transport when its buffer is full."""
        super().pause_writing()
        size = self.transport.get_write_buffer_size()
        client = self.cycle.scope["client"] if self.cycle is not None else self.client
        key = address_key(client[0] if client else "-")  # behind a proxy: the client's
        self._unread = key, size
        self._connections.unread[key] += size
        if self._connections.unread[key] > self._limits.unread_bytes:
            log.info("closed a connection: too many unread bytes for its address")
            self.transport.abort()
            return
        self._unread_since, self._sent = self.loop.time(), self._bytes_sent()
        self._schedule_check(self._limits.unread_seconds)

    def resume_writing(self) -> None:
        super().resume_writing()
        self._forget_unread()

    def _forget_unread(self) -> None:
        if self._unread is not None:
            subtract(self._connections.unread, *self._unread)
            self._unread = None

    def _bytes_sent(self) -> int:
        """Bytes that were handed to the operating system."""
        transport: Any = self.transport
        return int(transport.written - transport.get_write_buffer_size())

    # ---- Time

    def _schedule_check(self, seconds: float) -> None:
        """Check again after some seconds, unless a check is scheduled before."""
        at = self.loop.time() + seconds
        if self._timer is not None:
            if self._timer.when() <= at:
                return
            self._timer.cancel()
        self._timer = self.loop.call_at(at, self._check)

    def _check(self) -> None:
        """Abort the connection of a client that is too slow."""
        self._timer = None
        now, waits = self.loop.time(), []
        if self._unread is not None:
            if self._bytes_sent() > self._sent:
                self._unread_since, self._sent = now, self._bytes_sent()
            waits.append(self._unread_since + self._limits.unread_seconds - now)
        if self._request_since is not None:
            if self.flow.read_paused:  # the server, not the client, is slow
                self._request_since = now
            more = self._received / self._limits.slowest_bytes
            waits.append(self._request_since + self._limits.request_seconds + more - now)
        if waits and min(waits) <= 0:
            self.transport.abort()
        elif waits:
            self._schedule_check(min(waits))


class _HeadTooLarge(Exception):
    """The head of a request is complete, and too large."""


class BatchingTransport:
    """A transport that sends at the end of an event loop iteration what was written in it."""

    def __init__(self, transport: asyncio.Transport, loop: asyncio.AbstractEventLoop) -> None:
        self._transport, self._loop = transport, loop
        self._waiting: list[bytes] = []
        self.written = 0  # bytes, since the start

    def write(self, data: bytes) -> None:
        if not self._waiting:
            self._loop.call_soon(self._send)
        self._waiting.append(data)
        if len(data) >= AT_ONCE:  # else a writer that never waits would never be paused
            self._send()

    def close(self) -> None:
        """Close after sending everything that was written."""
        self._send()
        self._transport.close()

    def _send(self) -> None:
        waiting, self._waiting = self._waiting, []
        if waiting and not self._transport.is_closing():
            data = b"".join(waiting)
            self.written += len(data)
            self._transport.write(data)

    def __getattr__(self, name: str) -> Any:
        """Delegate everything else."""
        return getattr(self._transport, name)
