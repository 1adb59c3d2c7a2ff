"""How rules become kernels: one source, compiled by Numba or run as plain Python.

`@kernel` compiles a function without the interpreter's lock and keeps the machine code on disk.
`@generic` declares a function every game has its own version of; which one is meant is decided by
the type of the record it is called with, once, when the calling kernel is compiled. So playouts
and searches are written once, and cost what they would if they were written for one game.

Numba's disk cache looks only at the file of the function it keeps. A generic kernel also holds the
rules it was specialised for, so we keep kernels in a directory named by a hash of every source file
that may end up in one: edit a rule and the directory is another one. Kernels of the bots have a
directory of their own, as no rule is made of them. A game from another package may be registered
after our kernels have been given their directory: the sources of its package are part of the key of
every kernel specialised for it.

With NUMBA_DISABLE_JIT=1 the same functions run as they stand.
"""

import hashlib
import logging
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import cache, partial
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any, TypeAlias, TypeVar, overload

import numba
import numpy as np
from numba import extending, types
from numba.core import config
from numpy.typing import NDArray

from benben.core.errors import BadGame
from benben.core.locking import locked
from benben.core.paths import cache_root

log = logging.getLogger("benben.core")

# With NUMBA_DISABLE_JIT=1 nothing is compiled.
PLAIN_PYTHON: bool = config.DISABLE_JIT  # type: ignore[attr-defined]

F = TypeVar("F", bound=Callable[..., Any])

# A position's data. Numba's records have no type mypy could check; fields are named in each STATE.
State: TypeAlias = Any
Ints: TypeAlias = NDArray[np.int64]
Floats: TypeAlias = NDArray[np.float64]
Bytes: TypeAlias = NDArray[np.uint8]
Log: TypeAlias = NDArray[np.int64] | None
States: TypeAlias = NDArray[Any]
Plain: TypeAlias = Any  # what `plain` makes of a record

# Whose source may be compiled into a kernel, by the package the kernel is in.
_RULES = ("core", "games")
_SOURCES = {
    "core": _RULES,
    "games": _RULES,
    "bots": (*_RULES, "bots"),
    "lab": (*_RULES, "bots", "lab"),
}
PACKAGE = Path(__file__).resolve().parent.parent


@overload
def kernel(function: F, /) -> F: ...


@overload
def kernel(*, nogil: bool = True, counted: bool = True) -> Callable[[F], F]: ...


def kernel(
    function: F | None = None, /, *, nogil: bool = True, counted: bool = True
) -> F | Callable[[F], F]:
    """Compile without the interpreter's lock, cached on disk where a directory can be written.

    `@kernel(nogil=False)` keeps the lock, for kernels that Python calls and that return at once:
    releasing it would take longer than they do, and hand the turn to another thread each time.

    `@kernel(counted=False)` does not count references to arrays, for kernels that neither make nor
    return one and are called often with many: counting took half the time of a search.
    """
    if function is None:
        return partial(_compiled, nogil=nogil, counted=counted)
    return _compiled(function, nogil, counted)


def _compiled(function: F, nogil: bool, counted: bool) -> F:
    root, _, inside = function.__module__.partition(".")
    directory = cache_directory(inside.partition(".")[0]) if root == "benben" else None
    options: dict[str, Any] = {"nogil": nogil, "_nrt": counted}
    if directory is None:
        return numba.njit(**options)(function)
    with _caching_in(directory):
        compiled = numba.njit(cache=True, **options)(function)
    if not PLAIN_PYTHON:
        _save_one_by_one(compiled, directory / "lock")
        _skip_damaged_files(compiled, directory / "lock")
        _add_game_to_key(compiled)
    return compiled


def _save_one_by_one(compiled: Any, lock: Path) -> None:
    """Let no other process save a kernel at the same time.

    The machine code of a function for all types is listed in one file, which Numba reads, adds to
    and writes. Of two processes that do so at once one is forgotten; worse, both may give theirs
    the same name, and then a game is played by the code of another.
    """
    cache = compiled._cache
    save = cache.save_overload

    def save_alone(signature: Any, data: Any) -> None:
        try:
            with locked(lock):
                save(signature, data)
        except OSError:  # nothing can be written there: it is compiled again the next time
            return

    cache.save_overload = save_alone


def _skip_damaged_files(compiled: Any, lock: Path) -> None:
    """Compile a kernel again if its file cannot be read.

    A power cut leaves empty files, as Numba does not sync them; and there may be no file descriptor
    left. The index of a damaged kernel is emptied, or saving would fail by it as well.
    """
    cache = compiled._cache
    load = cache.load_overload

    def load_if_readable(signature: Any, context: Any) -> Any:
        try:
            return load(signature, context)
        except OSError as error:
            log.warning("cannot read a compiled kernel, compiling it again: %s", error)
        except Exception as error:  # whatever pickle makes of bytes that are not its own
            log.warning("a compiled kernel is damaged, compiling it again: %r (%r)", cache, error)
            with suppress(OSError), locked(lock):
                cache.flush()
        return None

    cache.load_overload = load_if_readable


