"""Kits to print: a PDF for each game, language and paper, in colour and without.

The files lie in this folder. `make kits` prints them from the pages' own boards and they are
committed, as neither a host nor somebody at a terminal has a browser to print them with.
"""

from enum import StrEnum
from importlib.resources import files

from benben.core.errors import BenbenError
from benben.core.registry import info, names

LANGUAGES = ("en", "fr")


class Paper(StrEnum):
    A4 = "a4"
    LETTER = "letter"


class NoSuchKit(BenbenError):
    """No kit has this `name`."""

    def __init__(self, name: str) -> None:
        self.name = name
        form = "GAME-LANGUAGE-PAPER.pdf, or …-bw.pdf in black and white"
        super().__init__(f"there is no kit {name!r}; kits are called {form}")


def name_of(game: str, language: str, paper: Paper, black_and_white: bool = False) -> str:
    """What a kit's file is called; UnknownGame if there is no such game.

    >>> name_of("quadrille", "fr", Paper.LETTER, black_and_white=True)
    'quadrille-fr-letter-bw.pdf'
    """
    return f"{info(game).name}-{language}-{paper}{'-bw' if black_and_white else ''}.pdf"


def all_names() -> list[str]:
    """The file of every kit there is to be; a game that has just been added may lack its own."""
    return [
        name_of(game, language, paper, black_and_white)
        for game in names()
        for language in LANGUAGES
        for paper in Paper
        for black_and_white in (False, True)
    ]


def read(name: str) -> bytes:
    """A kit by its file's name, as a PDF; NoSuchKit if it is not one of ours."""
    if name not in all_names():
        raise NoSuchKit(name)
    try:
        return (files(__package__) / name).read_bytes()
    except FileNotFoundError as error:
        raise NoSuchKit(name) from error
