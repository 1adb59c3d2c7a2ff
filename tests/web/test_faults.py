"""A server that is killed again and again: nothing acknowledged is lost, nothing is done twice."""

import os
import random
import time
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event, Lock, Thread
from typing import Any
from uuid import uuid4

import httpx

from benben.table.events import Moved
from benben.table.record import Record
from tests.web.mortal import PATIENCE, Mortal
from tests.web.site import messages

MOVES = 1000  # acknowledged, over all tables, before it is enough
CLIENTS = 4
GAMES = ("quadrille", "objectif", "pyramidis", "batisseurs")


@dataclass
class Client:
    """Plays both sides of tables, one after another, and remembers what it was promised."""

    address: str
    number: int
    enough: Event
    promised: dict[tuple[str, int], str] = field(default_factory=dict)  # by table and event
    tables: list[str] = field(default_factory=list)
    failure: BaseException | None = None
    lock: Lock = field(default_factory=Lock)

    def run(self) -> None:
        try:
            with httpx.Client(base_url=self.address, timeout=10) as http:
                while not self.enough.is_set():
                    self._play(http)
        except BaseException as error:
            self.failure = error
            self.enough.set()

    def _play(self, http: httpx.Client) -> None:
        game = GAMES[(self.number + len(self.tables)) % len(GAMES)]
        opened = self._ask(http, "POST", "/api/tables", {"game": game, "players": 2}, "")
        name = opened["id"]
        self.tables.append(name)
        tokens = []
        for seat in range(2):
            body = {"name": f"Ann{seat}", "nonce": uuid4().hex}
            path = f"/api/tables/{name}/seats/{seat}"
            tokens.append(self._ask(http, "POST", path, body, "")["token"])
        dice = random.Random(name)
        while not self.enough.is_set():
            seen = self._ask(http, "GET", f"/api/tables/{name}", None, tokens[0])
            seat = seen.get("to_move")
            if seat is None:
                return
            seen = self._ask(http, "GET", f"/api/tables/{name}", None, tokens[seat])
            move = dice.choice(seen["legal"])["move"]
            body = {"move": move, "number": seen["number"]}
            done = self._ask(http, "POST", f"/api/tables/{name}/move", body, tokens[seat])
            with self.lock:
                assert (name, done["number"]) not in self.promised
                self.promised[name, done["number"]] = move

    def _ask(self, http: httpx.Client, method: str, path: str, body: Any, token: str) -> Any:
        """Ask until there is an answer, always with the same key."""
        headers = {"Idempotency-Key": uuid4().hex}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        until = time.monotonic() + PATIENCE
        while True:
            assert time.monotonic() < until, f"no answer to {method} {path}"
            try:
                answer = http.request(method, path, json=body, headers=headers)
            except httpx.TransportError:
                time.sleep(0.05)
                continue
            if answer.status_code == 503:
                time.sleep(0.05)
                continue
            assert answer.is_success, f"{method} {path}: {answer.text}"
            return answer.json()


class Watcher:
    """Follows one table, and comes back after every death where it was."""

    def __init__(self, address: str, table: str, enough: Event) -> None:
        self.heard: list[int] = []
        self._address, self._table, self._enough = address, table, enough
        self.thread = Thread(target=self._run, daemon=True)
        self.thread.start()

    def _run(self) -> None:
        url = f"{self._address}/api/tables/{self._table}/events"
        while not self._enough.is_set():
            headers = {"Last-Event-ID": str(self.heard[-1] if self.heard else 0)}
            try:
                with httpx.stream("GET", url, headers=headers, timeout=2) as answer:
                    if answer.status_code == 200:
                        for message in messages(answer.iter_lines()):
                            if message.kind == "event":
                                self.heard.append(message.number)
            except httpx.TransportError:
                time.sleep(0.02)


def test_killed_at_random_moments_nothing_is_lost_and_nothing_doubled(tmp_path: Path) -> None:
    server = Mortal(f"sqlite:///{tmp_path / 'house.sqlite3'}", tmp_path / "log")
    server.wait()
    enough, fate = Event(), random.Random(7)
    clients = [Client(server.address, number, enough) for number in range(CLIENTS)]
    threads = [Thread(target=client.run, daemon=True) for client in clients]
    for thread in threads:
        thread.start()
    while not all(client.tables for client in clients) and not enough.is_set():
        time.sleep(0.02)
    watchers = [Watcher(server.address, client.tables[0], enough) for client in clients]
    while sum(len(client.promised) for client in clients) < MOVES and not enough.is_set():
        time.sleep(fate.uniform(0.2, 5.0))
        server.die()
        server.wait()
    enough.set()
    for thread in threads:
        thread.join(PATIENCE)
    failures = [client.failure for client in clients if client.failure is not None]
    assert not failures, failures
    assert server.deaths >= 3

    for client in clients:
        for table in client.tables:
            entries = _entries(server.address, table)
            moves = {e.number: e.event.move for e in entries if isinstance(e.event, Moved)}
            promised = {n: move for (name, n), move in client.promised.items() if name == table}
            assert promised.items() <= moves.items(), "an acknowledged move was lost"
            # The last request may have been under way when it was enough.
            assert len(moves) - len(promised) <= 1, "a move was made that nobody was told of"
    for watcher in watchers:
        watcher.thread.join(10)
        assert watcher.heard == list(range(1, len(watcher.heard) + 1)), "a gap or a repeat"
        assert watcher.heard
    assert b"Traceback" not in (tmp_path / "log").read_bytes()
    server.end()
    assert not os.path.exists(f"/proc/{server._process.pid}")


def _entries(address: str, table: str) -> tuple[Any, ...]:
    answer = httpx.get(f"{address}/api/tables/{table}/record", timeout=30)
    assert answer.is_success, answer.text
    return Record.parse(answer.content).entries
