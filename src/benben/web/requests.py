"""The bodies of requests. Seats are numbered from 0, as in the events of a table.

Limits that a table checks itself, with better messages, are only described here.
"""

from typing import Annotated, Literal, TypeAlias

import msgspec
from msgspec import Meta

from benben.bots.levels import LEVELS
from benben.core.text import LONGEST
from benben.table.actions import LONGEST_NONCE
from benben.table.events import Strength
from benben.table.names import LONGEST_NAME
from benben.table.options import Leaver, NoClock, Pace, Resign
from benben.web.fields import doc

LARGEST_BODY = 16_384  # bytes
MOST_MOVES = 1000  # at once, of a position without a table
LONGEST_MESSAGE, LONGEST_STACK = 300, 2000  # of an error in a browser


NonceCommitment: TypeAlias = Annotated[
    str,
    doc(
        "SHA-256 of the nonce's ASCII text, in lowercase hexadecimal.",
        "2ee5ee4f17a6e7d1bc1b6e7b3fa7ae9e1d9ba0e0c9e2ef86ad0d4a9e3f2a6c51",
        extra_json_schema={"pattern": "^([0-9a-f]{64})?$"},
    ),
]


MoveText: TypeAlias = Annotated[str, Meta(max_length=40)]
Moves: TypeAlias = Annotated[list[MoveText], Meta(max_length=MOST_MOVES)]
PositionText: TypeAlias = Annotated[str, Meta(max_length=LONGEST)]
Start: TypeAlias = Annotated[
    PositionText | None, Meta(examples=["d1=bbbbbbbb,d8=mmmmmmmm b0m0 b 0"])
]
Nonce: TypeAlias = Annotated[
    str,
    Meta(examples=["8f3a1c"], extra_json_schema={"pattern": f"^[0-9A-Za-z]{{0,{LONGEST_NONCE}}}$"}),
]
Level: TypeAlias = Annotated[int, Meta(examples=[3], extra_json_schema={"maximum": LEVELS[-1]})]
Players: TypeAlias = Annotated[int | None, Meta(examples=[2])]
GameOptions: TypeAlias = Annotated[dict[str, str | int], Meta(examples=[{"first": 1}])]
WithRefusals: TypeAlias = Annotated[bool, doc("Whether to say why every other move is refused.")]


