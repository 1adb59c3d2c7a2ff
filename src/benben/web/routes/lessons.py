"""Lessons, and the positions the learner sees in them."""

from litestar import get, post
from litestar.params import FromPath, JSONBody

from benben.learn.lessons import Chapter, NoLesson, Script, Step, script, written
from benben.web.auth import AddressDep, StateDep
from benben.web.openapi import OF_POSITIONS, route
from benben.web.requests import ShowLesson
from benben.web.responses import LessonChapter, LessonShown, LessonStep, PositionShown
from benben.web.routes.games import Language, known
from benben.web.routes.positions import shown
from benben.web.state import AppState


@get("/games/{name:str}/lesson", **route("A game's lesson", 404, 503))
async def lesson(
    app: StateDep, address: AddressDep, name: FromPath[str], language: Language
) -> LessonShown:
    """A scripted first game in which the learner makes the moves, in one language. Every chapter
    begins anew; what is hidden from the learner is not in it.
    """
    _check(app, name)
    return await app.replaying.run(address, _translated, name, language)


@post(
    "/games/{name:str}/lesson/positions",
    status_code=200,
    **route("A position of a game's lesson, and what may be played there", *OF_POSITIONS, cost=5.0),
)
async def show_lesson(
    app: StateDep, address: AddressDep, name: FromPath[str], data: JSONBody[ShowLesson]
) -> PositionShown:
    """The position in a chapter after some moves and throws, as the learner sees it. Any legal move
    is played, not only those the lesson accepts. Nothing is stored.
    """
    _check(app, name)
    return await app.replaying.run(address, _shown, name, data)


def _check(app: AppState, name: str) -> None:
    """Raise ApiError if a game has no lesson, or its rules are not ready."""
    if written(known(name).name) is None:
        raise NoLesson(name)
    app.kernels.require_ready(name)


def _shown(name: str, body: ShowLesson) -> PositionShown:
    played = script(name)
    return shown(played.start(body.chapter), played.seat, body.moves, body.refusals)


def _translated(name: str, language: Language) -> LessonShown:
    played = script(name)
    return LessonShown(
        game=name,
        options=played.game.options,
        seat=played.seat,
        minutes=played.lesson.minutes,
        chapters=[
            _chapter(played, at, chapter, language) for at, chapter in enumerate(played.chapters)
        ],
    )


def _chapter(played: Script, at: int, chapter: Chapter, language: Language) -> LessonChapter:
    view = played.start(at).view(played.seat)
    steps = [_step(step, language) for step in chapter.steps]
    return LessonChapter(chapter.title[language], str(view), steps)


def _step(step: Step, language: Language) -> LessonStep:
    return LessonStep(
        step.say[language],
        list(step.moves),
        list(step.highlight),
        step.rule,
        step.wrong[language] if step.wrong else "",
        list(step.replies),
        step.done[language] if step.done else "",
    )
