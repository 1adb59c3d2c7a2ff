"""A game at the keyboard: show, ask, play, until it is over or somebody leaves."""

from importlib.resources import files
from itertools import groupby
from pathlib import Path

from rich.markdown import Markdown
from rich.text import Text

from benben.core.errors import BenbenError
from benben.core.game import Game
from benben.core.position import View
from benben.core.rules import CHANCE
from benben.terminal.beside import LABEL, draw_beside, legend
from benben.terminal.board import draw_board
from benben.terminal.choices import FEW, columns, near_command, understand
from benben.terminal.hidden import all_secrets, has_secrets, own_secrets
from benben.terminal.match import Match, Step
from benben.terminal.palette import seat_name
from benben.terminal.prompt import Keyboard
from benben.terminal.saves import BadFile, autosave, save
from benben.terminal.words import name_of, said_of, tell, tell_result

HELP = {
    "moves": "list every legal move (so does ?)",
    "undo": "take back the last move a person made, and the replies to it",
    "goal": "look at what only you may know",
    "text": "print the position as you see it",
    "rules": "read the rules of the game",
    "save FILE": "write the game to a file",
    "resign": "give up: the game ends for all",
    "quit": "leave; the game can be kept",
    "help": "these lines",
}


class Left(Exception):
    """Somebody left before the end, and has been asked what is to become of the game."""


