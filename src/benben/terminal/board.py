"""A board drawn with letters, from a position's own drawing and diagram; no rule is known here."""

import re
from dataclasses import dataclass
from itertools import groupby

from rich.text import Text

from benben.core.effects import Drawing
from benben.core.position import Sight
from benben.terminal.company import Company
from benben.terminal.palette import Palette, palette_of

MOST_LETTERS = 5  # of a stack; more are counted
GAP = 2  # between places, narrower where colours fill them, and …
BOARD_GAP = 4  # … between boards side by side

MARGIN = 3  # for the numbers of the rows

_SQUARE = re.compile(r"([a-z])(\d+)")

Row = list[tuple[float, str]]


def draw_board(sight: Sight, width: int, company: Company | None = None) -> list[Text]:
    """The board in lines no wider than `width`, if its boards can be put below each other.

    Boards of the seats say whose they are.
    """
    company = company or Company(sight.game)
    palette = palette_of(sight.game)
    drawing = sight.drawing()
    boards = [_Board(rows, drawing, palette, company) for rows in _apart(sight.diagram())]
    lines: list[Text] = []
    for shelf in _shelves(boards, width):
        if lines:
            lines.append(Text())
        lines += _side_by_side(shelf)
    return lines + _too_tall(drawing, boards)


def draw_stack(stack: str, palette: Palette, place: str = "", space: int = 0) -> Text:
    """The pieces of a place from bottom to top, the top one on its colour's ground."""
    counted = [run(letter, len(list(same))) for letter, same in groupby(stack)]
    pieces = counted if len(stack) > MOST_LETTERS else list(stack)
    if space and sum(map(len, pieces)) > space:  # keep what it stands on and what is on top
        while len(pieces) > 1 and sum(map(len, pieces)) > space - 2:
            del pieces[0]
        pieces = [stack[0], "…", *pieces]
    text = Text()
    for i, piece in enumerate(pieces):
        on_top = i == len(pieces) - 1
        ink = palette.colour(piece[0], place).ink
        text.append(piece, palette.top(piece[0], place) if on_top else ink)
    return text


def run(letter: str, count: int) -> str:
    """So many of the same piece: m, m2, m8."""
    return letter if count == 1 else f"{letter}{count}"


@dataclass(frozen=True)
class _Board:
    """One connected part of a diagram."""

    rows: list[Row]
    drawing: Drawing
    palette: Palette
    company: Company

    @property
    def places(self) -> list[str]:
        return [place for row in self.rows for _, place in row]

    @property
    def owner(self) -> str:
        """What all names begin with, up to a colon: the seat whose board it is."""
        owners = {place.rpartition(":")[0] for place in self.places}
        return owners.pop() if len(owners) == 1 else ""

    @property
    def is_grid(self) -> bool:
        """Whether names are a letter for the column and a number for the row."""
        files: dict[float, str] = {}
        ranks: dict[int, str] = {}
        for y, row in enumerate(self.rows):
            for x, place in row:
                square = _SQUARE.fullmatch(place)
                if square is None:
                    return False
                if files.setdefault(x, square[1]) != square[1]:
                    return False
                if ranks.setdefault(y, square[2]) != square[2]:
                    return False
        return len(set(files.values())) == len(files)

    @property
    def step(self) -> int:
        """Columns of the terminal from one place to the next; even, if places lie between."""
        name = 0
        if self._shows_names:
            name = max(len(place) for place in self.places) + 1
        step = name + self.palette.cell + (GAP - self.palette.fills)
        between = any(x % 1 for row in self.rows for x, _ in row)
        return step + step % 2 if between else step

    @property
    def width(self) -> int:
        """The same whatever lies on it, so that boards do not shift during a game."""
        columns = [x for row in self.rows for x, _ in row]
        gap = GAP - self.palette.fills
        margin = MARGIN if self.is_grid else 0
        return margin + round((max(columns) - min(columns)) * self.step) + self.step - gap

    @property
    def _shows_names(self) -> bool:
        return self.palette.names == "always" and not self.is_grid

    def lines(self) -> list[Text]:
        left = min(x for row in self.rows for x, _ in row)
        margin = MARGIN if self.is_grid else 0
        lines = [Text(self.company.plain_name(int(self.owner) - 1), "bold")] if self.owner else []
        for row in self.rows:
            line = Text()
            if self.is_grid:
                line.append(row[0][1][1:].rjust(2), "dim")
            for x, place in row:
                line.pad_right(margin + round((x - left) * self.step) - len(line))
                line.append_text(self._cell(place))
            lines.append(line)
        if self.is_grid:
            lines.append(self._files(left, margin))
        return lines

    def _files(self, left: float, margin: int) -> Text:
        """The letters of the columns, below the board."""
        files = {x: place[0] for row in self.rows for x, place in row}
        line = Text()
        for x, file in sorted(files.items()):
            line.pad_right(margin + round((x - left) * self.step) - len(line))
            line.append(file, "dim")
        return line

    def _cell(self, place: str) -> Text:
        name = place.rpartition(":")[2]
        stack = self.drawing[place]
        if not stack:
            sign = name if self.palette.empty is None else self.palette.empty
            return Text(sign, self.palette.colour("", place).ink if self.palette.rows else "dim")
        text = Text()
        if self._shows_names:
            text.append(name.rjust(max(len(place) for place in self.places)), "dim")
            text.append(" ")
        text.append_text(draw_stack(stack, self.palette, place, self.palette.cell))
        if self.palette.fills:
            rest = " " * (self.palette.cell - len(text))
            text.append(rest, self.palette.top(stack[-1], place))
        return text


def _apart(diagram: list[Row]) -> list[list[Row]]:
    """The boards of a diagram: parts with more than one step of nothing between them."""
    columns = sorted({x for row in diagram for x, _ in row})
    starts = [x for before, x in zip([-9.0, *columns], columns, strict=False) if x - before > 1]
    ends = [*starts[1:], float("inf")]
    boards = []
    for start, end in zip(starts, ends, strict=True):
        rows = [[(x, place) for x, place in row if start <= x < end] for row in diagram]
        boards.append([row for row in rows if row])
    return boards


def _shelves(boards: list[_Board], width: int) -> list[list[_Board]]:
    """As many boards beside each other as there is room for, the shelves as even as can be."""
    widest = max(board.width for board in boards)
    fit = max(1, (width + BOARD_GAP) // (widest + BOARD_GAP))
    shelves = -(-len(boards) // fit)
    each = -(-len(boards) // shelves)
    return [boards[i : i + each] for i in range(0, len(boards), each)]


def _side_by_side(boards: list[_Board]) -> list[Text]:
    blocks = [board.lines() for board in boards]
    lines = []
    for y in range(max(map(len, blocks))):
        line = Text()
        at = 0
        for board, block in zip(boards, blocks, strict=True):
            line.pad_right(at - len(line))
            if y < len(block):
                line.append_text(block[y])
            at += board.width + BOARD_GAP
        lines.append(line)
    return lines


def _too_tall(drawing: Drawing, boards: list[_Board]) -> list[Text]:
    """In full, the stacks their place had no room for."""
    lines = []
    for board in boards:
        for place in board.places:
            whole = draw_stack(drawing[place], board.palette, place)
            if len(whole) > board.palette.cell:
                lines.append(Text.assemble((f"{place}: ", "dim"), whole))
    return lines
