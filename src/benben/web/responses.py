"""The bodies of responses, except for views of tables (`table/views.py`)."""

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from benben.core.effects import Choice, Drawing, Facts, Refusal
from benben.core.player import Certainty
from benben.learn.diagrams import Diagram
from benben.learn.hints import Hint, IdeaView
from benben.learn.puzzles.puzzle import Phase, Task, Why
from benben.table.history import StepView
from benben.table.options import Leaver, Pace
from benben.table.table import StartPhase
from benben.table.views import ResultView, SeatView, TableView

TableId = Annotated[str, Meta(description="A table's id.", examples=["c2tlbGV0b24x"])]
SeatNumber = Annotated[int, Meta(description="A seat, from 0.", ge=0, le=7, examples=[0])]
BotName = Annotated[str, Meta(description="No other bot has it.", examples=["Rex"])]
Names = Annotated[
    dict[str, str],
    Meta(description="By language.", examples=[{"en": "Mason", "fr": "Maçon"}]),
]


class ErrorBody(msgspec.Struct, frozen=True):
    """What was wrong."""

    code: Annotated[str, Meta(description="Stable; for programs.", examples=["not-your-turn"])]
    message: Annotated[
        str, Meta(description="For people.", examples=["it is not the turn of seat 2"])
    ]
    detail: Annotated[dict[str, Any], Meta(examples=[{"number": 12}])] = {}


class ErrorResponse(msgspec.Struct, frozen=True):
    """The body of every response that is not a success."""

    error: ErrorBody


class OptionCard(msgspec.Struct, frozen=True):
    """A game's own option; `limits` has the player counts of values with fewer than `players`."""

    name: str
    values: Annotated[list[str], Meta(description="The first is the default.")]
    about: Names
    players: list[int]
    limits: dict[str, list[int]]


class LevelCard(msgspec.Struct, frozen=True):
    level: Annotated[int, Meta(ge=1, le=6, examples=[4])]
    names: Names


class SpanCard(msgspec.Struct, frozen=True):
    """A range; `most` is null if there is no upper end."""

    least: Annotated[int, Meta(examples=[20])]
    most: Annotated[int | None, Meta(examples=[30])]


class PublisherCard(msgspec.Struct, frozen=True):
    name: Annotated[str, Meta(examples=["Ravensburger"])]
    year: Annotated[int, Meta(examples=[1991])]


class CreditCard(msgspec.Struct, frozen=True):
    """Where something on a card comes from."""

    origin: Annotated[
        Literal["sheet", "descriptions", "ours"],
        Meta(description="The game's own rule sheet, published descriptions of it, or us."),
    ]
    note: Annotated[dict[str, str], Meta(description="More about it, by language; or empty.")]


class GameCard(msgspec.Struct, frozen=True):
    """A game on the shelf. What is not known is null or empty."""

    name: Annotated[str, Meta(examples=["pyramidis"])]
    titles: Names
    working_title: bool
    kind: Names
    components: Names
    authors: list[str]
    artists: list[str]
    publishers: list[PublisherCard]
    year: int | None
    honours: Annotated[dict[str, str], Meta(description="By language; or empty.")]
    ages: SpanCard | None
    minutes: SpanCard | None
    credits: Annotated[
        dict[str, CreditCard],
        Meta(description="By field of the card; also of `first` and `colours`, as customs."),
    ]
    players: Annotated[list[int], Meta(examples=[[2, 4]])]
    default_players: int
    first: Annotated[str, Meta(description="Who begins by default: a seat from 1, or random.")]
    first_is_fixed: bool
    option: OptionCard
    levels: list[LevelCard]
    paragraphs: Annotated[
        dict[str, str],
        Meta(
            description="The paragraph that explains a refusal or ending: /rules/NAME#PARAGRAPH.",
            examples=[{"must-not-pass": "passing"}],
        ),
    ]
    lesson: Annotated[int, Meta(description="Minutes its lesson takes; 0: it has none.")]
    puzzles: Annotated[int, Meta(description="The number of its puzzles.")]


