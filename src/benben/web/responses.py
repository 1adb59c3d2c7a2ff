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
from benben.web.fields import doc

TableId = Annotated[str, doc("A table's id.", "c2tlbGV0b24x")]
SeatNumber = Annotated[int, doc("A seat, from 0.", 0, ge=0, le=7)]
BotName = Annotated[str, doc("No other bot has it.", "Rex")]
Names = Annotated[dict[str, str], doc("By language.", {"en": "Mason", "fr": "Maçon"})]


class ErrorBody(msgspec.Struct, frozen=True):
    """What was wrong."""

    code: Annotated[str, doc("Stable; for programs.", "not-your-turn")]
    message: Annotated[str, doc("For people.", "it is not the turn of seat 2")]
    detail: Annotated[dict[str, Any], Meta(examples=[{"number": 12}])] = {}


class ErrorResponse(msgspec.Struct, frozen=True):
    """The body of every response that is not a success."""

    error: ErrorBody


class OptionCard(msgspec.Struct, frozen=True):
    """A game's own option; `limits` has the player counts of values with fewer than `players`."""

    name: str
    values: Annotated[list[str], doc("The first is the default.")]
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
        doc("The game's own rule sheet, published descriptions of it, or us."),
    ]
    note: Annotated[dict[str, str], doc("More about it, by language; or empty.")]


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
    honours: Annotated[dict[str, str], doc("By language; or empty.")]
    ages: SpanCard | None
    minutes: SpanCard | None
    credits: Annotated[
        dict[str, CreditCard],
        doc("By field of the card; also of `first` and `colours`, as customs."),
    ]
    players: Annotated[list[int], Meta(examples=[[2, 4]])]
    default_players: int
    first: Annotated[str, doc("Who begins by default: a seat from 1, or random.")]
    first_is_fixed: bool
    option: OptionCard
    levels: list[LevelCard]
    paragraphs: Annotated[
        dict[str, str],
        doc(
            "The paragraph that explains a refusal or ending: /rules/NAME#PARAGRAPH.",
            {"must-not-pass": "passing"},
        ),
    ]
    lesson: Annotated[int, doc("Minutes its lesson takes; 0: it has none.")]
    puzzles: Annotated[int, doc("The number of its puzzles.")]


class Games(msgspec.Struct, frozen=True):
    games: list[GameCard]
    thanks: Annotated[Names, doc("Acknowledgements for all games.")]


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
    games: Annotated[int, doc("The number of games played for it.", ge=0)]


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
    commitment: Annotated[str, doc("SHA-256 of the secret that all luck is derived from.")]
    table: TableView


class TableListed(msgspec.Struct, frozen=True):
    """A table where anybody can sit down."""

    id: TableId
    opened: Annotated[int, doc("Milliseconds since 1970.")]
    game: str
    options: dict[str, str | int]
    pace: Pace
    leaver: Leaver
    drawn: bool
    custom_position: Annotated[
        bool, doc("Whether the game begins from a position that its opener chose.")
    ]
    seats: list[SeatView]


class TableLive(msgspec.Struct, frozen=True):
    """A table with a game that anybody may watch."""

    id: TableId
    game: str
    options: dict[str, str | int]
    pace: Pace
    moves: Annotated[int, doc("The number of moves, without throws.")]
    seats: list[SeatView]


class TablesListed(msgspec.Struct, frozen=True):
    tables: Annotated[list[TableListed], doc("Where to sit down.")]
    live: Annotated[list[TableLive], doc("To watch.")]


class TableOfMine(msgspec.Struct, frozen=True):
    """A table where one of the tokens holds a seat."""

    id: TableId
    game: str
    number: Annotated[int, doc("The number of its last event.")]
    position_since: Annotated[
        int, doc("The event that led to the position; chat and hints do not change it.")
    ]
    you: SeatNumber
    to_move: int | None
    your_turn: bool
    begun: bool
    over: Annotated[bool, doc("No more moves can be made.")]
    expired: Annotated[bool, doc("It was closed: the game had not begun in time.")]
    seats: list[SeatView]
    rematch: str
    result: ResultView | None
    ended: Annotated[int | None, doc("When the game ended, in ms since 1970.")]
    starting: Annotated[
        StartPhase | None, doc("What your seat must do before the game can begin; else null.")
    ] = None


