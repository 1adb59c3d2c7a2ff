"""When two positions are the same puzzle: mirrored, turned, or with other colours.

`key_of` writes a position from the mover's side in one way out of all that come to the same. A game
that nothing is said about here has no mirror images.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import permutations

from benben.core.position import View

_PAIRS = {  # of pyramidis for two: the tracks of both, in their own directions
    "b": "d1 d2 d3 d4 d5 d6 d7 d8 e8 e7 e6 e5 e4 e3 e2 e1",
    "m": "d8 d7 d6 d5 d4 d3 d2 d1 e1 e2 e3 e4 e5 e6 e7 e8",
    "t": "a5 b5 c5 d5 e5 f5 g5 h5 h4 g4 f4 e4 d4 c4 b4 a4",
    "c": "h5 g5 f5 e5 d5 c5 b5 a5 a4 b4 c4 d4 e4 f4 g4 h4",
}
_LETTERS = "abcdefgh"


def key_of(view: View) -> str:
    """What all positions have in common that are the same puzzle."""
    game = view.game
    own = {name: value for name, value in game.options.items() if name not in ("first", "pair")}
    write = _WRITERS.get(game.name, _as_it_is)
    return f"{game.name} {own} {write(str(view), game.players)}"


def _as_it_is(text: str, players: int) -> str:
    return text


def _turned(each: Sequence[str], turn: int) -> list[str]:
    """From the mover's seat on."""
    return [*each[turn:], *each[:turn]]


def _batisseurs(text: str, players: int) -> str:
    """Every pyramid may be seen from behind."""
    boards, turn, dice, left, placed = text.split()
    seen = []
    for board in _turned(boards.split("|"), int(turn) - 1):
        behind = "/".join(row[::-1] for row in board.split("/"))
        seen.append(min(board, behind))
    return " ".join((*seen, dice, left, placed))


def _objectif(text: str, players: int) -> str:
    """Places have no order, and colours are only names."""
    places, stocks, turn, goals = text.split()
    at = int(turn) - 1
    rest = "|".join(_turned(stocks.split("|"), at)) + " " + "".join(_turned(list(goals), at))
    colours = sorted({letter for letter in places.lower() if letter.isalpha()})
    best = ""
    for order in permutations(range(len(colours))):
        named = dict(zip(colours, (str(n) for n in order), strict=True))
        small = str.maketrans(named | {k.upper(): v for k, v in named.items()})
        piles = "/".join(sorted(places.translate(small).split("/")))
        stock, goal = rest.split()
        held = "|".join("".join(sorted(each.translate(small))) for each in stock.split("|"))
        written = f"{piles} {held} {goal.translate(small)}"
        if not best or written < best:
            best = written
    return best


def _pyramidis(text: str, players: int) -> str:
    """For two, both sides and both strips are alike."""
    columns, _, turn, _ = text.split()
    if players != 2:
        return text
    track = {square: at for at, square in enumerate(_PAIRS[turn].split())}
    own = str.maketrans({letter: "x" if letter == turn else "o" for letter in "bmtc"})
    seen = []
    for column in columns.split(","):
        square, pile = column.split("=")
        seen.append(f"{track[square]:02}{pile.translate(own)}")
    return ",".join(sorted(seen))


def _quadrille(text: str, players: int) -> str:
    """The board may be seen from all sides, and colours are only names."""
    board, white, black, turn, phase, hand, gift, _ = text.split()
    ranks = [re.findall(r"\(\w\w\)|.", rank) for rank in board.split("/")]
    pawns = [white, black] if turn == "w" else [black, white]
    return min(
        _in_order(f"{seen} {' '.join(where)} {phase} {hand} {gift}", phase)
        for seen, where in _sides(ranks, pawns)
    )


def _sides(ranks: list[list[str]], pawns: list[str]) -> Iterator[tuple[str, list[str]]]:
    for over in (False, True):
        for across in (False, True):
            rows = [rank[::-1] if across else rank for rank in (ranks[::-1] if over else ranks)]
            move = lambda square: _moved(square, over, across)  # noqa: E731, B023
            where = [
                "-" if each == "-" else ",".join(sorted(map(move, each.split(","))))
                for each in pawns
            ]
            yield "/".join("".join(row) for row in rows), where


def _moved(square: str, over: bool, across: bool) -> str:
    file, rank = _LETTERS.index(square[0]), int(square[1])
    return f"{_LETTERS[7 - file] if across else square[0]}{7 - rank if over else rank}"


def _in_order(text: str, phase: str) -> str:
    """Colours by when they are first seen; squares and the phase keep their letters."""
    board, mine, theirs, _, hand, gift = text.split()
    named: dict[str, str] = {}
    for letter in board:
        if letter in "broy":
            named.setdefault(letter, str(len(named) + 1))
    colours = str.maketrans(named)
    return " ".join(
        (
            board.translate(colours),
            mine,
            theirs,
            phase,
            hand.translate(colours),
            gift.translate(colours),
        )
    )


_WRITERS: dict[str, Callable[[str, int], str]] = {
    "batisseurs": _batisseurs,
    "objectif": _objectif,
    "pyramidis": _pyramidis,
    "quadrille": _quadrille,
}
