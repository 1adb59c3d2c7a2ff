"""Our players as bots: what they are told is what they know, and nothing said can break them."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO, FileIO
from threading import Event, Thread

import pytest
from hypothesis import given
from hypothesis import strategies as st

import benben
from benben.bots import speaking
from benben.bots.random import RandomPlayer
from benben.bots.speaking import COMMANDS, LONGEST, Speaker, speak
from benben.core.errors import PlayerFailed, UnknownPlayer
from benben.core.player import Budget, Cancelled, History, Player, Thought, Turn, Worth
from tests.configurations import GAMES, LABELS
from tests.conformance.checks import games_at_random

OWN = Budget(simulations=7)
TWO = benben.game("pyramidis", players=2)
START = "d1=bbbbbbbb,d8=mmmmmmmm b0m0 b 0"
LONG = 30.0  # seconds; nothing here takes as long unless it is broken


@dataclass(frozen=True)
class Entered:
    player: Player
    name: str = "somebody"
    budget: Budget = OWN


class Listener(Player):
    """Plays the first move and remembers what it was told."""

    name = "listener"

    def __init__(self) -> None:
        self.turns: list[Turn] = []
        self.closed = 0

    def think(self, turn: Turn) -> Thought:
        self.turns.append(turn)
        return Thought(turn.moves[0])

    def close(self) -> None:
        self.closed += 1


class Ponderer(Player):
    """Thinks until it is stopped or let go."""

    name = "ponderer"

    def __init__(self, best: str | None) -> None:
        self.best = best
        self.begun, self.let_go = Event(), Event()

    def think(self, turn: Turn) -> Thought:
        self.begun.set()
        while not self.let_go.wait(0.005):
            if turn.cancelled.is_set():
                raise Cancelled(None if self.best is None else Thought(self.best))
        return Thought(turn.moves[0])


class Talk:
    """A speaker, greeted, and its answers."""

    def __init__(
        self, player: Player, game: benben.Game | None = None, budget: Budget = OWN
    ) -> None:
        self.answers: list[str] = []
        entered = Entered(player, budget=budget)
        self.speaker = Speaker(game or TWO, lambda game: entered, self.answers.append)
        assert self.say("benben 1") == "benben 1 Benben somebody"

    def say(self, *lines: str) -> str:
        """The answers to these lines, once all are there."""
        before = len(self.answers)
        for line in lines:
            assert self.speaker.hear(line)
        self.speaker.finish(LONG)
        return "\n".join(self.answers[before:])


@contextmanager
def pipes(player: Player) -> Iterator[tuple[FileIO, FileIO, Thread]]:
    """A speaker at the other end of two pipes: where to write, where to read, its thread."""
    (lines, write), (read, out) = os.pipe(), os.pipe()

    def run() -> None:
        with open(lines, "rb") as stdin, open(out, "wb") as stdout:
            speak(TWO, lambda game: Entered(player), stdin, stdout)

    thread = Thread(target=run)
    thread.start()
    with FileIO(write, "w") as writer, FileIO(read) as reader:
        yield writer, reader, thread
    thread.join(LONG)
    assert not thread.is_alive()


# ---- What is told


@pytest.mark.parametrize("label", LABELS)
def test_the_turn_that_is_told_is_the_turn_there_is(label: str) -> None:
    game = GAMES[LABELS.index(label)]
    options = " ".join(f"{name}={value}" for name, value in game.options.items())
    player = Listener()
    talk = Talk(player, benben.game(game.name), Budget(seconds=1.0))
    ((start, _), *_), *_ = lines = list(games_at_random(game, 1))
    moves = [move for _, move in lines[0]]
    expected = []
    for number, (position, _) in enumerate(lines[0]):
        if position.to_move in (None, benben.CHANCE) or (number > 12 and number % 7):
            continue
        budget = Budget(simulations=number + 1) if number % 2 else Budget(seconds=0.25)
        turn = Turn.at(start, moves[:number], position, budget, number)
        limit = f"simulations {number + 1}" if number % 2 else "time 250"
        expected.append(turn)
        said = talk.say(
            f"game {game.name} {options}",
            f"seat {turn.seat + 1}",
            f"start {turn.history.start}",
            " ".join(["moves", *moves[:number]]),
            f"view {turn.view}",
            " ".join(["legal", *turn.moves]),
            f"go {limit} seed {number}",
        )
        assert said.split("\n") == [*["ok"] * 6, f"move {turn.moves[0]}"]
    assert player.turns == expected
    assert [each.view.seat for each in player.turns] == [each.view.seat for each in expected]
    assert len(expected) > 5


def test_simulations_of_its_own_are_kept_to_within_any_time() -> None:
    player = Listener()
    talk = Talk(player)
    talk.say(f"view {START}", "go time 60000", "go simulations 3", "go time 50 simulations 3", "go")
    given = [Budget(simulations=3), Budget(simulations=3, seconds=0.05)]
    assert [turn.budget for turn in player.turns] == [OWN, *given, OWN]


def test_what_is_not_said_has_its_default() -> None:
    player = Listener()
    talk = Talk(player)
    view = TWO.parse_view(START, 0)
    assert talk.say(f"view {START}", "go") == "ok\nmove d1*1"
    assert player.turns == [Turn(view, History(view), tuple(view.moves()), OWN, 0)]


@pytest.mark.parametrize("said", [[f"start {START}"], ["moves"]])
def test_half_a_history_is_none(said: list[str]) -> None:
    player = Listener()
    now = "d1=bbbbb,d2=b,d3=b,d4=b,d8=mmmmmmmm b0m0 m 1"
    Talk(player).say(*said, f"view {now}", "go")
    assert (str(player.turns[0].history.start), player.turns[0].history.moves) == (now, ())


def test_a_history_is_used_once() -> None:
    player = Listener()
    now = "d1=bbbbb,d2=b,d3=b,d4=b,d8=mmmmmmmm b0m0 m 1"
    talk = Talk(player)
    talk.say(f"start {START}", "moves d1*3", f"view {now}", "go", f"view {now}", "go")
    talk.say(f"start {START}", "moves d1*3", f"position {now}", "go")
    assert [turn.history.moves for turn in player.turns] == [("d1*3",), (), ()]
    assert talk.say(f"start {START}", "go").startswith("ok\nerror first say what there is to see")


def test_of_a_position_only_a_view_is_kept() -> None:
    game = benben.game("objectif", players=3, first=2)
    position = game.deal(seed=1)
    player = Listener()
    talk = Talk(player, game)
    talk.say(f"position {position}", "go", "seat 2", f"position {position}", "go")
    assert [turn.view for turn in player.turns] == [position.view(1)] * 2
    assert [turn.seat for turn in player.turns] == [1, 1]
    assert [turn.history for turn in player.turns] == [History(position.view(1))] * 2


def test_a_view_shows_no_more_than_its_seat_may_know() -> None:
    game = benben.game("objectif", players=3, first=2)
    position = game.deal(seed=1)
    first, second = position.view(0), position.view(1)
    talk = Talk(Listener(), game)
    words = "error impossible position (too-much-seen): seat {} may not know all of this"
    assert talk.say("seat 1", f"view {second}") == "ok\n" + words.format(1)
    assert talk.say("seat 2", f"start {first}") == "ok\n" + words.format(2)
    assert talk.say("game objectif players=3", f"view {first}") == "ok\n" + words.format(2)
    assert talk.say(f"view {position}").startswith("error impossible position (goals-seen)")
    # The start is somebody's too, even if it is known only later whose.
    answer = talk.say(f"start {first}", "moves", f"view {second}")
    assert answer == "ok\nok\n" + words.format(2)


def test_a_game_line_chooses_who_plays_it() -> None:
    games: list[benben.Game] = []
    players = [Listener() for _ in range(3)]

    def enter(game: benben.Game) -> Entered:
        if game.players == 3:
            raise UnknownPlayer("perfect", "not for three")
        games.append(game)
        return Entered(players[len(games) - 1], "a\nname")

    answers: list[str] = []
    speaker = Speaker(benben.game("objectif"), enter, answers.append)
    for line in ("benben 1", "game objectif", "game objectif players=3", "game objectif players=4"):
        speaker.hear(line)
    assert answers[:2] == ["benben 1 Benben a name", "ok"]
    assert answers[2] == "error no player is called 'perfect': not for three"
    assert answers[3:] == ["ok"]
    assert games == [benben.game("objectif"), benben.game("objectif", players=4)]
    assert [player.closed for player in players] == [1, 0, 0]
    speaker.close()
    assert [player.closed for player in players] == [1, 1, 0]


# ---- What is refused


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("hello", "unknown command 'hello'; the commands are benben, game, seat, start"),
        ("Go", "unknown command 'Go'"),
        ("benben", "only version 1 is supported: benben 1"),
        ("benben 2", "only version 1 is supported: benben 1"),
        ("game", "only pyramidis is played here"),
        ("game quadrille", "only pyramidis is played here"),
        ("game pyramidis players", "players=: write every option once, as NAME=VALUE"),
        ("game pyramidis first=1 first=1", "first=1: write every option once"),
        ("game pyramidis players=5", "players=5: must be 2 or 4"),
        ("game pyramidis speed=5", "speed=5: pyramidis takes first, pair"),
        ("seat", "seats are 1 to 2: seat 1"),
        ("seat 0", "seats are 1 to 2: seat 1"),
        ("seat 3", "seats are 1 to 2: seat 1"),
        ("start", "cannot read ''"),
        ("start d1", "cannot read 'd1'"),
        ("moves d1*9", "cannot read 'd1*9': a move is a column"),
        ("view d1=bbb,d8=mmmmmmmm b0m0 b 0", "impossible position (wrong-pyramids)"),
        ("position ?", "cannot read '?'"),
        ("legal d1*1", "the rules give: legal d1*1 d1*2 d1*3 d1*4 d1*5"),
        ("go fast", "write go [simulations N] [time MILLISECONDS] [seed N] [values]"),
        ("go seed", "write go ["),
        ("go seed -1", "write go ["),
        ("go seed ١", "write go ["),
        ("go seed " + "0" * 5000, "write go ["),
        ("go seed 1 seed 1", "write go ["),
        ("go simulations 0", "simulations=0: must be a whole number from 1"),
        ("go time 0", "seconds=0: must be more than 0"),
        ("go time 3600001", "seconds=3600"),
        ("go simulations 5 time 0", "seconds=0: must be more than 0"),
    ],
)
def test_what_is_wrong_changes_nothing(line: str, why: str) -> None:
    player = Listener()
    talk = Talk(player)
    talk.say(f"start {START}", "moves", f"view {START}")
    answer = talk.say(line)
    assert answer.startswith(f"error {why}")
    assert "\n" not in answer
    assert talk.say("go seed 3") == "move d1*1"
    assert (player.turns[0].seed, str(player.turns[0].view)) == (3, START)


def test_the_greeting_comes_first() -> None:
    answers: list[str] = []
    speaker = Speaker(TWO, lambda game: Entered(Listener()), answers.append)
    for command in COMMANDS[1:]:
        speaker.hear(command)
    assert answers == ["error begin with: benben 1"] * 8


def test_moves_need_a_start() -> None:
    assert Talk(Listener()).say("moves d1*3") == "error first say where they begin: start VIEW"


@pytest.mark.parametrize(
    ("name", "lines", "why"),
    [
        (
            "pyramidis",
            ["game pyramidis players=2", "position d1=bbb,d8=mmmmmmmm b5m0 m 0"],
            "the game is over: there is nothing to decide",
        ),
        (
            "batisseurs",
            [f"position {benben.game('batisseurs').deal(seed=1)}"],
            "a throw is due: there is nothing to decide",
        ),
        (
            "pyramidis",
            ["game pyramidis players=2", "seat 2", f"view {START}"],
            "seat 1 is to move, and this is the view of seat 2",
        ),
    ],
)
def test_where_there_is_nothing_to_decide(name: str, lines: list[str], why: str) -> None:
    talk = Talk(Listener(), benben.game(name))
    assert set(talk.say(*lines).split("\n")) == {"ok"}
    assert talk.say("go") == f"error {why}"


# ---- What is answered


class Valuer(Player):
    name = "valuer"

    def think(self, turn: Turn) -> Thought:
        worths = (Worth("d1*1", 0.5, 0.0), Worth("d1*2", 1 / 3, 0.01))
        return Thought("d1*1", worths)


def test_values_are_told_on_request() -> None:
    talk = Talk(Valuer())
    talk.say(f"view {START}")
    assert talk.say("go") == "move d1*1"
    assert talk.say("go seed 1 values") == (
        "value d1*1 0.500000 0.000000\nvalue d1*2 0.333333 0.010000\nmove d1*1"
    )


class Failing(Player):
    name = "failing"

    def __init__(self, error: Exception) -> None:
        self.error = error

    def think(self, turn: Turn) -> Thought:
        raise self.error


@pytest.mark.parametrize(
    ("error", "why"),
    [
        (PlayerFailed("x", "it hung"), "error x failed: it hung"),
        (ZeroDivisionError("a\nb"), "error ZeroDivisionError('a\\nb')"),
    ],
)
def test_a_fault_of_the_player_is_an_answer(error: Exception, why: str) -> None:
    talk = Talk(Failing(error))
    assert talk.say(f"view {START}", "go").split("\n") == ["ok", why]
    assert talk.say("seat 1") == "ok"


@pytest.mark.parametrize(
    ("best", "answer"), [("d1*4", "move d1*4"), (None, "error stopped before there was a move")]
)
def test_stop_gives_what_there_is(best: str | None, answer: str) -> None:
    talk = Talk(Ponderer(best))
    assert talk.say("stop") == ""
    assert talk.say(f"view {START}", "go", "stop", "stop") == f"ok\n{answer}"
    assert talk.say("stop", "seat 1") == "ok"


def test_other_lines_wait_for_the_move() -> None:
    player = Ponderer(None)
    talk = Talk(player)
    talk.say(f"view {START}")
    talk.speaker.hear("go")
    asking = Thread(target=talk.speaker.hear, args=("seat 2",))
    asking.start()
    assert player.begun.wait(LONG)
    assert talk.answers == ["benben 1 Benben somebody", "ok"]
    player.let_go.set()
    asking.join(LONG)
    assert talk.answers[2:] == ["move d1*1", "ok"]


# ---- Over pipes


@pytest.mark.parametrize("last", [b"quit\n", b""])
def test_the_end_of_input_ends_a_thought(last: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(speaking, "GRACE", 0.2)
    player = Ponderer("d1*2")
    with pipes(player) as (write, read, thread):
        write.write(f"benben 1\nview {START}\ngo\n".encode())
        assert player.begun.wait(LONG)
        assert thread.is_alive()
        write.write(last)
        write.close()
        assert read.readall() == b"benben 1 Benben somebody\nok\nmove d1*2\n"


def test_an_answer_on_its_way_is_given_before_the_end() -> None:
    lines = f"benben 1\nview {START}\ngo seed 1\nquit\nseat 1".encode()
    out = BytesIO()
    speak(TWO, lambda game: Entered(Listener()), BytesIO(lines), out)
    assert out.getvalue() == b"benben 1 Benben somebody\nok\nmove d1*1\n"


def test_nobody_listens_any_more() -> None:
    player = Listener()
    with pipes(player) as (write, read, _):
        read.close()
        write.write(f"benben 1\nview {START}\ngo\nseat 1\nquit\n".encode())
    assert (len(player.turns), player.closed) == (1, 1)


@pytest.mark.parametrize("extra", [-1, 0, 1, LONGEST, 3 * LONGEST])
def test_long_lines(extra: int) -> None:
    line = b"x" * (LONGEST + extra - 1) + b"\n"
    out = BytesIO()
    lines = BytesIO(line + b"benben 1\r\n" + line[:-1])
    speak(TWO, lambda game: Entered(Listener()), lines, out)
    first, second, third, rest = out.getvalue().decode().split("\n")
    assert first.startswith("error a line is at most" if extra > 0 else "error unknown command")
    assert second == "benben 1 Benben somebody"
    assert third.startswith("error a line is at most" if extra > 1 else "error unknown command")
    assert rest == ""


# ---- Anything at all

DEAL = benben.game("objectif", players=3, first=1).deal(seed=1)
SETTING = [
    "benben 1",
    "game objectif players=3 mode=random first=1",
    "seat 1",
    f"start {DEAL.view(0)}",
    "moves",
    f"view {DEAL.view(0)}",
]
SIGNS = " =?@/|0123456789abgopyvOGBPYVé\r\t\x00\u2028"


@st.composite
def near_commands(draw: st.DrawFn) -> bytes:
    """A good line with a few signs changed, or a command with other words behind it."""
    line = draw(st.sampled_from([*SETTING, "go simulations 5 seed 42 values", "legal o@1 o@2"]))
    if draw(st.booleans()):
        line = draw(st.sampled_from(COMMANDS)) + " " + draw(st.text(SIGNS, max_size=30))
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, len(line)))
        line = line[:at] + draw(st.text(SIGNS, max_size=1)) + line[at + draw(st.integers(0, 1)) :]
    return line.encode()


@given(st.lists(near_commands() | st.binary(max_size=200), max_size=8))
def test_junk_is_answered_and_forgotten(junk: list[bytes]) -> None:
    lines = [line for line in b"\n".join(junk).split(b"\n") if _asks(line)]
    said = [line.encode() for line in SETTING] + lines + [b"go simulations 5 seed 42"]
    out = BytesIO()
    game = benben.game("objectif")
    speak(game, lambda game: Entered(RandomPlayer()), BytesIO(b"\n".join(said)), out)
    answers = out.getvalue().decode().splitlines()
    assert answers[: len(SETTING)] == ["benben 1 Benben somebody", *["ok"] * 5]
    assert len(answers) == len(said)
    between = answers[len(SETTING) : -1]
    assert all(answer.split()[0] in ("ok", "error", "move", "benben") for answer in between)
    if "ok" not in between:  # nothing among it was good by chance
        turn = Turn.at(DEAL, (), DEAL, Budget(simulations=5), 42)
        assert answers[-1] == f"move {RandomPlayer().think(turn).move}"


def _asks(line: bytes) -> bool:
    """Whether a line is to be answered."""
    word = line.decode(errors="replace").strip().partition(" ")[0]
    return word not in ("", "stop", "quit")