def _add_game_to_key(compiled: Any) -> None:
    """Cache a kernel under the sources of the game it is specialised for, if those are not ours."""
    cache = compiled._cache
    key = cache._index_key

    def key_with_game(signature: Any, codegen: Any) -> tuple[Any, ...]:
        return (*key(signature, codegen), *_game_fingerprints(signature))

    cache._index_key = key_with_game


def _game_fingerprints(signature: Iterable[Any]) -> list[str]:
    """Hashes of the other packages whose records are among these types."""
    found = []
    for each in signature:
        if isinstance(each, types.Array):
            found += _game_fingerprints([each.dtype])
        elif isinstance(each, types.BaseTuple):
            found += _game_fingerprints(each.types)  # type: ignore[attr-defined]
        elif each in _modules_of:
            found += filter(None, [_package_fingerprint(_modules_of[each][0].__file__ or "")])
    return found


@cache
def _package_fingerprint(rules: str) -> str:
    """A hash of the sources beside these rules; empty for Benben's, which are hashed already."""
    folder = Path(rules).resolve().parent
    if folder.is_relative_to(PACKAGE):
        return ""
    return hash_of(sorted(folder.rglob("*.py")), folder)


@cache
def cache_directory(package: str) -> Path | None:
    """Where the compiled kernels of a package are kept; None if nothing can be written there."""
    directory = cache_root() / "kernels" / fingerprint(package)
    try:
        directory.mkdir(parents=True, exist_ok=True)
    except OSError:
        return None
    return directory if os.access(directory, os.W_OK) else None


def fingerprint(package: str) -> str:
    """A hash of every source that may be in the package's kernels, and of what compiles them."""
    parts = _SOURCES[package]
    return hash_of(file for part in parts for file in sorted((PACKAGE / part).rglob("*.py")))


def hash_of(files: Iterable[Path], package: Path | None = None) -> str:
    """A hash of files of a package, Benben's by default, and of what compiles kernels."""
    digest = hashlib.sha256(f"{numba.__version__} {np.__version__}".encode())
    for file in files:
        digest.update(file.relative_to(package or PACKAGE).as_posix().encode())
        digest.update(file.read_bytes())
    return digest.hexdigest()[:16]


@contextmanager
def _caching_in(directory: Path) -> Iterator[None]:
    # The setting is Numba's own and global: a user's kernels are not ours to move.
    before = config.CACHE_DIR  # type: ignore[attr-defined]
    config.CACHE_DIR = str(directory)  # type: ignore[attr-defined]
    try:
        yield
    finally:
        config.CACHE_DIR = before  # type: ignore[attr-defined]


# ---- Dispatch by record type

# The modules in which a game's functions are found, by its record's type: its rules come first.
_modules_of: dict[Any, tuple[ModuleType, ...]] = {}


def record(*fields: tuple[Any, ...]) -> np.dtype[Any]:
    """A position's data type: named fields, reached as attributes with and without Numba.

    Numbers that take part in sums are int64, as plain Python would let smaller ones overflow.
    """
    return np.dtype((np.record, np.dtype(list(fields), align=True)))


def plain(a: States) -> Plain:
    """A record as an object of Python's own numbers and lists: texts are made of those."""
    values = a.item()
    names = a.dtype.names or ()
    fields = {
        name: value.tolist() if isinstance(value, np.ndarray) else value
        for name, value in zip(names, values, strict=True)
    }
    return SimpleNamespace(**fields)


def pack(p: Plain, state: np.dtype[Any]) -> States:
    """The record of such an object."""
    return np.array([tuple(getattr(p, name) for name in state.names or ())], state)


def blank(state: np.dtype[Any]) -> States:
    """A record with nothing in it."""
    return np.zeros(1, state)


@kernel
def copy_all(source: Ints, target: Ints) -> None:
    """One by one: what `target[:] = source` checks takes Numba two seconds a game to compile."""
    for i in range(len(source)):
        target[i] = source[i]


def adopt(rules: ModuleType, *others: ModuleType) -> None:
    """Let the generic functions find a game's own by the type of its record.

    BadGame if another game has an equal record: each would be played by the rules of the other.
    """
    known = _modules_of.get(rules.STATE)
    if known is not None and known[0].__name__ != rules.__name__:
        raise BadGame(
            f"{rules.__name__} and {known[0].__name__} have equal records, so their rules cannot "
            "be told apart: give a field of STATE another name"
        )
    _modules_of[rules.STATE] = (rules, *others)
    _modules_of[numba.from_dtype(rules.STATE)] = (rules, *others)


def generic(declaration: F) -> F:
    """A function with the body of the game's function of that name, or its own if there is none."""
    name = declaration.__name__

    def find(record_type: Any) -> Any:
        modules = _modules_of[record_type]
        return next((vars(each)[name] for each in modules if name in vars(each)), declaration)

    def dispatch(s: Any, *arguments: Any) -> Any:
        return find(s.dtype)(s, *arguments)

    def choose(s: Any, *arguments: Any) -> Any:
        if s not in _modules_of:
            return None
        chosen = find(s)
        return getattr(chosen, "py_func", chosen)

    dispatch.__name__, dispatch.__doc__ = name, declaration.__doc__
    if not PLAIN_PYTHON:
        extending.overload(dispatch, strict=False)(choose)
    return dispatch  # type: ignore[return-value]
