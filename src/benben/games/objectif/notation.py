"""Objectif in text: moves, positions and drawings, and the strict reading of positions."""

from functools import lru_cache

from benben.core.effects import Diagram, Drawing, Facts
from benben.core.errors import BadNotation
from benben.core.kernel import Ints, Plain, States, blank, pack, plain
from benben.core.rules import OPTION, PLAYERS
from benben.core.text import demand, fields, letters, number, parts
from benben.games.objectif.rules import (
    CASES,
    COLOURS,
    FAIR,
    MOST_PLACES,
    PIECES_EACH,
    PLACES,
    REASONS,
    STATE,
    held,
    move_of,
)

# ---- Moves

MOVE_FORM = "a move is a colour and a place, such as b@7"


def texts() -> dict[int, str]:
    return {
        move_of(colour + 1, place): f"{letter}@{place + 1}"
        for colour, letter in enumerate(COLOURS)
        for place in range(MOST_PLACES)
    }


def parameters(move: str) -> dict[str, str | int]:
    colour, place = move.split("@")
    return {"colour": colour, "place": int(place)}


# ---- Positions

_GOALS = "?" + COLOURS  # by the number of the colour, 0 being unknown


def write(p: Plain) -> str:
    goals = "".join(_goals(p))
    stocks = "|".join(stock or "-" for stock in _stocks(p))
    return f"{'/'.join(_piles(p))} {stocks} {p.turn + 1} {goals}"


def draw(p: Plain) -> Drawing:
    stocks = {f"stock:{seat + 1}": stock for seat, stock in enumerate(_stocks(p))}
    return dict(zip(PLACES, _piles(p), strict=False)) | stocks


def facts(p: Plain) -> Facts:
    """Each seat's goal, and what decides between colours, the first first.

    That is how many places show the colour, how many of those are piles, and the tallest's height.
    """
    heights: dict[str, list[int]] = {
        letter: [] for i, letter in enumerate(COLOURS, 1) if p.colours >> i & 1
    }
    for pile in _piles(p):
        heights[pile[-1].lower()].append(len(pile) - 1)
    counts = {
        colour: [len(own), len(own) - own.count(0), max(own, default=0)]
        for colour, own in heights.items()
    }
    return {"goals": _goals(p), "counts": counts}


def figures(p: Plain, reason: str) -> list[int | None]:
    """What decided between those who were level till then; where nothing did, how many places."""
    told = facts(p)
    merits: list[list[int]] = [told["counts"][goal] for goal in told["goals"]]
    decided = REASONS.index(reason)
    level = max(merit[:decided] for merit in merits)
    return [merit[decided % len(merit)] if merit[:decided] == level else None for merit in merits]


def diagram(p: Plain) -> Diagram:
    """Four rows of places, whatever the number of players."""
    wide = p.places // 4
    return [[(x, str(row * wide + x + 1)) for x in range(wide)] for row in range(4)]


def _goals(p: Plain) -> list[str]:
    return [_GOALS[goal] for goal in p.goal[: p.players]]


def _piles(p: Plain) -> list[str]:
    return [_pile(p.pile[place] | p.deep[place] << 63) for place in range(p.places)]


@lru_cache(10_000)  # a server writes every position, and most piles and stocks were there before
def _pile(word: int) -> str:
    """A place in text: the Case in lower case, then its Pièces bottom to top."""
    levels = ""
    while word:
        levels = COLOURS[(word & 7) - 1] + levels
        word >>= 3
    return levels[0] + levels[1:].upper()


def _stocks(p: Plain) -> list[str]:
    return [_stock(stock) for stock in p.stock[: p.players]]


@lru_cache(10_000)
def _stock(stock: int) -> str:
    return "".join(letter * held(stock, i + 1) for i, letter in enumerate(COLOURS.upper()))


# ---- Reading


