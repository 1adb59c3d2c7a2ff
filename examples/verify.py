"""Check the luck of a finished game by docs/fairness.md alone, without the rules of any game.

`python examples/verify.py RECORD.json` says yes (exit code 0) or which event differs first (1)."""

import json
import sys
from hashlib import sha256
from hmac import digest
from itertools import product
from typing import Any

THROWS = [sorted("=" + "".join(sorted(f)) for f in product("abcdef", repeat=n)) for n in range(7)]


class Luck:
    def __init__(self, secret: bytes, nonces: list[str]) -> None:
        self.key, self.drawn = digest(secret, "\n".join(nonces).encode(), "sha256"), 0

    def below(self, n: int, t: int = 0) -> int:
        x = int.from_bytes(digest(self.key, b"%d.%d" % (self.drawn, t), "sha256")[:8], "big")
        if x >= n * (2**64 // n):
            return self.below(n, t + 1)
        self.drawn += 1
        return x % n

    def shuffled(self, things: Any) -> Any:
        things = list(things)
        for last in range(len(things) - 1, 0, -1):
            other = self.below(last + 1)
            things[last], things[other] = things[other], things[last]
        return things


def deal(luck: Luck, terms: dict[str, Any]) -> str:
    game, how, n = terms["game"], terms["options"], terms["options"]["players"]
    if game == "quadrille":
        board = (luck.shuffled if how["layout"] == "random" else list)(("bo" * 3 + "ry" * 3) * 4)
        return "/".join("".join(board[r::6]) for r in range(5, -1, -1)) + " - - w pawn - - 0"
    if game == "objectif":
        box, size = luck.shuffled("ogbpyv")[: n + 2], 6 * (n + 2) // n
        goals = "".join(luck.shuffled(box)[:n])
        places = "/".join(luck.shuffled(sorted(box * 4, key=box.index)))
        bag = box * 6 if how["mode"] == "fair" else luck.shuffled(sorted(box * 6, key=box.index))
        hands = [sorted(bag[size * i :][:size], key="ogbpyv".index) for i in range(n)]
    turn = luck.below(n) if how["first"] == "random" else how["first"] - 1
    if game == "objectif":
        return f"{places} {'|'.join(map(''.join, hands)).upper()} {turn + 1} {goals}"
    if game == "batisseurs":
        return "|".join(["....../...../..../.../../."] * n) + f" {turn + 1} - 6 0"
    who, starts = how.get("pair", "btmc"), {"t": "a5", "b": "d1", "m": "d8", "c": "h5"}
    columns = ",".join(f"{starts[c]}={c * 8}" for c in starts if c in who)
    return f"{columns} {'0'.join(who)}0 {who[turn]} 0"


def first_difference(terms: dict[str, Any], events: list[dict[str, Any]]) -> int:
    ended = next(number for number, e in enumerate(events, 1) if e["kind"] == "ended")
    secret, nonces = bytes.fromhex(events[ended - 1]["secret"]), dict[int, str]()
    if sha256(secret).hexdigest() != terms["commitment"]:
        return ended
    for number, e in enumerate(events, 1):
        if e["kind"] in ("sat", "stood"):
            nonces[e["seat"]] = e.get("nonce", "")  # nothing is left of who stood up
        elif e["kind"] == "began":
            luck = Luck(secret, [nonces[seat] for seat in sorted(nonces) if nonces[seat]])
            order = (luck.shuffled if terms["drawn"] else list)(range(terms["options"]["players"]))
            start = terms.get("position") or deal(luck, terms)
            if [order, start, luck.drawn] != [e["order"], e["start"], e["draws"]]:
                return number
        elif e["kind"] == "threw":
            dice = len(e["throw"]) - 1
            if [luck.drawn, THROWS[dice][luck.below(6**dice)]] != [e["draw"], e["throw"]]:
                return number
    return 0


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as file:
        record = json.load(file)
    differs = first_difference(record["terms"], [entry["event"] for entry in record["entries"]])
    print(f"no: event {differs} is not as drawn" if differs else "yes")  # noqa: T201
    sys.exit(differs > 0)
