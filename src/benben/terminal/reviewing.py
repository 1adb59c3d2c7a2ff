"""A finished game looked back at: what each move was worth, what turned it, what decided it."""

from collections.abc import Sequence
from pathlib import Path

import msgspec
from rich.console import Console
from rich.table import Table
from rich.text import Text

from benben.bots.exact import prepare, solvable
from benben.bots.warm import BOTS
from benben.core.errors import BenbenError
from benben.core.game import Game
from benben.core.record import GameRecord
from benben.learn.reviews.making import Reviewing
from benben.learn.reviews.review import (
    NOTHING,
    FinishedGame,
    Review,
    ReviewStep,
    Sentence,
    game_of_record,
    game_of_table,
)
from benben.table.record import TableRecord, rebuild, verify
from benben.terminal.bar import bar
from benben.terminal.company import Company
from benben.terminal.graph import as_svg, curves, sparkline
from benben.terminal.palette import palette_of
from benben.terminal.ready import ready
from benben.terminal.saves import BadFile, read_text, write
from benben.terminal.speech import capital, knows, say
from benben.terminal.telling import tell_result
from benben.terminal.trouble import explain

_SIGNS = {"best": "★", "good": "", "inaccuracy": "?!", "mistake": "?", "blunder": "??"}
_STYLES = {"inaccuracy": "yellow", "mistake": "magenta", "blunder": "bold red"}
_MARGIN = 24  # columns beside a graph


def read_game(path: Path, console: Console) -> FinishedGame:
    """The game of a record in either form, checked and made ready; BadFile if it cannot be."""
    text = read_text(path)
    game: Game | None = None
    try:
        if text.lstrip().startswith("{"):
            record = TableRecord.parse(text)
            game = record.options.check()
            ready(game, console, BOTS)
            verify(record)
            return game_of_table(rebuild(record.options, record.secret, record.entries))
        game = GameRecord.game_of(text)
        ready(game, console, BOTS)
        return game_of_record(GameRecord.parse(text))
    except BenbenError as error:
        raise BadFile(path, explain(error, game)) from error


def make(path: Path, game: FinishedGame, console: Console) -> Review:
    """Review a game, with something to watch. `console` is on stderr."""
    prepare(game.game)
    reviewing = Reviewing(path.stem, game)
    with bar(console) as progress:
        task = progress.add_task(say("review.looking"), total=None)
        for _ in reviewing.steps():
            if reviewing.looked:
                done, total = reviewing.done
                thinking = say("review.thinking")
                progress.update(task, description=thinking, completed=done, total=total)
    return reviewing.review()


def show(review: Review, game: FinishedGame, console: Console) -> None:
    """All of it, for people."""
    company = _company(review, game.game)
    names = [company.name(seat) for seat in range(game.game.players)]
    console.print(_moves(review, company))
    for name, line in zip(names, curves(review), strict=True):
        spark = sparkline(line, max(20, console.width - _MARGIN))
        console.print(f"{spark} {capital(name)}", soft_wrap=True)
    console.print()
    for words in tell_result(company, game.result):
        console.print(words)
    if review.decided is not None:
        console.print(Text(tell_sentence(company, review.decided), "bold"))
    console.print()
    if review.turns:
        console.print(say("review.turns"))
    for turn in review.turns:
        what = tell_sentence(company, turn.idea)
        console.print(say("review.turn", n=turn.at + 1, what=what), soft_wrap=True)
    if review.turns:
        console.print()
    console.print(_seats(review, names))
    console.print(_judged(review, game.game), style="dim")


def save_svg(path: Path, review: Review, game: FinishedGame) -> None:
    """Write the graph; BadFile if that cannot be done."""
    company = _company(review, game.game)
    names = [capital(company.name(seat)) for seat in range(game.game.players)]
    write(as_svg(review, names, say("review.graph", game=review.game)).encode(), path)


def as_json(review: Review) -> str:
    return msgspec.json.encode(review).decode()


def tell_sentence(company: Company, sentence: Sentence) -> str:
    """A sentence in words."""
    key = f"review.said.{sentence.id}"
    if not sentence.general:
        key = f"{company.game.name}.said.{sentence.id}"
    if not knows(key):  # of a game that nobody has found words for yet
        key = "review.said.cost"
    words: dict[str, object] = dict(sentence.parameters)
    for parameter, seat in (("name", "seat"), ("other", "other")):
        if seat in words:
            words[parameter] = company.name(int(sentence.parameters[seat]))
    if "colour" in words:
        words["colour"] = palette_of(company.game).word(str(words["colour"]))
    return capital(say(key, **words))


def _company(review: Review, game: Game) -> Company:
    """By name; whoever has none is called by the seat."""
    return Company(game, bots={seat: name for seat, name in enumerate(review.names) if name})


def _moves(review: Review, company: Company) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for head in ("review.number", "review.who", "review.move"):
        table.add_column(say(head), justify="right" if head == "review.number" else "left")
    for seat in range(company.game.players):
        table.add_column(capital(company.plain_name(seat)), justify="right")
    table.add_column(say("review.lost"), justify="right")
    table.add_column("")
    table.add_column(say("review.better"))
    for number, step in enumerate(review.steps, 1):
        table.add_row(str(number), *_row(step, company))
    return table


def _row(step: ReviewStep, company: Company) -> list[str | Text]:
    style = "" if step.certainty == "estimated" else "bold"
    chances = [Text(_percent(chance), style) for chance in step.chances]
    who = "" if step.seat is None else capital(company.plain_name(step.seat))
    lost = _percent(-step.lost) if step.lost >= NOTHING else ""
    sign = Text(_SIGNS[step.grade], _STYLES.get(step.grade, "")) if step.grade else ""
    better = step.best if step.best != step.move and lost else ""
    return [who, step.move, *chances, lost, sign, better or ""]


def _seats(review: Review, names: Sequence[str]) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    columns = ["review.who", "review.accuracy", "review.decisions", "review.best", "review.given"]
    luck = any(each.luck is not None for each in review.seats)
    hidden = any(each.hidden is not None for each in review.seats)
    columns += ["review.luck"] * luck + ["review.hidden"] * hidden
    for column in columns:
        table.add_column(say(column), justify="left" if column == "review.who" else "right")
    for name, each in zip(names, review.seats, strict=True):
        row = [capital(name), _percent(each.accuracy / 100), str(each.decisions), str(each.best)]
        row.append(_percent(each.lost))
        if luck:
            row.append(_percent(each.luck or 0.0, "+"))
        if hidden:
            row.append(_percent(each.hidden or 0.0))
        table.add_row(*row)
    return table


def _percent(share: float, sign: str = "") -> str:
    return say("review.percent", n=f"{100 * share:{sign}.0f}".replace("-", "−"))


def _judged(review: Review, game: Game) -> str:
    if review.exact:
        return say("review.exact")
    if solvable(game):
        return say("review.solve", game=game.name, players=game.players)
    if not review.by.nodes:
        return say("review.estimated")
    return say("review.by", level=review.by.level, nodes=review.by.nodes)
