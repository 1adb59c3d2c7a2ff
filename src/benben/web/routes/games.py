"""The shelf: games and their rulebooks. Answered before anything is compiled."""

from typing import Annotated, Any, Literal

import msgspec
from litestar import get
from litestar.params import FromPath, QueryParameter

from benben.bots.levels import NAMES
from benben.core.errors import UnknownGame
from benben.core.info import Info
from benben.core.registry import info, names
from benben.games import THANKS
from benben.learn import lessons
from benben.learn.diagrams import diagrams_of
from benben.learn.puzzles.puzzle import puzzles
from benben.learn.rulebook import Rulebook, markdown_of, paragraphs_of, rulebook_of
from benben.web.errors import ApiError
from benben.web.openapi import route
from benben.web.responses import BookSection, GameCard, Games, LevelCard, RulebookPage

Language = Annotated[Literal["en", "fr"], QueryParameter(description="Of the text.")]
_LEVELS = [LevelCard(number, dict(each)) for number, each in enumerate(NAMES, 1)]


@get("/games", **route("The games on the shelf"))
async def games() -> Games:
    return Games([_card(info(name)) for name in names()], THANKS)


@get("/games/{name:str}", **route("A game's card", 404))
async def game(name: FromPath[str]) -> GameCard:
    return _card(known(name))


@get(
    "/games/{name:str}/rulebook",
    media_type="text/markdown",
    **route("A game's rulebook, in Markdown", 404),
)
async def rulebook(name: FromPath[str], language: Language) -> str:
    return markdown_of(known(name).name, language)


@get(
    "/games/{name:str}/rulebook/page",
    **route("A game's rulebook as HTML, with its contents and its diagrams", 404),
)
async def rulebook_page(name: FromPath[str], language: Language) -> RulebookPage:
    book = rulebook_of(known(name).name, language)
    return RulebookPage(**text_page(book), diagrams=dict(diagrams_of(book.game)))


def text_page(book: Rulebook) -> dict[str, Any]:
    """The fields of a page."""
    contents = msgspec.convert(book.outline, list[BookSection], from_attributes=True)
    return {"title": book.title, "html": book.html, "contents": contents}


def known(name: str) -> Info:
    """The card of a game; 404 if there is none."""
    try:
        return info(name)
    except UnknownGame as error:
        raise ApiError(404, "unknown-game", str(error), {"known": list(error.known)}) from error


def _card(card: Info) -> GameCard:
    lesson, mined = lessons.written(card.name), puzzles(card.name)
    fields = vars(card) | {
        "levels": _LEVELS,
        "paragraphs": paragraphs_of(card.name),
        "lesson": lesson.minutes if lesson else 0,
        "puzzles": len(mined.puzzles) if mined else 0,
    }
    return msgspec.convert(fields, GameCard, from_attributes=True)
