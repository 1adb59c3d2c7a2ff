"""What lies beside the board: stocks, homes, hands, dice; and how often each colour shows."""

from collections import Counter

from rich.text import Text

from benben.core.game import Game
from benben.core.position import Sight
from benben.terminal.board import run
from benben.terminal.company import Company
from benben.terminal.palette import Palette, palette_of, seat_letters
from benben.terminal.speech import say, say_if_known

LABEL = 9  # columns for what a line is about
MOST_APART = 6  # pieces listed one by one


def draw_beside(sight: Sight, width: int, company: Company | None = None) -> list[Text]:
    """A line or more for each kind of place off the board that has anything on it."""
    company = company or Company(sight.game)
    palette = palette_of(sight.game)
    drawing = sight.drawing()
    on_board = {place for row in sight.diagram() for _, place in row}
    kinds: dict[str, list[str]] = {}
    for place in drawing:
        if place not in on_board and _is_seated(sight.game, place):
            kinds.setdefault(place.partition(":")[0], []).append(place)
    lines = []
    for kind, places in kinds.items():
        if any(drawing[place] for place in places):
            holdings = [_holding(company, place, drawing[place]) for place in places]
            lines += _packed(say_if_known(f"beside.{kind}", kind), holdings, width)
    if palette.tally:
        lines.append(_tally(palette, [drawing[place] for place in on_board]))
    return lines


def label(text: str) -> Text:
    """What a line is about, dim; what follows it is not."""
    return Text.assemble((text.ljust(LABEL), "dim"))


def legend(game: Game) -> str:
    """What the letters of the pieces stand for."""
    palette = palette_of(game)
    words: dict[str, str] = {}
    for letter in palette.pieces:
        if letter != palette.word(letter):
            words.setdefault(palette.word(letter), letter)
    colours = ", ".join(f"{letter} {word}" for word, letter in words.items())
    return say("scene.then").join(part for part in (colours, palette.note) if part)


def _is_seated(game: Game, place: str) -> bool:
    """Whether to show it: not the home of a colour nobody plays."""
    letter = _letter(game, place)
    return letter not in palette_of(game).seats or letter in seat_letters(game)


def _letter(game: Game, place: str) -> str:
    """Whose place it is, as the letter of a piece: `home:b` is b's, `pawns:w` is W's."""
    owner = place.partition(":")[2]
    return owner.upper() if owner.upper() in palette_of(game).seats else owner


def _owner(company: Company, place: str) -> str:
    letter = _letter(company.game, place)
    if letter.isdigit():
        return company.plain_name(int(letter) - 1)
    return palette_of(company.game).word(letter) if letter else ""


def _holding(company: Company, place: str, stack: str) -> Text:
    """Whose it is and what lies there."""
    owner = _owner(company, place)
    pieces = _pieces(stack, palette_of(company.game)) if stack else Text("–", "dim")
    return Text(f"{owner} " if owner else "") + pieces


def _packed(about: str, holdings: list[Text], width: int) -> list[Text]:
    """As many on a line as fit, below what they are."""
    lines = [label(about)]
    for holding in holdings:
        if len(lines[-1]) > LABEL and len(lines[-1]) + 3 + len(holding) > width:
            lines.append(label(""))
        lines[-1].append("   " if len(lines[-1]) > LABEL else "")
        lines[-1].append_text(holding)
    return lines


def _pieces(stack: str, palette: Palette) -> Text:
    """Pieces that lie apart, each on its colour's ground; many of them are counted."""
    counted = [run(letter, count) for letter, count in Counter(stack).items()]
    text = Text()
    for i, piece in enumerate(stack if len(stack) <= MOST_APART else counted):
        text.append(" " if i else "")
        text.append(piece, palette.top(piece[0]))
    return text


def _tally(palette: Palette, stacks: list[str]) -> Text:
    """On how many places each colour in the game is on top."""
    present = {palette.word(piece) for stack in stacks for piece in stack}
    tops = Counter(palette.word(stack[-1]) for stack in stacks if stack)
    words = dict.fromkeys(map(palette.word, palette.pieces))
    line = label(say("beside.showing"))
    line.append(", ".join(f"{word} {tops[word]}" for word in words if word in present))
    return line
