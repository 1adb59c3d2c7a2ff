"""A bot that plays any legal move. It knows no rules and needs nothing but Python."""

import random
import sys

legal: list[str] = []
for line in sys.stdin:
    command, *words = line.split() or [""]
    answer = "ok"
    if command == "quit":
        break
    if command in ("", "stop"):
        continue
    if command == "benben":
        answer = "benben 1 any move" if words == ["1"] else "error write benben 1"
    if command == "legal":
        legal = words
    if command == "go":
        seed = words[words.index("seed") + 1] if "seed" in words else "0"
        answer = f"move {random.Random(seed).choice(legal)}" if legal else "error write legal"
    sys.stdout.write(answer + "\n")
    sys.stdout.flush()
