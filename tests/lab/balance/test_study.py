"""Games of a study: by their number alone, watched through the rules, and never lost."""

from _thread import interrupt_main
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import distributed
import pytest

import benben
from benben.core.chance import RandomStream
from benben.core.errors import BenbenError, PlayerFailed, UnknownPlayer
from benben.core.rules import CHANCE
from benben.lab.balance.notes import Notes
from benben.lab.balance.running import play_study, prepare_study
from benben.lab.balance.skill import ladder
from benben.lab.balance.study import OPENINGS, Study, bot_of, study_of
from benben.lab.balance.watching import MOMENTS, GameNote, watch
from benben.lab.gamefile import BadResults
from benben.lab.match import play_match
from benben.lab.workers import HERE, Where

PYRAMIDIS = study_of(benben.game("pyramidis", players=4), ("greedy",), "t")
OBJECTIF = study_of(benben.game("objectif", players=3), ("greedy",), "t")
BATISSEURS = study_of(benben.game("batisseurs"), ("2",), "t")
QUADRILLE = study_of(benben.game("quadrille"), ("greedy",), "t")
ALL = (PYRAMIDIS, OBJECTIF, BATISSEURS, QUADRILLE)


def quick(study: Study) -> Study:
    """Without a look at who leads."""
    return replace(study, judged=False)


def test_only_games_without_luck_begin_with_random_moves() -> None:
    assert [each.openings for each in ALL] == [OPENINGS, 0, 0, OPENINGS]
    shuffled = study_of(benben.game("quadrille", layout="random"), ("greedy",))
    assert shuffled.openings == 0
    assert study_of(benben.game("objectif"), ("greedy",), openings=3).openings == 3


def test_in_a_round_every_seat_begins_once_with_one_deal() -> None:
    assert OBJECTIF.round_size == 3
    assert [OBJECTIF.first(number) for number in range(6)] == [0, 1, 2, 0, 1, 2]
    starts = [game.deal(source=RandomStream(b"one")) for game in OBJECTIF.games]
    assert [start.to_move for start in starts] == [0, 1, 2]
    assert len({str(start.drawing()) for start in starts}) == 1
    assert QUADRILLE.round_size == 1  # White always begins


def test_several_bots_sit_in_every_order() -> None:
    study = Study("objectif", 2, "fair", ("greedy", "random"), "t")
    seated = [(study.first(n), study.seated(n)) for n in range(study.round_size)]
    assert len(set(seated)) == len(seated) == 4


@pytest.mark.parametrize("players", [2, 3, 4])
def test_levels_meet_in_short_rounds(players: int) -> None:
    """Everybody begins, is second and is last equally often, in each of them."""
    study = ladder(Study("objectif", players, "random" if players == 4 else "fair", ("5",), "t"))
    assert study.round_size == 20
    for number in range(players + 1):
        games = range(20 * number, 20 * number + 20)
        assert {study.first(n) for n in games} == {number % players}
        for seat in range(players):
            held = Counter(study.seated(n)[seat] for n in games)
            assert held == dict.fromkeys(study.bots, 4)
    assert study.path != replace(study, short=False).path


def test_a_short_round_has_one_deal_and_the_next_another() -> None:
    study = ladder(Study("objectif", 4, "random", ("5",), "t"))
    starts = []

    def remembered(*given: Any) -> None:
        starts.append(str(given[5].drawing()))
        raise InterruptedError

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("benben.lab.balance.study.play_match", remembered)
        for number in (0, 7, 19, 20):
            with pytest.raises(InterruptedError):
                study.play(number)
    assert starts[0] == starts[1] == starts[2] != starts[3]


def test_games_of_whole_rounds_are_kept_under_the_name_they_had() -> None:
    assert "short" not in OBJECTIF.header
    assert ladder(OBJECTIF).header["short"] is True


@pytest.mark.parametrize("study", ALL, ids=lambda study: study.name)
def test_what_is_noted_is_what_the_rules_say(study: Study) -> None:
    """Counted again from the game itself, in another way."""
    note = quick(study).play(1)
    game = study.games[study.first(1)]
    start = game.deal(source=RandomStream(f"balance deal {1 // study.round_size} t".encode()))
    bots = [bot_of(study.bots[0], game) for _ in range(study.players)]
    played = play_match(game, bots, b"balance 1 t", None, study.openings, start)
    effects, choices, position = Counter[str](), [], start
    towers = carried = 0
    throws, busts = Counter[int](), Counter[int]()
    for move in played.moves:
        steps, mover = position.effects(move), position.to_move
        effects.update(step.kind for step in steps)
        if mover != CHANCE:
            choices.append(len(position.moves()))
        elif dice := len(move) - 1:  # a throw is written `=` and its dice
            throws[dice] += 1
            busts[dice] += any(step.kind == "bust" for step in steps)
        carried += sum(step.kind == "home" and step.owner != mover for step in steps)
        after = position.play(move)
        if study.name == "pyramidis":
            before, now = position.drawing(), after.drawing()
            lifted = {step.source for step in steps if step.kind == "lift"}
            towers += sum(
                len(now[at]) >= 5 and (len(before[at]) < 5 or at in lifted)
                for at in now
                if at[0] in "abcdefgh" and len(at) == 2 and len(now[at]) > len(before[at])
            )
        position = after
    assert (note.shares, note.reason) == (played.shares, played.reason)
    assert note.choices == tuple(choices)
    assert note.steps == len(played.moves)
    for kind in game.rules.EFFECTS:
        assert note.events.get(kind, 0) == effects[kind]
    assert note.events.get("carried", 0) == carried
    assert note.events.get("tower", 0) == towers
    for dice in range(1, 7):
        assert note.events.get(f"throw:{dice}", 0) == throws[dice]
        assert note.events.get(f"bust:{dice}", 0) == busts[dice]


