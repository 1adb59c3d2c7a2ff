"""What must hold for every game. Each check takes a game and fails with the position it saw."""

import math
import random
from collections.abc import Iterator
from itertools import pairwise, product

import msgspec
import numpy as np
import pytest

import benben
from benben.core import engine
from benben.core.notation import THROW_SIGN
from benben.core.random import generator
from tests.sizes import LONG

Line = list[tuple[benben.Position, str]]


def games_at_random(game: benben.Game, games: int, seed: int = 0) -> Iterator[Line]:
    """Whole games as lists of positions and what was played there; the end has an empty move."""
    for number in range(games):
        rng = random.Random(f"{seed} {number}")
        position = game.deal(seed=f"{seed} {number}")
        line: Line = []
        while position.to_move is not None:
            if position.to_move == benben.CHANCE:
                throws, odds = zip(*position.chance(), strict=True)
                move = rng.choices(throws, odds)[0]
            else:
                move = rng.choice(position.moves())
            line.append((position, move))
            position = position.play(move)
        line.append((position, ""))
        yield line


def check_determinism(game: benben.Game) -> None:
    """The same seed deals the same, and the same moves lead to the same position."""
    for line in games_at_random(game, 2):
        position = line[0][0]
        for expected, move in line:
            assert position == expected
            assert hash(position) == hash(expected)
            if move:
                position = position.play(move)
    assert game.deal(seed=5) == game.deal(seed=5)
    assert game.deal(seed=5) == game.deal(seed="5")


def check_round_trips(game: benben.Game) -> None:
    """Positions, views and moves are read back as they were written."""
    for line in games_at_random(game, 3):
        for position, _ in line:
            again = game.parse(str(position))
            assert again == position
            assert again.record.tobytes() == position.record.tobytes()
            for seat in (None, *range(game.players)):
                view = position.view(seat)
                seen = game.parse_view(str(view), seat)
                assert seen == view
                assert seen.seat == seat
            for move in position.moves():
                assert game.text(game.code(move)) == move


def check_order(game: benben.Game) -> None:
    """Moves are listed in the order of their numbers, without repeats, however one gets there."""
    for line in games_at_random(game, 2):
        for position, _ in line:
            moves = position.moves()
            codes = [game.code(move) for move in moves]
            assert codes == sorted(set(codes)), str(position)
            assert game.parse(str(position)).moves() == moves


def check_choices(game: benben.Game) -> None:
    """All moves with their effects at once are the same as one by one."""
    for line in games_at_random(game, 3):
        for position, _ in line:
            for sight in (position, position.view(position.to_move if position.moves() else None)):
                told = [(choice.move, list(choice.effects)) for choice in sight.choices()]
                assert told == [(move, sight.effects(move)) for move in sight.moves()]


def check_always_a_move(game: benben.Game) -> None:
    """While the game is on there is a move or a throw; when it is over there is neither."""
    for line in games_at_random(game, 5):
        for position, move in line:
            moves, throws = position.moves(), position.chance()
            assert not any(move.startswith(THROW_SIGN) for move in moves)
            assert all(throw.startswith(THROW_SIGN) for throw, _ in throws)
            assert bool(moves) == (position.to_move not in (None, benben.CHANCE)), str(position)
            assert bool(throws) == (position.to_move == benben.CHANCE), str(position)
            assert (position.result is None) == bool(move)
            if throws:
                assert math.isclose(sum(odds for _, odds in throws), 1)
                assert all(odds > 0 for _, odds in throws)


def check_results(game: benben.Game) -> None:
    """Shares sum to 1 and the reason is a listed one."""
    for line in games_at_random(game, 20):
        result = line[-1][0].result
        assert result is not None
        assert len(result.shares) == game.players
        assert math.isclose(sum(result.shares), 1)
        assert all(0 <= share <= 1 for share in result.shares)
        assert len({result.shares[seat] for seat in result.winners}) == 1
        assert result.reason in game.rules.REASONS


