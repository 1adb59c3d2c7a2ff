"""Records on disk: reading what somebody names, and the game that was left."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from errno import errorcode
from pathlib import Path
from typing import BinaryIO

from rich.console import Console

from benben.core.errors import BenbenError
from benben.core.game import Game
from benben.core.paths import data_root
from benben.core.record import LONGEST, GameRecord
from benben.terminal.ready import ready
from benben.terminal.speech import say, say_if_known
from benben.terminal.trouble import explain

AUTO = "auto"  # what `--resume` calls the game that was left


class BadFile(BenbenError):
    def __init__(self, path: Path, why: str) -> None:
        super().__init__(say("file.wrong", file=path, why=why))


def autosave_path() -> Path:
    """Where a game that was left waits."""
    return data_root() / "autosave.txt"


def load(path: Path, compiling: Console) -> GameRecord:
    """The record in a file, its game made ready first; BadFile if there is none."""
    text = read_text(path)
    game = None
    try:
        game = GameRecord.game_of(text)
        ready(game, compiling)
        return GameRecord.parse(text)
    except BenbenError as error:
        raise BadFile(path, explain(error, game)) from error


def left_game() -> Game | None:
    """The game that was left, if one was that can still be read."""
    try:
        return GameRecord.game_of(read_text(autosave_path()))
    except BenbenError:
        return None


def read_text(path: Path) -> str:
    """What is in a file; BadFile if it cannot be read as text."""
    try:
        with path.open("rb") as file:
            data = file.read(4 * LONGEST + 1)  # a character is four bytes at most
    except OSError as error:
        raise BadFile(path, _why(error)) from error
    except ValueError as error:  # a null character in the name
        raise BadFile(path, str(error)) from error
    try:
        return data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        raise BadFile(path, say("file.not-text")) from error


def autosave(record: GameRecord) -> None:
    """Keep the game that is being left, in the place of one left before."""
    keep(str(record), autosave_path())


def keep(text: str, path: Path) -> None:
    """Write something to the user's data."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadFile(path, _why(error)) from error
    write(text.encode(), path)


def save(record: GameRecord, path: Path) -> None:
    """Write a record whole or not at all; BadFile if that cannot be done."""
    write(str(record).encode(), path)


def write(content: bytes, path: Path) -> None:
    """Write a file whole or not at all; BadFile if that cannot be done."""
    with writing(path) as file:
        file.write(content)


@contextmanager
def writing(path: Path) -> Iterator[BinaryIO]:
    """A file to write, which is there in the end, whole, or not at all; BadFile as for `write`."""
    try:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        try:
            with os.fdopen(handle, "wb") as file:
                yield file
            os.replace(name, path)
        except BaseException:
            os.unlink(name)
            raise
    except (OSError, ValueError) as error:
        raise BadFile(path, _why(error)) from error


def _why(error: OSError | ValueError) -> str:
    """What the system has against it."""
    if not isinstance(error, OSError) or error.errno is None:
        return str(error)
    return say_if_known(f"file.{errorcode.get(error.errno)}", error.strerror or str(error))
