"""Who sits where: nobody has better seats, or more of the others, than another."""

from collections import Counter

import pytest

from benben.lab.arena import MOST_BOTS
from benben.lab.seatings import MOST_ORDERS, gauntlet, seatings


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("entrants", range(2, MOST_BOTS + 1))
def test_everybody_sits_everywhere_equally_often(entrants: int, seats: int) -> None:
    every = seatings(entrants, seats)
    assert len(set(every)) == len(every)
    for seat in range(seats):
        counts = Counter(seating[seat] for seating in every)
        assert set(counts) == set(range(entrants))
        assert len(set(counts.values())) == 1
    together = Counter(
        frozenset((a, b)) for seating in every for a in seating for b in seating if a < b
    )
    assert len(together) == entrants * (entrants - 1) // 2
    assert len(set(together.values())) == 1, "every pair meets equally often"
    for seating in every:
        held = Counter(seating)
        if entrants >= seats:
            assert set(held.values()) == {1}
        else:
            assert set(held) == set(range(entrants))
            assert max(held.values()) - min(held.values()) <= 1


@pytest.mark.parametrize(
    ("entrants", "seats", "games"),
    [
        (2, 2, 2),
        (6, 2, 30),
        (4, 4, 24),
        (3, 4, 36),
        (2, 3, 6),
        (5, 4, MOST_ORDERS),
        (6, 4, 30),
        (7, 3, 42),
        (10, 3, 180),
        (12, 4, 132),
        (24, 2, 552),
    ],
)
def test_how_many_seatings_there_are(entrants: int, seats: int, games: int) -> None:
    assert len(seatings(entrants, seats)) == games


@pytest.mark.parametrize(("entrants", "seats"), [(7, 3), (11, 4), (9, 3)])
def test_some_seatings_are_fair_to_the_order_too(entrants: int, seats: int) -> None:
    """Of any two seats, every two bots have them once."""
    every = seatings(entrants, seats)
    for one in range(seats):
        for other in range(one):
            assert len({(each[one], each[other]) for each in every}) == len(every)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_five_levels_need_twenty_seatings(seats: int) -> None:
    """Of any two seats, every two of them have them once: so nobody is favoured by who begins."""
    every = seatings(5, seats, most=20)
    assert len(every) == 20
    for one in range(seats):
        for other in range(one):
            assert len({(each[one], each[other]) for each in every}) == 20


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("entrants", [2, 3, 7])
def test_a_gauntlet_has_the_first_on_each_seat_once(entrants: int, seats: int) -> None:
    every = gauntlet(entrants, seats)
    assert [each.index(0) for each in every] == list(range(seats)) * (entrants - 1)
    others = [other for other in range(1, entrants) for _ in range(seats)]
    for each, other in zip(every, others, strict=True):
        assert Counter(each) == {0: 1, other: seats - 1}