class Games(msgspec.Struct, frozen=True):
    games: list[GameCard]
    thanks: Annotated[Names, Meta(description="Acknowledgements for all games.")]


class BookSection(msgspec.Struct, frozen=True):
    """A heading of a rulebook."""

    level: Annotated[int, Meta(ge=1, le=6)]
    id: str
    title: str


class TextPage(msgspec.Struct, frozen=True):
    """A text to be shown on a page."""

    title: str
    html: str
    contents: list[BookSection]


class ReportCard(msgspec.Struct, frozen=True):
    """A balance report: of one set of options, or a comparison of several."""

    id: str
    game: str
    players: int
    title: str
    compared: bool
    games: Annotated[int, Meta(description="The number of games played for it.", ge=0)]


class LabGallery(msgspec.Struct, frozen=True):
    reports: list[ReportCard]


class LabPage(msgspec.Struct, frozen=True):
    """A balance report to be shown on a page."""

    title: str
    html: str


class RulebookPage(TextPage, frozen=True):
    """A rulebook to be shown on a page; its figures name the diagrams."""

    diagrams: dict[str, Diagram]


class TableOpened(msgspec.Struct, frozen=True):
    id: TableId
    commitment: Annotated[
        str, Meta(description="SHA-256 of the secret that all luck is derived from.")
    ]
    table: TableView


class TableListed(msgspec.Struct, frozen=True):
    """A table where anybody can sit down."""

    id: TableId
    opened: Annotated[int, Meta(description="Milliseconds since 1970.")]
    game: str
    options: dict[str, str | int]
    pace: Pace
    leaver: Leaver
    drawn: bool
    custom_position: Annotated[
        bool, Meta(description="Whether the game begins from a position that its opener chose.")
    ]
    seats: list[SeatView]


class TableLive(msgspec.Struct, frozen=True):
    """A table with a game that anybody may watch."""

    id: TableId
    game: str
    options: dict[str, str | int]
    pace: Pace
    moves: Annotated[int, Meta(description="The number of moves, without throws.")]
    seats: list[SeatView]


class TablesListed(msgspec.Struct, frozen=True):
    tables: Annotated[list[TableListed], Meta(description="Where to sit down.")]
    live: Annotated[list[TableLive], Meta(description="To watch.")]


class TableOfMine(msgspec.Struct, frozen=True):
    """A table where one of the tokens holds a seat."""

    id: TableId
    game: str
    number: Annotated[int, Meta(description="The number of its last event.")]
    position_since: Annotated[
        int,
        Meta(description="The event that led to the position; chat and hints do not change it."),
    ]
    you: SeatNumber
    to_move: int | None
    your_turn: bool
    begun: bool
    over: Annotated[bool, Meta(description="No more moves can be made.")]
    expired: Annotated[bool, Meta(description="It was closed: the game had not begun in time.")]
    seats: list[SeatView]
    rematch: str
    result: ResultView | None
    ended: Annotated[int | None, Meta(description="When the game ended, in ms since 1970.")]
    starting: Annotated[
        StartPhase | None,
        Meta(description="What your seat must do before the game can begin; else null."),
    ] = None


class TablesOfMine(msgspec.Struct, frozen=True):
    tables: list[TableOfMine]


class Seated(msgspec.Struct, frozen=True):
    """The token is returned here only."""

    token: Annotated[
        str, Meta(description="Send it as `Authorization: Bearer TOKEN`. Empty for a bot's own.")
    ]
    seat: Annotated[int, Meta(description="As chosen; `table.you` is where you end up sitting.")]
    table: TableView


class BotRegistered(msgspec.Struct, frozen=True):
    """The token is returned here only."""

    name: BotName
    token: Annotated[str, Meta(description="Send it as `Authorization: Bearer TOKEN`.")]


