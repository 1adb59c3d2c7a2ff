"""A lesson at the keyboard: the learner is told what to do, does it, and is answered kindly."""

from pathlib import Path

import msgspec
from rich.markdown import Markdown

from benben.core.chance import RandomStream
from benben.core.errors import BenbenError
from benben.core.game import Game
from benben.core.paths import data_root
from benben.core.position import View
from benben.core.registry import game
from benben.learn.lessons import Script, Step
from benben.learn.rulebook import rulebook_of
from benben.terminal.beside import legend
from benben.terminal.choices import understand
from benben.terminal.match import HUMAN, Match
from benben.terminal.prompt import Keyboard
from benben.terminal.saves import keep, read_text
from benben.terminal.scene import Scene, rulebook
from benben.terminal.speech import language, say
from benben.terminal.telling import tell
from benben.terminal.trouble import explain, paragraph

COMMANDS = {"hint": "learn.command.hint", "moves": "help.moves", "rules": "help.rules"}
COMMANDS |= {"again": "learn.command.again", "quit": "learn.command.quit", "help": "help.help"}


class Place(msgspec.Struct, frozen=True):
    """How far a learner has come: the next step to do, and the moves chosen in the chapter."""

    chapter: int = 0
    step: int = 0
    choices: list[str] = []


class _Again(Exception):
    """The learner begins anew."""


class _Left(Exception):
    """The learner leaves."""


