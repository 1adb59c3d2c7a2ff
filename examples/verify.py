"""Check the luck of a finished game. Written from docs/fairness.md alone: it knows no rules.

`python examples/verify.py RECORD.json` says yes (exit code 0), or what is wrong first (1).
"""

import json
import sys
from hashlib import sha256
from hmac import digest
from itertools import product
from typing import Any

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


def checks(terms: Any, events: list[Any]) -> Any:
    """Whatever luck decided: its name, what the record tells of it, and what it must be."""
    secret = bytes.fromhex(next((e["secret"] for e in events if e["kind"] == "ended"), ""))
    yield "the fingerprint of the secret", sha256(secret).hexdigest(), terms["commitment"]
    nonces = {e["seat"]: e.get("nonce") for e in events if e["kind"] in ("sat", "stood")}
    draws = Draws(secret, [nonces[seat] for seat in sorted(nonces) if nonces[seat]])
    for number, event in enumerate(events, 1):
        if event["kind"] == "began":
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
            sys.exit(f"no: {what} is {told}, but it should be {drawn}")
    print("yes")  # noqa: T201