class Sitting:
    """One match at one keyboard. Everything shown of a game that is on comes from a view."""

    def __init__(self, match: Match, keyboard: Keyboard) -> None:
        self.match = match
        self.keyboard = keyboard
        self._at_keyboard = match.you
        self._changed = ""  # what to say instead of what has happened

    @property
    def game(self) -> Game:
        return self.match.game

    @property
    def hides(self) -> bool:
        """Whether several people share the keyboard and must not see all of it."""
        return len(self.match.humans) > 1 and has_secrets(self.match.position)

    def run(self) -> None:
        """Play until the game is over. Leaving keeps it; nothing but that gets lost."""
        try:
            self._greet()
            while (seat := self.match.to_move) is not None:
                if seat == CHANCE:
                    self.match.throw()
                elif seat in self.match.humans:
                    self._turn(seat)
                else:
                    self.match.play_at_random()
            self._end()
        except Left:
            pass
        except (EOFError, KeyboardInterrupt):
            self._keep()

    # ---- A turn

    def _greet(self) -> None:
        say = self.keyboard.tell
        say(self.game.info.titles["en"], "bold")
        seats = [
            f"{seat_name(self.game, seat)}: {'you' if seat == self.match.you else player}"
            for seat, player in enumerate(self.match.seats)
        ]
        say("; ".join(seats))
        say(legend(self.game), "dim")
        say("help lists what else you can type than moves", "dim")

    def _turn(self, seat: int) -> None:
        """Ask until something has changed: a move was made, taken back or given up."""
        if self.hides and seat != self._at_keyboard:
            self._curtain(seat)
        self._show(seat)
        while True:
            typed = self.keyboard.ask(f"{name_of(self.game, seat, self.match.you)}> ")
            if not typed:
                continue
            try:
                if self._obey(seat, typed):
                    return
            except BenbenError as error:
                self.keyboard.tell(str(error), "red")

    def _curtain(self, seat: int) -> None:
        self.keyboard.erase()
        self.keyboard.tell(f"Pass the keyboard to {name_of(self.game, seat)}.", "bold")
        self.keyboard.ask("Press Enter when you sit there. ")
        self.keyboard.erase()
        self._at_keyboard = seat

    def _obey(self, seat: int, typed: str) -> bool:
        """Do what was typed; whether that ends the asking."""
        word, _, rest = typed.partition(" ")
        view = self.match.position.view(seat)
        if typed in view.moves():
            self.match.play(typed)
            return True
        match word.lower(), rest.strip():
            case ("moves" | "?", ""):
                self._list_moves(view)
            case ("undo", ""):
                self._undo()
                return True
            case ("goal", ""):
                self._goal(seat)
            case ("text", ""):
                self._peek(seat, str(view))
            case ("rules", ""):
                self.keyboard.read(Markdown(rulebook(self.game)))
            case ("save", ""):
                self.keyboard.tell("save needs the name of a file: save FILE", "red")
            case ("save", name):
                self._save(name)
            case ("resign", ""):
                if self.keyboard.agree("Do you give up? The game ends for all."):
                    self.match.resign(seat)
                    return True
            case ("quit" | "exit", ""):
                self._quit()
            case ("help", ""):
                self._help()
            case _:
                self.match.play(self._understand(typed, view))
                return True
        return False

    def _understand(self, typed: str, view: View) -> str:
        try:
            return understand(typed, view)
        except BenbenError as error:
            near = near_command(typed, [command.split()[0] for command in HELP])
            if near:
                raise BenbenError(f"there is no {typed!r}; did you mean {near}?") from error
            raise

    # ---- What can be seen

    def _show(self, seat: int) -> None:
        view = self.match.position.view(seat)
        self.keyboard.say()
        steps = self.match.since(seat)
        if self._changed:
            self.keyboard.tell(self._changed)
        else:
            self._tell(steps)
        if self._changed or steps:
            self.keyboard.say()
        self._changed = ""
        self._draw(view)
        if self.match.you == seat and (known := own_secrets(self.match.position, seat)):
            goal = said_of(self.game, known, seat)
            self.keyboard.say(Text.assemble("  ", (f"{'goal':<{LABEL}}", "dim"), goal))
        if len(view.moves()) <= FEW:
            self._list_moves(view)
        else:
            self.keyboard.tell(f"  {len(view.moves())} moves, which ? lists", "dim")

    def _tell(self, steps: list[Step]) -> None:
        """Turn by turn, what was done."""
        for seat, same in groupby(steps, key=lambda step: step.seat):
            turn = list(same)
            name = name_of(self.game, seat, self.match.you)
            moves = [step.move for step in turn if not step.thrown]
            done = tell(self.game, [effect for step in turn for effect in step.effects])
            played = f" {' '.join(moves)}" if len(moves) < 3 else ""
            self.keyboard.tell(f"{name[:1].upper()}{name[1:]}{played}: {done}.")

    def _draw(self, view: View) -> None:
        self.keyboard.lines(draw_board(view, self.keyboard.console.width - 2))
        self.keyboard.lines(draw_beside(view))

    def _list_moves(self, view: View) -> None:
        label = f"{'moves':<{LABEL}}"
        for row in columns(view.moves(), self.keyboard.console.width - 2 - LABEL):
            self.keyboard.say(Text.assemble("  ", (label, "dim"), row))
            label = " " * LABEL

    def _help(self) -> None:
        self.keyboard.tell(f"A move by its number or its text: {self.game.rules.MOVE_FORM}.")
        self.keyboard.lines(f"{command:<10} {does}" for command, does in HELP.items())
        self.keyboard.tell(f"{legend(self.game)}.", "dim")

    def _goal(self, seat: int) -> None:
        known = own_secrets(self.match.position, seat)
        if known:
            self._peek(seat, f"Your goal: {said_of(self.game, known, seat)}")
        else:
            self.keyboard.tell("nothing is hidden in this game")

    def _peek(self, seat: int, secret: str) -> None:
        """Say what only this seat may know, and hide it again if others will sit here."""
        self.keyboard.say(secret)
        if self.hides:
            try:
                self.keyboard.ask("Press Enter to hide it. ")
            finally:
                self.keyboard.erase()
            self._show(seat)

    # ---- Going back and leaving

    def _undo(self) -> None:
        back = self.match.undo()
        moves = " ".join(step.move for step in back)
        self._changed = f"Taken back: {moves}."

    def _save(self, name: str) -> None:
        path = Path(name).expanduser()
        if path.is_dir():
            raise BadFile(path, "this is a directory")
        if path.exists() and not self.keyboard.agree(f"{name} exists. Write over it?"):
            return
        save(self.match.record, path)
        self.keyboard.tell(f"saved; benben play --resume {name} goes on")

    def _quit(self) -> None:
        while True:
            answer = self.keyboard.ask(
                "Enter keeps the game for next time, a file name saves it there, n drops it: "
            )
            if answer == "n":
                raise Left
            if not answer:
                self._keep()
                raise Left
            try:
                save(self.match.record, Path(answer).expanduser())
            except BenbenError as error:
                self.keyboard.tell(str(error), "red")
                continue
            raise Left

    def _keep(self) -> None:
        """Put the game aside. One in which nothing has happened is not worth an older one."""
        if self.match.steps and self.match.result is None:
            autosave(self.match.record)
            self.keyboard.say()
            self.keyboard.tell("The game is kept: benben play --resume auto goes on.")
        else:
            self.keyboard.say()

    def _end(self) -> None:
        self.keyboard.say()
        self._tell(self.match.since(self.match.you))
        self.keyboard.say()
        self._draw(self.match.position.view(None))
        secrets = all_secrets(self.match.start, self.match.position)
        if secrets:
            self.keyboard.tell(f"Goals: {said_of(self.game, secrets, self.match.you)}.")
        result = self.match.result
        assert result is not None
        for line in tell_result(self.game, result, self.match.you):
            self.keyboard.tell(line, "bold")


def rulebook(game: Game) -> str:
    """The English rulebook, from the game's own package."""
    package = game.rules.__name__.rpartition(".")[0]
    return (files(package) / "rulebook.en.md").read_text("utf-8")
