"""Legal moves offered as numbers, and typed moves understood."""

import re
from collections.abc import Sequence
from difflib import get_close_matches
from itertools import groupby

from benben.core.errors import BenbenError
from benben.core.position import Sight
from benben.terminal.speech import say
from benben.terminal.trouble import explain

FEW = 24  # moves that are listed without being asked for
GAP = 3  # between columns
_LAST_NUMBER = re.compile(r"\d*$")


class NoSuchMove(BenbenError):
    pass


def columns(moves: Sequence[str], width: int) -> list[str]:
    """All moves with their numbers; moves that differ only in a last number share lines."""
    digits = len(str(len(moves)))
    cell = digits + 1 + max(map(len, moves)) + GAP
    across = max(1, (width + GAP) // cell)
    numbered = [f"{i:>{digits}} {move}".ljust(cell) for i, move in enumerate(moves, 1)]
    if len(moves) <= FEW:
        groups = [numbered]
    else:
        labelled = zip(moves, numbered, strict=True)
        grouped = groupby(labelled, key=lambda pair: _LAST_NUMBER.sub("", pair[0]))
        groups = [[text for _, text in group] for _, group in grouped]
    return [
        "".join(group[i : i + across]).rstrip()
        for group in groups
        for i in range(0, len(group), across)
    ]


def understand(typed: str, sight: Sight) -> str:
    """The legal move that was typed, in its text form or by its number.

    Nothing is guessed: what comes close is asked for, not played.
    """
    moves = sight.moves()
    if typed in moves:
        return typed
    if typed.isascii() and typed.isdigit():
        number = int(typed) if len(typed) < 6 else 0
        if 1 <= number <= len(moves):
            return moves[number - 1]
        raise NoSuchMove(say("move.no-number", number=typed, n=len(moves)))
    try:
        sight.effects(typed)
    except BenbenError as error:
        near = _near(typed, moves)
        why = explain(error, sight.game)
        raise NoSuchMove(say("move.near", why=why, near=near) if near else why) from error
    raise NoSuchMove(say("move.none", move=typed))


def _near(typed: str, moves: Sequence[str]) -> str:
    """The same but for case or spaces, if there is one."""
    plain = {"".join(move.split()).lower(): move for move in moves}
    same = plain.get("".join(typed.split()).lower())
    return same if same is not None and same != typed else ""


def near_command(typed: str, commands: Sequence[str]) -> str:
    """A command that was probably meant."""
    found = get_close_matches(typed.lower(), commands, n=1, cutoff=0.7)
    return found[0] if found else ""
