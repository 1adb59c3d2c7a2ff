"""What a report says, as data. Shares are of a game's one point; intervals hold 95 times in 100."""

from typing import Annotated

import msgspec
from msgspec import Meta

from benben.lab.rating import Estimate

FORMAT = 1
_DIGITS = 4


class Spread(msgspec.Struct, frozen=True):
    """A value, and between which two the truth lies 95 times in 100."""

    value: float
    low: float
    high: float

    @classmethod
    def of(cls, estimate: Estimate, digits: int = _DIGITS) -> "Spread":
        """Rounded, and never -0."""
        each = (estimate.value, estimate.low, estimate.high)
        return cls(*(round(x, digits) + 0.0 for x in each))


class Setting(msgspec.Struct, frozen=True):
    """Which games were played, and the command that plays them."""

    game: str
    players: int
    option: Annotated[str, Meta(description="The value of the game's own option, or empty.")]
    bots: list[str]
    openings: Annotated[int, Meta(description="So many moves of each game were drawn.")]
    seed: str
    games: int
    rounds: Annotated[int, Meta(description="Games of a round have one deal.")]
    command: str
    benben: Annotated[str, Meta(description="The version that played.")]


class Quantiles(msgspec.Struct, frozen=True):
    """How something is distributed."""

    mean: float
    least: float
    lower: Annotated[float, Meta(description="A quarter of all is below.")]
    median: float
    upper: Annotated[float, Meta(description="A quarter of all is above.")]
    most: float


class Bin(msgspec.Struct, frozen=True):
    """How many games have so many decisions, from `least` to `most`."""

    least: int
    most: int
    games: int


class Reason(msgspec.Struct, frozen=True):
    """What decided, and in how many games."""

    reason: str
    games: int
    share: Spread


class Special(msgspec.Struct, frozen=True):
    """How often something happened: a game on average, and in which share of all games at all."""

    event: str
    a_game: float
    most: int
    games: Spread


class Bust(msgspec.Struct, frozen=True):
    """Throws of so many dice, and how many of them were in vain."""

    dice: int
    throws: int
    busts: int
    share: Spread


class Lead(msgspec.Struct, frozen=True):
    """Who leads when, by the chances that the first look of a review gives each seat."""

    exact: Annotated[bool, Meta(description="Whether chances are known, and not estimated.")]
    leader_wins: Annotated[
        list[Spread],
        Meta(description="What the leader gets in the end: at the start, after a tenth, …"),
    ]
    settled: Annotated[
        Quantiles | None,
        Meta(description="The part of a game after which only its winner led; of won games."),
    ]
    changes: Annotated[float, Meta(description="How often the lead changes, a game.")]


class Sides(msgspec.Struct, frozen=True):
    """Two games with one deal, each side beginning once, counted as one match. For two."""

    matches: int
    won: Annotated[Spread, Meta(description="The share of matches that somebody won.")]


class Level(msgspec.Struct, frozen=True):
    bot: str
    elo: Annotated[Spread, Meta(description="Above the first of them.")]


class Pairing(msgspec.Struct, frozen=True):
    """Two levels: what the stronger took of the points both took, and how far apart they are."""

    weaker: str
    stronger: str
    gap: Spread
    share: Spread


class Skill(msgspec.Struct, frozen=True):
    """Levels that played each other."""

    games: int
    levels: list[Level]
    pairings: list[Pairing]


class Exact(msgspec.Struct, frozen=True):
    """What perfect play is worth, in the order of play, and the command that says so."""

    chances: list[float]
    command: str


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """All that was found out about a game by one study."""

    format: int = FORMAT
    setting: Setting
    by_order: Annotated[list[Spread], Meta(description="Who begins, who is next, …")]
    by_seat: list[Spread]
    by_bot: list[Spread]
    draws: Spread
    ties: Annotated[Spread, Meta(description="Games that were not decided by the first reason.")]
    sides: Sides | None
    reasons: list[Reason]
    length: Quantiles
    lengths: list[Bin]
    choices: Quantiles
    choices_over_time: Annotated[
        list[float], Meta(description="The mean of each tenth of the decisions.")
    ]
    special: list[Special]
    busts: list[Bust]
    lead: Lead
    skill: Skill | None = None
    exact: Exact | None = None


class Row(msgspec.Struct, frozen=True):
    """One of the ways to play that are compared."""

    option: str
    bots: list[str]
    games: int
    by_order: list[Spread]
    draws: Spread
    ties: Annotated[Spread, Meta(description="Games that were not decided by the first reason.")]
    length: Quantiles
    choices: float
    settled: float | None
    leader_wins_halfway: Spread
    exact: list[float]


class Comparison(msgspec.Struct, frozen=True, kw_only=True):
    """Ways to play a game, side by side."""

    format: int = FORMAT
    game: str
    players: int
    command: str
    benben: str
    rows: list[Row]
