"""What is hidden from whom, read off the text of views: `?` stands for what one may not know."""

from benben.core.position import Position, Sight

Secrets = list[tuple[int, str]]  # a seat, from 0, and its letter


def has_secrets(position: Position) -> bool:
    """Whether anything is hidden from those who only watch."""
    return "?" in str(position.view(None))


def own_secrets(position: Position, seat: int) -> Secrets:
    """What the seat knows and a spectator does not."""
    return _uncovered(position.view(None), position.view(seat))


def all_secrets(position: Position, end: Position) -> Secrets:
    """What was hidden at some position, read from a later one that everybody may see."""
    return _uncovered(position.view(None), end)


def _uncovered(hidden: Sight, known: Sight) -> Secrets:
    """The letters where one text has `?` and the other has not: a field of them, one a seat."""
    fields = zip(str(hidden).split(" "), str(known).split(" "), strict=True)
    return [
        (seat, letter)
        for unknown, field in fields
        if "?" in unknown
        for seat, letter in enumerate(field)
        if unknown[seat] == "?" and letter != "?"
    ]