class TablesOfMine(msgspec.Struct, frozen=True):
    tables: list[TableOfMine]


class Seated(msgspec.Struct, frozen=True):
    """The token is returned here only."""

    token: Annotated[str, doc("Send it as `Authorization: Bearer TOKEN`. Empty for a bot's own.")]
    seat: Annotated[int, doc("As chosen; `table.you` is where you end up sitting.")]
    table: TableView


class BotRegistered(msgspec.Struct, frozen=True):
    """The token is returned here only."""

    name: BotName
    token: Annotated[str, doc("Send it as `Authorization: Bearer TOKEN`.")]


class BotListed(msgspec.Struct, frozen=True):
    """A bot that can be invited: its stream is open."""

    name: BotName
    since: Annotated[int, doc("Milliseconds since 1970.", 1763270742000)]


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
    number: Annotated[int, doc("The number of the event it became.", 13)]


class HintGiven(msgspec.Struct, frozen=True):
    """A hint; `number` is that of its event, or of the last event if it was given before."""

    number: Annotated[int, Meta(examples=[13])]
    hint: Hint


class SeatedAgain(msgspec.Struct, frozen=True):
    """Your seat at the next table, and its token, which is always the same for your old token."""

    id: TableId
    seat: SeatNumber
    token: Annotated[str, doc("Empty if you do not sit there yet, and for a bot's own.")]
    table: TableView


class RematchDeclined(msgspec.Struct, frozen=True):
    id: TableId


class RemindersSet(msgspec.Struct, frozen=True):
    """The path of the feed is secret: everybody who has it can see when it is your turn."""

    feed: Annotated[str, doc("The path of an Atom feed.", "/feeds/c2tlbGV0b24x")]
    confirmed: Annotated[
        bool, doc("Whether mail will come; if not, follow the link in the mail to you.")
    ]


class GameReadiness(msgspec.Struct, frozen=True):
    """Who can play a game: after a first start, first its rules and then its bots are prepared."""

    game: Annotated[str, Meta(examples=["pyramidis"])]
    ready: Annotated[
        Literal["no", "people", "bots"],
        doc("`people`: with bots, too, but these move only when they are ready."),
    ]
    seconds: Annotated[int, doc("About how long until the next of these; 0 after the last.")]


class ServerInfo(msgspec.Struct, frozen=True):
    """What this server can do, and what it can do already after a start."""

    mail: Annotated[bool, doc("Whether it sends reminders by mail.")]
    games: list[GameReadiness]
    addresses: Annotated[
        list[str],
        doc(
            "The site's address, or this machine's own, for other people.",
            ["http://192.168.1.7:8000"],
        ),
    ]
    local: Annotated[bool, doc("Whether only this machine can reach it.")]


class Odds(msgspec.Struct, frozen=True):
    bust: Annotated[float | None, doc("From 0 to 1; null if no throw follows.", 0.25)]


class Refusals(msgspec.Struct, frozen=True):
    """Why each move that is not legal now is refused; empty unless you are to move."""

    number: Annotated[int, doc("The number of the table's last event.")]
    refusals: list[Refusal]


class PositionSeen(msgspec.Struct, frozen=True, kw_only=True):
    """A position as a viewer sees it."""

    view: str
    drawing: Drawing
    facts: Facts
    to_move: Annotated[int | None, doc("null while a throw is due, and when the game is over.")]


