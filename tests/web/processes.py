"""`benben serve` as a process of its own."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx

PATIENCE = 120.0  # seconds for one answer; none takes as long unless something is broken
_PAUSE = 0.05  # seconds until what failed is tried again


class Process:
    """`benben serve`, always at the same address, however often it is killed."""

    def __init__(self, database: str, log: Path, **environment: str) -> None:
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        self.address = f"http://127.0.0.1:{port}"
        self.log = log
        self._command = [sys.executable, "-m", "benben", "serve", "--port", str(port)]
        self._command += ["--database", database, "--rate", "0"]
        self._environment = os.environ | environment
        self.start()

    @property
    def pid(self) -> int:
        return self._process.pid

    def start(self) -> None:
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                self._command, stdout=log, stderr=log, env=self._environment
            )

    def wait(self) -> None:
        """Until it serves tables."""
        until = time.monotonic() + PATIENCE
        with httpx.Client(base_url=self.address, timeout=10) as http:
            while not _is_ready(http):
                assert self._process.poll() is None, self.log.read_text()
                assert time.monotonic() < until, self.log.read_text()
                time.sleep(_PAUSE)

    def kill(self) -> None:
        """As by a power cut."""
        self._process.kill()
        self._process.wait()

    def die(self) -> None:
        """As by a power cut, and at once there again."""
        self.kill()
        self.start()

    def end(self) -> None:
        self._process.send_signal(signal.SIGTERM)
        assert self._process.wait(60) == 0


def _is_ready(http: httpx.Client) -> bool:
    try:
        return http.get("/readyz").status_code == 200
    except httpx.TransportError:
        return False


@contextmanager
def process(database: str, log: Path, **environment: str) -> Iterator[Process]:
    """A server that is ready, and ends well; in its log there is no traceback."""
    server = Process(database, log, **environment)
    try:
        server.wait()
        yield server
        server.end()
    finally:
        server.kill()
    logged = log.read_text()
    assert "Traceback" not in logged, logged[logged.index("Traceback") - 1000 :][:10_000]
