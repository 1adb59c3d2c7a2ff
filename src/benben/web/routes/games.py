"""The shelf. It answers before anything is compiled."""

from typing import Annotated, Any, Literal

from litestar import get
from litestar.params import FromPath, QueryParameter

from benben.bots.levels import NAMES
from benben.core.errors import UnknownGame
from benben.core.info import Info, Span
from benben.core.registry import info, names
from benben.games import THANKS
from benben.learn import lessons
from benben.learn.diagrams import diagrams_of
from benben.learn.puzzles.puzzle import puzzles
from benben.learn.rulebook import (
    Rulebook,
    fairness_page,
    markdown_of,
    paragraphs_of,
    rulebook_of,
)
from benben.web.errors import ApiError
from benben.web.openapi import error_responses
from benben.web.responses import (
    BookSection,
    CreditCard,
    GameCard,
    Games,
    LevelCard,
    OptionCard,
    PublisherCard,
    RulebookPage,
    SpanCard,
    TextPage,
)

Language = Annotated[Literal["en", "fr"], QueryParameter(description="Of the text.")]
_LEVELS = [LevelCard(number, dict(each)) for number, each in enumerate(NAMES, 1)]


@get("/games", summary="The games on the shelf", responses=error_responses(), tags=["games"])
async def games() -> Games:
    return Games([_card(info(name)) for name in names()], THANKS)


@get("/games/{name:str}", summary="A game's card", responses=error_responses(404), tags=["games"])
async def game(name: FromPath[str]) -> GameCard:
    return _card(known(name))


@get(
    "/games/{name:str}/rulebook",
    summary="A game's rulebook, in Markdown",
    responses=error_responses(404),
    tags=["games"],
    media_type="text/markdown",
)
async def rulebook(name: FromPath[str], language: Language) -> str:
    return markdown_of(known(name).name, language)


@get(
    "/games/{name:str}/rulebook/page",
    summary="A game's rulebook as HTML, with its contents and its diagrams",
    responses=error_responses(404),
    tags=["games"],
)
async def rulebook_page(name: FromPath[str], language: Language) -> RulebookPage:
    book = rulebook_of(known(name).name, language)
    return RulebookPage(**_read(book), diagrams=dict(diagrams_of(book.game)))


@get(
    "/fairness",
    summary="How luck is drawn and checked, as HTML",
    responses=error_responses(),
    tags=["records"],
)
async def fairness(language: Language) -> TextPage:
    return TextPage(**_read(fairness_page(language)))


def _read(book: Rulebook) -> dict[str, Any]:
    contents = [BookSection(each.level, each.id, each.title) for each in book.outline]
    return {"title": book.title, "html": book.html, "contents": contents}


def known(name: str) -> Info:
    """The card of a game that is asked for by its path."""
    try:
        return info(name)
    except UnknownGame as error:
        raise ApiError(404, "unknown-game", str(error), {"known": list(error.known)}) from error


def _card(card: Info) -> GameCard:
    option = card.option
    return GameCard(
        name=card.name,
        titles=dict(card.titles),
        working_title=card.working_title,
        kind=dict(card.kind),
        components=dict(card.components),
        authors=list(card.authors),
        artists=list(card.artists),
        publishers=[PublisherCard(each.name, each.year) for each in card.publishers],
        year=card.year,
        honours=dict(card.honours),
        ages=_span(card.ages),
        minutes=_span(card.minutes),
        credits={
            field: CreditCard(credit.origin.value, dict(credit.note))
            for field, credit in card.credits.items()
        },
        players=list(card.players),
        default_players=card.default_players,
        first=card.first,
        first_is_fixed=card.first_is_fixed,
        option=OptionCard(
            option.name,
            list(option.values),
            dict(option.about),
            list(option.players),
            {value: list(players) for value, players in option.limits.items()},
        ),
        levels=_LEVELS,
        paragraphs=dict(paragraphs_of(card.name)),
        lesson=lesson.minutes if (lesson := lessons.written(card.name)) else 0,
        puzzles=len(mined.puzzles) if (mined := puzzles(card.name)) else 0,
    )


def _span(span: Span | None) -> SpanCard | None:
    return None if span is None else SpanCard(span.least, span.most)
