"""Who sits where in the games of a round, so that nobody has better seats than another."""

from collections.abc import Iterator
from functools import cache
from itertools import combinations, permutations, product
from math import perm

from benben.core.chance import RandomStream

MOST_ORDERS = 120  # games of a round in which every choice of bots sits in every order


def seatings(entrants: int, seats: int, most: int = MOST_ORDERS) -> list[tuple[int, ...]]:
    """A round robin: everybody equally often on every seat and, with everybody, at a table.

    With entrants enough, every choice of them in every order; where those are more than `most`,
    some of them, as many as two seats would take. With fewer entrants than seats everybody has a
    seat or more, and nobody two more than another.

    >>> seatings(3, 2)
    [(0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1)]
    >>> len(seatings(2, 4)), len(seatings(12, 4)), len(seatings(5, 4, most=20))
    (6, 132, 20)
    """
    if entrants >= seats:
        if seats == 2 or perm(entrants, seats) <= most:
            return list(permutations(range(entrants), seats))
        return _some(entrants, seats)
    fair = {seats // entrants, -(-seats // entrants)}
    every = product(range(entrants), repeat=seats)
    return [seating for seating in every if {*map(seating.count, range(entrants))} <= fair]


def gauntlet(entrants: int, seats: int) -> list[tuple[int, ...]]:
    """The first against each of the others: on each seat in turn, the other on all the rest.

    >>> gauntlet(3, 2)
    [(0, 1), (1, 0), (0, 2), (2, 0)]
    >>> gauntlet(2, 3)
    [(0, 1, 1), (1, 0, 1), (1, 1, 0)]
    """
    return [
        tuple(0 if seat == first else other for seat in range(seats))
        for other in range(1, entrants)
        for first in range(seats)
    ]


def _some(entrants: int, seats: int) -> list[tuple[int, ...]]:
    """Seatings that move round: if 0 sits with 1 and 5, then 1 with 2 and 6, and so on.

    So everybody has every seat as often. Two meet as often as their distance is found in the
    seatings that the others come from.
    """
    # Three seats for 10, 14, 18 or 22: of an even distance and an odd one, one is always left over.
    copies = 2 if seats == 3 and entrants % 4 == 2 else 1
    family = _family(entrants, seats, copies)
    return [
        tuple((place + step) % entrants for place in first)
        for first in family
        for step in range(entrants)
    ]


@cache
def _family(entrants: int, seats: int, copies: int) -> tuple[tuple[int, ...], ...]:
    """Different seatings in which every distance is found as often: some are changed until it is.

    There is no end to the search but success. All numbers of entrants and seats are tested.
    """
    first = [list(_apart(entrants, seats, by)) for by in range(1, entrants) for _ in range(copies)]
    meetings = [0] * entrants  # by distance
    between = {pair: [0] * entrants for pair in combinations(range(seats), 2)}  # two seats

    def count(seating: list[int], times: int) -> None:
        for (one, other), found in between.items():
            distance = seating[other] - seating[one]
            found[distance % entrants] += times
            meetings[distance % entrants] += times
            meetings[-distance % entrants] += times

    def unfairness() -> tuple[int, int]:
        """Of who meets whom and then, where that is the same, of who sits after whom."""
        wanted = copies * seats * (seats - 1)
        orders = sum((n - copies) ** 2 for found in between.values() for n in found[1:])
        twice = len(first) - len(set(map(tuple, first)))
        return twice + sum((n - wanted) ** 2 for n in meetings[1:]), orders

    for seating in first:
        count(seating, 1)
    now, dice = unfairness(), RandomStream.seeded("seatings")
    while now[0]:
        seating = first[dice.below(len(first))]
        seat, place = 1 + dice.below(seats - 1), 1 + dice.below(entrants - 1)
        if place in seating:
            continue
        before = seating[seat]
        count(seating, -1)
        seating[seat] = place
        count(seating, 1)
        if (then := unfairness()) <= now:
            now = then
        else:
            count(seating, -1)
            seating[seat] = before
            count(seating, 1)
    return tuple(map(tuple, first))


def _apart(entrants: int, seats: int, by: int) -> Iterator[int]:
    """Places that far from one another, or a little further where one is taken.

    If the number of entrants is a prime none is, and all together are fair already.
    """
    taken: set[int] = set()
    for seat in range(seats):
        place = seat * by % entrants
        while place in taken:
            place = (place + 1) % entrants
        taken.add(place)
        yield place