def read(text: str, options: Ints, hidden: bool) -> States:
    players, mode = int(options[PLAYERS]), int(options[OPTION])
    written, stocked, turn, goals = fields(text, ("places", "stocks", "turn", "goals"))
    piles = parts(written, "/", CASES * (players + 2), "the places")
    stocks = [stock if stock != "-" else "" for stock in parts(stocked, "|", players, "the stocks")]
    p = plain(blank(STATE))
    p.players, p.mode, p.places = players, mode, len(piles)
    p.turn = number(turn, 1, players, "turn") - 1
    p.left = sum(map(len, stocks))
    for place, pile in enumerate(piles):
        word = _read_pile(place, pile)
        p.pile[place], p.deep[place] = word & (1 << 63) - 1, word >> 63
        p.colours |= 1 << COLOURS.index(pile[0]) + 1
    for seat, stock in enumerate(stocks):
        pieces = letters(stock, COLOURS.upper(), "Pièce")
        p.stock[seat] = sum(pieces.count(i) << 4 * i for i in range(len(COLOURS)))
    _check_material(piles, stocks, PIECES_EACH // players if mode == FAIR else PIECES_EACH)
    _check_turns([len(stock) for stock in stocks], p.turn)
    p.goal[:players] = _read_goals(goals, piles, hidden, over=p.left == 0)
    return pack(p, STATE)


def _read_pile(place: int, pile: str) -> int:
    """The levels of a place in one word, the Case highest."""
    demand(pile != "", "no-case", f"place {place + 1} has no Case")
    letters(pile[0], COLOURS, "Case")
    letters(pile[1:], COLOURS.upper(), "Pièce")
    word = 0
    for level, letter in enumerate(pile.lower()):
        demand(
            level == 0 or pile[level - 1].lower() != letter,
            "same-colour-beneath",
            f"place {place + 1} has a Pièce on a {'Case' if level == 1 else 'Pièce'} of its colour",
        )
        word = word << 3 | COLOURS.index(letter) + 1
    return word


def _check_material(piles: list[str], stocks: list[str], each: int) -> None:
    """Four Cases and six Pièces of each colour in the game; Pièces leave it two by two."""
    board = "".join(piles)
    for letter in COLOURS:
        cases, piece = board.count(letter), letter.upper()
        demand(cases in (0, CASES), "wrong-cases", f"there are {cases} {letter} Cases, not {CASES}")
        most = PIECES_EACH if cases else 0
        pieces = board.count(piece) + sum(stock.count(piece) for stock in stocks)
        demand(
            pieces <= most, "too-many-pieces", f"there are {pieces} {piece} Pièces, {most} at most"
        )
        demand(
            (most - pieces) % 2 == 0,
            "odd-pieces-gone",
            f"{most - pieces} {piece} Pièces are gone, but they leave the game two by two",
        )
        for seat, stock in enumerate(stocks):
            demand(
                stock.count(piece) <= each,
                "too-many-pieces",
                f"seat {seat + 1} begins with {each} {piece} Pièces at most",
            )


def _check_turns(sizes: list[int], turn: int) -> None:
    """Whoever is still to play in this round has one Pièce more than those who have played."""
    most = PIECES_EACH * (len(sizes) + 2) // len(sizes)
    from_turn = sizes[turn:] + sizes[:turn]
    demand(
        from_turn[0] <= most
        and from_turn == sorted(from_turn, reverse=True)
        and from_turn[0] - from_turn[-1] <= 1,
        "stocks-out-of-turn",
        f"with seat {turn + 1} to move, stocks of {', '.join(map(str, sizes))} cannot be",
    )


def _read_goals(goals: str, piles: list[str], hidden: bool, over: bool) -> list[int]:
    players = len(piles) // CASES - 2
    if len(goals) != players:
        raise BadNotation(goals, f"the goals are {players} letters, one per seat")
    if "?" in goals and not hidden:
        raise BadNotation(goals, "a whole position knows every goal; parse_view takes '?'")
    known = goals.replace("?", "")
    letters(known, COLOURS, "goal")
    demand(len(set(known)) == len(known), "same-goal", "two seats cannot have the same goal")
    in_game = {pile[0] for pile in piles}
    demand(set(known) <= in_game, "goal-not-in-game", "a goal's colour is not in the game")
    if over:
        demand("?" not in goals, "goals-hidden", "when the game is over all goals are shown")
    elif hidden:
        demand(len(known) <= 1, "goals-seen", "before the end a seat sees its own goal only")
    return [_GOALS.index(goal) for goal in goals]
