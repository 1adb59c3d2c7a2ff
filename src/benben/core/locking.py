"""A lock between processes, held by a file that is open: whoever dies lets go of it."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

if sys.platform == "win32":
    import msvcrt

    def _lock(file: int) -> None:
        msvcrt.locking(file, msvcrt.LK_LOCK, 1)
else:
    import fcntl

    def _lock(file: int) -> None:
        fcntl.flock(file, fcntl.LOCK_EX)


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """While it lasts, no other process is in here with the same path. OSError if it cannot be."""
    with path.open("ab") as file:
        _lock(file.fileno())
        yield
