"""`benben serve` as a process of its own."""

import multiprocessing
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import httpx

from benben.cli import main

PATIENCE = 120.0  # seconds for one answer; none takes as long unless something is broken
_PAUSE = 0.05  # seconds until what failed is tried again
_FORKSERVER = multiprocessing.get_context("forkserver")
_FORKSERVER.set_forkserver_preload(["tests.web.preloaded"])


class Process:
    """`benben serve`, always at the same address, however often it is killed."""

    def __init__(self, database: str, log: Path, **environment: str) -> None:
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        self.address = f"http://127.0.0.1:{port}"
        self.log = log
        self._arguments = ["serve", "--port", str(port), "--database", database, "--rate", "0"]
        self._environment = os.environ | environment
        self.start()

    @property
    def pid(self) -> int:
        return self._process.pid

    def start(self) -> None:
        with self.log.open("ab") as log:
            self._process: subprocess.Popen[bytes] | Forked = subprocess.Popen(
                [sys.executable, "-m", "benben", *self._arguments],
                stdout=log,
                stderr=log,
                env=self._environment,
            )

    def wait(self) -> None:
        """Until it serves tables."""
        until = time.monotonic() + PATIENCE
        with httpx.Client(base_url=self.address, timeout=10, verify=False) as http:
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


class Forked:
    """`benben` in a process forked from one that has imported it; the interface of `Popen`.

    `prepare` is called in it first.
    """

    def __init__(
        self, arguments: Sequence[str], log: Path, prepare: Callable[[], object] | None = None
    ) -> None:
        self._process = _FORKSERVER.Process(target=_run, args=[arguments, log, prepare])
        self._process.start()
        assert self._process.pid is not None
        self.pid = self._process.pid

    @property
    def returncode(self) -> int | None:
        return self._process.exitcode

    def poll(self) -> int | None:
        return self._process.exitcode

    def wait(self, timeout: float | None = None) -> int:
        self._process.join(timeout)
        if self._process.exitcode is None:
            raise subprocess.TimeoutExpired("benben", timeout or 0)
        return self._process.exitcode

    def terminate(self) -> None:
        self._process.terminate()

    def kill(self) -> None:
        self._process.kill()

    def send_signal(self, number: signal.Signals) -> None:
        os.kill(self.pid, number)


def _run(arguments: Sequence[str], log: Path, prepare: Callable[[], object] | None) -> None:
    with log.open("ab") as file:
        for descriptor in (1, 2):
            os.dup2(file.fileno(), descriptor)
    if prepare is not None:
        prepare()
    sys.argv = ["benben", *arguments]
    main()


class ForkedProcess(Process):
    """The same without the seconds of imports and loading at every start."""

    def start(self) -> None:
        self._process = Forked(self._arguments, self.log)


def _is_ready(http: httpx.Client) -> bool:
    try:
        return http.get("/readyz").status_code == 200
    except httpx.TransportError:
        return False


@contextmanager
def process(database: str, log: Path, **environment: str) -> Iterator[Process]:
    """A server that is ready, and ends well; in its log there is no traceback.

    It is forked if its environment is ours.
    """
    server = (Process if environment else ForkedProcess)(database, log, **environment)
    try:
        server.wait()
        yield server
        server.end()
    finally:
        server.kill()
    logged = log.read_text()
    assert "Traceback" not in logged, logged[logged.index("Traceback") - 1000 :][:10_000]
