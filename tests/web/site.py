"""A server in a thread, and people who ask it for things."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import httpx
from msgspec.structs import replace

from benben.store.store import Store
from benben.web.app import App, create_app
from benben.web.limits import Limits
from benben.web.serving import Server, listen
from benben.web.settings import Settings
from benben.web.state import AppState

UNLIMITED = Limits.none()
JSON = {"Content-Type": "application/json"}  # of bodies that a test writes itself
PATIENCE = 60.0  # seconds until a test is given up that waits for what never comes


@dataclass
class Site:
    """A server that can be asked."""

    http: httpx.Client
    state: AppState
    stop: Callable[[], None] = lambda: None

    def open(self, game: str = "quadrille", **terms: Any) -> str:
        """A new table; its id."""
        return str(self.post("tables", {"game": game} | terms)["id"])

    def sit(self, table: str, seat: int, name: str = "") -> "Person":
        """Somebody on a seat."""
        name = name or ("Ann", "Bob", "Cleo", "Dan")[seat]
        answer = self.post(f"tables/{table}/seats/{seat}", {"name": name, "nonce": f"n{seat}"})
        return Person(self, table, answer["token"])

    def table(self, game: str = "quadrille", people: int = 2, **terms: Any) -> list["Person"]:
        """A new table with people on its first seats."""
        name = self.open(game, **terms)
        return [self.sit(name, seat, f"Ann{seat}") for seat in range(people)]

    def post(self, path: str, body: Any = None) -> Any:
        answer = self.http.post(f"/api/{path}", json=body)
        assert answer.is_success, answer.text
        return answer.json()

    def get(self, path: str) -> Any:
        answer = self.http.get(f"/api/{path}")
        assert answer.is_success, answer.text
        return answer.json()


@dataclass
class Person:
    """Somebody with a token, or a spectator without one."""

    site: Site
    table: str
    token: str = ""

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"} if self.token else {}

    def ask(self, what: str, body: Any = None, **headers: str) -> httpx.Response:
        """Do something at the table, whatever the answer."""
        return self.site.http.post(
            f"/api/tables/{self.table}/{what}", json=body, headers=self.headers | headers
        )

    def do(self, what: str, body: Any = None, **headers: str) -> Any:
        answer = self.ask(what, body, **headers)
        assert answer.is_success, answer.text
        return answer.json()

    def look(self) -> Any:
        answer = self.site.http.get(f"/api/tables/{self.table}", headers=self.headers)
        assert answer.is_success, answer.text
        return answer.json()

    def record(self) -> httpx.Response:
        return self.site.http.get(f"/api/tables/{self.table}/record", headers=self.headers)

    def move(self, choice: int = 0) -> Any:
        seen = self.look()
        moves = [each["move"] for each in seen["legal"]]
        return self.do("move", {"move": moves[choice % len(moves)], "number": seen["number"]})

    @contextmanager
    def listening(self, **headers: str) -> Iterator[Iterator["Message"]]:
        """The stream of the table's events."""
        with self.site.http.stream(
            "GET", f"/api/tables/{self.table}/events", headers=self.headers | headers
        ) as answer:
            assert answer.status_code == 200, answer.read()
            assert answer.headers["content-type"].startswith("text/event-stream")
            yield messages(answer.iter_lines())


@dataclass(frozen=True)
class Message:
    """One server-sent event; a comment has no kind."""

    kind: str
    number: int
    data: Any
    text: str


def messages(lines: Iterator[str]) -> Iterator[Message]:
    fields: dict[str, str] = {}
    for line in lines:
        if line:
            name, _, value = line.partition(":")
            fields[name] = value.strip()
        elif "data" in fields:
            data = fields["data"]
            yield Message(fields["event"], int(fields.get("id", 0)), json.loads(data), data)
            fields = {}
        else:
            yield Message("", 0, None, "")
            fields = {}


def refused(answer: httpx.Response, status: int, code: str) -> Any:
    """It has the one form of all errors; its detail."""
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/json"
    told = answer.json()
    assert list(told) == ["error"]
    assert set(told["error"]) == {"code", "message", "detail"}
    assert told["error"]["code"] == code
    assert told["error"]["message"]
    return told["error"]["detail"]


def eventually(condition: Callable[[], object], what: str, seconds: float = PATIENCE) -> None:
    """Wait until something is so, but not for ever."""
    deadline = monotonic() + seconds
    while not condition():
        assert monotonic() < deadline, f"after {seconds:.0f} seconds it is not so that {what}"
        sleep(0.01)


def as_json(request: httpx.Request) -> None:
    """Bodies are JSON, unless a test sends a form or says otherwise."""
    for name, value in JSON.items():
        request.headers.setdefault(name, value)


def app_at(where: Path | str, **options: Any) -> App:
    """An application whose tables are kept in a folder, or at the URL of a database.

    Options are settings, too, such as `bot_delay`.
    """
    url = where if isinstance(where, str) else f"sqlite:///{where / 'tables.sqlite3'}"
    settings, limits = options.pop("settings", Settings()), options.pop("limits", UNLIMITED)
    settings = replace(settings, **{"bot_delay": 0.0} | options)
    return create_app(AppState(Store.open(url), limits=limits, settings=settings))


@contextmanager
def serving(where: Path | str, wait: bool = True, port: int = 0, **options: Any) -> Iterator[Site]:
    """A site of its own, whose tables are kept in a folder, or at the URL of a database."""
    listening = listen("127.0.0.1", port)
    app = app_at(where, **options)
    started = threading.Event()
    server = Server(app, started.set)
    thread = threading.Thread(target=server.run, args=[[listening]])
    thread.start()

    def stop() -> None:
        server.stop()
        thread.join(PATIENCE)
        assert not thread.is_alive(), "the server does not stop"

    try:
        assert started.wait(PATIENCE)
        address = f"http://127.0.0.1:{listening.getsockname()[1]}"
        hooks = {"request": [as_json]}
        with httpx.Client(
            base_url=address, timeout=PATIENCE, event_hooks=hooks, verify=False
        ) as http:
            site = Site(http, app.state, stop)
            if wait:
                eventually(lambda: http.get("/readyz").is_success, "the server is ready", 300)
            yield site
    finally:
        stop()
