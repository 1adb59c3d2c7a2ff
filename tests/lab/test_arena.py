"""Many games: balanced, paired, the same on any number of threads, and never lost."""

import json
from _thread import interrupt_main
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

import benben
from benben.bots.entrants import Entrant
from benben.core.errors import BenbenError, UnknownPlayer
from benben.core.player import Thought, Turn
from benben.lab.arena import OUT, Arena
from benben.lab.gamefile import BadResults
from benben.lab.ledger import Entry, Ledger
from benben.lab.match import FAILED
from benben.lab.workers import Where
from tests.lab.players import First, Noting, Sleeping, make, seated

GAME = benben.game("objectif", first=1)
NAMES = ["random", "first", "random2"]


def played(
    arena: Arena,
    path: Path,
    rounds: int,
    jobs: int = 1,
    maker: Callable[[str], Entrant] = make,
    **options: Any,
) -> list[Entry]:
    with Ledger(path, arena.header, options.pop("fresh", False)) as ledger:
        entries = arena.play(rounds, ledger, Where(jobs), maker, **options)
    return [timeless(entry) for entry in entries]


def timeless(entry: Entry) -> Entry:
    return replace(entry, seconds=())


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "results.jsonl"


# ---- Rounds


def test_a_gauntlet_of_several(path: Path) -> None:
    game = benben.game("objectif", players=4)
    arena = Arena(game, ["first", "random", "random2"], gauntlet=True)
    entries = played(arena, path, 2)
    assert len(entries) == 16
    assert [entry.bots.index("first") for entry in entries] == [0, 1, 2, 3] * 4
    others = ["random"] * 4 + ["random2"] * 4
    for entry, other in zip(entries, others * 2, strict=True):
        assert Counter(entry.bots) == {"first": 1, other: 3}


def test_games_are_rounded_up_to_whole_rounds() -> None:
    arena = Arena(GAME, NAMES)
    assert [arena.rounds(games) for games in (1, 6, 7, 600)] == [1, 1, 2, 100]


@pytest.mark.parametrize(
    ("names", "why"),
    [
        (["random"], "2 to 24 bots, not 1"),
        ([], "2 to 24 bots, not 0"),
        ([f"random{i}" for i in range(25)], "2 to 24 bots, not 25"),
        (["first", "random", "first"], "first is named twice: two equal bots cannot be told"),
    ],
)
def test_bots_that_make_no_arena(names: list[str], why: str) -> None:
    with pytest.raises(BenbenError, match=why):
        Arena(GAME, names)


# ---- Luck


@pytest.mark.parametrize("name", ["objectif", "batisseurs"])
def test_all_seatings_of_a_round_have_the_same_deal_and_dice(name: str, path: Path) -> None:
    arena = Arena(benben.game(name, players=3), ["noting", "noting2"])
    noting = {bot: Noting() for bot in arena.names}
    starts: list[str] = []
    first_throws: list[str] = []

    def note(entry: Entry) -> None:
        turns = noting["noting"].turns + noting["noting2"].turns
        opening = min(turns, key=lambda turn: len(turn.history.moves))
        views = {turn.seat: str(turn.history.start) for turn in turns}
        starts.append(" ".join(views[seat] for seat in sorted(views)))
        first_throws.append(" ".join(opening.history.moves))
        for each in noting.values():
            each.turns.clear()

    entries = played(arena, path, 3, maker=lambda bot: seated(noting[bot], bot), note=note)
    assert len(entries) == 18
    for round_ in range(3):
        assert len(set(starts[6 * round_ : 6 * round_ + 6])) == 1
        assert len(set(first_throws[6 * round_ : 6 * round_ + 6])) == 1
    assert len(set(zip(starts, first_throws, strict=True))) == 3


def test_two_equal_bots_come_out_exactly_equal_over_a_round(path: Path) -> None:
    entries = played(Arena(GAME, ["random", "random2"]), path, 10)
    for one, other in zip(entries[::2], entries[1::2], strict=True):
        assert one.shares == other.shares
        assert one.bots == other.bots[::-1]
    assert len({entry.shares for entry in entries}) > 1


