"""Mining puzzles: bots play, and their games are looked through for one move that stands out.

Everything is drawn from the seed and thought in nodes, so the same command finds the same puzzles.
Every game is written to a file when it has been looked through (`Finds`), and a run that was
interrupted goes on from there.
"""

import base64
import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from benben import __version__
from benben.bots.entrants import Entrant, entrant
from benben.bots.exact import prepare
from benben.bots.levels import LEVELS, level
from benben.core.chance import RandomStream, Source
from benben.core.errors import BenbenError
from benben.core.game import Game
from benben.core.paths import data_root
from benben.core.player import Budget, History, Turn
from benben.core.position import Position, View
from benben.core.registry import game as find
from benben.core.registry import info
from benben.core.rules import CHANCE
from benben.lab.code import code_of
from benben.lab.match import play_match
from benben.lab.mirrors import key_of
from benben.learn.puzzles.judge import DOUBTFUL, Judgement, answers, decided, glance, judge
from benben.learn.puzzles.puzzle import GAP, Collection, Made, Phase, Puzzle

WANTED = 70  # puzzles
MOST_GAMES, MOST_NODES, MOST_WANTED = 100_000, 1_000_000, 1_000
TRIES = 8  # of each level to solve a puzzle …
RELIABLY = 7  # … and so many must succeed
SURELY = 4  # times as many nodes, before an estimate is believed …
_CLEAR = 0.08  # … and so much must be between the best and the second
_LEAST_MOVES = 3
_MOST_MOVES = 12  # of a game without secrets: more are a chore to go through
_LOOKS = 60  # positions of a game that are looked at
_LATE = 8  # moves before the end, from where on what is hidden decides little
_PEEK, _NEARLY_WON = 10, 0.8  # with a tenth of the nodes, what may be decided looks like this
_HOPEFUL = 0.25  # of a share: below there is not much to be found
_OPENINGS = 9  # random moves at the beginning, less than so many
_AT_ONCE_SHARE = 0.1  # of all puzzles, at most, are won at once …
_GRADE_SHARE = 0.3  # … and are of one grade …
_GRADE_SHARES = {"objectif": 0.6, "quadrille": 0.4}  # … but where most of them are alike
_ID = 6  # letters
_MARK = "benben-puzzles"

# The ways to play a game that puzzles are looked for in, in turn.
_VARIANTS: Mapping[str, Sequence[Mapping[str, str | int]]] = {
    "objectif": (
        {"players": 2},
        {"players": 3},
        {"players": 2, "mode": "fair"},
        {"players": 4},
    ),
    "pyramidis": (
        {"players": 2, "pair": "bm"},
        {"players": 4},
        {"players": 2, "pair": "tc"},
    ),
    "batisseurs": (
        {"players": 2, "placing": "free"},
        {"players": 2},
        {"players": 3},
        {"players": 4},
    ),
    "quadrille": ({"layout": "regular"}, {"layout": "random"}),
}
_ONLY_PROVEN = {"quadrille"}  # long fights: what is not proven there is not believed
_BOTS = {"quadrille": (3, 4)}  # weaker ones lose it before there is anything to find


@dataclass(frozen=True)
class Find:
    """A game that was looked through, and the puzzle in it, if there is one."""

    game: int  # its number
    key: str = ""
    at_once: bool = False  # whether the solution wins at once
    puzzle: Puzzle | None = None


