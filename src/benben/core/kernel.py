"""How rules become kernels: one source, compiled by Numba or run as plain Python.

`@kernel` compiles a function without the interpreter's lock and keeps the machine code on disk.
`@generic` declares a function every game has its own version of; which one is meant is decided by
the type of the record it is called with, once, when the calling kernel is compiled. So playouts
and searches are written once, and cost what they would if they were written for one game.

Numba's disk cache looks only at the file of the function it keeps. A generic kernel also holds the
rules it was specialised for, so we keep all kernels in a directory named by a hash of every source
file that may end up in one: edit a rule and the directory is another one.

With NUMBA_DISABLE_JIT=1 the same functions run as they stand.
"""

import hashlib
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, TypeAlias, TypeVar

import numba
import numpy as np
from numba.core import config
from numba.extending import overload
from numpy.typing import NDArray
from platformdirs import user_cache_path

F = TypeVar("F", bound=Callable[..., Any])

# A position's data. Numba's records have no type mypy could check; fields are named in each STATE.
State: TypeAlias = Any
Ints: TypeAlias = NDArray[np.int64]
Floats: TypeAlias = NDArray[np.float64]
Log: TypeAlias = NDArray[np.int64] | None
States: TypeAlias = NDArray[Any]

# The rooms of the package whose source may be compiled into a kernel.
_KERNEL_ROOMS = ("core", "games", "bots")
_PACKAGE = Path(__file__).resolve().parent.parent


def kernel(function: F) -> F:
    """Compile without the interpreter's lock, cached on disk where a directory can be written."""
    directory = cache_directory()
    if directory is None:
        return numba.njit(nogil=True)(function)  # type: ignore[no-any-return]
    with _caching_in(directory):
        return numba.njit(nogil=True, cache=True)(function)  # type: ignore[no-any-return]


@cache
def cache_directory() -> Path | None:
    """Where compiled kernels are kept: $BENBEN_CACHE_DIR or the user's cache; None if read-only."""
    root = os.environ.get("BENBEN_CACHE_DIR")
    base = Path(root) if root else user_cache_path("benben")
    directory = base / "kernels" / _fingerprint()
    try:
        directory.mkdir(parents=True, exist_ok=True)
    except OSError:
        return None
    return directory if os.access(directory, os.W_OK) else None


def _fingerprint() -> str:
    digest = hashlib.sha256(f"{numba.__version__} {np.__version__}".encode())
    for room in _KERNEL_ROOMS:
        for source in sorted((_PACKAGE / room).rglob("*.py")):
            digest.update(source.relative_to(_PACKAGE).as_posix().encode())
            digest.update(source.read_bytes())
    return digest.hexdigest()[:16]


@contextmanager
def _caching_in(directory: Path) -> Iterator[None]:
    # The setting is Numba's own and global: a user's kernels are not ours to move.
    before = config.CACHE_DIR
    config.CACHE_DIR = str(directory)
    try:
        yield
    finally:
        config.CACHE_DIR = before


# ---- Dispatch by record type

_rules_of: dict[Any, ModuleType] = {}


def record(*fields: tuple[Any, ...]) -> np.dtype[Any]:
    """A position's data type: named fields, reached as attributes with and without Numba."""
    return np.dtype((np.record, np.dtype(list(fields), align=True)))


def adopt(rules: ModuleType) -> None:
    """Let the generic functions find a game's rules by the type of its record."""
    _rules_of[rules.STATE] = rules
    _rules_of[numba.from_dtype(rules.STATE)] = rules


def generic(declaration: F) -> F:
    """A function whose body is the rules' function of the same name."""
    name = declaration.__name__

    def dispatch(s: Any, *arguments: Any) -> Any:
        return getattr(_rules_of[s.dtype], name)(s, *arguments)

    def choose(s: Any, *arguments: Any) -> Any:
        rules = _rules_of.get(s)
        return None if rules is None else getattr(rules, name).py_func

    dispatch.__name__, dispatch.__doc__ = name, declaration.__doc__
    if not config.DISABLE_JIT:
        overload(dispatch, strict=False)(choose)
    return dispatch  # type: ignore[return-value]