class SeatWanted(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A bot of a level, or nobody yet."""

    bot: Annotated[
        Level, doc("A level from 1; 0 for a person.", extra_json_schema={"minimum": 0})
    ] = 0


class OpenTable(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    game: Annotated[str, doc("Its name on the shelf.", "pyramidis")]
    players: Players = None
    options: GameOptions = {}
    seats: Annotated[
        list[SeatWanted],
        doc("One for each seat; none at all if everybody is a person.", max_length=8),
    ] = []
    pace: Pace = NoClock()
    leaver: Annotated[
        Leaver, doc("What happens to the seat of a player who leaves or runs out of time.")
    ] = "wait"
    resign: Annotated[
        Resign | None,
        doc(
            "What happens when somebody resigns, leaves for good or runs out of time: the game "
            "ends, or a bot plays on. By default it ends for two, and goes on for more."
        ),
    ] = None
    listed: Annotated[bool, doc("Whether strangers can find it.")] = False
    watchable: Annotated[
        bool | None,
        doc(
            "Whether strangers can find it to watch while the game is on. By default the same "
            "as `listed`."
        ),
    ] = None
    drawn: Annotated[bool, doc("Whether seats are drawn by lot, not chosen.")] = False
    position: Annotated[
        Start,
        doc(
            "Where the game begins, with every secret; null for a deal. Only at a table that "
            "is neither listed nor watchable; where players have secrets, only against bots."
        ),
    ] = None
    moves: Annotated[Moves, doc("Moves and throws that lead there from it.")] = []


class ShowPosition(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A deal, or the position of a text, and what is played from there."""

    players: Players = None
    options: GameOptions = {}
    position: Annotated[
        Start, doc("In the game's notation, perhaps as a view, with `?`; null for a deal.")
    ] = None
    seed: Annotated[int, doc("Of the deal; equal seeds deal the same.", ge=0, le=2**53 - 1)] = 0
    seat: Annotated[int | None, doc("Whose view; null for a spectator's.", 0)] = None
    moves: Annotated[Moves, doc("Moves and throws, played from there.", ["d1*3"])] = []
    refusals: WithRefusals = False
    whole: Annotated[
        bool, doc("Whether to show what is hidden too: it is your own deal or text.")
    ] = False


class ShowLesson(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A chapter of a game's lesson, and what is played in it."""

    chapter: Annotated[int, doc("From 0.", 0)] = 0
    moves: Annotated[
        Moves, doc("The learner's moves, the others' and throws, from the chapter's start.")
    ] = []
    refusals: WithRefusals = False


class TryPuzzle(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    move: Annotated[str, doc("The move to try.", "d1*3", max_length=40)]


class Sit(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Either a nonce, or a commitment to one."""

    nonce: Annotated[
        Nonce,
        doc(
            "1 to 64 random letters and digits: your part in the table's luck. Send a "
            "commitment instead if anybody else may sit down after you."
        ),
    ] = ""
    name: Annotated[
        str,
        doc(
            "1 to 24 characters. A bot with a token can leave out its own name.",
            "Ann",
            extra_json_schema={"maxLength": LONGEST_NAME},
        ),
    ] = ""
    commitment: NonceCommitment = ""


class WantRematch(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    nonce: Annotated[
        Nonce,
        doc(
            "1 to 64 random letters and digits: your part in the next table's luck. Without "
            "one, or a commitment, you only learn where it is, and do not sit down yet."
        ),
    ] = ""
    commitment: NonceCommitment = ""


class Commit(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    commitment: NonceCommitment


class Reveal(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    nonce: Annotated[str, doc("The nonce you committed to.", "8f3a1c")]


class SeatBot(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    level: Annotated[Level, doc("A level from 1.", extra_json_schema={"minimum": LEVELS[0]})] = 3


class RegisterBot(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: Annotated[str, doc("1 to 24 characters.", "Rex")]


class Invite(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    bot: Annotated[str, doc("The name of a bot that is listening.", "Rex")]


class Move(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    move: Annotated[str, doc("In the game's notation.", "d1*3")]
    number: Annotated[
        int | None,
        doc("The last event you know of; if the position has changed since, the move is refused."),
    ] = None


class AskHint(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    strength: Annotated[
        Strength,
        doc("`nudge`: where to look; `idea`: why, too; `move`: what to play, too.", "nudge"),
    ] = "nudge"
    number: Annotated[
        int | None, doc("The last event you know of; refused if the position has changed since.")
    ] = None


class UndoAnswer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    granted: bool


class Say(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One of the two; at a table open to anyone only a phrase."""

    text: Annotated[str, Meta(examples=["Well played!"])] = ""
    phrase: Annotated[str, doc("The id of a preset phrase.", "hello")] = ""


class Remind(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    email: Annotated[
        str, doc("Where mail goes, once confirmed; empty: only the feed.", "ann@example.org")
    ] = ""
    language: Annotated[Literal["en", "fr"], doc("The language of mail and feed.")] = "en"


class ClientError(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An error in the code of a page, without anything about people."""

    message: Annotated[
        str,
        doc(
            "Its name and message.",
            "TypeError: scene is undefined",
            min_length=1,
            max_length=LONGEST_MESSAGE,
        ),
    ]
    stack: Annotated[
        str, doc("Where it was thrown, without queries.", max_length=LONGEST_STACK)
    ] = ""
    page: Annotated[str, doc("The path, with ids masked.", "/t/ID", max_length=100)] = ""
    build: Annotated[
        str, doc("The script that the page started with.", "index-B3xk2a9Q.js", max_length=60)
    ] = ""
    browser: Annotated[
        Literal["Chrome", "Edge", "Firefox", "Safari", "other"],
        doc("The family, without its version."),
    ] = "other"
