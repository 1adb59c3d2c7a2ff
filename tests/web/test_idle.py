"""Open tables where nobody moves cost next to nothing, and a connection at rest is kept."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from http.client import HTTPConnection
from pathlib import Path

import httpx

from benben.web.streams import KEEP_ALIVE
from tests.web.site import PATIENCE

ROOT = Path(__file__).parents[2]
TABLES = 300
ALLOWED = 0.02 * TABLES / 1000  # of a core: 2 % for a thousand tables with two streams each


@contextmanager
def _child(*words: str) -> Iterator[subprocess.Popen[str]]:
    """A process of its own, until it is no longer needed."""
    process = subprocess.Popen(
        [sys.executable, "-m", *words],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        yield process
    finally:
        process.terminate()
        process.communicate()


def _line(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline()


def _cpu(process: subprocess.Popen[str]) -> float:
    """Seconds of CPU a process has used: how busy others are makes little difference."""
    words = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


def _used(process: subprocess.Popen[str], seconds: float) -> float:
    """Its share of a core."""
    before, begun = _cpu(process), time.monotonic()
    time.sleep(seconds)
    return (_cpu(process) - before) / (time.monotonic() - begun)


def _rest(process: subprocess.Popen[str]) -> None:
    """Wait until kernels are loaded, which goes on after the first answers."""
    deadline = time.monotonic() + PATIENCE
    while _used(process, 1.0) > 0.05:
        assert time.monotonic() < deadline


def _status(line: HTTPConnection) -> int:
    """Ask over a connection; an error if the server has closed it."""
    line.request("GET", "/healthz")
    answer = line.getresponse()
    answer.read()
    return answer.status


def test_tables_and_connections_at_rest(tmp_path: Path) -> None:
    words = ["serve", "--port", "0", "--rate", "0", "--database", f"sqlite:///{tmp_path / 'x.db'}"]
    with _child("benben", *words) as server:
        port = _line(server).strip().rpartition(":")[2]
        with (
            httpx.Client(base_url=f"http://127.0.0.1:{port}") as http,
            closing(HTTPConnection("127.0.0.1", int(port))) as line,
        ):
            while http.get("/readyz").status_code != 200:
                time.sleep(0.1)
            assert _status(line) == 200
            _rest(server)
            empty = _used(server, KEEP_ALIVE / 2)
            with _child("bench.load", "benben", "127.0.0.1", port, str(TABLES)) as load:
                assert _line(load), "the tables could not be opened"
                _rest(server)
                full = _used(server, KEEP_ALIVE)  # every stream is kept alive once
                metrics = http.get("/metrics").text
            assert _status(line) == 200, "it is as good as it was"
    assert f"benben_tables_live {TABLES}\n" in metrics
    assert f"benben_streams_open {2 * TABLES}\n" in metrics
    assert full - empty < ALLOWED
