"""Draws follow the documented algorithm, to the letter."""

import hashlib
import hmac
from collections import Counter

import pytest

import benben
from benben.core.random import below, generator


def test_draws_are_those_of_the_documentation() -> None:
    stream = benben.RandomStream(b"key")
    for number, n in enumerate([6, 2, 1, 1000, 48]):
        digest = hmac.new(b"key", f"{number}.0".encode(), hashlib.sha256).digest()
        assert stream.below(n) == int.from_bytes(digest[:8], "big") % n


def test_a_draw_past_the_last_whole_multiple_is_made_again() -> None:
    n = 2**63 + 1  # nearly every second number is refused
    stream = benben.RandomStream(b"key")
    attempts = []
    for number in range(20):
        for attempt in range(100):
            digest = hmac.new(b"key", f"{number}.{attempt}".encode(), hashlib.sha256).digest()
            if (x := int.from_bytes(digest[:8], "big")) < n:
                break
        attempts.append(attempt)
        assert stream.below(n) == x
    assert max(attempts) > 0


def test_any_draw_can_be_made_alone() -> None:
    stream = benben.RandomStream.seeded(7)
    draws = [stream.below(6) for _ in range(10)]
    assert [benben.RandomStream(b"7", number).below(6) for number in range(10)] == draws


def test_the_systems_randomness_differs() -> None:
    assert benben.RandomStream.seeded(None).below(2**60) != benben.RandomStream.seeded(None).below(
        2**60
    )


def test_a_draw_below_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="cannot draw below 0"):
        benben.RandomStream(b"").below(0)


def test_a_throw_is_drawn_by_its_weight() -> None:
    """Six dice in 46656 ways, each drawn once: every throw as often as it can fall."""
    position = benben.game("batisseurs").deal()

    class Counting:
        number = -1

        def below(self, n: int) -> int:
            assert n == 6**6
            self.number += 1
            return self.number

    source = Counting()
    found = Counter(position.draw(source) for _ in range(6**6))
    assert found == {throw: round(odds * 6**6) for throw, odds in position.chance()}


def test_no_throw_can_be_drawn_where_none_is_due() -> None:
    position = benben.game("quadrille").deal()
    with pytest.raises(benben.BadNotation, match="no throw is due"):
        position.draw(benben.RandomStream(b""))


def test_kernel_draws_are_even_and_in_range() -> None:
    random = generator(1)
    found = Counter(below(random, 7) for _ in range(70_000))
    assert set(found) == set(range(7))
    assert all(abs(times - 10_000) < 500 for times in found.values())
