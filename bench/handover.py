"""How long a bot's turn waits if its server dies: `make bench-handover` writes handover.md.

Two servers share a PostgreSQL. Somebody moves at one of them, which claims the bot's turn with the
move; it is killed while the bot thinks, and the other is watched until it tells the bot's move.
"""

import argparse
import os
import platform
import random
import statistics
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path
from uuid import uuid4

import httpx

from benben.live.scheduler import LEASE_MS
from benben.live.tables import BOT_MOVE_SECONDS
from bench.measuring import HERE, commit_if_known, machine, note
from tests.store.postgres import running
from tests.web.processes import Process
from tests.web.site import Message, messages

ROUNDS = 20
LEVEL = 6  # thinks for a second
WANTED = 5.0  # seconds
_SOON = 0.5  # seconds after its move at most somebody's server dies: the bot is still thinking


def _is_move(message: Message, seat: int) -> bool:
    event = message.data["event"] if message.kind == "event" else {}
    return event.get("kind") == "moved" and event["seat"] == seat


def hand_over(dies: Process, other: Process, wait: float) -> float:
    """Seconds from the death of one server to the bot's move, told by the other."""
    with (
        httpx.Client(base_url=dies.address, timeout=60) as here,
        httpx.Client(base_url=other.address, timeout=60) as there,
    ):
        terms = {"game": "quadrille", "players": 2, "seats": [{}, {"bot": LEVEL}]}
        path = f"/api/tables/{here.post('/api/tables', json=terms).json()['id']}"
        sat = here.post(f"{path}/seats/0", json={"name": "Ann", "nonce": uuid4().hex}).json()
        mine = {"Authorization": f"Bearer {sat['token']}"}
        with there.stream("GET", f"{path}/events") as stream:
            told = messages(stream.iter_lines())
            next(told)
            while True:  # until it is the bot's turn: a person may have several moves
                seen = here.get(path, headers=mine).json()
                move = {"move": seen["legal"][0]["move"], "number": seen["number"]}
                here.post(f"{path}/move", json=move, headers=mine).raise_for_status()
                if here.get(path).json()["to_move"] == 1:
                    break
            time.sleep(wait)
            dies.kill()
            died = time.monotonic()
            next(message for message in told if _is_move(message, 1))
            return time.monotonic() - died


def measure(rounds: int) -> list[float]:
    dice, waits = random.Random(1), []
    with tempfile.TemporaryDirectory(prefix="benben") as name, running({}) as postgres:
        url = postgres.fresh()
        servers = [Process(url, Path(name) / f"log-{n}") for n in range(2)]
        try:
            for number in range(rounds):
                for server in servers:
                    server.wait()
                dies, other = servers if number % 2 else reversed(servers)
                waits.append(hand_over(dies, other, dice.uniform(0, _SOON)))
                note(f"{number + 1} of {rounds}: {waits[-1]:.2f} s")
                dies.start()
        finally:
            for server in servers:
                server.kill()
    return waits


def report(waits: list[float], commit: str) -> str:
    longest = max(waits)
    return "\n".join(
        [
            "# Hand-over",
            "",
            f"By `make bench-handover`, on commit {commit}, {datetime.now(UTC):%Y-%m-%d}, Python "
            f"{platform.python_version()}, {machine()}. The load of the last minute was "
            f"{os.getloadavg()[0]:.1f} when it ended: with much more than 2, others were at work.",
            "",
            "Two servers share a PostgreSQL. Somebody moves at one of them, which so claims the "
            f"turn of a bot of level {LEVEL}, and is killed within {_SOON:g} s after its answer, "
            "while the bot thinks. A hand-over is from then until a stream at the other server "
            f"tells the bot's move. A lease is for {LEASE_MS / 1000:g} s; then the bot thinks anew "
            f"for a second and takes {BOT_MOVE_SECONDS:g} s at least.",
            "",
            "| hand-overs | p50 | longest |",
            "|---:|---:|---:|",
            f"| {len(waits)} | {statistics.median(waits):.2f} s | {longest:.2f} s |",
            "",
            "| | | wanted | met |",
            "|---|---:|---:|---|",
            f"| the longest | {longest:.2f} s | under {WANTED:g} s "
            f"| {'yes' if longest < WANTED else '**no**'} |",
            "",
        ]
    )


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure how soon another server takes over.")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--commit", default="", help="what to say of the code, if not git's word")
    asked = parser.parse_args()
    text = report(measure(asked.rounds), asked.commit or commit_if_known())
    (HERE / "handover.md").write_text(text, "utf-8")


if __name__ == "__main__":
    main()
