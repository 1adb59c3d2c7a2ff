"""Two games that differ in a secret are, to everybody else, the same to the last byte."""

import re
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import Any

import httpcore
import httpx
import pytest

import benben
from benben.core.game import Game
from benben.web import previews
from tests.sizes import LONG
from tests.web.site import PATIENCE, Message, Person, Site, messages

DAYS = {"pace": "days", "days": 2}  # so that there are feeds
LOOKS = (2, 9)  # moves after which all is looked at
EVERY = 1 if LONG else 4  # moves between two looks at the table


class Ear(httpcore.NetworkStream):
    """A connection that keeps a copy of whatever comes through it."""

    def __init__(self, stream: httpcore.NetworkStream, heard: bytearray) -> None:
        self._stream, self._heard = stream, heard

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        data = self._stream.read(max_bytes, timeout)
        self._heard += data
        return data

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._stream.write(buffer, timeout)

    def close(self) -> None:
        self._stream.close()

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)


class Ears(httpcore.SyncBackend):
    """All connections of somebody, in the order they were made."""

    def __init__(self) -> None:
        super().__init__()
        self.heard: list[bytearray] = []

    def connect_tcp(self, *where: Any, **how: Any) -> httpcore.NetworkStream:
        self.heard.append(bytearray())
        return Ear(super().connect_tcp(*where, **how), self.heard[-1])


@dataclass
class Onlooker:
    """Somebody who asks all there is to ask; every byte of the answers is kept."""

    address: str
    token: str = ""
    elsewhere: str = "no table"  # where the token is good, if it is not at the table looked at
    feed: str = ""  # the path of the seat's feed
    ears: Ears = field(default_factory=Ears)
    resumed: list[str] = field(
        default_factory=list
    )  # what streams said that went on after a number
    asked: set[str] = field(default_factory=set)  # paths

    def __post_init__(self) -> None:
        transport = httpx.HTTPTransport()
        transport._pool = httpcore.ConnectionPool(network_backend=self.ears)
        self.http = httpx.Client(base_url=self.address, timeout=PATIENCE, transport=transport)
        self.unheard = httpx.Client(base_url=self.address, timeout=PATIENCE)

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"} if self.token else {}

    def post(self, path: str, body: Any) -> httpx.Response:
        return self.http.post(f"/api/{path}", json=body, headers=self.headers)

    def get(self, path: str, **headers: str) -> httpx.Response:
        return self.see(f"/api/{path}", **headers)

    def see(self, path: str, **headers: str) -> httpx.Response:
        """As it is: what is packed cannot be compared."""
        plain = {"Accept-Encoding": "identity"}
        self.asked.add(path.partition("?")[0])
        return self.http.get(path, headers=self.headers | plain | headers)

    def look(self, table: str) -> None:
        self.get(f"tables/{table}")
        self.get(f"tables/{table}/record")
        self.get(f"tables/{table}/history")
        self.get(f"tables/{table}/refusals")
        self.get("tables/mine", **{"Benben-Tokens": self.token})
        self.post(f"tables/{table}/move", {"move": "nonsense"})
        self.post(f"tables/{table}/undo/answer", {"granted": True})
        self.post(f"tables/{table}/seats/0/invite", {"bot": "Sphinx"})

    def look_everywhere(self, table: str, moves: list[str], number: int) -> None:
        """At all that the table or its id leads to; `number` is that of its last event."""
        for move in (*moves[:3], "nonsense"):
            self.get(f"tables/{table}/odds?move={move}")
        for path in (f"reviews/{table}", f"reviews/{table}/history", f"records/{table}"):
            assert self.get(path).status_code == 409, "the game is on"
        self.post("records", self.get(f"tables/{table}/record").json())
        for page in ("t", "review"):
            for language in ("en", "fr"):
                shown = self.see(f"/{page}/{table}", **{"Accept-Language": language})
                assert shown.headers["content-type"].startswith("text/html")
        self.see(self.feed or "/feeds/none")
        self.post(f"tables/{table}/hints", {})
        self.post(f"tables/{table}/rematch", None)
        self.resume(table, number)

    def resume(self, table: str, last: int) -> None:
        """The stream after the first event, and after the last but one."""
        for number in (1, last - 1):
            path = f"tables/{table}/events"
            with self.listening(path, **{"Last-Event-ID": str(number)}) as heard:
                for message in heard:
                    self.resumed.append(f"{message.kind} {message.number} {message.text}")
                    if message.number >= last:
                        break

    @contextmanager
    def listening(self, path: str, **headers: str) -> Iterator[Iterator[Message]]:
        self.asked.add(f"/api/{path}")
        client = self.unheard if "Last-Event-ID" in headers else self.http
        with client.stream("GET", f"/api/{path}", headers=self.headers | headers) as answer:
            heard = messages(answer.iter_lines())
            yield (message for message in heard if message.kind not in ("", "present"))

    def all_heard(self, table: str) -> list[bytes]:
        said = [bytes(each) for each in self.ears.heard] + [each.encode() for each in self.resumed]
        return [masked(each, table).replace(self.elsewhere.encode(), b"OWN") for each in said]


