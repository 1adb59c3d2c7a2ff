"""A game at the keyboard: ask and play until it is over or somebody leaves."""

from pathlib import Path
from shlex import quote

from rich.markdown import Markdown

from benben.core.errors import BenbenError
from benben.core.position import View
from benben.core.rules import CHANCE
from benben.learn.hints import STRENGTHS, Advice, hint
from benben.terminal.beside import legend
from benben.terminal.choices import near_command, understand
from benben.terminal.match import Match
from benben.terminal.prompt import Keyboard
from benben.terminal.saves import BadFile, autosave, save
from benben.terminal.scene import Scene, rulebook
from benben.terminal.speech import say, say_if_known
from benben.terminal.telling import tell_hint
from benben.terminal.trouble import explain, paragraph

COMMANDS = (
    "moves",
    "hint",
    "undo",
    "goal",
    "text",
    "rules",
    "save FILE",
    "resign",
    "quit",
    "help",
)


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
        self._advice: Advice | None = None  # of this turn, once it was asked for
        self._hinted = 0  # how much of it has been told

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
            self.scene.greet()
            self.scene.ending()
            if self.match.humans:
                self._offer(say("play.over"))
        except Left:
            pass
        except (EOFError, KeyboardInterrupt):
            self._keep()

    def _let_bot_move(self, seat: int) -> None:
        """Whoever thinks by the clock is seen to think."""
        if self.match.bots[seat].budget.seconds is None:
            self.match.let_bot_move()
        else:
            with self.keyboard.waiting(say("play.thinking", name=self.scene.company.name(seat))):
                self.match.let_bot_move()

    def _turn(self, seat: int) -> None:
        """Ask until something has changed: a move was made, taken back or given up."""
        if self.scene.hides and seat != self._at_keyboard:
            self.scene.curtain(seat)
        self._at_keyboard = seat
        self.scene.greet()
        self.scene.show(seat, self._changed)
        self._changed = ""
        self._advice, self._hinted = None, 0
        while True:
            typed = self.keyboard.ask(f"{self.scene.company.name(seat)}> ")
            try:
                if typed and self._obey(seat, typed):
                    return
            except BenbenError as error:
                self.keyboard.tell(explain(error, self.match.game), "red")
                if title := paragraph(error):
                    self.keyboard.tell(say("move.paragraph", title=title), "dim")

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
            case ("hint", ""):
                self._hint()
            case ("undo", ""):
                back = self.match.undo()
                self._changed = say("undo.done", moves=" ".join(step.move for step in back))
                return True
            case ("goal", ""):
                self.scene.goal(seat)
            case ("text", ""):
                self.scene.peek(seat, str(view))
            case ("rules", ""):
                self.keyboard.read(Markdown(rulebook(self.match.game)))
            case ("save", ""):
                self.keyboard.tell(say("save.needs-name"), "red")
            case ("save", name):
                self._save(name)
            case ("resign", ""):
                if self.keyboard.agree(say("resign.sure")):
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

    def _hint(self) -> None:
        """A nudge; each time it is asked for again, more."""
        if self._advice is None:
            with self.keyboard.waiting(say("hint.thinking")):
                self._advice = self.match.advise()
        strength = STRENGTHS[min(self._hinted, len(STRENGTHS) - 1)]
        self._hinted += 1
        self.keyboard.tell(tell_hint(self.scene.company, hint(self._advice, strength)))

    def _help(self) -> None:
        game = self.match.game
        form = say_if_known(f"wrong.move.{game.name}", game.notation.MOVE_FORM)
        self.keyboard.tell(say("help.move", form=form))
        self.keyboard.lines(
            f"{command:<10} {say(f'help.{command.split()[0]}')}" for command in COMMANDS
        )
        self.keyboard.tell(f"{legend(game)}.", "dim")

    # ---- Saving and leaving

    def _save(self, name: str) -> bool:
        """Write the record to a file; whether that was done after all."""
        path = Path(name).expanduser()
        if path.is_dir():
            raise BadFile(path, say("file.EISDIR"))
        if path.exists() and not self.keyboard.agree(say("save.over", file=name)):
            return False
        save(self.match.record, path)
        file = quote(name)
        self.keyboard.say(say("save.ended" if self.match.result else "save.done", file=file))
        return True

    def _offer(self, question: str) -> bool:
        """Ask for a file until the record is saved, or Enter is pressed: then it is not."""
        while name := self.keyboard.ask(question):
            try:
                if name == "n" or self._save(name):
                    return True
            except BenbenError as error:
                self.keyboard.tell(explain(error, self.match.game), "red")
        return False

    def _quit(self) -> None:
        if not self._offer(say("play.quit")):
            self._keep()
        raise Left

    def _keep(self) -> None:
        """Put the game aside. One in which nothing has happened is not worth an older one."""
        self.keyboard.say()
        if self.match.steps and self.match.result is None:
            autosave(self.match.record)
            self.keyboard.tell(say("play.kept"))


def _understand(typed: str, view: View) -> str:
    try:
        return understand(typed, view)
    except BenbenError as error:
        near = near_command(typed, [command.split()[0] for command in COMMANDS])
        if near:
            raise BenbenError(say("play.near", typed=typed, near=near)) from error
        raise
