"""A lock between processes, held by a file that is open: whoever dies lets go of it."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

if sys.platform == "win32":
    import msvcrt

    def _lock(file: int) -> None:
        msvcrt.locking(file, msvcrt.LK_LOCK, 1)

    def _lock_if_free(file: int) -> None:
        msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _lock(file: int) -> None:
        fcntl.flock(file, fcntl.LOCK_EX)

    def _lock_if_free(file: int) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """While it lasts, no other process is in here with the same path. OSError if it cannot be."""
    with path.open("ab") as file:
        _lock(file.fileno())
        yield


class Taken(Exception):
    """Another process has the lock."""


@contextmanager
def locked_if_free(path: Path) -> Iterator[None]:
    """The same without waiting: Taken if another process is in there.

    Only its owner may open the file, or any other user could take the lock.
    """
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600), "wb") as file:
        try:
            _lock_if_free(file.fileno())
        except (BlockingIOError, PermissionError) as error:  # as Linux and Windows say it
            raise Taken from error
        yield
