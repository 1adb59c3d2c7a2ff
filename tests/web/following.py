"""A client that knows a table by its stream alone: the first message, and then what changed.

What it does is what docs/http-api.md asks of a client, and all it asks.
"""

from typing import Any

from benben.core.effects import Effect, follow
from tests.web.site import Message

# What `now` tells of: what is not there, the table does not have.
TOLD = "to_move starting view legal undo result expired secret rematch rematch_by".split()


class Missed(Exception):
    """There is a number missing: ask for the whole table."""


class Follower:
    """`table` is what GET would answer, whenever the last message heard was the newest."""

    def __init__(self, table: dict[str, Any] | None = None) -> None:
        self.table = table or {}

    def hear(self, message: Message) -> None:
        if message.kind == "table":
            self.table = message.data
        elif message.kind == "event":
            assert message.number == message.data["number"]
            self._apply(message.data)

    def _apply(self, told: dict[str, Any]) -> None:
        if told["number"] != self.table["number"] + 1:
            raise Missed(f"{told['number']} after {self.table['number']}")
        table = dict(self.table, number=told["number"])
        self._do(table, told["event"], told.get("effects"))
        if "facts" in told:
            table["facts"] = told["facts"]
        if "now" in told:
            self._set(table, told["now"])
        self.table = {key: value for key, value in table.items() if value not in ([], {}, None)}

    def _do(self, table: dict[str, Any], event: dict[str, Any], effects: Any) -> None:
        """The history, and the drawing as far as it can be followed."""
        if event["kind"] in ("moved", "threw", "began", "undone"):
            table["position_since"] = table["number"]
        if event["kind"] in ("moved", "threw"):
            move = event.get("move") or event["throw"]
            table["moves"] = [*table.get("moves", []), move]
            if effects is None or "drawing" not in table:
                table.pop("drawing", None)  # unknown until it is told
            else:
                steps = [Effect(*each) for each in effects]
                table["drawing"] = follow(table["drawing"], steps)
            table["last"] = [{"move": move, "effects": effects}]
        elif event["kind"] == "began":
            table["start"] = event["start"]
            if "you" in table:
                table["you"] = event["order"][table["you"]]
        elif event["kind"] == "undone":
            table["moves"] = table["moves"][: event["keep"]]
            table.pop("drawing", None)

    def _set(self, table: dict[str, Any], now: dict[str, Any]) -> None:
        for key in TOLD:
            table[key] = now.get(key)
        if "seats" in now:
            table["seats"] = now["seats"]
        if "clocks" in now:
            seats = zip(table["seats"], now["clocks"], strict=True)
            table["seats"] = [dict(seat, left=left) for seat, left in seats]
        if "drawing" in now:
            table["drawing"], table["last"] = now["drawing"], now.get("last")
            table["facts"] = now.get("facts")
