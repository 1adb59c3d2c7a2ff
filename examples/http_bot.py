"""A bot that plays any legal move at tables of `benben serve`. It knows no rules.

    python examples/http_bot.py http://127.0.0.1:8000 Rex --token rex.token

It needs Python and httpx. It accepts every invitation, plays at all its tables at once, and goes on
by itself when the server was away. To play better, write another `choose`.
"""

import argparse
import json
import logging
import random
import secrets
import time
from collections.abc import Iterator
from pathlib import Path
from threading import Thread
from typing import Any

import httpx

PAUSE = 0.5  # seconds until a lost server is asked again
SILENCE = 60.0  # seconds after which a stream is lost: there is a sign of life every 15

log = logging.getLogger("http_bot")


def choose(seen: dict[str, Any]) -> str:
    """The move to play; `seen["view"]` is the position, each legal move has its effects."""
    return str(random.choice(seen["legal"])["move"])


class Refused(Exception):
    """The server said no, and would again."""


class Bot:
    def __init__(self, address: str, name: str, kept: Path | None) -> None:
        many = httpx.Limits(max_connections=None)  # every table is a stream
        self.http = httpx.Client(base_url=address, timeout=SILENCE, limits=many)
        self.name = name
        self.playing: set[str] = set()  # tables
        self.http.headers["Authorization"] = f"Bearer {self.token(kept)}"

    def token(self, kept: Path | None) -> str:
        """The one that was kept, or a new one. It is told once: keep it well."""
        if kept is not None and kept.exists():
            return kept.read_text().strip()
        token = str(self.ask("/api/bots", {"name": self.name})["token"])
        if kept is not None:
            kept.touch(mode=0o600)
            kept.write_text(token)
        return token

    def run(self) -> None:
        """Accept every invitation, and play wherever we sit."""
        for kind, data in self.listen("/api/bots/me/tables"):
            if kind == "tables":
                log.info("%s listens", self.name)
            if kind in ("tables", "seated"):
                for table in {each["id"] for each in data.get("tables", [data])} - self.playing:
                    self.playing.add(table)
                    Thread(target=self.play, args=[table], daemon=True).start()
            if kind == "invited":
                # Our part in the table's luck, in clear: we trust the server. A bot that does not
                # sends a commitment, stores the nonce, and reveals it when the table is starting.
                nonce = secrets.token_hex(16)
                self.try_to(f"/api/tables/{data['id']}/seats/{data['seat']}", {"nonce": nonce})

    def play(self, table: str) -> None:
        """Whenever the table waits for us, move; until the game is over or we have no seat."""
        try:
            for kind, data in self.listen(f"/api/tables/{table}/events"):
                # The whole table comes first, then what is new with each event.
                seen = data if kind == "table" else data.get("now", {})
                if "result" in seen:
                    log.info("%s: over, %s", table, seen["result"]["shares"])
                    return
                if "legal" in seen:  # only if it is our turn
                    body = {"move": choose(seen), "number": data["number"]}
                    self.try_to(f"/api/tables/{table}/move", body)
        except Refused as error:
            log.info("%s: %s", table, error)
        finally:
            self.playing.discard(table)

    def try_to(self, path: str, body: dict[str, Any]) -> None:
        """Somebody may have been quicker: then we shall hear of it."""
        try:
            self.ask(path, body)
        except Refused as error:
            log.info("%s: %s", path, error)

    def ask(self, path: str, body: dict[str, Any]) -> Any:
        """Ask until there is an answer, always with the same key: so it is done once."""
        key = {"Idempotency-Key": secrets.token_hex(16)}
        while True:
            try:
                answer = self.http.post(path, json=body, headers=key)
            except httpx.TransportError:
                time.sleep(PAUSE)
                continue
            if answer.is_success:
                return answer.json()
            wait_or_give_up(answer)

    def listen(self, path: str) -> Iterator[tuple[str, Any]]:
        """The messages of a stream. When it is lost it begins anew, with all there is to know."""
        while True:
            try:
                with self.http.stream("GET", path) as answer:
                    if answer.is_success:
                        yield from messages(answer.iter_lines())
                    else:
                        answer.read()
                        wait_or_give_up(answer)
            except httpx.TransportError:
                pass
            time.sleep(PAUSE)


def wait_or_give_up(answer: httpx.Response) -> None:
    """The server may be busy or starting; anything else it would say again."""
    if answer.status_code not in (429, 502, 503, 504):
        raise Refused(f"{answer.status_code} {answer.text}")
    time.sleep(float(answer.headers.get("Retry-After", PAUSE)))


def messages(lines: Iterator[str]) -> Iterator[tuple[str, Any]]:
    """Server-sent events: an `event:` and a `data:` each, and comments to be passed over."""
    kind = ""
    for line in lines:
        name, _, value = line.partition(": ")
        if name == "event":
            kind = value
        elif name == "data":
            yield kind, json.loads(value)


def main() -> None:
    logging.basicConfig(format="%(message)s")
    log.setLevel(logging.INFO)
    parser = argparse.ArgumentParser(description="A bot that plays any legal move over HTTP.")
    parser.add_argument("address", help="of the server")
    parser.add_argument("name", help="nobody else's")
    parser.add_argument("--token", type=Path, help="a file to keep the token in, to come back")
    given = parser.parse_args()
    try:
        Bot(given.address, given.name, given.token).run()
    except Refused as error:
        raise SystemExit(str(error)) from error


if __name__ == "__main__":
    main()
