"""One of our players as a bot: the bot's side of the line protocol of docs/bot-protocol.md.

Lines are heard one by one and answered at once. Only thinking has a thread of its own, so that
`stop` and `quit` are heard meanwhile; every other line waits until the move is out. Whatever comes
in, the answer is a line: a bot that dies of a misprint has lost the game.
"""

from collections.abc import Callable, Iterator
from contextlib import suppress
from threading import Event, Lock, Thread
from typing import BinaryIO, Protocol, TypeAlias

from benben.core.errors import BadOption, BenbenError, ImpossiblePosition
from benben.core.game import Game
from benben.core.player import Budget, Cancelled, History, Player, Turn
from benben.core.position import Sight, View
from benben.core.registry import info, restore
from benben.core.rules import CHANCE

VERSION = "1"
COMMANDS = ("benben", "game", "seat", "start", "moves", "view", "position", "legal", "go")
LONGEST = 65_536  # bytes of a line
MOST_DIGITS = 18  # of a number: it fits 64 bits
GRACE = 1.0  # seconds left to an answer under way when the input ends

_GO = f"write go [simulations N] [time MILLISECONDS] [seed N] [values], N to {MOST_DIGITS} digits"


class Speaks(Protocol):
    """What is needed here of whoever speaks: an `Entrant` has it."""

    @property
    def name(self) -> str: ...
    @property
    def player(self) -> Player: ...
    @property
    def budget(self) -> Budget: ...


Enter: TypeAlias = Callable[[Game], Speaks]


def speak(game: Game, enter: Enter, lines: BinaryIO, out: BinaryIO) -> None:
    """Answer line after line until `quit` or the end.

    `game` is played until a `game` line says other players or options; `enter` finds who plays it.
    """
    # Unbuffered, as a buffer that nobody reads any more would be complained of at exit.
    pipe, lock = getattr(out, "raw", out), Lock()

    def write(line: str) -> None:
        data = line.encode("utf-8", "replace") + b"\n"
        with lock, suppress(OSError):  # if nobody listens, the input will end too
            while data:
                data = data[pipe.write(data) :]

    speaker = Speaker(game, enter, write)
    try:
        for line in _lines(lines):
            if line is None:
                speaker.refuse(f"a line is at most {LONGEST} bytes")
            elif not speaker.hear(line):
                break
        speaker.finish(GRACE)
    finally:
        speaker.close()


