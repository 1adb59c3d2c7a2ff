"""A bad connection: a proxy that spoils answers as proxies, networks and servers do.

It stands between the browser and the server, as a proxy would: what pages load by themselves, such
as their parts, passes through it too, and a stream can be cut in the middle of an event.
"""

import re
import socket
import struct
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Literal

Kind = Literal["200", "404", "500", "502", "504", "hung", "cut"]
KINDS: tuple[Kind, ...] = ("502", "500", "504", "hung", "cut")
STRANGERS: tuple[Kind, ...] = ("200", "404")  # a page where one has to sign in; another server

_PAGE = "<html><head><title>{0}</title></head><body><center><h1>{0}</h1></center></body></html>"
_REASONS = {
    "200": "OK",
    "404": "Not Found",
    "500": "Internal Server Error",
    "502": "Bad Gateway",
    "504": "Gateway Time-out",
}
_AT_ONCE = struct.pack("ii", 1, 0)  # close without a farewell: what was sent may be lost
_MOST = 65_536  # bytes to take at a time


@dataclass
class Fault:
    """What happens to one request, before the server has heard of it or after it has done it."""

    kind: Kind
    path: str  # a pattern
    method: str = "GET"
    after: bool = False


@dataclass
class Proxy:
    """Passes everything on, but for the faults that are due."""

    upstream: tuple[str, int]
    due: list[Fault] = field(default_factory=list)  # each happens once, in this order
    met: list[str] = field(default_factory=list)  # what was asked for and spoilt
    away: bool = False  # the server: whatever is asked for is answered 502
    halving: bool = False  # streams end in the middle of what they bring next
    _streams: list[socket.socket] = field(default_factory=list)
    _mute: set[socket.socket] = field(default_factory=set)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def spoil(self, path: str, *kinds: Kind, method: str = "GET", after: bool = False) -> None:
        """The next requests of this kind, one after the other."""
        with self._lock:
            self.due += [Fault(kind, path, method, after) for kind in kinds]

    def leave(self) -> None:
        """As when the server stops: streams end, and nothing is answered."""
        self.away = True
        self.cut()

    def cut(self) -> None:
        """All streams that are open, at once."""
        with self._lock:
            streams, self._streams = self._streams, []
        for each in streams:
            _reset(each)

    def mute(self) -> None:
        """All streams that are open: nobody hangs up, but nothing comes any more."""
        self._mute.update(self._streams)

    # ---- One request

    def serve(self, client: socket.socket) -> None:
        """A connection has one request: so no fault hits another than its own."""
        asked = _message(client)
        if not asked:
            return
        method, path = asked.split(b" ", 2)[:2]
        fault = self._fault(method.decode(), path.decode())
        if fault is None:
            self._pass_on(client, asked)
            return
        if fault.after:
            answer = self._answer(asked)
        if fault.kind == "cut":
            if fault.after:
                client.sendall(answer[: len(answer) // 2])
            _reset(client)
        elif fault.kind == "hung":
            with suppress(OSError):
                client.recv(1)  # until whoever asked has given up
        else:
            client.sendall(_spoilt(fault.kind))

    def _fault(self, method: str, path: str) -> Fault | None:
        with self._lock:
            for fault in self.due:
                if fault.method == method and re.search(fault.path, path):
                    self.due.remove(fault)
                    self.met.append(f"{fault.kind} {method} {path}")
                    return fault
        return None

    def _answer(self, asked: bytes) -> bytes:
        with self._connected() as server:
            server.sendall(asked)
            return b"".join(iter(lambda: server.recv(_MOST), b""))

    def _pass_on(self, client: socket.socket, asked: bytes) -> None:
        if self.away:
            client.sendall(_spoilt("502"))
            return
        try:
            server = self._connected()
        except OSError:
            client.sendall(_spoilt("502"))
            return
        with server, suppress(OSError):
            server.sendall(asked)
            streams = b"/events" in asked.split(b"\r\n", 1)[0]
            if streams:
                with self._lock:
                    self._streams.append(client)
                threading.Thread(target=_watch, args=[client, server], daemon=True).start()
            begun = False
            while brought := server.recv(_MOST):
                if client in self._mute:
                    continue
                if streams and begun and self.halving and len(brought) > 20:
                    self.met.append(f"half of {brought[:30]!r}")
                    self.halving = False
                    client.sendall(brought[: len(brought) // 2])
                    _reset(client)
                    return
                client.sendall(brought)
                begun = True

    def _connected(self) -> socket.socket:
        return socket.create_connection(self.upstream, timeout=60)


def _watch(client: socket.socket, server: socket.socket) -> None:
    """Who asked for a stream has gone, so the server need not go on."""
    with suppress(OSError):
        client.recv(1)
    with suppress(OSError):
        server.shutdown(socket.SHUT_RDWR)


def _message(client: socket.socket) -> bytes:
    """A request, head and body, which asks for a connection of its own."""
    text = b""
    while b"\r\n\r\n" not in text:
        brought = client.recv(_MOST)
        if not brought:
            return b""
        text += brought
    head, _, body = text.partition(b"\r\n\r\n")
    length = re.search(rb"(?i)\r\ncontent-length: *(\d+)", head)
    while length and len(body) < int(length[1]):
        body += client.recv(_MOST)
    head = re.sub(rb"(?i)\r\nconnection:[^\r]*", b"", head)
    return head + b"\r\nConnection: close\r\n\r\n" + body


def _spoilt(status: str) -> bytes:
    page = _PAGE.format(f"{status} {_REASONS[status]}").encode()
    head = f"HTTP/1.1 {status} {_REASONS[status]}\r\nContent-Type: text/html\r\n"
    head += f"Content-Length: {len(page)}\r\nConnection: close\r\n\r\n"
    return head.encode() + page


def _reset(client: socket.socket) -> None:
    with suppress(OSError):
        client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _AT_ONCE)
        client.shutdown(socket.SHUT_RD)
        client.close()


def upstream(address: str) -> tuple[str, int]:
    host, _, port = address.rstrip("/").rpartition("//")[2].partition(":")
    return host, int(port)


@contextmanager
def bad_connection(address: str) -> Iterator[tuple[Proxy, str]]:
    """A proxy before a server, and the address where it is."""
    proxy = Proxy(upstream(address))
    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = threading.Thread(target=_accept, args=[listening, proxy.serve], daemon=True)
        thread.start()
        try:
            yield proxy, f"http://127.0.0.1:{listening.getsockname()[1]}"
        finally:
            proxy.cut()
            listening.shutdown(socket.SHUT_RDWR)  # or accepting would go on
            thread.join()


def _accept(listening: socket.socket, serve: Callable[[socket.socket], None]) -> None:
    def one(client: socket.socket) -> None:
        with client, suppress(OSError):
            serve(client)

    with suppress(OSError):
        while True:
            client, _ = listening.accept()
            threading.Thread(target=one, args=[client], daemon=True).start()
