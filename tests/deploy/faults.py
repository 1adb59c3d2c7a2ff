"""People and bots play through nginx while servers are killed at random, and PostgreSQL restarts.

    python -m tests.deploy.faults --moves 5000 [--seed 1]

The test beside this does the same with fewer moves.
"""

import argparse
import random
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from deploy.cluster import Cluster, Program
from tests.store.postgres import QUICK
from tests.web.crowd import Crowd

MORTAL = ("serve-1", "serve-2", "think")
PEOPLE, WITH_BOTS = 4, 4
SILENCE = 20.0  # seconds: streams are to be told, and not to come back because they were not


def play_on(cluster: Cluster, moves: int, between: int, seed: int) -> Counter[str]:
    """Let clients make so many moves or more, with a fault after every `between` or so; how often
    which. Every server dies as often as the others.

    Whatever they were told has to be so in the end; AssertionError if it is not.
    """
    fate, faults = random.Random(seed), Counter[str]()
    load = Crowd(cluster.address, PEOPLE, WITH_BOTS, SILENCE)
    begun = load.moves  # those made until all were there
    while load.moves < begun + moves:
        for victim in fate.sample(MORTAL, len(MORTAL)):
            load.play(fate.randrange(1, 2 * between))
            cluster.kill(victim)
            faults[victim] += 1
            load.play(fate.randrange(1, between))  # the others go on
            cluster.parts[victim].start()  # and it comes when it comes
            load.watch()
        if not faults["postgres"] and load.moves >= begun + moves // 3:
            _wait_until_ready(cluster)  # a server that finds no database does not start
            cluster.restart("postgres")
            faults["postgres"] += 1
    _wait_until_ready(cluster)
    before = [len(client.promised) for client in load.clients]
    load.wait(
        lambda: sum(
            len(client.promised) >= known + 2
            for client, known in zip(load.clients, before, strict=True)
        ),
        len(load.clients),
    )
    load.end()
    return faults


def _wait_until_ready(cluster: Cluster) -> None:
    for part in cluster.parts.values():
        if isinstance(part, Program):
            part.wait()


def main() -> int:
    parser = argparse.ArgumentParser(description="Kill servers while people and bots play.")
    parser.add_argument("--moves", type=int, default=5000)
    parser.add_argument("--between", type=int, default=100, help="moves between two faults")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="benben") as name:
        folder = Path(name)
        folder.chmod(0o755)  # PostgreSQL may be another user
        with Cluster(folder, options=("--rate", "0"), settings=QUICK) as cluster:
            begun = time.monotonic()
            faults = play_on(cluster, asked.moves, asked.between, asked.seed)
            seconds = time.monotonic() - begun
        logged = {log.stem: log.read_text().count("Traceback") for log in cluster.logs.iterdir()}
        for log in cluster.logs.iterdir():
            text = log.read_text()
            if "Traceback" in text:
                sys.stdout.write(text[max(0, text.index("Traceback") - 500) :][:4000] + "\n")
    sys.stdout.write(
        f"{asked.moves} moves, {dict(faults)}, {seconds:.0f} s; tracebacks: {logged}\n"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