@pytest.mark.parametrize("name", benben.names())
def test_all_seatings_of_a_round_have_the_same_opening(name: str, path: Path) -> None:
    arena = Arena(benben.game(name), ["noting", "noting2"], openings=4)
    noting = Noting()
    openings: list[tuple[str, ...]] = []

    def note(entry: Entry) -> None:
        openings.append(noting.turns[0].history.moves)
        noting.turns.clear()

    played(arena, path, 4, maker=lambda bot: seated(noting, bot), note=note)
    size = len(arena.seatings)
    rounds = [set(openings[at : at + size]) for at in range(0, len(openings), size)]
    assert [len(each) for each in rounds] == [1] * 4
    assert len(set.union(*rounds)) == 4


def test_bots_without_luck_do_not_repeat_themselves(path: Path, tmp_path: Path) -> None:
    game = benben.game("quadrille")
    same = played(Arena(game, ["first", "first2"]), path, 6)
    other = played(Arena(game, ["first", "first2"], openings=6), tmp_path / "other", 6)
    assert len({entry.moves for entry in same}) == 1
    assert len({entry.moves for entry in other}) > 3
    for one, two in zip(other[::2], other[1::2], strict=True):
        assert one.shares == two.shares, "both sides play each opening"


@pytest.mark.parametrize("openings", [-1, 101])
def test_openings_that_cannot_be(openings: int) -> None:
    with pytest.raises(BenbenError, match="must be a whole number from 0 to 100"):
        Arena(GAME, NAMES, openings=openings)


def test_openings_longer_than_the_game_are_an_error_at_once() -> None:
    with pytest.raises(BenbenError, match="openings=24: objectif is over before so many moves"):
        Arena(GAME, NAMES, openings=24).check(make)


# ---- Enough


@pytest.mark.parametrize("jobs", [1, 2])
def test_it_is_enough_after_the_first_round_that_says_so(tmp_path: Path, jobs: int) -> None:
    arena = Arena(GAME, ["random", "first"])
    whole = played(arena, tmp_path / "whole", 8)
    asked: list[int] = []

    def enough(entries: Any) -> bool:
        asked.extend(entry.game for entry in entries)
        return len(asked) == 10

    path = tmp_path / "part"
    assert played(arena, path, 8, jobs, enough=enough) == whole[:10]
    assert asked == list(range(10))
    kept = path.read_text().count("\n") - 1
    assert kept == 10 or jobs > 1, "another thread may have been ahead"
    asked.clear()
    assert played(arena, path, 8, jobs, enough=enough) == whole[:10], "nothing more is played"
    assert path.read_text().count("\n") - 1 == kept
    assert played(arena, path, 8, jobs) == whole


# ---- The same results, whatever happens


def test_threads_change_nothing(tmp_path: Path) -> None:
    arena = Arena(GAME, NAMES, seed="threads")
    one = played(arena, tmp_path / "one", 5)
    two = played(arena, tmp_path / "two", 5, jobs=2)
    assert one == two
    assert [entry.game for entry in one] == list(range(30))
    assert all(entry.bots == arena.job().bots(entry.game) for entry in one)
    other = Arena(GAME, NAMES, seed="another")
    assert played(other, tmp_path / "other", 5) != one


def test_every_thread_has_players_of_its_own_and_closes_them(path: Path) -> None:
    made: list[Noting] = []

    def maker(name: str) -> Entrant:
        made.append(Noting())
        return seated(made[-1], name)

    entries = played(Arena(GAME, ["a", "b"]), path, 20, jobs=2, maker=maker)
    assert len(entries) == 40
    assert all(player.closed == 1 for player in made)
    assert len([player for player in made if player.turns]) in (2, 4)  # one thread may do it all
    for player in made:
        assert len(player.turns) % 12 == 0, "whole games of twelve turns each"


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_interrupted_run_goes_on_where_it_was(tmp_path: Path, jobs: int) -> None:
    arena = Arena(GAME, NAMES)
    whole = played(arena, tmp_path / "whole", 4)
    path = tmp_path / "parts"
    seen: list[int] = []

    def interrupt(entry: Entry) -> None:
        seen.append(entry.game)
        if len(seen) in (7, 12):
            raise KeyboardInterrupt

    for _ in range(2):
        with pytest.raises(KeyboardInterrupt):
            played(arena, path, 4, jobs, note=interrupt)
    kept = path.read_text().count("\n") - 1
    assert 12 <= kept < 24
    assert played(arena, path, 4, jobs, note=interrupt) == whole
    assert sorted(seen) == sorted(set(seen)), "no game was played twice"


