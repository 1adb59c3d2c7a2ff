"""A second opinion on positions, by another idea than each game's `evaluation.py`.

What a side is able to do counts here, more than what it has. The sparring partner of the style
`mobility` looks ahead with it.
"""

from benben.core.kernel import State, generic


@generic
def mobility(s: State, seat: int) -> float:
    """A seat's expected share, from 0 to 1; each game has its own in a module of this package."""
    return 0.5
