"""Several servers as they are hosted, on one machine: PostgreSQL, two `benben serve`, one
`benben think`, and nginx before them, each a process of its own.

    python -m deploy.cluster --directory DIR [--port 8080] [--tls-port 8443]

It starts them in order, says where they are, and ends them in order. It restarts nothing: what ends
by itself is told. Tests kill its parts and start them again.
"""

import argparse
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import FrameType, TracebackType
from typing import Protocol

from deploy.nginx import NginxFailed, Ports, command
from deploy.postgres import Postgres, PostgresFailed

CONFIGURATION = Path(__file__).with_name("nginx-cluster.conf")
SERVERS = 2
_PATIENCE = 300.0  # seconds until all is ready: a first start compiles the games
_GRACE = 30.0  # seconds for a part to end when it is told to; a server takes 10 at most
_PAUSE = 0.05
_STARTED = "----"  # in a log: from here on it is that of another process
_BENBEN = (sys.executable, "-m", "benben")


class ClusterFailed(Exception):
    """A part does not start."""


class Part(Protocol):
    """Something that runs, under a name."""

    @property
    def runs(self) -> bool: ...

    def start(self) -> None: ...

    def stop(self) -> None: ...

    def kill(self) -> None: ...


class Program:
    """A command as a process group of its own; what it writes is in a file."""

    def __init__(
        self,
        words: Sequence[str | Path],
        log: Path,
        is_ready: Callable[[], bool] = lambda: True,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self._words, self.log, self._is_ready = words, log, is_ready
        self._environment = os.environ | (environment or {})
        self._process: subprocess.Popen[bytes] | None = None
        self._told = False  # to end

    @property
    def runs(self) -> bool:
        return self._process is not None and self._process.poll() is None

    @property
    def pid(self) -> int:
        if self._process is None:
            raise ClusterFailed(f"{self._words[0]} was not started")
        return self._process.pid

    def start(self) -> None:
        """It may not be ready yet: see `wait`."""
        self._told = False
        with self.log.open("ab") as log:
            log.write(f"{_STARTED}\n".encode())
            log.flush()
            self._process = subprocess.Popen(
                self._words,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env=self._environment,
                start_new_session=True,  # Ctrl-C is for who started it, who ends it
            )

    def wait(self) -> None:
        """Until it is ready."""
        deadline = time.monotonic() + _PATIENCE
        while not self._is_ready():
            if not self.runs or time.monotonic() > deadline:
                raise ClusterFailed(f"{self.log.stem} does not start: see {self.log}")
            time.sleep(_PAUSE)

    def tell_to_end(self) -> None:
        """Once: some take a second signal for impatience."""
        if self._process is not None and not self._told:
            self._process.terminate()
            self._told = True

    def stop(self) -> None:
        """Tell it to end, and wait; kill it if it does not."""
        self.tell_to_end()
        if self._process is not None:
            try:
                self._process.wait(_GRACE)
            except subprocess.TimeoutExpired:
                self.kill()

    def kill(self) -> None:
        """As by a power cut, with all that it has started."""
        if self._process is not None and self._process.returncode is None:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()


class Cluster:
    """All parts, by name, in the order they are started: postgres, serve-1, serve-2, think, nginx.

    The servers leave the bots' turns to the one that thinks. `options` go to every server, `think`
    to that one. Ports are any free ones, if they are 0.
    """

    def __init__(
        self,
        directory: Path,
        port: int = 0,
        tls_port: int = 0,
        *,
        options: Sequence[str] = (),
        think: Sequence[str] = (),
        settings: Mapping[str, str] | None = None,
    ) -> None:
        self.directory = directory.resolve()
        self.directory.mkdir(parents=True, exist_ok=True)
        self.logs = self.directory / "logs"
        self.logs.mkdir(exist_ok=True)
        self.certificate = self.directory / "nginx" / "certificate.pem"
        port, tls_port = port or _free_port(), tls_port or _free_port()
        self.address = f"http://127.0.0.1:{port}"
        self.tls_address = f"https://127.0.0.1:{tls_port}"
        self.postgres = Postgres(self.directory / "postgres", settings)
        self.database = self.postgres.url("benben")
        self.parts: dict[str, Part] = {"postgres": self.postgres}
        self.servers: dict[str, str] = {}  # addresses by name
        for n in range(1, SERVERS + 1):
            self._add_server(f"serve-{n}", options)
        self._add_thinking(think)
        self._add_nginx(port, tls_port)

    def _add_server(self, name: str, options: Sequence[str]) -> None:
        port = _free_port()
        address = self.servers[name] = f"http://127.0.0.1:{port}"
        words = [*_BENBEN, "serve", "--port", str(port), "--database", self.database]
        words += ["--thinkers", "0", *options]
        self.parts[name] = Program(
            words,
            self.logs / f"{name}.log",
            lambda: _answers(f"{address}/readyz"),
            {"BENBEN_ADDRESS": self.address},
        )

    def _add_thinking(self, options: Sequence[str]) -> None:
        log = self.logs / "think.log"
        self.parts["think"] = Program(
            [*_BENBEN, "--language", "en", "think", "--database", self.database, *options],
            log,
            lambda: _has_said(log, "Bots think here"),
        )

    def _add_nginx(self, port: int, tls_port: int) -> None:
        changes = {}
        for theirs, ours in zip((8001, 8002), self.servers.values(), strict=True):
            changes[f"server 127.0.0.1:{theirs} "] = f"server {ours.removeprefix('http://')} "
        self.parts["nginx"] = Program(
            command(
                CONFIGURATION,
                changes,
                Ports(tls=tls_port, redirect=_free_port(), plain=port),
                self.directory / "nginx",
            ),
            self.logs / "nginx.log",
            lambda: _answers(f"{self.address}/healthz"),
        )

    # ---- All of it

    def __enter__(self) -> "Cluster":
        try:
            self.postgres.make()
            self.start()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        where: TracebackType | None,
    ) -> None:
        self.stop()

    # ---- Some of it, or all

    def start(self, *names: str) -> None:
        """Start these parts, or all, and wait until they are ready."""
        started = [self.parts[name] for name in names or self.parts]
        for part in started:
            part.start()
            if part is self.postgres:
                self.postgres.create("benben")
        for part in started:
            if isinstance(part, Program):
                part.wait()

    def stop(self, *names: str) -> None:
        """End these parts, or all, the last first: nobody is let in any more, then servers end,
        all at a time, and PostgreSQL when nobody needs it.
        """
        parts = [self.parts[name] for name in reversed(names or list(self.parts))]
        for part in parts:
            if isinstance(part, Program):
                part.tell_to_end()
        for part in parts:
            part.stop()

    def kill(self, *names: str) -> None:
        """As by a power cut."""
        for name in names:
            self.parts[name].kill()

    def restart(self, *names: str) -> None:
        self.stop(*names)
        self.start(*names)

    @property
    def ended(self) -> list[str]:
        """The parts that do not run."""
        return [name for name, part in self.parts.items() if not part.runs]


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port: int = free.getsockname()[1]
    return port


