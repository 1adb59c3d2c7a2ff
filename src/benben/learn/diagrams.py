"""Diagrams of rulebooks: positions, and moves that are shown from there, in `diagrams.toml`.

The pages show them on live boards. Where these are not to be had there are pictures of the same,
`diagrams/NAME.png`, taken from the boards by `make diagrams`.
"""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Annotated

import msgspec
from msgspec import Meta

from benben.core.game import Game
from benben.core.position import Position
from benben.core.registry import info, restore

_SIGNATURE = b"\x89PNG\r\n\x1a\n"


class Diagram(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Something to be seen on a board; without a position it is the deal of a seed."""

    players: int | None = None
    options: dict[str, str | int] = {}
    position: str | None = None
    seed: int = 0
    seat: Annotated[int | None, Meta(description="Through whose eyes; null for a spectator's.")] = (
        None
    )
    moves: list[str] = []
    highlight: Annotated[list[str], Meta(description="Places to look at.")] = []
    after: Annotated[str | None, Meta(description="The position after the moves.")] = None

    def game(self, name: str) -> Game:
        return restore(name, info(name).resolve(self.players, self.options))

    def start(self, name: str) -> Position:
        game = self.game(name)
        return game.deal(self.seed) if self.position is None else game.parse(self.position)


@cache
def diagrams_of(game: str) -> Mapping[str, Diagram]:
    """The diagrams of a game by name, in order; none if it has none. Seats are from 0 here."""
    try:
        text = (_folder(game) / "diagrams.toml").read_text("utf-8")
    except FileNotFoundError:
        return {}
    found = {}
    for name, table in tomllib.loads(text).items():
        if "seat" in table:
            table["seat"] -= 1
        found[name] = msgspec.convert(table, Diagram)
    return found


@cache
def pictures_of(game: str) -> Mapping[str, bytes]:
    """The pictures of a game's diagrams, as PNG: by name, or where there are words in one as
    `NAME.fr` for its other languages."""
    folder = _folder(game) / "diagrams"
    if not folder.is_dir():
        return {}
    found = sorted((each for each in folder.iterdir()), key=lambda each: each.name)
    return {
        each.name.removesuffix(".png"): each.read_bytes()
        for each in found
        if each.name.endswith(".png")
    }


def picture_of(game: str, name: str, language: str) -> str:
    """The name of a diagram's picture in a language."""
    own = f"{name}.{language}"
    return own if own in pictures_of(game) else name


def picture_size(game: str, name: str) -> tuple[int, int] | None:
    """Width and height in pixels, so that a page keeps room for it; nothing if there is none."""
    picture = pictures_of(game).get(name, b"")
    if not picture.startswith(_SIGNATURE):
        return None
    return int.from_bytes(picture[16:20]), int.from_bytes(picture[20:24])


def _folder(game: str) -> Traversable:
    return files("benben.games") / info(game).name