class PositionShown(PositionSeen, frozen=True, kw_only=True, omit_defaults=True):
    """The position after all moves, and the steps from the start."""

    game: str
    options: dict[str, str | int]
    start: PositionSeen
    steps: list[StepView]
    legal: Annotated[list[Choice], doc("Of the seat to move, for every viewer.")]
    throws: Annotated[
        list[tuple[str, float]], doc("If a throw is next: all outcomes with their probabilities.")
    ] = []
    result: ResultView | None = None
    refusals: Annotated[list[Refusal] | None, doc("If they were requested.")] = None


class LessonStep(msgspec.Struct, frozen=True, omit_defaults=True):
    """A step with moves to play, or without `moves` only a text to read."""

    say: Annotated[str, doc("Before the move.")]
    moves: Annotated[list[str], doc("Those accepted; the first is the one to point at.")] = []
    highlight: Annotated[list[str], doc("Places to show.")] = []
    rule: Annotated[str, doc("The id of the rulebook's paragraph.")] = ""
    wrong: Annotated[str, doc("For a legal move that is not accepted; empty: no special text.")] = (
        ""
    )
    replies: Annotated[list[str], doc("The moves of others that follow, and throws.")] = []
    done: Annotated[str, doc("After the move and the replies.")] = ""


class LessonChapter(msgspec.Struct, frozen=True):
    """A chapter, which begins with its own position."""

    title: str
    view: Annotated[str, doc("That position, as the learner sees it.")]
    steps: list[LessonStep]


class LessonShown(msgspec.Struct, frozen=True):
    """A scripted first game, in one language."""

    game: str
    options: dict[str, str | int]
    seat: Annotated[SeatNumber, doc("The learner's, from 0.")]
    minutes: Annotated[int, doc("About how long it takes.")]
    chapters: list[LessonChapter]


class PuzzleListed(msgspec.Struct, frozen=True, kw_only=True):
    """A puzzle without its position."""

    id: Annotated[str, doc("Of this game.", "k3f7qa")]
    game: str
    grade: Annotated[int, doc("The easiest level that finds it reliably.", ge=1, le=6)]
    players: int
    phase: Annotated[Phase, doc("Of the game it is from.")]
    task: Annotated[
        Task,
        doc(
            "The one move that is proven to win, that is not proven to lose, or that is "
            "clearly best."
        ),
    ]
    certainty: Annotated[Certainty, doc("How certain the values of all moves are.")]


class PuzzlesListed(msgspec.Struct, frozen=True):
    """The puzzles of a game, the easiest first."""

    game: str
    puzzles: list[PuzzleListed]


class PuzzleOfTheDay(msgspec.Struct, frozen=True):
    date: Annotated[str, doc("In UTC.", "2026-11-17")]
    puzzle: PuzzleListed


class PuzzleShown(PuzzleListed, frozen=True, kw_only=True):
    """A puzzle with its position."""

    seat: Annotated[SeatNumber, doc("Whose move it is, from 0.")]
    nudge: Annotated[list[str], doc("Places to look at, as a hint.")]
    position: PositionShown


class PuzzleAnswer(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The value of a move, and what follows it."""

    right: bool
    move: str
    why: Annotated[Why, doc("An id for words: what it does, or what is wrong with it.")]
    share: Annotated[float, doc("The value of the move, from 0 to 1.")]
    certainty: Certainty
    best: Annotated[float, doc("The value of the solution.")]
    best_certainty: Certainty
    line: Annotated[PositionShown, doc("The position, and the steps of the move and its answers.")]
    imagined: Annotated[bool, doc("The line supposes something that is hidden.")] = False
    idea: Annotated[IdeaView | None, doc("Why the solution is good.")] = None


class Present(msgspec.Struct, frozen=True):
    """The data of a server-sent event: who is present, or was within the last minute."""

    seats: list[SeatNumber]


class RecordChecked(msgspec.Struct, frozen=True):
    """A verified record, stored by this id, or the table that it belongs to."""

    id: TableId
    draws: Annotated[int, doc("The number of draws that were verified.")]
    events: int
    table: TableView
