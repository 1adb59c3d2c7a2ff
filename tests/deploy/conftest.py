"""What tests of this folder share."""

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest


@pytest.fixture(scope="module")
def directory() -> Iterator[Path]:
    """Where PostgreSQL may go too if we are root, and of a short name, as sockets want it."""
    folder = Path(tempfile.mkdtemp(prefix="benben"))
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder)
