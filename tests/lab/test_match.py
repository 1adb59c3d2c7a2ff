"""One game between players: whose luck it is, what they see, and what happens when they fail."""

from threading import Event, Timer

import pytest

import benben
from benben.bots.random import RandomPlayer
from benben.core.errors import BenbenError, PlayerFailed
from benben.core.player import Cancelled, Player
from benben.core.record import GameRecord, resignation
from benben.lab.match import FAILED, draw_opening, forfeit, play_match
from tests.lab.players import Answering, First, Noting, Sleeping, seated

OBJECTIF = benben.game("objectif", players=3)
BATISSEURS = benben.game("batisseurs")


@pytest.mark.parametrize("name", benben.names())
def test_a_game_is_played_to_its_end_by_the_rules(name: str) -> None:
    game = benben.game(name)
    players = [seated(RandomPlayer())] * game.players
    done = play_match(game, players, 7)
    record = GameRecord(done.start, done.moves)
    assert record.result == benben.Result(done.shares, done.reason)
    assert not done.failures
    thrown = sum(position.to_move == benben.CHANCE for position in record.positions())
    assert sum(done.decisions) == len(done.moves) - thrown
    assert all(seconds > 0 for seconds in done.seconds)
    assert play_match(game, players, 7) == done
    assert play_match(game, players, 8) != done


def test_players_do_not_change_the_dice() -> None:
    games = [
        play_match(BATISSEURS, seats, "luck")
        for seats in ([seated(RandomPlayer())] * 2, [seated(First())] * 2)
    ]
    throws = [[move for move in done.moves if move.startswith("=")] for done in games]
    assert games[0].start == games[1].start
    assert throws[0][0] == throws[1][0]
    assert games[0].moves != games[1].moves


def test_a_turn_holds_no_secret_and_its_seed_is_the_seats_own() -> None:
    seeds = []
    for second in (RandomPlayer(), First()):
        noting = Noting()
        done = play_match(OBJECTIF, [seated(noting), seated(second), seated(First())], b"x")
        for turn in noting.turns:
            assert turn.seat == 0
            assert str(turn.history.start) == str(done.start.view(0))
            assert str(turn.view).split()[-1][1:] == "??"
            assert turn.history.moves == done.moves[: len(turn.history.moves)]
        seeds.append([turn.seed for turn in noting.turns])
    assert seeds[0] == seeds[1]
    assert len(set(seeds[0])) == len(seeds[0])


@pytest.mark.parametrize(
    ("player", "why"),
    [
        (Answering(PlayerFailed("it", "hung for 5 s")), "hung for 5 s"),
        (Answering(RuntimeError("lost\nthe thread")), "raised RuntimeError: lost the thread"),
        (Answering(KeyError()), "raised KeyError"),
        (Answering(SystemExit(3)), "raised SystemExit: 3"),
        (Answering(Cancelled()), "stopped thinking without being asked to"),
        (Answering("nonsense"), "played 'nonsense', which is not a move of objectif"),
        (Answering(7), "played 7, which is not a move of objectif"),  # type: ignore[arg-type]
        (Answering("x" * 999), f"played '{'x' * 58}…, which is not a move of objectif"),
        (Answering(RuntimeError("y" * 999)), f"raised RuntimeError: {'y' * 178}…"),
    ],
)
def test_who_fails_loses_and_the_others_share(player: Player, why: str) -> None:
    game = benben.game("objectif", players=3, first=1)
    done = play_match(game, [seated(First()), seated(player), seated(RandomPlayer())], 1)
    assert done.failures == {1: why}
    assert done.reason == FAILED
    assert done.shares == resignation(game, 1).shares
    assert done.decisions == (1, 1, 0)
    assert len(done.moves) == 1


def test_no_thought_at_all_is_a_failure() -> None:
    class Silent(First):
        def think(self, turn):  # type: ignore[no-untyped-def]
            return None

    done = play_match(BATISSEURS, [seated(Silent(), "silent"), seated(First())], 1)
    assert done.shares == (0.0, 1.0)
    assert "AttributeError" in done.failures[0]


