"""Check the luck of a finished game. Written from docs/fairness.md alone: it knows no rules.

`python examples/verify.py RECORD.json` says yes (exit code 0), or what is wrong first (1).
"""

import json
import sys
from hashlib import sha256
from hmac import digest
from itertools import product
from typing import Any

BEFORE = ("sat", "bot-seated", "committed", "revealed", "stood", "unrevealed")
THROWS = [sorted("=" + "".join(sorted(f)) for f in product("abcdef", repeat=n)) for n in range(7)]


class Draws:
    def __init__(self, secret: bytes, nonces: list[str]) -> None:
        self.key, self.number = digest(secret, "\n".join(nonces).encode(), "sha256"), 0

    def below(self, n: int, t: int = 0) -> int:
        x = int.from_bytes(digest(self.key, f"{self.number}.{t}".encode(), "sha256")[:8], "big")
        if x >= n * (2**64 // n):
            return self.below(n, t + 1)
        self.number += 1
        return x % n

    def shuffled(self, things: Any) -> list[Any]:
        things = list(things)
        for last in range(len(things) - 1, 0, -1):
            other = self.below(last + 1)
            things[last], things[other] = things[other], things[last]
        return things


def deal(draws: Draws, game: str, *, players: int, first: Any, **own: str) -> str:
    if game == "quadrille":
        tokens = (draws.shuffled if own["layout"] == "random" else list)("boboboryryry" * 4)
        return "/".join("".join(tokens[r::6]) for r in range(5, -1, -1)) + " - - w pawn - - 0"
    if game == "objectif":
        box, size = draws.shuffled("ogbpyv")[: players + 2], 6 * (players + 2) // players
        goals = "".join(draws.shuffled(box)[:players])
        places = "/".join(draws.shuffled(sorted(box * 4, key=box.index)))
        bag = box * 6 if own["mode"] == "fair" else draws.shuffled(sorted(box * 6, key=box.index))
        stocks = [sorted(bag[size * i :][:size], key="ogbpyv".index) for i in range(players)]
    begins = draws.below(players) if first == "random" else first - 1
    if game == "objectif":
        return f"{places} {'|'.join(map(''.join, stocks)).upper()} {begins + 1} {goals}"
    if game == "batisseurs":
        return "|".join(["....../...../..../.../../."] * players) + f" {begins + 1} - 6 0"
    colours, squares = own.get("pair", "btmc"), {"b": "d1", "t": "a5", "m": "d8", "c": "h5"}
    columns = ",".join(sorted(f"{squares[each]}={each * 8}" for each in colours))
    return f"{columns} {'0'.join(colours)}0 {colours[begins]} 0"


class Seats:
    """Free seats before the game, and the nonces and commitments of those who sit down."""

    def __init__(self, bots: list[int]) -> None:
        self.free = {seat for seat, level in enumerate(bots) if not level}
        self.nonces: dict[int, str] = {}
        self.commitments: dict[int, str] = {}
        self.void: set[int] = set()  # seats that have to commit again

    def take(self, kind: str, seat: int, nonce: str = "", commitment: str = "", **_: Any) -> bool:
        """Apply an event; whether it was allowed."""
        revealing = not self.free and not self.void
        if kind in ("stood", "unrevealed"):
            return self.leave(seat, revealing)
        allowed = seat in self.free and (kind == "bot-seated" or bool(nonce) != bool(commitment))
        if kind == "committed":
            allowed = not self.free and seat in self.void
        if kind == "revealed":
            allowed = revealing and sha256(nonce.encode()).hexdigest() == self.commitments.get(seat)
        self.free.discard(seat)
        self.void.discard(seat)
        self.nonces |= {seat: nonce} if nonce else {}
        self.commitments |= {seat: commitment} if commitment else {}
        return allowed

    def leave(self, seat: int, revealing: bool) -> bool:
        taken = seat in self.void | self.nonces.keys() | self.commitments.keys()
        if revealing:  # a nonce may be known: all seats that committed have to do it again
            self.void = set(self.commitments)
            self.nonces = {i: nonce for i, nonce in self.nonces.items() if i not in self.void}
            self.commitments = {}
        self.nonces.pop(seat, None)
        self.commitments.pop(seat, None)
        self.void.discard(seat)
        self.free.add(seat)
        return taken

    @property
    def complete(self) -> bool:
        return not self.free | self.void | (self.commitments.keys() - self.nonces.keys())


def checks(terms: Any, events: list[Any]) -> Any:
    """Whatever luck decided: its name, what the record tells of it, and what it must be."""
    secret = bytes.fromhex(next((e["secret"] for e in events if e["kind"] == "ended"), ""))
    yield "the fingerprint of the secret", sha256(secret).hexdigest(), terms["commitment"]
    seats = Seats(terms["bots"])
    for number, event in enumerate(events, 1):
        if event["kind"] in BEFORE:
            yield f"event {number}", seats.take(**event) or event, True
        elif event["kind"] == "began":
            yield f"event {number}", seats.complete or "too early", True
            draws = Draws(secret, [nonce for _, nonce in sorted(seats.nonces.items())])
            order = (draws.shuffled if terms["drawn"] else list)(range(terms["options"]["players"]))
            start = terms.get("position") or deal(draws, terms["game"], **terms["options"])
            drawn = [order, start, draws.number]
            yield f"event {number}", [event["order"], event["start"], event["draws"]], drawn
        elif event["kind"] == "threw":
            dice = len(event["throw"]) - 1
            drawn = [draws.number, THROWS[dice][draws.below(6**dice)]]
            yield f"event {number}", [event["draw"], event["throw"]], drawn


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as file:
        record = json.load(file)
    for what, told, drawn in checks(record["terms"], [each["event"] for each in record["entries"]]):
        if told != drawn:
            should = "cannot have happened" if drawn is True else f"should be {drawn}"
            sys.exit(f"no: {what} is {told}, but it {should}")
    print("yes")  # noqa: T201