class Speaker:
    """Answers through `write`, which is called with whole lines, also by the thread that thinks."""

    def __init__(self, game: Game, enter: Enter, write: Callable[[str], None]) -> None:
        self._game, self._enter, self._write = game, enter, write
        self._entrant = enter(game)
        self._greeted = False
        self._seat: int | None = None
        self._start: View | None = None  # start and moves wait for the view they lead to
        self._moves: tuple[str, ...] | None = None
        self._now: tuple[View, History] | None = None
        self._thinking: Thread | None = None
        self._cancelled = Event()

    def hear(self, line: str) -> bool:
        """Answer a line; False if it was `quit`. An empty line is none, and gets no answer."""
        word, _, rest = line.strip().partition(" ")
        if word == "stop":
            self._cancelled.set()
        elif word and word != "quit":
            self.finish()
            try:
                self._obey(word, rest.strip())
            except BenbenError as error:
                self.refuse(str(error))
        return word != "quit"

    def refuse(self, why: str) -> None:
        """Answer with an error: one line, whatever is in it."""
        self._write("error " + "".join(sign if sign.isprintable() else "?" for sign in why[:500]))

    def finish(self, seconds: float | None = None) -> None:
        """Wait until the answer under way is given, for so long at most."""
        if self._thinking is not None:
            self._thinking.join(seconds)

    def close(self) -> None:
        """Stop thinking and give the player back."""
        self._cancelled.set()
        self.finish(GRACE)
        self._entrant.player.close()

    # ---- The commands. Each changes something only once nothing can go wrong any more.

    def _obey(self, word: str, rest: str) -> None:
        if word not in COMMANDS:
            known = ", ".join([*COMMANDS, "stop", "quit"])
            raise BenbenError(f"unknown command {word[:40]!r}; the commands are {known}")
        if word != "benben" and not self._greeted:
            raise BenbenError(f"begin with: benben {VERSION}")
        getattr(self, f"_hear_{word}")(rest)
        if word not in ("benben", "go"):
            self._write("ok")

    def _hear_benben(self, rest: str) -> None:
        if rest != VERSION:
            raise BenbenError(f"only version {VERSION} is supported: benben {VERSION}")
        self._greeted = True
        self._write(f"benben {VERSION} Benben {' '.join(self._entrant.name.split())}")

    def _hear_game(self, rest: str) -> None:
        name, _, options = rest.partition(" ")
        if name != self._game.name:
            raise BenbenError(f"only {self._game.name} is played here")
        game = _game(name, options.split())
        if game != self._game:
            entrant = self._enter(game)
            self._entrant.player.close()
            self._game, self._entrant = game, entrant
        self._seat = self._start = self._moves = self._now = None

    def _hear_seat(self, rest: str) -> None:
        if rest not in map(str, range(1, self._game.players + 1)):
            raise BenbenError(f"seats are 1 to {self._game.players}: seat 1")
        self._seat = int(rest) - 1
        self._start = self._moves = self._now = None

    def _hear_start(self, rest: str) -> None:
        self._start = self._see(rest, self._seat)
        self._moves = self._now = None

    def _hear_moves(self, rest: str) -> None:
        moves = tuple(rest.split())
        for move in moves:
            self._game.code(move)
        if moves and self._start is None:
            raise BenbenError("first say where they begin: start VIEW")
        self._moves, self._now = moves, None

    def _hear_view(self, rest: str) -> None:
        seat = _decider(self._game.parse_view(rest)) if self._seat is None else self._seat
        view = self._see(rest, seat)
        history = History(view)
        if self._start is not None and self._moves is not None:
            history = History(self._see(str(self._start), seat), self._moves)
        self._now, self._moves = (view, history), None

    def _hear_position(self, rest: str) -> None:
        position = self._game.parse(rest)
        view = position.view(_decider(position) if self._seat is None else self._seat)
        self._start, self._moves, self._now = None, None, (view, History(view))

    def _hear_legal(self, rest: str) -> None:
        moves = self._known()[0].moves()
        if sorted(rest.split()) != sorted(moves):
            raise BenbenError(f"the rules give: legal {' '.join(moves)}")

    def _hear_go(self, rest: str) -> None:
        given, values = _read_go(rest.split())
        view, history = self._known()
        budget = _budget(given, self._entrant.budget)
        turn = Turn(view, history, tuple(view.moves()), budget, given.get("seed", 0))
        self._cancelled = turn.cancelled
        self._thinking = Thread(target=self._think, args=(turn, values), daemon=True)
        self._thinking.start()

    def _think(self, turn: Turn, values: bool) -> None:
        try:
            thought = self._entrant.player.think(turn)
        except Cancelled as cancelled:
            if cancelled.thought is None:
                return self.refuse("stopped before there was a move")
            thought = cancelled.thought
        except Exception as error:  # a bot's fault is an answer too
            return self.refuse(str(error) if isinstance(error, BenbenError) else repr(error))
        for worth in thought.worths if values else ():
            self._write(f"value {worth.move} {worth.share:.6f} {worth.error:.6f}")
        return self._write(f"move {thought.move}")

    def _known(self) -> tuple[View, History]:
        if self._now is not None:
            return self._now
        raise BenbenError("first say what there is to see: view VIEW or position POSITION")

    def _see(self, text: str, seat: int | None) -> View:
        try:
            return self._game.parse_view(text, seat)
        except ImpossiblePosition as error:
            if seat is None or error.offence != "too-much-seen":
                raise
            why = f"seat {seat + 1} may not know all of this"  # in text seats are from 1
            raise ImpossiblePosition(error.offence, why) from error


def _lines(stream: BinaryIO) -> Iterator[str | None]:
    """The lines of a stream without holding a long one; None for that one."""
    while data := stream.readline(LONGEST + 1):
        text = data.decode(errors="replace") if len(data) <= LONGEST else None
        while len(data) > LONGEST and not data.endswith(b"\n"):
            data = stream.readline(LONGEST + 1)
        yield text


def _game(name: str, options: list[str]) -> Game:
    chosen: dict[str, str] = {}
    for option, equals, value in (text.partition("=") for text in options):
        if not equals or option in chosen:
            raise BadOption(option, value, "write every option once, as NAME=VALUE")
        chosen[option] = value
    return restore(name, info(name).resolve(chosen.pop("players", None), chosen))


def _read_go(words: list[str]) -> tuple[dict[str, int], bool]:
    """The numbers a `go` names, and whether it asks for values."""
    given: dict[str, int] = {}
    left = iter([word for word in words if word != "values"])
    for word in left:
        number = next(left, "")
        plain = number.isascii() and number.isdigit() and len(number) <= MOST_DIGITS
        if word not in ("simulations", "time", "seed") or word in given or not plain:
            raise BenbenError(_GO)
        given[word] = int(number)
    return given, "values" in words


def _budget(given: dict[str, int], own: Budget) -> Budget:
    """How much to think. Given only a time, who has simulations of its own keeps to them."""
    if "simulations" not in given and "time" not in given:
        return own
    wanted = Budget(given.get("simulations"), given["time"] / 1000 if "time" in given else None)
    return own if wanted.simulations is None and own.simulations is not None else wanted


def _decider(sight: Sight) -> int | None:
    """The seat that has something to decide, if one has."""
    return None if sight.to_move == CHANCE else sight.to_move