class BotListed(msgspec.Struct, frozen=True):
    """A bot that can be invited: its stream is open."""

    name: BotName
    since: Annotated[int, Meta(description="Milliseconds since 1970.", examples=[1763270742000])]


class BotsListed(msgspec.Struct, frozen=True):
    bots: list[BotListed]


class Invitation(msgspec.Struct, frozen=True):
    """An invitation of a bot to a seat, which stays free until the bot sits down."""

    id: TableId
    seat: SeatNumber
    table: TableView


class TableLeft(msgspec.Struct, frozen=True):
    id: TableId


class Done(msgspec.Struct, frozen=True):
    number: Annotated[int, Meta(description="The number of the event it became.", examples=[13])]


class HintGiven(msgspec.Struct, frozen=True):
    """A hint; `number` is that of its event, or of the last event if it was given before."""

    number: Annotated[int, Meta(examples=[13])]
    hint: Hint


class SeatedAgain(msgspec.Struct, frozen=True):
    """Your seat at the next table, and its token, which is always the same for your old token."""

    id: TableId
    seat: SeatNumber
    token: Annotated[
        str, Meta(description="Empty if you do not sit there yet, and for a bot's own.")
    ]
    table: TableView


class RematchDeclined(msgspec.Struct, frozen=True):
    id: TableId


class RemindersSet(msgspec.Struct, frozen=True):
    """The path of the feed is secret: everybody who has it can see when it is your turn."""

    feed: Annotated[
        str, Meta(description="The path of an Atom feed.", examples=["/feeds/c2tlbGV0b24x"])
    ]
    confirmed: Annotated[
        bool,
        Meta(description="Whether mail will come; if not, follow the link in the mail to you."),
    ]


class GameReadiness(msgspec.Struct, frozen=True):
    """Who can play a game: after a first start, first its rules and then its bots are prepared."""

    game: Annotated[str, Meta(examples=["pyramidis"])]
    ready: Annotated[
        Literal["no", "people", "bots"],
        Meta(description="`people`: with bots, too, but these move only when they are ready."),
    ]
    seconds: Annotated[
        int, Meta(description="About how long until the next of these; 0 after the last.")
    ]


class ServerInfo(msgspec.Struct, frozen=True):
    """What this server can do, and what it can do already after a start."""

    mail: Annotated[bool, Meta(description="Whether it sends reminders by mail.")]
    games: list[GameReadiness]
    addresses: Annotated[
        list[str],
        Meta(
            description="The site's address, or this machine's own, for other people.",
            examples=[["http://192.168.1.7:8000"]],
        ),
    ]
    local: Annotated[bool, Meta(description="Whether only this machine can reach it.")]


class Odds(msgspec.Struct, frozen=True):
    bust: Annotated[
        float | None, Meta(description="From 0 to 1; null if no throw follows.", examples=[0.25])
    ]


class Refusals(msgspec.Struct, frozen=True):
    """Why each move that is not legal now is refused; empty unless you are to move."""

    number: Annotated[int, Meta(description="The number of the table's last event.")]
    refusals: list[Refusal]


class PositionSeen(msgspec.Struct, frozen=True, kw_only=True):
    """A position as a viewer sees it."""

    view: str
    drawing: Drawing
    facts: Facts
    to_move: Annotated[
        int | None, Meta(description="null while a throw is due, and when the game is over.")
    ]


class PositionShown(PositionSeen, frozen=True, kw_only=True, omit_defaults=True):
    """The position after all moves, and the steps from the start."""

    game: str
    options: dict[str, str | int]
    start: PositionSeen
    steps: list[StepView]
    legal: Annotated[list[Choice], Meta(description="Of the seat to move, for every viewer.")]
    throws: Annotated[
        list[tuple[str, float]],
        Meta(description="If a throw is next: all outcomes with their probabilities."),
    ] = []
    result: ResultView | None = None
    refusals: Annotated[list[Refusal] | None, Meta(description="If they were requested.")] = None


