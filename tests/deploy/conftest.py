"""What tests of this folder share."""

import os
import shutil
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import pytest

from deploy.cluster import _BENBEN, _STARTED, Cluster, Program
from tests.store.postgres import QUICK
from tests.web.processes import Forked


@contextmanager
def _short_folder() -> Iterator[Path]:
    """Where PostgreSQL may go too if we are root, and of a short name, as sockets want it."""
    folder = Path(tempfile.mkdtemp(prefix="benben"))
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder)


@pytest.fixture(scope="module")
def directory() -> Iterator[Path]:
    with _short_folder() as folder:
        yield folder


class ForkedProgram(Program):
    """`benben`, without the seconds of imports and loading at every start."""

    @classmethod
    def instead(cls, other: Program) -> "ForkedProgram":
        return cls(other._words, other.log, other._is_ready, other._environment)

    def start(self) -> None:
        self._told = False
        with self.log.open("a") as log:
            log.write(f"{_STARTED}\n")
        arguments = [str(each) for each in self._words[len(_BENBEN) :]]
        prepare = partial(_enter, dict(self._environment))
        self._process = forked = Forked(arguments, self.log, prepare)  # type: ignore[assignment]
        while os.getpgid(forked.pid) != forked.pid:  # else it could not be killed with its group
            time.sleep(0.001)


def _enter(environment: Mapping[str, str]) -> None:
    os.setsid()  # it is killed with all that it has started
    os.environ.update(environment)


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    """One for all tests; a test leaves all parts running."""
    with _short_folder() as folder:
        cluster = Cluster(folder, options=("--rate", "0"), settings=QUICK)
        for name in (*cluster.servers, "think"):
            part = cluster.parts[name]
            assert isinstance(part, Program)
            cluster.parts[name] = ForkedProgram.instead(part)
        with cluster:
            assert cluster.ended == []
            yield cluster
        assert set(cluster.ended) == set(cluster.parts)
        for log in cluster.logs.iterdir():
            logged = log.read_text()
            assert "Traceback" not in logged, logged[logged.index("Traceback") - 1000 :][:10_000]
