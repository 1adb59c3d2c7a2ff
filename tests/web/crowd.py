"""Clients who play at a server, whatever happens to it."""

import random
import socket
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from threading import Event, Thread
from typing import Any
from uuid import uuid4

import httpx

from benben.table.events import Moved
from benben.table.record import TableRecord, verify
from tests.web.following import Follower
from tests.web.site import eventually, messages

GAMES = ("quadrille", "objectif", "pyramidis", "batisseurs")
PATIENCE = 120.0  # seconds for one answer; none takes as long unless something is broken
GATEWAY = (502, 504)  # what nginx answers when a server does not
_PAUSE = 0.05  # seconds until what failed is tried again


class Client:
    """Plays both sides of tables, one after another, and remembers what it was promised.

    Or one side, against a bot.
    """

    def __init__(self, address: str, number: int, enough: Event, bot: bool = False) -> None:
        self.number, self.bot = number, bot
        self.tables: list[str] = []
        self.promised: dict[tuple[str, int], str] = {}  # the move, by table and event
        self.answers: Counter[int] = Counter()  # by status
        self.failure: BaseException | None = None
        self._enough = enough
        self._http = httpx.Client(base_url=address, timeout=20)
        self.thread = Thread(target=self._run, daemon=True)
        self.thread.start()

    def _run(self) -> None:
        try:
            with self._http:
                while not self._enough.is_set():
                    self._play()
        except BaseException as error:
            self.failure = error
            self._enough.set()

    def _play(self) -> None:
        game = GAMES[(self.number + len(self.tables)) % len(GAMES)]
        seats = [{}, {"bot": 1} if self.bot else {}]
        terms = {"game": game, "players": 2, "seats": seats}
        name = self._ask("POST", "/api/tables", terms)["id"]
        assert name not in self.tables
        self.tables.append(name)
        tokens = []
        for seat in range(1 if self.bot else 2):
            body = {"name": f"Ann{seat}", "nonce": uuid4().hex}
            path = f"/api/tables/{name}/seats/{seat}"
            tokens.append(self._ask("POST", path, body)["token"])
        dice, seat = random.Random(name), 0
        while not self._enough.is_set():
            seen = self._ask("GET", f"/api/tables/{name}", token=tokens[seat])
            if "result" in seen:
                return
            if "to_move" not in seen or (self.bot and seen["to_move"]):
                time.sleep(_PAUSE)  # the server could not deal or throw: it will try again
                continue
            if seen["to_move"] != seat:
                seat = seen["to_move"]
                continue
            move = dice.choice(seen["legal"])["move"]
            body = {"move": move, "number": seen["number"]}
            done = self._ask("POST", f"/api/tables/{name}/move", body, tokens[seat])
            assert (name, done["number"]) not in self.promised
            self.promised[name, done["number"]] = move
            seat = 0 if self.bot else 1 - seat

    def _ask(self, method: str, path: str, body: Any = None, token: str = "") -> Any:
        """Ask until there is an answer, always with the same key."""
        headers = {"Idempotency-Key": uuid4().hex}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            try:
                answer = self._http.request(method, path, json=body, headers=headers)
            except httpx.TransportError:
                time.sleep(_PAUSE)
                continue
            self.answers[answer.status_code] += 1
            if answer.status_code in GATEWAY:  # of a proxy, whose server may have done it
                time.sleep(_PAUSE)
                continue
            if answer.status_code != 503:
                assert answer.is_success, f"{method} {path}: {answer.text}"
                return answer.json()
            assert int(answer.headers["retry-after"]) > 0
            assert answer.json()["error"]["code"] in ("store-failed", "warming-up")
            time.sleep(_PAUSE)
        raise AssertionError(f"no answer to {method} {path}")


