"""What lies beside the board: stocks, homes, hands, dice; and how often each colour shows."""

from collections import Counter

from rich.text import Text

from benben.core.game import Game
from benben.core.position import Sight
from benben.terminal.palette import Palette, palette_of


def draw_beside(sight: Sight) -> list[Text]:
    """A line for each kind of place off the board that has anything on it."""
    palette = palette_of(sight.game)
    drawing = sight.drawing()
    on_board = {place for row in sight.diagram() for _, place in row}
    kinds: dict[str, list[str]] = {}
    for place in drawing:
        if place not in on_board:
            kinds.setdefault(place.partition(":")[0], []).append(place)
    lines = [
        _line(kind, [(_owner(sight.game, place), drawing[place]) for place in places], palette)
        for kind, places in kinds.items()
        if any(drawing[place] for place in places)
    ]
    if palette.tally:
        lines.append(_tally(palette, [drawing[place][-1:] for place in on_board]))
    return lines


def legend(game: Game) -> str:
    """What the letters of the pieces stand for."""
    palette = palette_of(game)
    words: dict[str, str] = {}
    for letter, colour in palette.pieces.items():
        if letter != colour.word and letter.lower() not in words:
            words[letter] = colour.word
    colours = ", ".join(f"{letter} {word}" for letter, word in words.items())
    return "; ".join(part for part in (colours, palette.note) if part)


def _owner(game: Game, place: str) -> str:
    owner = place.partition(":")[2]
    if owner.isdigit():
        return f"seat {owner}"
    palette = palette_of(game)
    return palette.word(owner if owner in palette.pieces else owner.upper()) if owner else ""


def _line(kind: str, holdings: list[tuple[str, str]], palette: Palette) -> Text:
    line = Text(kind.ljust(9), "dim")
    for i, (owner, stack) in enumerate(holdings):
        line.append("   " if i else "")
        line.append(f"{owner} " if owner else "")
        line.append_text(_pieces(stack, palette) if stack else Text("–", "dim"))
    return line


def _pieces(stack: str, palette: Palette) -> Text:
    """Pieces that lie apart, none on top: each on its colour's ground, the same ones counted."""
    text = Text()
    for i, (letter, count) in enumerate(Counter(stack).items()):
        text.append(" " if i else "")
        text.append(f"{letter}{count}" if count > 1 else letter, palette.colour(letter).top)
    return text


def _tally(palette: Palette, tops: list[str]) -> Text:
    counts = Counter(palette.word(top) for top in tops if top)
    line = Text(palette.tally.ljust(9), "dim")
    line.append(", ".join(f"{word} {count}" for word, count in counts.most_common()))
    return line