def check_effects(game: benben.Game) -> None:
    """Following a move's effects on the drawing gives the drawing after the move."""
    for line in games_at_random(game, 3):
        for (position, played), (after, _) in pairwise(line):
            drawing = position.drawing()
            assert benben.follow(drawing, position.effects(played)) == after.drawing(), (
                str(position),
                played,
            )
        for position, _ in line[:: max(1, len(line) // 4)]:
            for move in [*position.moves(), *(throw for throw, _ in position.chance()[::40])]:
                expected = position.play(move).drawing()
                assert benben.follow(position.drawing(), position.effects(move)) == expected, (
                    str(position),
                    move,
                )


def check_diagram(game: benben.Game) -> None:
    """A picture shows every place once, and only places there are."""
    position = game.deal(seed=1)
    shown = [place for row in position.diagram() for _, place in row]
    assert len(shown) == len(set(shown))
    assert set(shown) <= set(position.drawing())


def check_facts(game: benben.Game) -> None:
    """They are plain JSON, and what they tell somebody is in the text that somebody may read."""
    for line in games_at_random(game, 2):
        for position, _ in line:
            for seat in (None, *range(game.players)):
                view = position.view(seat)
                facts = view.facts()
                assert msgspec.json.decode(msgspec.json.encode(facts)) == facts
                assert game.parse_view(str(view), seat).facts() == facts
                assert len(msgspec.json.encode(facts)) < 250, str(position)


def check_refusals_ahead(game: benben.Game) -> None:
    """Each move is either legal or told with the rule that refuses it, in words that fit it."""
    everything = [text for text in game.notation.texts().values() if text[0] != THROW_SIGN]
    words = dict(game.rules.REFUSALS)
    for line in games_at_random(game, 2):
        for position, _ in [*line[:: max(1, len(line) // 6)], line[-1]]:
            told = position.view(None).refusals()
            assert told == position.refusals()
            if position.to_move in (None, benben.CHANCE):
                assert told == []
                continue
            refused = [move for each in told for move in each.moves]
            assert sorted(refused + position.moves()) == sorted(everything)
            for each in told:
                for move in each.moves[:3]:
                    with pytest.raises(benben.IllegalMove) as caught:
                        position.play(move)
                    assert caught.value.rule == each.rule
                    assert each.parameters.items() <= caught.value.parameters.items()
                    assert str(caught.value).endswith(words[each.rule].format(**each.parameters))


def check_view_play(game: benben.Game) -> None:
    """A view after a move is the view of the position after it, or more than can be told."""
    for line in games_at_random(game, 2):
        for (position, move), (after, _) in pairwise(line):
            for seat in (None, *range(game.players)):
                if str(after.view(seat)).count("?") == str(position.view(seat)).count("?"):
                    assert position.view(seat).play(move) == after.view(seat)
                else:
                    with pytest.raises(benben.Hidden):
                        position.view(seat).play(move)


def check_refusals(game: benben.Game) -> None:
    """Whatever is not listed is refused by a named rule, and nothing changes."""
    codes = sorted(game.code(text) for text in game.notation.texts().values())
    for line in games_at_random(game, 3):
        for position, _ in [*line[:: max(1, len(line) // 12)], line[-1]]:
            throws = [throw for throw, _ in position.chance()]
            legal = {game.code(text) for text in [*position.moves(), *throws]}
            before = position.record
            for code in codes:
                rule = engine.refusal(before, code)
                assert (rule == 0) == (code in legal), (str(position), game.text(code))
            assert before.tobytes() == position.record.tobytes()
            for code in random.Random(1).sample(codes, min(20, len(codes))):
                if code not in legal:
                    with pytest.raises(benben.IllegalMove) as caught:
                        position.play(game.text(code))
                    assert caught.value.rule in dict(game.rules.REFUSALS)
                    assert caught.value.rule
                    assert caught.value.parameters
                    with pytest.raises(benben.IllegalMove):
                        position.effects(game.text(code))
            for text in ("", " ", "?", "zz", "a1 ", "é@1", "\n", "d1*", "@", "=", "x" * 5000):
                with pytest.raises(benben.BadNotation):
                    position.play(text)
            assert before.tobytes() == position.record.tobytes()


def check_hides(game: benben.Game) -> None:
    """Where nothing is hidden all see the same; where something is, some do not."""
    lines = games_at_random(game, 2)
    differ = any(
        position.view(seat) != position.view(None)
        for line in lines
        for position, _ in line
        for seat in range(game.players)
    )
    assert differ == game.hides


def check_views(game: benben.Game) -> None:
    """Positions that differ only in what a seat may not know look the same to it."""
    for line in games_at_random(game, 2 if LONG else 1):
        for position, _ in [*line[:: max(1, len(line) // 4)], line[-1]]:
            for seat in (None, *range(game.players)):
                view = position.view(seat)
                possible = list(worlds(game, str(view)))
                assert position in possible
                for world in possible:
                    assert world.view(seat) == view
                assert view.moves() == position.moves()
                assert view.to_move == position.to_move
                assert view.drawing() == position.drawing()
                assert view.result == position.result
                for move in view.moves()[:5]:
                    assert view.effects(move) == position.effects(move)


def worlds(game: benben.Game, text: str) -> Iterator[benben.Position]:
    """The whole positions a view may be of: every letter tried for every `?`."""
    letters = sorted({letter for letter in text if letter.islower()})
    for filling in product(letters, repeat=text.count("?")):
        pieces = iter(filling)
        try:
            yield game.parse("".join(next(pieces) if sign == "?" else sign for sign in text))
        except benben.ImpossiblePosition:
            continue


def check_random_moves(game: benben.Game) -> None:
    """Moves and throws drawn in the kernel are those listed, as often as they should be."""
    source = generator(11)
    for line in games_at_random(game, 1):
        for position, _ in line[: -1 : max(1, len(line) // 8)]:
            record = position.record
            if position.to_move == benben.CHANCE:
                draws = [engine.draw_throw(record, source) for _ in range(4000)]
                expected = {game.code(throw): odds for throw, odds in position.chance()}
            else:
                draws = [engine.draw_move(record, source) for _ in range(4000)]
                moves = position.moves()
                expected = {game.code(move): 1 / len(moves) for move in moves}
            assert set(draws) <= set(expected), str(position)
            found = np.array([draws.count(code) for code in expected])
            wanted = np.array([4000 * odds for odds in expected.values()])
            chi_square = float(((found - wanted) ** 2 / wanted).sum())
            freedom = len(expected) - 1
            # Six standard deviations: a biased draw is far beyond, chance is not.
            assert chi_square <= freedom + 6 * math.sqrt(2 * freedom + 4), str(position)


def check_playouts(game: benben.Game) -> None:
    """Playouts depend on the seed alone, and every game's shares are counted once."""
    one = benben.playouts(game, 2500, seed=3)
    two = benben.playouts(game, 2500, seed=3, threads=2)
    assert (one.games, one.decisions) == (two.games, two.decisions)
    assert one.shares == pytest.approx(two.shares)
    assert sum(one.shares) == pytest.approx(1)
    assert benben.playouts(game, 2500, seed=4).shares != one.shares


def check_perft(game: benben.Game) -> None:
    """Counting in the kernel is counting by hand."""

    def by_hand(position: benben.Position, depth: int) -> int:
        if depth == 0:
            return 1
        branches = [*position.moves(), *(throw for throw, _ in position.chance())]
        if depth == 1:
            return len(branches)
        return sum(by_hand(position.play(branch), depth - 1) for branch in branches)

    for line in games_at_random(game, 1):
        for position, _ in [line[0], *line[-4:]]:
            for depth in range(3):
                assert position.perft(depth) == by_hand(position, depth), str(position)


def check_record(game: benben.Game) -> None:
    """A position is small, and has no bytes that mean nothing: equal positions have equal bytes."""
    state = game.rules.STATE
    assert state.itemsize < 512
    assert state.itemsize == sum(state[name].itemsize for name in state.names)


CHECKS = [
    check_determinism,
    check_round_trips,
    check_order,
    check_choices,
    check_hides,
    check_always_a_move,
    check_results,
    check_effects,
    check_diagram,
    check_facts,
    check_refusals,
    check_refusals_ahead,
    check_view_play,
    check_views,
    check_random_moves,
    check_playouts,
    check_perft,
    check_record,
]
