"""What people ask for, in JSON. Seats are numbered from 0, as in the events of a table.

Limits that a table checks itself, and explains, are only described here.
"""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from benben.bots.levels import LEVELS
from benben.table.table import LONGEST_NAME, LONGEST_NONCE
from benben.table.terms import Leaver, NoClock, Pace

LARGEST_BODY = 16_384  # bytes


class SeatWanted(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A bot of a level, or nobody yet."""

    bot: Annotated[
        int,
        Meta(
            description="A level from 1; 0 is a person's.",
            examples=[3],
            extra_json_schema={"minimum": 0, "maximum": LEVELS[-1]},
        ),
    ] = 0


class OpenTable(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    game: Annotated[str, Meta(description="Its name on the shelf.", examples=["pyramidis"])]
    players: Annotated[int | None, Meta(examples=[2])] = None
    options: Annotated[dict[str, str | int], Meta(examples=[{"first": 1}])] = {}
    seats: Annotated[
        list[SeatWanted],
        Meta(description="One a seat; none at all: everybody is a person.", max_length=8),
    ] = []
    pace: Pace = NoClock()
    leaver: Annotated[
        Leaver, Meta(description="What becomes of a seat whose player leaves or has no time left.")
    ] = "wait"
    listed: Annotated[bool, Meta(description="Whether strangers find it.")] = False
    drawn: Annotated[bool, Meta(description="Whether seats are drawn, not chosen.")] = False


class Sit(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    nonce: Annotated[
        str,
        Meta(
            description="1 to 64 letters and digits, drawn by you: your part in the table's luck.",
            examples=["8f3a1c"],
            extra_json_schema={"pattern": f"^[0-9A-Za-z]{{1,{LONGEST_NONCE}}}$"},
        ),
    ]
    name: Annotated[
        str,
        Meta(
            description="1 to 24 letters and signs. A bot that has a token need not say its own.",
            examples=["Ann"],
            extra_json_schema={"maxLength": LONGEST_NAME},
        ),
    ] = ""


class RegisterBot(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: Annotated[str, Meta(description="1 to 24 letters and signs.", examples=["Rex"])]


class Invite(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    bot: Annotated[str, Meta(description="The name of one that listens.", examples=["Rex"])]


class Move(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    move: Annotated[str, Meta(description="As the game writes it.", examples=["d1*3"])]
    number: Annotated[
        int | None,
        Meta(description="The last event you know of; if there is a later one, nothing is done."),
    ] = None


class UndoAnswer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    granted: bool


class Say(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One of the two; at a table open to anyone only a phrase."""

    text: Annotated[str, Meta(examples=["Well played!"])] = ""
    phrase: Annotated[str, Meta(description="The id of a preset phrase.", examples=["hello"])] = ""


class Remind(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    email: Annotated[
        str,
        Meta(
            description="Where mail goes, once confirmed; empty: only the feed.",
            examples=["ann@example.org"],
        ),
    ] = ""
    language: Annotated[Literal["en", "fr"], Meta(description="Of what you are told.")] = "en"