def masked(text: bytes, table: str) -> bytes:
    """Without what differs between any two tables: ids, tokens, times and the promise of luck.

    All of these have one length each, so also what says how long an answer is stays the same. Who
    was there is left out, too: some streams are told of two arrivals at once, others of each.
    """
    text = re.sub(rb"[0-9a-f]+\r\n(event: present\ndata: [^\n]+|:)\n\n\r\n", b"", text)
    text = text.replace(table.encode(), b"TABLE")
    text = re.sub(rb"\r\n(date|etag|last-modified): [^\r]+", rb"\r\n\1:", text)
    text = re.sub(rb'"(at|since)":\d{13}', rb'"\1":0', text)
    text = re.sub(rb"\b1[67]\d{7}\b", b"MS", text)  # what is left of two days
    text = re.sub(rb"urn:uuid:[0-9a-f-]{36}|<updated>[^<]+|/feeds/[\w-]+", b"", text)
    return re.sub(rb'"(token|commitment)":"[\w-]+"', rb'"\1":""', text)


@dataclass
class Heard:
    """What everybody but the first seat received before the last move, and saw after it."""

    before: dict[str, list[bytes]]
    after: dict[str, str]
    asked: set[str]  # paths


def played(site: Site, moves: list[str]) -> Heard:
    """A game of three by a script: a person, their opponent, a program; a spectator; and a stranger
    with the token of another table."""
    address = str(site.http.base_url)
    table = site.open("objectif", players=3, options={"first": 1}, pace=DAYS)
    first = site.sit(table, 0)
    opponent, program, spectator, stranger = (Onlooker(address) for _ in range(4))
    everybody = {"opponent": opponent, "program": program, "spectator": spectator}
    stranger.elsewhere = site.open(pace=DAYS)
    stranger.token = site.sit(stranger.elsewhere, 0).token
    with ExitStack() as stack:
        for each in (*everybody.values(), stranger):
            stack.enter_context(each.http)
            stack.enter_context(each.unheard)
        program.token = program.post("bots", {"name": "Sphinx"}).json()["token"]
        stack.callback(program.post, "bots/me/forget", None)
        called = stack.enter_context(program.listening("bots/me/tables"))
        next(called)
        first.do("seats/2/invite", {"bot": "Sphinx"})
        opponent.token = opponent.post(
            f"tables/{table}/seats/1", {"name": "Bob", "nonce": "n1"}
        ).json()["token"]
        program.post(f"tables/{table}/seats/2", {"nonce": "n2"})
        assert [next(called).kind for _ in range(2)] == ["invited", "seated"]
        streams = [
            stack.enter_context(each.listening(f"tables/{table}/events"))
            for each in everybody.values()
        ]
        for each in (opponent, program):
            asked = each.post(f"tables/{table}/reminders", {"language": "fr"})
            each.feed = asked.json()["feed"]
        for number, move in enumerate(["", *moves[:-1]]):
            if move:
                _move(first, opponent, program, table, number - 1, move)
            for each, stream in zip(everybody.values(), streams, strict=True):
                last = next(stream).number
                if number % EVERY == 0:
                    each.look(table)
                if number in LOOKS:
                    each.look_everywhere(table, moves, last)
            if number % 3 == 2:
                assert next(called).kind == "turn"
        stranger.look(table)
        stranger.look_everywhere(table, moves, last)
        everybody["stranger"] = stranger
        before = {name: each.all_heard(table) for name, each in everybody.items()}
        del everybody["stranger"]
        _move(first, opponent, program, table, len(moves) - 1, moves[-1])
        after = {n: each.get(f"tables/{table}").json()["view"] for n, each in everybody.items()}
    return Heard(before, after, {path.replace(table, "TABLE") for path in opponent.asked})