class Watcher:
    """Follows one table, and comes back where it was whenever it is thrown out.

    It knows what it was told, and does not ask. `silence` is how long it waits for a word, in
    seconds: servers say every 15 that they are there.
    """

    def __init__(self, address: str, table: str, silence: float) -> None:
        self.heard: list[int] = []
        self.failure: BaseException | None = None
        self.table = table
        self._known, self._over = Follower(), Event()
        self._socket: socket.socket | None = None
        self._http = httpx.Client(base_url=address, timeout=silence)
        self._thread = Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        try:
            with self._http:
                while not self._over.is_set():
                    with suppress(httpx.TransportError):
                        self._follow()
                    time.sleep(_PAUSE)
        except BaseException as error:
            self.failure = error

    def _follow(self) -> None:
        number = self._known.table.get("number")
        headers = {} if number is None else {"Last-Event-ID": str(number)}
        path = f"/api/tables/{self.table}/events"
        with self._http.stream("GET", path, headers=headers) as answer:
            self._socket = answer.extensions["network_stream"].get_extra_info("socket")
            if answer.status_code == 200:
                for message in messages(answer.iter_lines()):
                    self._known.hear(message)
                    if message.kind == "event":
                        self.heard.append(message.number)

    def knows_all(self, http: httpx.Client) -> bool:
        """Whether what it was told is what there is."""
        assert self.failure is None, self.failure
        answer = http.get(f"/api/tables/{self.table}")
        return answer.is_success and bool(answer.json() == self._known.table)

    def end(self) -> None:
        self._over.set()
        if self._socket is not None:
            with suppress(OSError):
                self._socket.shutdown(socket.SHUT_RDWR)  # or it would wait for the next word
        self._thread.join(PATIENCE)


class Crowd:
    """Some clients at a server, and somebody who watches the first table of each.

    Besides those who play both sides there may be some who play against bots.
    """

    def __init__(
        self, address: str, clients: int = 4, with_bots: int = 0, silence: float = 2.0
    ) -> None:
        self._address, self._enough, self._silence = address, Event(), silence
        self.clients = [
            Client(address, number, self._enough, bot=number >= clients)
            for number in range(clients + with_bots)
        ]
        while not all(client.tables for client in self.clients):
            assert not self._enough.wait(_PAUSE), self._failures
        self._watchers: list[Watcher] = []
        self.watch()

    def watch(self) -> None:
        """Let somebody watch the table each of them plays at now, if nobody does yet."""
        watched = {watcher.table for watcher in self._watchers}
        self._watchers += [
            Watcher(self._address, client.tables[-1], self._silence)
            for client in self.clients
            if client.tables[-1] not in watched
        ]

    @property
    def moves(self) -> int:
        """How many were acknowledged."""
        return sum(len(client.promised) for client in self.clients)

    def answered(self, status: int) -> int:
        """How often a status was answered."""
        return sum(client.answers[status] for client in self.clients)

    @property
    def _failures(self) -> list[BaseException]:
        return [client.failure for client in self.clients if client.failure is not None]

    def play(self, moves: int) -> None:
        """Let them make so many more."""
        self.wait(lambda: self.moves, moves)

    def wait(self, count: Callable[[], int], more: int) -> None:
        """Until something has been counted so much further, or a client has failed."""
        until = time.monotonic() + PATIENCE
        goal = count() + more
        while count() < goal:
            assert time.monotonic() < until, f"{count()} of {goal}: {self.clients[0].answers}"
            assert not self._enough.wait(0.01), self._failures

    def end(self) -> None:
        """It is enough: see whether everything is as everybody was told."""
        self._enough.set()
        for client in self.clients:
            client.thread.join(PATIENCE)
        assert not self._failures, self._failures
        with httpx.Client(base_url=self._address, timeout=30) as http:
            for client in self.clients:
                for table in client.tables:
                    _check(http, table, client)
            eventually(
                lambda: all(watcher.knows_all(http) for watcher in self._watchers),
                "who watches was told everything",
            )
        for watcher in self._watchers:
            watcher.end()
            first = watcher.heard[0] if watcher.heard else 0
            assert watcher.heard == [*range(first, first + len(watcher.heard))], "a gap or a repeat"


def _check(http: httpx.Client, table: str, client: Client) -> None:
    answer = http.get(f"/api/tables/{table}/record")
    assert answer.is_success, answer.text
    record = TableRecord.parse(answer.content)
    made = {
        e.number: e.event.move
        for e in record.entries
        if isinstance(e.event, Moved) and not (client.bot and e.event.seat)
    }
    promised = {number: move for (name, number), move in client.promised.items() if name == table}
    assert promised.items() <= made.items(), "an acknowledged move was lost"
    # The last request may have been under way when it was enough.
    assert len(made) - len(promised) <= 1, "a move was made that nobody was told of"
    if record.secret:
        verify(record)
