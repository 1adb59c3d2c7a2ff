"""Players by name."""

import pytest

import benben
from benben.bots.batisseurs.player import BuilderPlayer
from benben.bots.command import CommandPlayer
from benben.bots.entrants import entrant
from benben.bots.exact import ExactPlayer
from benben.bots.greedy import GreedyPlayer
from benben.bots.random import RandomPlayer
from benben.bots.uct import UctPlayer
from benben.core.errors import BadBudget, BenbenError, UnknownPlayer
from benben.core.player import Budget, Player

GAME = benben.game("batisseurs")


@pytest.mark.parametrize(
    ("name", "kind", "budget"),
    [
        ("1", BuilderPlayer, None),
        ("4", BuilderPlayer, None),
        ("6", BuilderPlayer, Budget(seconds=1.0)),
        ("random", RandomPlayer, None),
        ("greedy", GreedyPlayer, None),
        ("uct:250", UctPlayer, Budget(simulations=250)),
        ("uct", UctPlayer, Budget(seconds=1.0)),
        ("exact", ExactPlayer, None),
        ("cmd:cat -", CommandPlayer, Budget(seconds=1.0)),
        ("6@50", BuilderPlayer, Budget(seconds=0.05)),
        ("uct@500", UctPlayer, Budget(seconds=0.5)),
        ("cmd@20:cat a@b:c", CommandPlayer, Budget(seconds=0.02)),
    ],
)
def test_names(name: str, kind: type[Player], budget: Budget | None) -> None:
    found = entrant(name, GAME)
    assert found.name == name
    assert type(found.player) is kind
    if budget is not None:
        assert found.budget == budget


def test_the_clock_can_be_set_for_those_who_think_by_it() -> None:
    game = benben.game("quadrille")
    for name in ("6", "uct", "cmd:cat"):
        assert entrant(name, game, seconds=0.25).budget == Budget(seconds=0.25)
    assert entrant("5", game, seconds=0.25).budget == entrant("5", game).budget
    assert entrant("uct:9", game, seconds=0.25).budget == Budget(simulations=9)


def test_a_time_in_the_name_comes_before_that_of_all() -> None:
    game = benben.game("quadrille")
    for name in ("6@50", "uct@50", "cmd@50:cat"):
        found = entrant(name, game, seconds=0.25)
        assert (found.name, found.budget) == (name, Budget(seconds=0.05))
    assert entrant("cmd@50:cat me@home", game).player.name == "cmd:cat me@home"


@pytest.mark.parametrize("name", ["5@50", "random@50", "greedy@9", "exact@50", "uct@50:1000"])
def test_only_who_thinks_by_the_clock_has_a_time(name: str) -> None:
    with pytest.raises(UnknownPlayer, match="only who thinks by the clock has a time"):
        entrant(name, GAME)


@pytest.mark.parametrize("name", ["6@", "6@-1", "6@1.5", "uct@x", "uct@٣", "cmd@:cat", "6@5@5"])
def test_times_that_are_none(name: str) -> None:
    with pytest.raises(UnknownPlayer, match="a time is in milliseconds"):
        entrant(name, GAME)


@pytest.mark.parametrize("name", ["6@0", "uct@99999999"])
def test_times_of_nothing_or_too_much(name: str) -> None:
    with pytest.raises(BadBudget, match="must be more than 0"):
        entrant(name, GAME)


@pytest.mark.parametrize(
    "name",
    ["", "0", "7", "-1", "99999", "²", "cat", "uct:", "uct:x", "uct:-1", "uct:1e3", "Uct", "uct:٣"],
)
def test_names_that_nobody_has(name: str) -> None:
    with pytest.raises(UnknownPlayer, match=r"no player is called"):
        entrant(name, GAME)


@pytest.mark.parametrize("name", ["uct:0", "uct:99999999999"])
def test_budgets_of_nothing_or_too_much(name: str) -> None:
    with pytest.raises(BadBudget, match="must be a whole number from 1"):
        entrant(name, GAME)


def test_a_clock_that_has_run_out() -> None:
    with pytest.raises(BenbenError, match="seconds=0"):
        entrant("uct", GAME, seconds=0)


def test_perfect_play_only_where_there_is_a_solution() -> None:
    with pytest.raises(UnknownPlayer, match="quadrille for 2 is not solved"):
        entrant("exact", benben.game("quadrille"))