def test_an_interrupt_wakes_whoever_thinks(path: Path) -> None:
    arena = Arena(GAME, ["random", "first", "sleeping"])
    sleeper = Sleeping()

    def press_ctrl_c() -> None:
        if sleeper.asleep.wait(20):
            interrupt_main()

    def maker(name: str) -> Entrant:
        return seated(sleeper) if name == "sleeping" else make(name)

    Thread(target=press_ctrl_c, daemon=True).start()
    with pytest.raises(KeyboardInterrupt):
        played(arena, path, 50, 2, maker)
    with Ledger(path, arena.header) as ledger:
        assert all("sleeping" not in entry.bots for entry in ledger.entries)
        assert all(not entry.failures for entry in ledger.entries)


def test_an_interrupt_may_come_before_all_have_begun(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Interrupted(Thread):
        begun = 0

        def start(self) -> None:
            Interrupted.begun += 1
            if Interrupted.begun == 2:
                raise KeyboardInterrupt
            super().start()

    monkeypatch.setattr("benben.lab.places.Thread", Interrupted)
    with pytest.raises(KeyboardInterrupt):
        played(Arena(GAME, NAMES), path, 50, 2)
    assert Interrupted.begun == 2


def test_more_games_can_be_added_and_fewer_looked_at(path: Path) -> None:
    arena = Arena(GAME, NAMES)
    two = played(arena, path, 2)
    four = played(arena, path, 4)
    assert four[:12] == two
    before = path.read_bytes()
    assert played(arena, path, 2) == two
    assert path.read_bytes() == before


# ---- The file


def test_the_file_tells_everything(path: Path) -> None:
    arena = Arena(GAME, NAMES, "s", 0.25)
    entries = played(arena, path, 1)
    header, *lines = map(json.loads, path.read_text().splitlines())
    assert header == arena.header
    assert header["game"] == "objectif"
    assert header["options"] == GAME.options
    assert (header["bots"], header["seed"], header["seconds"]) == (NAMES, "s", 0.25)
    assert header["benben"] == benben.__version__
    assert [line["game"] for line in lines] == list(range(6))
    assert lines[0]["bots"] == ["random", "first"]
    assert tuple(lines[0]["shares"]) == entries[0].shares
    assert lines[0]["decisions"] == [12, 12]


@pytest.mark.parametrize("cut", [1, 20])
def test_half_a_line_is_played_again(path: Path, cut: int) -> None:
    arena = Arena(GAME, NAMES)
    whole = played(arena, path, 2)
    path.write_bytes(path.read_bytes()[:-cut])
    seen: list[int] = []
    assert played(arena, path, 2, note=lambda entry: seen.append(entry.game)) == whole
    assert seen == [11]
    assert len(path.read_text().splitlines()) == 13


def test_half_a_header_is_written_again(path: Path) -> None:
    arena = Arena(GAME, NAMES)
    whole = played(arena, path, 1)
    full = path.read_bytes()
    for length in (0, 1, 40, full.index(b"\n")):
        path.write_bytes(full[:length])
        assert played(arena, path, 1) == whole


@pytest.mark.parametrize(
    ("other", "why"),
    [
        (Arena(benben.game("quadrille"), NAMES), "game is quadrille there and objectif here"),
        (Arena(benben.game("objectif", first=2), NAMES), "options is"),
        (Arena(GAME, NAMES[::-1]), "bots is random2,first,random there"),
        (Arena(GAME, NAMES, "1"), "seed is 1 there and 0 here"),
        (Arena(GAME, NAMES, "0", 2.5), "seconds is 2.5 there and None here"),
        (Arena(GAME, NAMES, openings=4), "openings is 4 there and 0 here"),
    ],
)
def test_results_of_another_arena_are_left_alone(path: Path, other: Arena, why: str) -> None:
    Ledger(path, other.header).__exit__(None, None, None)
    before = path.read_bytes()
    with pytest.raises(BadResults, match=why):
        played(Arena(GAME, NAMES), path, 1)
    assert path.read_bytes() == before
    assert len(played(Arena(GAME, NAMES), path, 1, fresh=True)) == 6
    assert json.loads(path.read_text().splitlines()[0]) == Arena(GAME, NAMES).header


def test_results_of_other_code_are_not_mixed_in(path: Path) -> None:
    arena = Arena(GAME, NAMES)
    Ledger(path, arena.header | {"code": "0123"}).__exit__(None, None, None)
    with pytest.raises(BadResults, match="have been changed since; --fresh starts over"):
        played(arena, path, 1)


def test_results_in_another_form_are_not_mixed_in(path: Path) -> None:
    arena = Arena(GAME, NAMES)
    Ledger(path, arena.header | {"benben-arena": 1}).__exit__(None, None, None)
    with pytest.raises(BadResults, match="another version of Benben; --fresh starts over"):
        played(arena, path, 1)


def test_fresh_forgets_what_was_played(path: Path) -> None:
    arena = Arena(GAME, NAMES)
    whole = played(arena, path, 2)
    seen: list[int] = []
    assert played(arena, path, 2, fresh=True, note=lambda entry: seen.append(entry.game)) == whole
    assert len(seen) == 12


@pytest.mark.parametrize("content", [b"Dear diary\n", b"{}\n", b'["benben-arena"]\n', b"\xff\n"])
@pytest.mark.parametrize("fresh", [False, True])
def test_a_file_of_something_else_is_never_overwritten(
    path: Path, content: bytes, fresh: bool
) -> None:
    path.write_bytes(content)
    with pytest.raises(BadResults, match="not a file of arena results; nothing was changed"):
        played(Arena(GAME, NAMES), path, 1, fresh=fresh)
    assert path.read_bytes() == content


GOOD = json.loads(
    Entry(
        0, ("random", "first"), (1.0, 0.0), "x", "-", ("a", "b"), (1, 1), (0.5, 0.25), {1: "why"}
    ).line()
)


def test_a_line_can_be_read_back() -> None:
    entry = Entry.parse(json.dumps(GOOD))
    assert entry.failures == {1: "why"}
    assert json.loads(entry.line()) == GOOD


@pytest.mark.parametrize(
    "line",
    [
        "",
        "[]",
        "{}",
        json.dumps(GOOD | {"more": 1}),
        json.dumps(GOOD | {"shares": [1.0]}),
        json.dumps(GOOD | {"shares": [1.0, 1.0]}),
        json.dumps(GOOD | {"shares": [2.0, -1.0]}),
        json.dumps(GOOD | {"shares": [float("nan"), 1.0]}),
        json.dumps(GOOD | {"decisions": None}),
        json.dumps(GOOD | {"game": float("inf")}),
        json.dumps(GOOD | {"failures": {"3": "why"}}),
        json.dumps(GOOD | {"failures": []}),
        json.dumps(GOOD | {"game": 1}),
        json.dumps(GOOD | {"game": -6}),
    ],
)
def test_a_spoilt_line_is_refused(path: Path, line: str) -> None:
    arena = Arena(GAME, NAMES)
    played(arena, path, 1)
    first, *rest = path.read_text().splitlines()
    path.write_text("\n".join([first, line, *rest]) + "\n")
    with pytest.raises(BenbenError, match=r"line 2 is not a game|was played by other bots"):
        played(arena, path, 1)


def test_a_file_that_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(BadResults, match="directory"):
        played(Arena(GAME, NAMES), tmp_path, 1)
    with pytest.raises(BadResults, match="null"):
        played(Arena(GAME, NAMES), tmp_path / "a\0b", 1)


def test_a_full_disk_stops_the_arena(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    arena = Arena(GAME, NAMES)
    with Ledger(path, arena.header) as ledger:

        def full(line: bytes) -> None:
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(ledger, "_write", full)
        with pytest.raises(BadResults, match="No space left"):
            arena.play(10, ledger, Where(2), make)


def test_where_results_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BENBEN_DATA_DIR", str(tmp_path))
    paths = {
        Arena(GAME, NAMES).path,
        Arena(GAME, NAMES, "1").path,
        Arena(GAME, NAMES[:2]).path,
        Arena(benben.game("objectif"), NAMES).path,
    }
    assert len(paths) == 4
    assert {each.parent for each in paths} == {tmp_path / "arena"}
    assert all(each.name.startswith("objectif-") for each in paths)
    assert Arena(GAME, NAMES).path in paths


# ---- Bots that cannot play


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_bot_that_fails_loses_and_is_soon_out(path: Path, jobs: int) -> None:
    arena = Arena(GAME, ["random", "raising", "first"])
    entries = played(arena, path, 10, jobs)
    reasons = Counter(entry.reason for entry in entries if "raising" in entry.bots)
    assert set(reasons) == {FAILED, OUT}
    assert 3 <= reasons[FAILED] <= 3 + (jobs - 1)  # one more may have been under way
    assert sum(reasons.values()) == 40
    for entry in entries:
        if "raising" in entry.bots:
            seat = entry.bots.index("raising")
            assert entry.shares[seat] == 0
            assert entry.shares[1 - seat] == 1
            assert set(entry.failures) == {seat}
        else:
            assert entry.reason not in (FAILED, OUT)
            assert len(entry.moves) == 24
    lost = [entry for entry in entries if entry.reason == FAILED]
    assert lost[0].failures.popitem()[1] == "raised RuntimeError: lost the thread"
    unplayed = next(entry for entry in entries if entry.reason == OUT)
    assert (unplayed.start, unplayed.moves) == ("", ())
    assert unplayed.failures.popitem()[1] == "out after 3 failures in a row"
    assert not [entry for entry in played(arena, path, 11)[60:] if FAILED in entry.reason]


def test_two_bots_that_fail_do_not_keep_each_other_in(path: Path) -> None:
    entries = played(Arena(GAME, ["raising", "wrong"]), path, 10)
    assert [entry.reason for entry in entries].count(FAILED) <= 6
    assert entries[-1].reason == OUT
    assert entries[-1].shares in ((0.5, 0.5), (0.0, 1.0), (1.0, 0.0))


def test_a_bot_that_sometimes_plays_well_stays(path: Path) -> None:
    class Moody(First):
        games = 0

        def think(self, turn: Turn) -> Thought:
            self.games += len(turn.history.moves) < 2
            if self.games % 3:
                raise RuntimeError("not today")
            return super().think(turn)

    moody = Moody()

    def maker(name: str) -> Entrant:
        return seated(moody, name) if name == "moody" else make(name)

    entries = played(Arena(GAME, ["random", "moody"]), path, 6, maker=maker)
    reasons = Counter(entry.reason for entry in entries)
    assert reasons[OUT] == 0
    assert reasons[FAILED] == 8


def test_who_holds_two_seats_and_is_out_loses_on_both(path: Path) -> None:
    arena = Arena(benben.game("objectif", players=4), ["random", "wrong"])
    entries = played(arena, path, 3)
    assert entries[-1].reason == OUT
    for entry in entries:
        assert entry.shares == tuple(0.0 if bot == "wrong" else 0.5 for bot in entry.bots)


def test_an_unknown_bot_is_an_error_at_once() -> None:
    made: list[Noting] = []

    def maker(name: str) -> Entrant:
        if name == "nobody":
            raise UnknownPlayer(name, "there is none")
        made.append(Noting())
        return seated(made[-1], name)

    with pytest.raises(UnknownPlayer):
        Arena(GAME, ["a", "nobody"]).check(maker)
    Arena(GAME, ["a", "b"]).check(maker)
    assert [player.closed for player in made] == [1, 1, 1]
