"""A position for people and for programs: drawn, as text, whose turn, and what can be done."""

from textwrap import wrap

from rich.console import Console

from benben.core.game import Game
from benben.core.outcome import Result
from benben.core.position import Sight
from benben.core.rules import CHANCE
from benben.terminal.beside import draw_beside, legend
from benben.terminal.board import draw_board
from benben.terminal.company import Company
from benben.terminal.prompt import Keyboard
from benben.terminal.speech import say
from benben.terminal.telling import tell_result


def read_position(game: Game, text: str) -> Sight:
    """A position, or what one seat sees of it where the text has a `?`."""
    return game.parse_view(text) if "?" in text else game.parse(text)


def show(sight: Sight, console: Console, result: Result | None = None) -> None:
    """Everything about a position. `result` is how it ended, if the rules did not decide."""
    out = Keyboard(console)
    company = Company(sight.game)
    out.lines(draw_board(sight, console.width - 2))
    out.lines(draw_beside(sight, console.width - 2))
    out.tell(legend(sight.game), "dim")
    out.say()
    out.say(say("show.position", position=sight))
    ended = result or sight.result
    if ended is not None:
        out.say(say("show.over", reason=ended.reason))
        for line in tell_result(company, ended):
            out.tell(line)
    elif sight.to_move == CHANCE:
        out.say(say("show.chance", n=len(sight.chance())))
    elif sight.to_move is not None:
        out.say(say("show.to-move", name=company.seat(sight.to_move)))
        moves = sight.moves()
        listed = wrap(" ".join(moves), console.width - 2, break_on_hyphens=False)
        out.say(say("show.moves", n=len(moves)))
        out.lines(listed)