def test_an_illegal_move_is_told_with_its_rule() -> None:
    game = benben.game("quadrille")
    done = play_match(game, [seated(Answering("c3d4")), seated(First())], 1)
    why = "played c3d4, which is illegal (pawns-first): all four pawns come first"
    assert done.failures == {0: why}
    assert done.shares == (0.0, 1.0)


def test_who_has_several_seats_loses_on_all_of_them() -> None:
    assert forfeit(["a", "b", "a", "c"], {"a"}) == (0.0, 0.5, 0.0, 0.5)
    assert forfeit(["a", "b", "c"], {"a", "b"}) == (0.0, 0.0, 1.0)
    assert forfeit(["a", "b"], {"a", "b"}) == (0.5, 0.5)


def test_a_thought_can_be_cancelled() -> None:
    stop = Event()
    Timer(0.05, stop.set).start()
    with pytest.raises(Cancelled):
        play_match(BATISSEURS, [seated(Sleeping())] * 2, 1, stop)


def test_nothing_goes_on_after_a_cancel_that_players_did_not_hear() -> None:
    stop = Event()
    stop.set()
    noting = Noting()
    with pytest.raises(Cancelled):
        play_match(BATISSEURS, [seated(noting)] * 2, 1, stop)
    assert not noting.turns


def test_every_seat_needs_a_player() -> None:
    with pytest.raises(BenbenError, match="objectif has 3 seats here, not 2"):
        play_match(OBJECTIF, [seated(First())] * 2, 1)


# ---- Openings


@pytest.mark.parametrize("name", benben.names())
def test_players_decide_after_the_opening_and_know_it(name: str) -> None:
    game = benben.game(name)
    noting = Noting()
    done = play_match(game, [seated(noting)] * game.players, 3, openings=5)
    record = GameRecord(done.start, done.moves)
    assert record.result == benben.Result(done.shares, done.reason)
    thrown = [position.to_move == benben.CHANCE for position in record.positions()]
    assert sum(done.decisions) + 5 == len(done.moves) - sum(thrown)
    opening = noting.turns[0].history.moves
    assert len(opening) - sum(thrown[: len(opening)]) == 5
    assert opening == done.moves[: len(opening)]
    assert str(noting.turns[0].history.start) == str(done.start.view(noting.turns[0].seat))


def test_an_opening_is_the_seeds_whoever_plays() -> None:
    def opening(seed: int, player: Player) -> tuple[str, ...]:
        game = benben.game("quadrille")
        return play_match(game, [seated(player)] * 2, seed, openings=8).moves[:8]

    assert opening(1, First()) == opening(1, RandomPlayer())
    assert opening(1, First()) != opening(2, First())


def test_without_an_opening_nothing_is_drawn_for_one() -> None:
    dice = benben.RandomStream(b"x")
    start = BATISSEURS.deal(source=dice)
    drawn = dice.number
    assert draw_opening(start, 0, dice) == ([], start)
    assert dice.number == drawn


def test_an_opening_that_ends_the_game_is_drawn_again() -> None:
    # Random games are over between 22 and 200 moves or so: most before this opening would be.
    game = benben.game("quadrille")
    start = game.deal()
    lengths = []
    for seed in range(20):
        moves, position = draw_opening(start, 60, benben.RandomStream(b"%d" % seed))
        assert position.to_move is not None
        lengths.append(len(moves))
    assert lengths == [60] * 20


def test_an_opening_longer_than_any_game_is_refused() -> None:
    game = benben.game("objectif")
    assert play_match(game, [seated(First())] * 2, 1, openings=23).decisions in ((0, 1), (1, 0))
    with pytest.raises(BenbenError, match="openings=24: objectif is over before so many moves"):
        play_match(game, [seated(First())] * 2, 1, openings=24)
