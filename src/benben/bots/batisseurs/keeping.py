"""Solutions as files in the user's cache: a digest of 32 bytes, then what was found.

A file's name tells the sources it was found with: another rule is another file.
"""

import hashlib
import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from types import ModuleType
from typing import BinaryIO

import numpy as np

from benben.core.kernel import Floats
from benben.core.locking import Taken, locked_if_free
from benben.core.paths import cache_root

DIGEST = 32  # bytes
_PATIENCE = 0.01  # seconds between two looks while another process makes a file
_OFTEN = 30.0  # seconds between two times that it is written how far a table is
_BLOCK = 1 << 24  # bytes digested between two looks at `cancelled`: some milliseconds


def file_of(name: str, modules: Sequence[ModuleType], *sources: Path) -> Path:
    """Where a solution is kept that these modules and sources find."""
    digest = hashlib.sha256()
    for source in (*(Path(str(module.__file__)) for module in modules), *sources):
        digest.update(source.read_bytes())
    return cache_root() / "solutions" / f"{name}-{digest.hexdigest()[:16]}"


@contextmanager
def alone(file: Path, check: Callable[[], None]) -> Iterator[None]:
    """While it lasts no other process makes this file. Where nothing can be written, none does."""
    lock = file.with_name(f"{file.name}.lock")
    with ExitStack() as stack:
        with suppress(OSError):
            file.parent.mkdir(parents=True, exist_ok=True)
            while not _locked(lock, stack):
                check()
                time.sleep(_PATIENCE)
        yield


def _locked(lock: Path, stack: ExitStack) -> bool:
    try:
        stack.enter_context(locked_if_free(lock))
    except Taken:
        return False
    return True


def digest_of(content: bytes | memoryview) -> bytes:
    return hashlib.sha256(content).digest()


def read_table(file: Path, shape: tuple[int, ...]) -> Floats | None:
    """A table that was kept, on disk until it is looked at; None if that is not what is there."""
    try:
        if file.stat().st_size != DIGEST + 8 * int(np.prod(shape)):
            return None
        table = _mapped(file, shape, "c")  # not read-only: kernels would be compiled once more
        with file.open("rb") as content:
            kept = content.read(DIGEST)
    except OSError:
        return None
    return table if _digest_of_table(table, lambda: None) == kept else None


def _mapped(file: Path, shape: tuple[int, ...], mode: str) -> Floats:
    mapped = np.memmap(file, np.float64, mode, DIGEST, shape)  # type: ignore[call-overload]
    return np.asarray(mapped)


def _digest_of_table(table: Floats, check: Callable[[], None]) -> bytes:
    digest = hashlib.sha256()
    content = memoryview(table.data).cast("B")
    for start in range(0, len(content), _BLOCK):
        check()
        digest.update(content[start : start + _BLOCK])
    return digest.digest()


def _fill(part: BinaryIO, size: int) -> None:
    """With zeros: a file with holes on a disk that gets full would be a crash, not an error."""
    zeros = bytes(_BLOCK)
    while size > 0:
        size -= part.write(zeros[:size])


class Unfinished:
    """A large table on its way. Meanwhile its file has another name, and instead of the digest the
    number of the last step that is done, so that whoever is interrupted goes on from there.

    Where nothing can be written the table is in memory alone.
    """

    def __init__(self, file: Path, shape: tuple[int, ...], check: Callable[[], None]) -> None:
        self._file, self._shape, self._check = file, shape, check
        self._part = file.with_name(f"{file.name}.part")
        self._kept = True
        self._written = time.monotonic()
        self.done = 0
        try:
            self._open()
        except OSError:
            self._kept = False
            self.table = np.zeros(shape)

    def _open(self) -> None:
        self._part.parent.mkdir(parents=True, exist_ok=True)
        size = DIGEST + 8 * int(np.prod(self._shape))
        with self._part.open("ab") as part:
            if part.tell() != size:  # new, or not ours
                part.truncate(0)
                _fill(part, size)
        self.table = _mapped(self._part, self._shape, "r+")
        self.done = int.from_bytes(self._head(), "little")

    def _head(self) -> bytes:
        with self._part.open("rb") as part:
            return part.read(DIGEST)

    def note(self, step: int) -> None:
        """This step is done. Now and then that is written: each time most of the table is."""
        self.done = step
        if time.monotonic() - self._written > _OFTEN:
            self.write()

    def write(self) -> None:
        """Let the next one go on from here."""
        if self._kept:
            self._write_head(self.done.to_bytes(DIGEST, "little"))
        self._written = time.monotonic()

    def _write_head(self, head: bytes) -> None:
        """When all before it is on disk."""
        with self._part.open("r+b") as part:
            os.fsync(part.fileno())
            part.write(head)

    def finish(self) -> bool:
        """All is done: give the file its digest and its name. Whether it is kept."""
        if self._kept:
            try:
                self._write_head(_digest_of_table(self.table, self._check))
                os.replace(self._part, self._file)
            except OSError:
                return False
        return self._kept
