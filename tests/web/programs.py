"""Programs that play over HTTP, by hand."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import httpx

from tests.web.site import Message, Person, Site, messages


@dataclass
class Program:
    """A bot of ours, by hand."""

    site: Site
    name: str
    token: str

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"}

    def ask(self, table: str, seat: int, body: Any = None, **headers: str) -> httpx.Response:
        """Ask for a seat."""
        return self.site.http.post(
            f"/api/tables/{table}/seats/{seat}",
            json={"nonce": "n"} if body is None else body,
            headers=self.headers | headers,
        )

    def sit(self, table: str, seat: int) -> Person:
        answer = self.ask(table, seat)
        assert answer.status_code == 201, answer.text
        return Person(self.site, table, self.token)

    @contextmanager
    def listening(self) -> Iterator[Iterator[Message]]:
        path = "/api/bots/me/tables"
        with self.site.http.stream("GET", path, headers=self.headers) as answer:
            assert answer.status_code == 200, answer.read()
            assert answer.headers["content-type"].startswith("text/event-stream")
            yield messages(answer.iter_lines())

    def forget(self) -> None:
        assert self.site.http.post("/api/bots/me/forget", headers=self.headers).status_code == 204


def invite(person: Person, seat: int, name: str, host: str = "127.0.0.1") -> httpx.Response:
    """Somebody at a table, who asks from an address, invites a bot to another seat."""
    return person.ask(f"seats/{seat}/invite", {"bot": name}, **{"X-Forwarded-For": host})