def _move(
    first: Person, opponent: Onlooker, program: Onlooker, table: str, number: int, move: str
) -> None:
    if number % 3 == 0:
        first.do("move", {"move": move})
    else:
        mover = (opponent, program)[number % 3 - 1]
        assert mover.post(f"tables/{table}/move", {"move": move}).status_code == 200


@pytest.mark.slow
def test_other_goals_are_told_the_same_until_they_are_shown(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(previews, "TIMEOUT_SECONDS", 60.0)  # the machine may be busy
    game = benben.game("objectif", players=3, first=1)
    before, goals = str(game.deal(seed=1)).rsplit(" ", 1)
    colours = {pile[0] for pile in before.split()[0].split("/")}
    another = min(colours - set(goals)) + goals[1:]
    position = game.parse(f"{before} {goals}")
    moves: list[str] = []
    while position.to_move is not None:
        moves.append(position.moves()[len(moves) % len(position.moves())])
        position = position.play(moves[-1])
    games, real = [], Game.deal
    for secret in (goals, another):
        dealt = game.parse(f"{before} {secret}")

        def deal(self: Game, *given: Any, dealt: Any = dealt, **source: Any) -> Any:
            return dealt if self.options == game.options else real(self, *given, **source)

        monkeypatch.setattr(Game, "deal", deal)
        games.append(played(site, moves))
    one, other = games
    assert one.before["stranger"] == other.before["stranger"]
    assert b'"goals"' not in b"".join(one.before["stranger"]), "nothing but errors"
    for name in ("opponent", "program", "spectator"):
        assert one.before[name] == other.before[name], name
        said = b"".join(one.before[name])
        assert said.count(b"event: event") >= len(moves) - 2
        assert any(each.startswith(b"event ") for each in one.before[name]), "streams went on"
        assert (b"<feed" in said) == (name != "spectator")
        assert b"<!doctype html>" in said.lower()
        assert f"{before} {goals}".encode() not in said
        assert said.count(b'"facts":{"goals":[') > len(moves) / EVERY
        assert one.after[name].split()[-1] == goals, "the end shows it"
        assert other.after[name].split()[-1] == another
    assert f"?{goals[1]}?".encode() in b"".join(one.before["opponent"]), "one sees one's own"
    assert f"??{goals[2]}".encode() in b"".join(one.before["program"])
    assert b"???" in b"".join(one.before["spectator"])
    described = site.get("openapi.json")["paths"]
    led_to = [
        re.sub(r"\{\w+\}", "[^/]+", path)
        for path, methods in described.items()
        if "get" in methods and re.search(r"\{(table|id|key)\}", path)
    ]
    assert len(led_to) > 8
    missed = [path for path in led_to if not any(re.fullmatch(path, each) for each in one.asked)]
    assert missed == [], "all that a table leads to was looked at"