class LessonStep(msgspec.Struct, frozen=True, omit_defaults=True):
    """A step with moves to play, or without `moves` only a text to read."""

    say: Annotated[str, Meta(description="Before the move.")]
    moves: Annotated[
        list[str], Meta(description="Those accepted; the first is the one to point at.")
    ] = []
    highlight: Annotated[list[str], Meta(description="Places to show.")] = []
    rule: Annotated[str, Meta(description="The id of the rulebook's paragraph.")] = ""
    wrong: Annotated[
        str, Meta(description="For a legal move that is not accepted; empty: no special text.")
    ] = ""
    replies: Annotated[
        list[str], Meta(description="The moves of others that follow, and throws.")
    ] = []
    done: Annotated[str, Meta(description="After the move and the replies.")] = ""


class LessonChapter(msgspec.Struct, frozen=True):
    """A chapter, which begins with its own position."""

    title: str
    view: Annotated[str, Meta(description="That position, as the learner sees it.")]
    steps: list[LessonStep]


class LessonShown(msgspec.Struct, frozen=True):
    """A scripted first game, in one language."""

    game: str
    options: dict[str, str | int]
    seat: Annotated[SeatNumber, Meta(description="The learner's, from 0.")]
    minutes: Annotated[int, Meta(description="About how long it takes.")]
    chapters: list[LessonChapter]


class PuzzleListed(msgspec.Struct, frozen=True, kw_only=True):
    """A puzzle without its position."""

    id: Annotated[str, Meta(description="Of this game.", examples=["k3f7qa"])]
    game: str
    grade: Annotated[int, Meta(description="The easiest level that finds it reliably.", ge=1, le=6)]
    players: int
    phase: Annotated[Phase, Meta(description="Of the game it is from.")]
    task: Annotated[
        Task,
        Meta(
            description=(
                "The one move that is proven to win, that is not proven to lose, or that is "
                "clearly best."
            )
        ),
    ]
    certainty: Annotated[Certainty, Meta(description="How certain the values of all moves are.")]


class PuzzlesListed(msgspec.Struct, frozen=True):
    """The puzzles of a game, the easiest first."""

    game: str
    puzzles: list[PuzzleListed]


class PuzzleOfTheDay(msgspec.Struct, frozen=True):
    date: Annotated[str, Meta(description="In UTC.", examples=["2026-11-17"])]
    puzzle: PuzzleListed


class PuzzleShown(PuzzleListed, frozen=True, kw_only=True):
    """A puzzle with its position."""

    seat: Annotated[SeatNumber, Meta(description="Whose move it is, from 0.")]
    nudge: Annotated[list[str], Meta(description="Places to look at, as a hint.")]
    position: PositionShown


class PuzzleAnswer(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The value of a move, and what follows it."""

    right: bool
    move: str
    why: Annotated[
        Why, Meta(description="An id for words: what it does, or what is wrong with it.")
    ]
    share: Annotated[float, Meta(description="The value of the move, from 0 to 1.")]
    certainty: Certainty
    best: Annotated[float, Meta(description="The value of the solution.")]
    best_certainty: Certainty
    line: Annotated[
        PositionShown, Meta(description="The position, and the steps of the move and its answers.")
    ]
    imagined: Annotated[bool, Meta(description="The line supposes something that is hidden.")] = (
        False
    )
    idea: Annotated[IdeaView | None, Meta(description="Why the solution is good.")] = None


class Present(msgspec.Struct, frozen=True):
    """The data of a server-sent event: who is present, or was within the last minute."""

    seats: list[SeatNumber]


class RecordChecked(msgspec.Struct, frozen=True):
    """A verified record, stored by this id, or the table that it belongs to."""

    id: TableId
    draws: Annotated[int, Meta(description="The number of draws that were verified.")]
    events: int
    table: TableView
