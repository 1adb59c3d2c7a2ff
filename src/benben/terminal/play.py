"""A game at the keyboard: ask and play until it is over or somebody leaves."""

from pathlib import Path
from shlex import quote

from rich.markdown import Markdown

from benben.core.errors import BenbenError
from benben.core.position import View
from benben.core.rules import CHANCE
from benben.terminal.beside import legend
from benben.terminal.choices import near_command, understand
from benben.terminal.match import Match
from benben.terminal.prompt import Keyboard
from benben.terminal.saves import BadFile, autosave, save
from benben.terminal.scene import Scene, rulebook

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
    """One match at one keyboard."""

    def __init__(self, match: Match, keyboard: Keyboard) -> None:
        self.match = match
        self.keyboard = keyboard
        self.scene = Scene(match, keyboard)
        self._at_keyboard = match.you
        self._changed = ""  # what to say instead of what has happened

    def run(self) -> None:
        """Play until the game is over; leaving keeps it."""
        try:
            while (seat := self.match.to_move) is not None:
                if seat == CHANCE:
                    self.match.throw()
                elif seat in self.match.humans:
                    self._turn(seat)
                else:
                    self._let_bot_move(seat)
            self.scene.ending()
            if self.match.humans:
                self._offer("Enter leaves, FILE saves the record there first: ")
        except Left:
            pass
        except (EOFError, KeyboardInterrupt):
            self._keep()

    def _let_bot_move(self, seat: int) -> None:
        """Whoever thinks by the clock is seen to think."""
        if self.match.bots[seat].budget.seconds is None:
            self.match.let_bot_move()
        else:
            with self.keyboard.waiting(f"{self.scene.name(seat)} thinks …"):
                self.match.let_bot_move()

    def _turn(self, seat: int) -> None:
        """Ask until something has changed: a move was made, taken back or given up."""
        if self.scene.hides and seat != self._at_keyboard:
            self.scene.curtain(seat)
        self._at_keyboard = seat
        self.scene.greet()
        self.scene.show(seat, self._changed)
        self._changed = ""
        while True:
            typed = self.keyboard.ask(f"{self.scene.name(seat)}> ")
            try:
                if typed and self._obey(seat, typed):
                    return
            except BenbenError as error:
                self.keyboard.tell(str(error), "red")

    def _obey(self, seat: int, typed: str) -> bool:
        """Do what was typed; whether that ends the asking."""
        view = self.match.position.view(seat)
        if typed in view.moves():
            self.match.play(typed)
            return True
        word, _, rest = typed.partition(" ")
        match word.lower(), rest.strip():
            case ("moves" | "?", ""):
                self.scene.list_moves(view)
            case ("undo", ""):
                back = self.match.undo()
                self._changed = f"Taken back: {' '.join(step.move for step in back)}."
                return True
            case ("goal", ""):
                self.scene.goal(seat)
            case ("text", ""):
                self.scene.peek(seat, str(view))
            case ("rules", ""):
                self.keyboard.read(Markdown(rulebook(self.match.game)))
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
                self.match.play(_understand(typed, view))
                return True
        return False

    def _help(self) -> None:
        game = self.match.game
        self.keyboard.tell(f"A move by its number or its text: {game.notation.MOVE_FORM}.")
        self.keyboard.lines(f"{command:<10} {does}" for command, does in HELP.items())
        self.keyboard.tell(f"{legend(game)}.", "dim")

    # ---- Saving and leaving

    def _save(self, name: str) -> bool:
        """Write the record to a file; whether that was done after all."""
        path = Path(name).expanduser()
        if path.is_dir():
            raise BadFile(path, "this is a directory")
        if path.exists() and not self.keyboard.agree(f"{name} exists. Write over it?"):
            return False
        save(self.match.record, path)
        file = quote(name)
        use = f"replay {file} shows it" if self.match.result else f"play --resume {file} goes on"
        self.keyboard.say(f"Saved: benben {use}.")
        return True

    def _offer(self, question: str) -> bool:
        """Ask for a file until the record is saved, or Enter is pressed: then it is not."""
        while name := self.keyboard.ask(question):
            try:
                if name == "n" or self._save(name):
                    return True
            except BenbenError as error:
                self.keyboard.tell(str(error), "red")
        return False

    def _quit(self) -> None:
        if not self._offer("Enter keeps the game for next time, FILE saves it there, n drops it: "):
            self._keep()
        raise Left

    def _keep(self) -> None:
        """Put the game aside. One in which nothing has happened is not worth an older one."""
        self.keyboard.say()
        if self.match.steps and self.match.result is None:
            autosave(self.match.record)
            self.keyboard.tell("The game is kept: benben play --resume auto goes on.")


def _understand(typed: str, view: View) -> str:
    try:
        return understand(typed, view)
    except BenbenError as error:
        near = near_command(typed, [command.split()[0] for command in HELP])
        if near:
            raise BenbenError(f"there is no {typed!r}; did you mean {near}?") from error
        raise
