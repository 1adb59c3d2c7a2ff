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
            description="A level from 1; 0 for a person.",
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
        Meta(description="One for each seat; none at all if everybody is a person.", max_length=8),
    ] = []
    pace: Pace = NoClock()
    leaver: Annotated[
        Leaver,
        Meta(description="What happens to the seat of a player who leaves or runs out of time."),
    ] = "wait"
    listed: Annotated[bool, Meta(description="Whether strangers can find it.")] = False
    drawn: Annotated[bool, Meta(description="Whether seats are drawn by lot, not chosen.")] = False


class Sit(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    nonce: Annotated[
        str,
        Meta(
            description="1 to 64 random letters and digits: your part in the table's luck.",
            examples=["8f3a1c"],
            extra_json_schema={"pattern": f"^[0-9A-Za-z]{{1,{LONGEST_NONCE}}}$"},
        ),
    ]
    name: Annotated[
        str,
        Meta(
            description="1 to 24 characters. A bot with a token can leave out its own name.",
            examples=["Ann"],
            extra_json_schema={"maxLength": LONGEST_NAME},
        ),
    ] = ""


class RegisterBot(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: Annotated[str, Meta(description="1 to 24 characters.", examples=["Rex"])]


class Invite(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    bot: Annotated[str, Meta(description="The name of a bot that is listening.", examples=["Rex"])]


class Move(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    move: Annotated[str, Meta(description="In the game's notation.", examples=["d1*3"])]
    number: Annotated[
        int | None,
        Meta(
            description="The last event you know of; if there is a later one, the move is refused."
        ),
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
    language: Annotated[Literal["en", "fr"], Meta(description="The language of mail and feed.")] = (
        "en"
    )
