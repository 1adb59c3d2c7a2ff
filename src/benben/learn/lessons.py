"""Lessons: a scripted first game of each, in chapters, in which the learner makes the moves.

A lesson is data, `lesson.toml` beside a game's rules, and is played through them when it is loaded:
whatever accepted move is made, its replies and all later steps of the chapter must be legal.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Literal, NoReturn

import msgspec

from benben.core.errors import BadNotation, BadOption, BenbenError
from benben.core.game import Game
from benben.core.position import Position
from benben.core.registry import info, restore

Language = Literal["en", "fr"]


class BadLesson(BenbenError):
    """A lesson that is not well written, or that the rules refuse."""

    def __init__(self, name: str, why: str) -> None:
        super().__init__(f"the lesson of {name}: {why}")


class NoLesson(BenbenError):
    """A game that has no lesson."""

    def __init__(self, name: str) -> None:
        self.name = name
        super().__init__(f"{name} has no lesson")


class _Written(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Part of the file."""


class Text(_Written, frozen=True):
    """The same in each language."""

    en: str
    fr: str

    def __getitem__(self, language: Language) -> str:
        return self.en if language == "en" else self.fr


class Step(_Written, frozen=True):
    """Something to do, or only to read where there are no `moves`."""

    say: Text  # before the move
    moves: tuple[str, ...] = ()  # those accepted; the first is the one that is pointed at
    highlight: tuple[str, ...] = ()  # places
    rule: str = ""  # the rulebook's paragraph
    wrong: Text | None = None  # to a legal move that is not accepted
    replies: tuple[str, ...] = ()  # what others then do, and dice show
    done: Text | None = None  # after all of it


class Chapter(_Written, frozen=True):
    """It begins with a position of its own."""

    title: Text
    position: str
    steps: tuple[Step, ...]


class Lesson(_Written, frozen=True):
    """As it is written: its `seat`, the learner's, counts from 1."""

    players: int
    seat: int
    minutes: int
    chapters: tuple[Chapter, ...]
    options: Mapping[str, str | int] = {}


class Script:
    """A lesson of a game that has been played through its rules."""

    def __init__(self, name: str, lesson: Lesson) -> None:
        self.name, self.lesson = name, lesson
        self.game = self._game()
        self.seat = lesson.seat - 1
        self._check()

    @property
    def chapters(self) -> tuple[Chapter, ...]:
        return self.lesson.chapters

    @property
    def steps(self) -> int:
        """Of all chapters."""
        return sum(len(chapter.steps) for chapter in self.chapters)

    def start(self, chapter: int) -> Position:
        """The position that a chapter (from 0) begins with; BadOption if there is no such one."""
        if not 0 <= chapter < len(self.chapters):
            last = len(self.chapters) - 1
            raise BadOption("chapter", chapter, f"must be a chapter from 0 to {last}")
        return self.game.parse(self.chapters[chapter].position)

    def line(self, chapter: int, step: int, choices: Sequence[str]) -> list[str]:
        """All that is played before a step, if the learner chose these moves in the steps before.

        There is one choice for each of these that asks for a move; BadNotation if they differ.
        """
        played: list[str] = []
        left = list(choices)
        for each in self.chapters[chapter].steps[:step]:
            if each.moves:
                if not left or left[0] not in each.moves:
                    raise BadNotation(" ".join(choices), "the lesson asks for other moves")
                played.append(left.pop(0))
            played += each.replies
        if left:
            raise BadNotation(" ".join(choices), f"step {step + 1} comes before {left[0]}")
        return played

    def at(self, chapter: int, step: int, choices: Sequence[str]) -> Position:
        """The position before a step, if the learner chose these moves in the steps before."""
        position = self.start(chapter)
        for move in self.line(chapter, step, choices):
            position = position.play(move)
        return position

    # ---- Whether it can be played

    def _game(self) -> Game:
        try:
            options = info(self.name).resolve(self.lesson.players, self.lesson.options)
            return restore(self.name, options)
        except BenbenError as error:
            raise BadLesson(self.name, str(error)) from error

    def _check(self) -> None:
        if not 1 <= self.lesson.seat <= self.lesson.players:
            self._refuse("", f"there is no seat {self.lesson.seat}")
        if not self.chapters:
            self._refuse("", "there are no chapters")
        for number, chapter in enumerate(self.chapters):
            ends = self._check_chapter(number, chapter)
        if any(end.result is None for end in ends):
            self._refuse("", "it must end with a game's result")

    def _check_chapter(self, number: int, chapter: Chapter) -> set[Position]:
        """Where it may end, whatever is chosen."""
        where = f"chapter {number + 1}"
        if not chapter.steps:
            self._refuse(where, "there are no steps")
        try:
            reached = {self.start(number)}
        except BenbenError as error:
            self._refuse(where, str(error))
        for at, step in enumerate(chapter.steps, 1):
            reached = self._check_step(f"{where}, step {at}", step, reached)
        return reached

    def _check_step(self, where: str, step: Step, reached: set[Position]) -> set[Position]:
        places = {place for position in reached for place in position.drawing()}
        for place in step.highlight:
            if place not in places:
                self._refuse(where, f"there is no place {place} to highlight")
        if step.wrong and not step.moves:
            self._refuse(where, "nothing can be wrong where nothing is asked for")
        after = set()
        for position in reached:
            if step.moves and position.to_move != self.seat:
                self._refuse(where, f"it is not the learner's turn in {position}")
            for move in step.moves or ("",):
                try:
                    made = position.play(move) if move else position
                    after.add(self._answered(where, made, step.replies))
                except BenbenError as error:
                    self._refuse(where, str(error))
        return after

    def _answered(self, where: str, position: Position, replies: Iterable[str]) -> Position:
        for reply in replies:
            if position.to_move == self.seat:
                self._refuse(where, f"{reply} is a reply, and it is the learner's turn")
            position = position.play(reply)
        return position

    def _refuse(self, where: str, why: str) -> NoReturn:
        raise BadLesson(self.name, f"{where}: {why}" if where else why)


def parse(name: str, text: str) -> Lesson:
    """A lesson from its file; BadLesson if it is not of the form it must have."""
    try:
        return msgspec.toml.decode(text, type=Lesson)
    except msgspec.DecodeError as error:
        raise BadLesson(name, str(error)) from error


@cache
def written(name: str) -> Lesson | None:
    """The lesson of a game as it is written; no rule is needed for it."""
    file = files("benben.games") / info(name).name / "lesson.toml"
    try:
        return parse(name, file.read_text("utf-8"))
    except FileNotFoundError:
        return None


@cache
def script(name: str) -> Script:
    """The lesson of a game, to be played; NoLesson if there is none."""
    lesson = written(name)
    if lesson is None:
        raise NoLesson(name)
    return Script(name, lesson)
