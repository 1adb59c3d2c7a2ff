"""What the people at the keyboard see of a match. A game that is on is drawn from views only."""

from itertools import groupby

from rich.text import Text

from benben.core.game import Game
from benben.core.position import View
from benben.learn.rulebook import markdown_of, readable
from benben.terminal.beside import LABEL, draw_beside, label, legend
from benben.terminal.board import draw_board
from benben.terminal.choices import FEW, columns
from benben.terminal.company import Company
from benben.terminal.hidden import all_secrets, has_secrets, own_secrets
from benben.terminal.match import Match, Step, called
from benben.terminal.prompt import Keyboard
from benben.terminal.speech import capital, language, say
from benben.terminal.telling import say_letters, say_secrets, tell, tell_result


class Scene:
    """A match, told and drawn."""

    def __init__(self, match: Match, keyboard: Keyboard) -> None:
        self.match = match
        self.game = match.game
        self.keyboard = keyboard
        self.company = Company(match.game, match.you, match.bot_names)
        self._greeted = False

    @property
    def hides(self) -> bool:
        """Whether several people share the keyboard and must not see all of it."""
        return len(self.match.humans) > 1 and has_secrets(self.match.position)

    @property
    def _width(self) -> int:
        return self.keyboard.console.width - 2  # all but sentences are indented

    def greet(self) -> None:
        """Once, but not before a curtain that would hide it."""
        if self._greeted:
            return
        self._greeted = True
        seats = [
            say("scene.seat", seat=self.company.seat(seat), who=self._who(seat, player))
            for seat, player in enumerate(self.match.seats)
        ]
        self.keyboard.tell(self.game.info.titles[language()], "bold")
        self.keyboard.tell(say("scene.then").join(seats))
        self.keyboard.tell(legend(self.game), "dim")
        if self.match.humans:
            self.keyboard.tell(say("scene.help"), "dim")

    def _who(self, seat: int, player: str) -> str:
        if seat == self.match.you:
            return say("you")
        name = self.company.bots.get(seat)
        return f"{name}, {called(player)}" if name else called(player)

    def show(self, seat: int, changed: str = "") -> None:
        """A seat's turn: what has happened (or `changed` has), the board, what can be played."""
        self.look(seat, changed)
        view = self.match.position.view(seat)
        moves = view.moves()
        if len(moves) <= FEW:
            self.list_moves(view)
        else:
            many = say("scene.moves", n=len(moves), first=moves[0], last=moves[-1])
            self._line(say("beside.moves"), many)

    def look(self, seat: int, changed: str = "") -> None:
        """What has happened (or `changed` has) and the board, whoever is to move."""
        view = self.match.position.view(seat)
        steps = self.match.since(seat)
        self.keyboard.say()
        if changed:
            self.keyboard.tell(changed)
        else:
            self._tell(steps)
        if changed or steps:
            self.keyboard.say()
        self._draw(view)
        known = own_secrets(self.match.position, seat)
        if known:
            goal = say_letters(self.game, known)
            self._line(say("beside.goal"), say("scene.goal-hidden") if self.hides else goal)

    def list_moves(self, view: View) -> None:
        about = say("beside.moves")
        for row in columns(view.moves(), self._width - LABEL):
            self._line(about, row)
            about = ""

    def curtain(self, seat: int) -> None:
        """Nobody sees anything until the next player is at the keyboard."""
        self.keyboard.erase()
        self.keyboard.tell(say("scene.curtain", name=self.company.seat(seat)), "bold")
        self.keyboard.ask(say("scene.curtain.ready"))
        self.keyboard.erase()

    def peek(self, seat: int, secret: str) -> None:
        """Say what only this seat may know, and hide it again if others will sit here."""
        self.keyboard.say(secret)
        if self.hides:
            try:
                self.keyboard.ask(say("scene.hide"))
            finally:
                self.keyboard.erase()
            self.show(seat)

    def goal(self, seat: int) -> None:
        known = own_secrets(self.match.position, seat)
        if known:
            self.peek(seat, say("scene.goal", goal=say_letters(self.game, known)))
        else:
            self.keyboard.tell(say("scene.goal-none"))

    def ending(self) -> None:
        """The last board, all secrets, and who won by what."""
        self.keyboard.say()
        self._tell(self.match.since(*self.match.humans))
        self.keyboard.say()
        self._draw(self.match.position.view(None))
        secrets = all_secrets(self.match.start, self.match.position)
        if secrets:
            self.keyboard.tell(say("scene.goals", goals=say_secrets(self.company, secrets)))
        result = self.match.result
        assert result is not None
        for line in tell_result(self.company, result):
            self.keyboard.tell(line, "bold")
        if hints := sum(self.match.hints):
            self.keyboard.tell(say("result.hints", n=hints))

    def _tell(self, steps: list[Step]) -> None:
        """Turn by turn, what was done."""
        for seat, same in groupby(steps, key=lambda step: step.seat):
            turn = list(same)
            moves = [step.move for step in turn if not step.thrown]
            head = " ".join([self.company.name(seat), *(moves if len(moves) < 3 else [])])
            effects = [effect for step in turn for effect in step.effects]
            done = tell(self.game, effects, seat == self.match.you)
            self.keyboard.tell(say("scene.told", who=capital(head), what=done))

    def _draw(self, view: View) -> None:
        self.keyboard.lines(draw_board(view, self._width, self.company))
        self.keyboard.lines(draw_beside(view, self._width, self.company))

    def _line(self, about: str, text: str) -> None:
        self.keyboard.lines([label(about) + Text(text)])


def rulebook(game: Game) -> str:
    """The rulebook in the reader's language."""
    return readable(markdown_of(game.name, language()))