class Mine:
    """Where puzzles of a game are found. The same mine gives the same puzzles."""

    def __init__(self, name: str, seed: str, nodes: int) -> None:
        self.name, self.seed, self.nodes = info(name).name, seed, nodes
        variants = _VARIANTS.get(name, ({},))
        self.games: list[Game] = []
        for options in variants:
            rest = {key: value for key, value in options.items() if key != "players"}
            players = options.get("players")
            self.games.append(find(name, players=None if players is None else int(players), **rest))

    @property
    def header(self) -> dict[str, Any]:
        """What must be the same for finds to be put together."""
        return {
            _MARK: 1,
            "game": self.name,
            "rules": self.games[0].rules.VERSION,
            "seed": self.seed,
            "nodes": self.nodes,
            "benben": __version__,
            "code": code_of(self.name, "learn/puzzles"),
        }

    @property
    def path(self) -> Path:
        """Where finds are kept."""
        digest = hashlib.sha256(json.dumps(self.header).encode()).hexdigest()[:12]
        return data_root() / "puzzles" / f"{self.name}-{digest}.jsonl"

    def prepare(self) -> None:
        """Have everything that is solved at hand: it decides what moves are worth."""
        for game in self.games:
            prepare(game, surely=True)

    def dig(self, number: int) -> Find:
        """Play a game and look through it, in an order that is drawn, for the first puzzle."""
        game = self.games[number % len(self.games)]
        luck = f"puzzles {self.name} {number} {self.seed}"
        dice = RandomStream.seeded(luck)
        levels = _BOTS.get(self.name, LEVELS[:-1])  # the last one thinks by the clock
        seated = [_seated(levels[dice.below(len(levels))], game) for _ in range(game.players)]
        played = play_match(game, seated, luck, openings=dice.below(_OPENINGS))
        decisions = list(_decisions(played.start, played.moves))
        if game.hides:
            decisions = decisions[-_LATE:]
        _shuffle(decisions, dice)
        for view, phase in decisions[:_LOOKS]:
            judgement = self._judged(view)
            if judgement is not None:
                return self._find(number, view, phase, judgement)
        return Find(number)

    def _judged(self, view: View) -> Judgement | None:
        """What its moves are worth, if one stands out."""
        if not (_is_choice(view) and self._hope(view)):
            return None
        seen = Judgement(glance(view, self.nodes), (), self.nodes)
        return self._decided(view, seen) or self._sure(view, seen)

    def _hope(self, view: View) -> bool:
        """Whether it looks decided at all, where nothing else is wanted."""
        if self.name not in _ONLY_PROVEN:
            return True
        nodes = max(1, self.nodes // _PEEK)
        seen = Judgement(glance(view, nodes), (), nodes)
        return seen.best >= _NEARLY_WON or seen.second <= 1 - _NEARLY_WON

    def _decided(self, view: View, seen: Judgement) -> Judgement | None:
        """What its moves are worth, if one alone wins or does not lose."""
        found = decided(view, seen.worths, self.nodes) if _decisive(seen) else None
        if found is None or found.right != seen.right or found.best < _HOPEFUL:
            return None
        return found if found.best - found.second >= GAP else None

    def _sure(self, view: View, seen: Judgement) -> Judgement | None:
        """What its moves are worth, if one is surely the best."""
        if self.name in _ONLY_PROVEN or not _stands_out(seen):
            return None
        if seen.certainty == "exact":
            return judge(view, self.nodes)
        sure = judge(view, SURELY * self.nodes)
        return sure if _stands_out(sure) and sure.right == seen.right else None

    def _find(self, number: int, view: View, phase: Phase, judgement: Judgement) -> Find:
        key = key_of(view)
        seat = view.seat
        assert seat is not None
        solution, *also = judgement.right
        found = tuple(_solvers(view, judgement.right, self.nodes))
        puzzle = Puzzle(
            id=base64.b32encode(hashlib.sha256(key.encode()).digest())[:_ID].decode().lower(),
            options=view.game.options,
            position=str(view),
            seat=seat,
            solution=solution,
            also=tuple(also),
            best=round(judgement.best, 6),
            second=round(judgement.second, 6),
            certainty=judgement.certainty,
            nodes=judgement.nodes,
            grade=_grade(found),
            found=found,
            phase=phase,
            answers=tuple(answers(view, judgement)),
        )
        return Find(number, key, _wins_at_once(view, solution), puzzle)


def _seated(number: int, game: Game) -> Entrant:
    return entrant(str(number), game)


def _decisions(start: Position, moves: Sequence[str]) -> Iterator[tuple[View, Phase]]:
    """Every position in which somebody had to decide, as they saw it, and when that was."""
    position = start
    for at, move in enumerate(moves):
        seat = position.to_move
        if seat is not None and seat != CHANCE:
            third = 3 * at // len(moves)
            phase: Phase = "opening" if third == 0 else "middle" if third == 1 else "end"
            yield position.view(seat), phase
        position = position.play(move)


def _shuffle(each: list[Any], dice: Source) -> None:
    for at in range(len(each)):
        other = at + dice.below(len(each) - at)
        each[at], each[other] = each[other], each[at]


def _is_choice(view: View) -> bool:
    """Whether there is something to choose from, and not too much."""
    most = len(view.moves()) if view.game.hides else _MOST_MOVES
    return _LEAST_MOVES <= len(view.moves()) <= most


def _decisive(seen: Judgement) -> bool:
    """Whether one move alone seems to win, or not to lose."""
    if len(seen.right) > 1 or "proven" not in {worth.certainty for worth in seen.worths}:
        return False
    proven = [worth.certainty == "proven" for worth in seen.worths]
    return seen.best == 1 or (seen.second == 0 and sum(proven) == len(proven) - 1)


def _stands_out(judgement: Judgement) -> bool:
    """Whether one move is clearly best, and worth something."""
    few = 2 * len(judgement.right) <= len(judgement.worths)
    gap = GAP if judgement.certainty == "exact" else _CLEAR
    return few and judgement.best >= _HOPEFUL and judgement.best - judgement.second >= gap


def _wins_at_once(view: View, move: str) -> bool:
    if view.game.hides:
        return False  # what decides is seen only then
    result = view.play(move).result
    return result is not None and result.shares[view.seat or 0] == 1


def _solvers(view: View, right: Sequence[str], nodes: int) -> Iterator[int]:
    """How often each level finds it."""
    for number in LEVELS:
        rung = level(view.game, number)
        budget = rung.budget if rung.budget.simulations else Budget(simulations=nodes)
        player = rung.player()
        moves = tuple(view.moves())
        turns = (Turn(view, History(view), moves, budget, seed) for seed in range(TRIES))
        yield sum(player.think(turn).move in right for turn in turns)


def _grade(found: Sequence[int]) -> int:
    reliable = (number for number, n in zip(LEVELS, found, strict=True) if n >= RELIABLY)
    return next(reliable, LEVELS[-1])


# ---- Which of the finds are puzzles


def chosen(name: str, finds: Sequence[Find], wanted: int) -> list[Puzzle]:
    """The first so many that differ, of all grades; what wins at once only where it is easy."""
    of_a_grade = wanted * _GRADE_SHARES.get(name, _GRADE_SHARE)
    keys: set[str] = set()
    grades: Counter[int] = Counter()
    at_once = 0
    puzzles: list[Puzzle] = []
    for each in sorted(finds, key=lambda find: find.game):
        puzzle = each.puzzle
        if puzzle is None or each.key in keys or len(puzzles) == wanted:
            continue
        if puzzle.task == "win" and (puzzle.also or puzzle.second > DOUBTFUL):
            continue  # several win, or may
        if grades[puzzle.grade] >= of_a_grade:
            continue
        if each.at_once and (puzzle.grade > 1 or at_once >= _AT_ONCE_SHARE * wanted):
            continue
        keys.add(each.key)
        grades[puzzle.grade] += 1
        at_once += each.at_once
        puzzles.append(puzzle)
    return puzzles


def collected(mine: Mine, finds: Sequence[Find], wanted: int, command: str) -> Collection:
    """The puzzles of a mine, the easiest first."""
    puzzles = sorted(chosen(mine.name, finds, wanted), key=lambda each: (each.grade, each.id))
    games = _needed(mine.name, finds, wanted)
    made = Made(command, mine.seed, games, mine.nodes, __version__)
    rules = mine.games[0].rules.VERSION
    return Collection(game=mine.name, rules=rules, made=made, puzzles=tuple(puzzles))


def _needed(name: str, finds: Sequence[Find], wanted: int) -> int:
    """How many games were looked through until there were puzzles enough."""
    ordered = sorted(finds, key=lambda each: each.game)
    if len(chosen(name, ordered, wanted)) < wanted:
        return len(ordered)
    last = chosen(name, ordered, wanted)[-1]
    return next(n for n, each in enumerate(ordered, 1) if each.puzzle == last)


# ---- Finds on disk


class Finds:
    """A file of finds, open for more: a header, then a line for each game."""

    def __init__(self, path: Path, header: Mapping[str, Any]) -> None:
        self.path = path
        self.found: list[Find] = []
        head = json.dumps(header).encode() + b"\n"
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            data = path.read_bytes() if path.exists() else b""
            kept = data.rfind(b"\n") + 1  # half a line is of a game that is looked through again
            lines = data[:kept].splitlines(keepends=True)
            if lines and lines[0] != head:
                raise BenbenError(f"{path}: these puzzles were mined otherwise; remove the file")
            self.found = [_decode(line) for line in lines[1:]]
            self._file = path.open("ab")
            self._file.truncate(kept)
            if not lines:
                self._write(head)
        except (OSError, msgspec.DecodeError) as error:
            raise BenbenError(f"{path}: {getattr(error, 'strerror', None) or error}") from error

    def add(self, found: Find) -> None:
        self.found.append(found)
        self._write(msgspec.json.encode(found) + b"\n")

    def close(self) -> None:
        self._file.close()

    def _write(self, line: bytes) -> None:
        self._file.write(line)
        self._file.flush()


_decode = msgspec.json.Decoder(Find).decode


def mine_all(
    mine: Mine, games: int, wanted: int, finds: Finds, note: Callable[[int, int], object]
) -> None:
    """Look through what the file lacks, until there are puzzles enough or no more games."""
    known = {each.game for each in finds.found}
    for number in range(games):
        found = len(chosen(mine.name, finds.found, wanted))
        note(number, found)
        if found >= wanted:
            return
        if number not in known:
            finds.add(mine.dig(number))
    note(games, len(chosen(mine.name, finds.found, wanted)))