class Course:
    """One lesson at one keyboard."""

    def __init__(self, script: Script, keyboard: Keyboard, again: bool = False) -> None:
        self.script, self.keyboard = script, keyboard
        self.game, self.seat = script.game, script.seat
        self._place = Place() if again else self._left_at()
        self._last_words = ""  # of the step before

    def run(self) -> bool:
        """Teach to the end, or until the learner leaves; whether a real game is wanted then."""
        title = self.game.info.titles[language()]
        self.keyboard.tell(say("learn.title", game=title, n=self.script.lesson.minutes), "bold")
        self.keyboard.tell(legend(self.game), "dim")
        self.keyboard.tell(say("learn.help"), "dim")
        if self._place != Place():
            self.keyboard.tell(say("learn.resumed"))
        try:
            while self._place.chapter < len(self.script.chapters):
                self._teach()
            self._forget()
            self.keyboard.tell(say("learn.done"), "bold")
            if self.keyboard.agree(say("learn.play")):
                return True
        except (_Left, EOFError, KeyboardInterrupt):
            self.keyboard.say()
            if self._place.chapter < len(self.script.chapters):
                self.keyboard.tell(say("learn.kept", game=self.script.name))
                return False
        players = self.real_game.players
        self.keyboard.tell(say("learn.play.later", game=self.script.name, players=players))
        return False

    @property
    def real_game(self) -> Game:
        """What one may play after it: among as many as it was taught for."""
        return game(self.script.name, players=self.script.lesson.players)

    def _teach(self) -> None:
        """The rest of a chapter, or all of the lesson again."""
        number = self._place.chapter
        chapter = self.script.chapters[number]
        scene = self._scene()
        self.keyboard.say()
        title = chapter.title[language().value]
        self.keyboard.tell(say("learn.chapter", number=number + 1, title=title), "bold")
        try:
            while self._place.step < len(chapter.steps):
                self._ask(scene, chapter.steps[self._place.step])
        except _Again:
            self._last_words = ""
            self._keep(Place())
            self.keyboard.tell(say("learn.again"))
            return
        self._close(scene)
        self._keep(Place(number + 1))

    def _scene(self) -> Scene:
        """The chapter as it has been played so far."""
        place = self._place
        others = ["random"] * (self.game.players - 1)  # who never think: their moves are known
        seats = [*others[: self.seat], HUMAN, *others[self.seat :]]
        luck = RandomStream.seeded(0)
        match = Match(self.script.start(place.chapter), seats, luck, luck)
        for move in self.script.line(place.chapter, place.step, place.choices):
            match.play(move)
        return Scene(match, self.keyboard)

    def _ask(self, scene: Scene, step: Step) -> None:
        """One step, asked until it is done."""
        if step.moves:
            scene.show(self.seat)
        else:
            scene.look(self.seat)
        self._say_last_words()
        done = sum(len(each.steps) for each in self.script.chapters[: self._place.chapter])
        number = done + self._place.step + 1
        self.keyboard.tell(say("learn.step", number=number, all=self.script.steps), "dim")
        self.keyboard.tell(step.say[language().value], "bold")
        chosen = self._choice(scene, step)
        for move in (*chosen, *step.replies):
            scene.match.play(move)
        place = self._place
        self._keep(Place(place.chapter, place.step + 1, [*place.choices, *chosen]))
        self._last_words = step.done[language().value] if step.done else ""

    def _choice(self, scene: Scene, step: Step) -> list[str]:
        """The move that was chosen, one of those accepted; none where none is asked for."""
        view = scene.match.position.view(self.seat)
        prompt = f"{scene.company.name(self.seat)}> " if step.moves else say("learn.enter")
        while True:
            typed = self.keyboard.ask(prompt)
            if self._obeyed(scene, step, view, typed.lower()):
                continue
            if not step.moves:
                return []
            try:
                move = understand(typed, view) if typed else ""
            except BenbenError as error:
                self.keyboard.tell(explain(error, self.game), "red")
                self._name(paragraph(error))
                continue
            if move in step.moves:
                return [move]
            if move:
                wrong = step.wrong[language().value] if step.wrong else say("learn.wrong")
                self.keyboard.tell(wrong, "yellow")
                book = rulebook_of(self.game.name, language())
                self._name(book.title_of(step.rule) if step.rule else "")

    def _name(self, title: str) -> None:
        """Where the rulebook has more to say."""
        if title:
            self.keyboard.tell(say("move.paragraph", title=title), "dim")

    def _obeyed(self, scene: Scene, step: Step, view: View, typed: str) -> bool:
        """Whether it was a command."""
        match typed:
            case "quit" | "exit":
                raise _Left
            case "again":
                raise _Again
            case "hint" if step.moves:
                did = tell(self.game, view.effects(step.moves[0]), you=True)
                self.keyboard.tell(say("learn.hint", move=step.moves[0], did=did))
            case "moves" | "?" if step.moves:
                scene.list_moves(view)
            case "rules":
                self.keyboard.read(Markdown(rulebook(self.game)))
            case "help":
                self.keyboard.lines(f"{word:<6} {say(key)}" for word, key in COMMANDS.items())
            case _:
                return False
        return True

    def _close(self, scene: Scene) -> None:
        """The end of a chapter: what came of its last step."""
        if scene.match.result is None:
            scene.look(self.seat)
        else:
            scene.ending()
        if self._last_words:
            self._say_last_words()
            if self._place.chapter + 1 < len(self.script.chapters):
                self.keyboard.ask(say("learn.enter"))

    def _say_last_words(self) -> None:
        if self._last_words:
            self.keyboard.tell(self._last_words, "green")
        self._last_words = ""

    # ---- Leaving and coming back

    def _left_at(self) -> Place:
        """Where the lesson was left; its beginning if that cannot be found any more."""
        place = _kept().get(self.script.name, Place())
        try:
            self.script.at(place.chapter, place.step, place.choices)
        except BenbenError:
            return Place()
        return place

    def _keep(self, place: Place) -> None:
        self._place = place
        _write(_kept() | {self.script.name: place})

    def _forget(self) -> None:
        _write({name: place for name, place in _kept().items() if name != self.script.name})


def _path() -> Path:
    """Where it is kept how far each lesson has come."""
    return data_root() / "lessons.json"


def _kept() -> dict[str, Place]:
    try:
        return msgspec.json.decode(read_text(_path()), type=dict[str, Place])
    except (BenbenError, msgspec.DecodeError):  # nothing that could be gone on with
        return {}


def _write(places: dict[str, Place]) -> None:
    keep(msgspec.json.encode(places).decode(), _path())
