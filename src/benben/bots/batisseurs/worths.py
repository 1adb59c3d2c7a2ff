"""What a turn and its moves are worth, if it is known what it is worth to stop with each board.

While a turn lasts the others' boards stay as they are, so whatever one thinks of them is told by
the worth of stopping with each kind of board (`stops`, a full one is the win) and of a bust. The
rest is the dice, and worked out exactly.
"""

import numpy as np

from benben.bots.batisseurs.turns import (
    Kinds,
    Turns,
    board_of,
    end_of,
    kind_of_board,
    placings,
)
from benben.core.kernel import Floats, States, kernel
from benben.core.rules import CHANCE, OVER
from benben.games.batisseurs.rules import MOST_MOVES, ROLL, moves, play, to_move


@kernel
def turn_worths(
    own: int,
    bust: float,
    fear: float,
    stops: Floats,
    turns: Turns,
    rolls: Floats,
    bests: Floats,
    rates: Floats,
) -> float:
    """What each code of a turn with the board `own` is worth: to roll, and at best.

    Returns how likely a bust is with best play: so much does the turn gain with `bust`. `fear` is
    how likely a bust is thought to be: 1 as it is, 0.5 half as likely. `rates` take no notice.
    """
    number = len(stops)
    rate = 0.0
    for c in range(turns.codes_from[own], turns.codes_from[own + 1]):
        code = turns.codes[c]
        roll = 0.0
        rate = turns.busts[code]
        for t in range(turns.throws_from[code], turns.throws_from[code + 1]):
            top = turns.ends[turns.ends_from[t]]
            for e in range(turns.ends_from[t] + 1, turns.ends_from[t + 1]):
                end = turns.ends[e]
                if bests[end] > bests[top]:
                    top = end
            roll += turns.odds[t] * bests[top]
            rate += turns.odds[t] * rates[top]
        feared = fear * turns.busts[code]
        if fear != 1.0 and turns.busts[code] < 1.0:
            roll *= (1.0 - feared) / (1.0 - turns.busts[code])
        roll += feared * bust
        stop = stops[code % number]
        rolls[code] = roll
        # Without dice, or on a full board, there is nothing to roll.
        rolling = roll > stop and turns.throws_from[code] < turns.throws_from[code + 1]
        bests[code] = roll if rolling else stop
        rates[code] = rate if rolling else 0.0
    return rate


@kernel
def move_worths(
    a: States, bust: float, fear: float, stops: Floats, kinds: Kinds, turns: Turns, out: Floats
) -> int:
    """The worth to the seat in turn after each legal move, or if it has none; how many."""
    if to_move(a[0]) == OVER:
        out[0] = stops[-1]
        return 1
    n = len(turns.busts)
    rolls, bests, rates = np.empty(n), np.empty(n), np.empty(n)
    seat = a[0].turn
    own = kind_of_board(a[0].won[seat], kinds)
    turn_worths(own, bust, fear, stops, turns, rolls, bests, rates)
    here = a[0].left * kinds.number + kind_of_board(board_of(a[0], seat), kinds)
    if to_move(a[0]) == CHANCE:
        out[0] = rolls[here]
        return 1
    line = np.empty(len(kinds.boards) + 1, a.dtype)
    seen = np.full(len(kinds.boards), -1)
    listed = np.empty(MOST_MOVES, np.int64)
    number = moves(a[0], listed)
    for i in range(number):
        if listed[i] == ROLL:
            out[i] = rolls[here]
            continue
        line[0] = a[0]
        play(line[0], listed[i], None)
        out[i] = -np.inf
        for k in range(placings(line, seen, i, kinds)):
            end = end_of(line[k], seat, kinds)
            if end >= 0:
                out[i] = max(out[i], bests[end] if end >= kinds.number else stops[end])
    return number


def boards_of(record: States, kinds: Kinds) -> list[int]:
    """The kinds of what everybody has won: of the seat in turn, of the next one, and so on."""
    seat, players = int(record["turn"][0]), int(record["players"][0])
    won = record["won"][0].tolist()
    return [int(kind_of_board(won[(seat + k) % players], kinds)) for k in range(players)]
