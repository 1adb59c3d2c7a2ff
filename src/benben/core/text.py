"""Small parts of reading text forms, so that every game refuses bad text in the same words."""

from collections.abc import Sequence

from benben.core.errors import BadNotation, ImpossiblePosition

LONGEST = 2000  # characters; no position of any game comes near


def fields(text: object, names: Sequence[str]) -> list[str]:
    """The fields of a position, one space apart."""
    if not isinstance(text, str):
        raise BadNotation(text, "a position is a text")
    if len(text) > LONGEST:
        raise BadNotation(text, f"no position is longer than {LONGEST} characters")
    found = text.split(" ")
    if len(found) != len(names) or "" in found:
        raise BadNotation(
            text, f"a position is {len(names)} fields, one space apart: {' '.join(names)}"
        )
    return found


def one_of(value: str, allowed: Sequence[str], what: str) -> int:
    """The index of a value among those allowed."""
    if value not in allowed:
        raise BadNotation(value, f"{what} must be one of {', '.join(allowed)}")
    return allowed.index(value)


def number(value: str, least: int, most: int, what: str) -> int:
    """A whole number written plainly: no sign, no leading zero."""
    plain = value.isascii() and value.isdigit() and (value == "0" or value[0] != "0")
    if not plain or len(value) > 6:
        raise BadNotation(value, f"{what} must be a whole number from {least} to {most}")
    if not least <= int(value) <= most:
        raise ImpossiblePosition("number-out-of-range", f"{what} is {least} to {most}, not {value}")
    return int(value)


def letters(value: str, allowed: str, what: str) -> list[int]:
    """Each letter's index among those allowed."""
    for letter in value:
        if letter not in allowed:
            raise BadNotation(value, f"{letter!r} is not a {what}; use {', '.join(allowed)}")
    return [allowed.index(letter) for letter in value]


def parts(value: str, separator: str, size: int, what: str) -> list[str]:
    """A field cut at a separator into so many parts."""
    found = value.split(separator)
    if len(found) != size:
        raise BadNotation(
            value, f"{what} must be {size}, joined by {separator!r}; there are {len(found)}"
        )
    return found


def demand(holds: bool, offence: str, why: str) -> None:
    """Refuse a position as impossible unless something holds."""
    if not holds:
        raise ImpossiblePosition(offence, why)
