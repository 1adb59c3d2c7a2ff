"""`benben serve` as a process of its own."""

import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import httpx

PATIENCE = 120.0  # seconds for one answer; none takes as long unless something is broken


class Mortal:
    """`benben serve` as a process that can be killed, always at the same address."""

    def __init__(self, database: str, log: Path) -> None:
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        self.address = f"http://127.0.0.1:{self.port}"
        self.deaths = 0
        self._command = [sys.executable, "-m", "benben", "serve", "--port", str(self.port)]
        self._command += ["--database", database, "--rate", "0"]
        self._log = log
        self._start()

    def _start(self) -> None:
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(self._command, stdout=log, stderr=log)

    def is_ready(self) -> bool:
        try:
            return httpx.get(f"{self.address}/readyz", timeout=5).status_code == 200
        except httpx.TransportError:
            return False

    def wait(self) -> None:
        until = time.monotonic() + PATIENCE
        while not self.is_ready():
            assert self._process.poll() is None, self._log.read_text()
            assert time.monotonic() < until, self._log.read_text()
            time.sleep(0.05)

    def die(self) -> None:
        """As by a power cut, and at once there again."""
        self._process.kill()
        self._process.wait()
        self.deaths += 1
        self._start()

    def end(self) -> None:
        self._process.send_signal(signal.SIGTERM)
        assert self._process.wait(60) == 0