@pytest.mark.parametrize("study", [OBJECTIF, BATISSEURS], ids=lambda study: study.name)
def test_who_leads_when(study: Study) -> None:
    prepare_study(study)
    note = study.play(0)
    assert len(note.chances) == MOMENTS + 1
    assert note.chances[-1] == note.shares  # at the end it is known
    assert note.settled is None or 0 <= note.settled <= 1
    assert study.play(0) == note


def test_the_winner_led_for_good_since() -> None:
    """A game that is over: whoever won it leads at its end, and from some moment on."""
    game = benben.game("objectif", first=1)
    bots = [bot_of("greedy", game) for _ in range(2)]
    won = next(
        played for seed in range(20) if 1.0 in (played := play_match(game, bots, seed)).shares
    )
    note = watch(0, 0, won)
    assert note.settled is not None
    winner, last = won.shares.index(1.0), round(note.settled * note.steps)
    since = [at for at in range(MOMENTS + 1) if round(at * note.steps / MOMENTS) >= last]
    assert all(max(note.chances[at]) == note.chances[at][winner] for at in since)


# ---- Kept in a file


def played(study: Study, path: Path, rounds: int, where: Where = HERE) -> list[GameNote]:
    with Notes(path, study.header) as notes:
        return play_study(study, rounds, notes, where)


def test_interrupted_it_goes_on_to_the_same_games(tmp_path: Path) -> None:
    study = quick(OBJECTIF)
    whole = played(study, tmp_path / "whole", 4)
    path = tmp_path / "broken"
    seen: list[GameNote] = []

    def stop(note: GameNote) -> None:
        seen.append(note)
        if len(seen) == 5:
            interrupt_main()

    with Notes(path, study.header) as notes, pytest.raises(KeyboardInterrupt):
        play_study(study, 4, notes, note=stop)
    with path.open("ab") as file:
        file.write(b'{"game": 11, "fir')  # killed while it wrote
    with Notes(path, study.header) as notes:
        assert 5 <= len(notes.games) < 12
        assert play_study(study, 4, notes) == whole


@pytest.mark.long  # that processes play the same games is also tested in test_workers.py
def test_processes_play_the_same_games(tmp_path: Path) -> None:
    study = quick(OBJECTIF)
    two = played(study, tmp_path / "two", 2, Where(2, processes=True))
    assert two == played(study, tmp_path / "one", 2)


def test_a_cluster_plays_the_same_games(tmp_path: Path) -> None:
    study, dask = quick(OBJECTIF), cast(Any, distributed)
    with (
        dask.LocalCluster(
            n_workers=1, threads_per_worker=2, processes=False, dashboard_address=None
        ) as cluster,
        Notes(tmp_path / "there", study.header) as notes,
    ):
        there = play_study(study, 2, notes, Where(cluster=cluster.scheduler_address))
    assert there == played(study, tmp_path / "here", 2)


def test_files_of_something_else_are_left_alone(tmp_path: Path) -> None:
    study = quick(OBJECTIF)
    foreign = tmp_path / "letter"
    foreign.write_text("Dear Ann,\n")
    with pytest.raises(BadResults, match="nothing was changed"):
        Notes(foreign, study.header)
    assert foreign.read_text() == "Dear Ann,\n"
    path = tmp_path / "games"
    played(study, path, 1)
    with pytest.raises(BadResults, match="another study"):
        Notes(path, replace(study, seed="other").header)
    lines = path.read_bytes().split(b"\n")
    path.write_bytes(b"\n".join([lines[0], b'{"game": "x"}', b""]))
    with pytest.raises(BadResults, match="line 2 is not a game"):
        Notes(path, study.header)
    with Notes(path, study.header, fresh=True) as notes:
        assert notes.games == {}


# ---- Who plays


def test_the_best_level_by_nodes() -> None:
    assert bot_of("6:500", benben.game("objectif")).budget.simulations == 500
    for name in ("6:", "6:x", "6:0", "6:123456789"):
        with pytest.raises(UnknownPlayer, match="number of nodes"):
            bot_of(name, benben.game("objectif"))


def test_a_bot_that_fails_ends_it() -> None:
    study = Study("objectif", 2, "fair", ("cmd:false",), "t", judged=False)
    with pytest.raises(PlayerFailed):
        study.play(0)


@pytest.mark.parametrize(
    ("bots", "openings", "why"),
    [
        (("1", "1"), 0, "named twice"),
        ((), 0, "1 to"),
        (("1",), 101, "openings=101"),
    ],
)
def test_bad_studies(bots: tuple[str, ...], openings: int, why: str) -> None:
    with pytest.raises(BenbenError, match=why):
        Study("objectif", 2, "fair", bots, "t", openings)