def _has_said(log: Path, words: str) -> bool:
    """Since it was last started."""
    said = log.read_text("utf-8").rpartition(_STARTED)[2]
    return any(line.startswith(words) for line in said.splitlines())


def _answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(url, timeout=5) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False


# ---- The command


def main() -> int:
    parser = argparse.ArgumentParser(description="Run several servers as they are hosted.")
    parser.add_argument("--directory", type=Path, required=True, help="where all is kept")
    parser.add_argument("--port", type=int, default=8080, help="of nginx; 0 is any")
    parser.add_argument("--tls-port", type=int, default=8443, help="of nginx; 0 is any")
    asked = parser.parse_args()
    try:
        with _signals_end_it(), Cluster(asked.directory, asked.port, asked.tls_port) as cluster:
            _say(f"Benben is at {cluster.address} and {cluster.tls_address}; Ctrl-C ends it")
            for name in cluster.parts:
                _say(f"  {name}{': ' + cluster.servers[name] if name in cluster.servers else ''}")
            _say(f"What they write is in {cluster.logs}")
            _watch(cluster)
    except (ClusterFailed, PostgresFailed, NginxFailed) as error:
        _say(f"cluster: {error}")
        return 2
    except KeyboardInterrupt:
        _say("All has ended")
    return 0


def _watch(cluster: Cluster) -> None:
    told: set[str] = set()
    while True:
        for name in set(cluster.ended) - told:
            told.add(name)
            _say(f"{name} has ended by itself")
        time.sleep(0.5)


@contextmanager
def _signals_end_it() -> Iterator[None]:
    """The first is heeded; who is impatient must not keep parts from being ended."""

    def end(number: int, frame: FrameType | None) -> None:
        for each in (signal.SIGINT, signal.SIGTERM):
            signal.signal(each, signal.SIG_IGN)
        raise KeyboardInterrupt

    with ExitStack() as stack:
        for each in (signal.SIGINT, signal.SIGTERM):
            stack.callback(signal.signal, each, signal.signal(each, end))
        yield


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
