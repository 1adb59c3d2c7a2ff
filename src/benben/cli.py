"""The command `benben`: games at the keyboard and between bots, positions, records, measurements.

Exit codes: 0 well, 2 bad input, 130 interrupted.
"""

import io
import sys
import webbrowser
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import msgspec
import typer

import benben
from benben import kits
from benben.bots.entrants import entrant
from benben.bots.exact import prepare
from benben.bots.speaking import speak
from benben.bots.warm import BOTS
from benben.core.errors import BenbenError
from benben.core.position import Sight
from benben.core.warm import COUNTS
from benben.kits import Paper
from benben.lab.mining import WANTED, Mine
from benben.learn.lessons import script
from benben.terminal import contest, counting, puzzling, solving, timing
from benben.terminal.arena_command import arena
from benben.terminal.arguments import (
    File,
    GameName,
    Json,
    Milliseconds,
    Options,
    Players,
    PositionText,
    Seed,
    answering,
    chosen_game,
    in_bytes,
    in_seconds,
    to_stderr,
    to_stdout,
)
from benben.terminal.course import Course
from benben.terminal.lab_commands import lab
from benben.terminal.menu import LEVEL
from benben.terminal.play import Sitting
from benben.terminal.preparing import preparing
from benben.terminal.prompt import Keyboard, hearing_hang_ups
from benben.terminal.ready import ready
from benben.terminal.saves import load, write
from benben.terminal.seating import Seating
from benben.terminal.shelf import legend, shelf
from benben.terminal.showing import read_position, show
from benben.terminal.speech import Language, joined, say, use
from benben.terminal.speech import language as spoken
from benben.terminal.verifying import check_luck

if TYPE_CHECKING:
    from benben.web.reach import ServerAddresses

app = typer.Typer(
    help="Four old French board games, exactly by their rules.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
bench = typer.Typer(help="Measure how fast Benben is.", no_args_is_help=True)
app.add_typer(bench, name="bench")
puzzles = typer.Typer(help="Puzzles: find, check and solve them.", no_args_is_help=True)
app.add_typer(puzzles, name="puzzles")
app.add_typer(lab, name="lab")


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"benben {benben.__version__}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Say which version.")
    ] = False,
    language: Annotated[
        Language | None, typer.Option(help="Speak English or French, whatever the locale.")
    ] = None,
) -> None:
    use(language)


@app.command()
@answering
def games() -> None:
    """List the games: who made them, for how many, with which options."""
    out = to_stdout()
    out.print(shelf([benben.info(name) for name in benben.names()]))
    out.print(legend())


@app.command()
@answering
def kit(
    game: GameName,
    language: Annotated[
        Language | None, typer.Option(help="Of the rules; the one spoken unless told.")
    ] = None,
    paper: Annotated[Paper, typer.Option(help="What it is printed on.")] = Paper.A4,
    black_and_white: Annotated[
        bool, typer.Option("--black-and-white", help="For a printer without colours.")
    ] = False,
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", help="The file to write; here unless told.", metavar="FILE"),
    ] = None,
) -> None:
    """Write a kit to print, as a PDF: board, pieces to cut, dice, and the rules on two pages."""
    name = kits.name_of(game, language or spoken(), paper, black_and_white)
    content = kits.read(name)
    path = output or Path(name)
    write(content, path)
    typer.echo(say("cli.kit", file=path))


@app.command(name="show")
@answering
def show_(
    game: GameName,
    position: PositionText = None,
    players: Players = None,
    option: Options = None,
    seed: Seed = None,
) -> None:
    """Draw a position and list its legal moves."""
    chosen = chosen_game(game, players, option)
    ready(chosen, to_stderr())
    sight: Sight = (
        chosen.deal(in_bytes(seed)) if position is None else read_position(chosen, position)
    )
    show(sight, to_stdout())


@app.command()
@answering
def play(
    game: Annotated[str | None, typer.Argument(help="The game; a menu without.")] = None,
    players: Players = None,
    option: Options = None,
    seed: Seed = None,
    seat: Annotated[
        list[str] | None,
        typer.Option(
            help="Who sits on seat 1, 2, …: human, a level from 1 to 6, greedy or random.",
            metavar="PLAYER",
        ),
    ] = None,
    level: Annotated[
        int | None,
        typer.Option(help="How strong the bots are, from 1 to 6 (2 unless told).", metavar="L"),
    ] = None,
    hotseat: Annotated[bool, typer.Option("--hotseat", help="Every seat is a human.")] = False,
    resume: Annotated[
        str | None,
        typer.Option(
            help="Go on with the game in a record; `auto` is the one left last.", metavar="FILE"
        ),
    ] = None,
) -> None:
    """Play in the terminal, against bots or sharing the keyboard."""
    keyboard = Keyboard(to_stdout())
    seating = Seating(seat or [], hotseat, level, in_bytes(seed), to_stderr())
    try:
        if resume is not None:
            for given, value in (("GAME", game), ("--players", players), ("--option", option)):
                if value:
                    raise BenbenError(say("cli.resume-only", given=given))
            match = seating.resumed(resume)
        elif game is not None:
            match = seating.new(chosen_game(game, players, option))
        elif players is None and not option:
            match = seating.from_menu(keyboard)
        else:
            raise BenbenError(say("cli.which-game"))
    except (EOFError, KeyboardInterrupt):
        typer.echo()
        return
    with hearing_hang_ups():
        Sitting(match, keyboard).run()
    seating.clear(match)


@app.command()
@answering
def learn(
    game: GameName,
    language: Annotated[
        Language | None, typer.Option(help="Speak English or French, whatever the locale.")
    ] = None,
    again: Annotated[bool, typer.Option("--again", help="Begin with the first step.")] = False,
) -> None:
    """Learn a game by playing: a first game, step by step."""
    if language is not None:
        use(language)
    ready(benben.game(game), to_stderr())
    keyboard = Keyboard(to_stdout())
    with hearing_hang_ups():
        course = Course(script(game), keyboard, again)
        if course.run():  # the game that was learnt, and nothing that was not
            Sitting(Seating([], False, 1, None, to_stderr()).new(course.real_game), keyboard).run()


@app.command()
@answering
def perft(
    game: GameName,
    position: PositionText = None,
    *,
    depth: Annotated[int, typer.Option(help="How many moves and throws deep.", metavar="N")],
    players: Players = None,
    option: Options = None,
    seed: Seed = None,
) -> None:
    """Count the ways a game can go, for each move and in all."""
    counting.check(depth)
    chosen = chosen_game(game, players, option)
    ready(chosen, to_stderr(), COUNTS)
    start = chosen.deal(in_bytes(seed)) if position is None else chosen.parse(position)
    total = 1 if depth == 0 else 0
    for move, count in counting.perft(start, depth, to_stderr()):
        typer.echo(f"{move} {count}")
        total += count
    typer.echo(f"total {total}")


@app.command()
@answering
def replay(file: File) -> None:
    """Play a record through the rules and show where it ends."""
    record = load(file, to_stderr())
    typer.echo(say("replay.title", game=record.game.name, n=len(record.moves)))
    show(record.end, to_stdout(), record.result)


app.command()(answering(arena))


@app.command()
@answering
def bot(
    game: GameName,
    level: Annotated[
        str, typer.Option(help="Who plays: a level from 1 to 6, or a bot by name.", metavar="BOT")
    ] = str(LEVEL),
    players: Players = None,
    option: Options = None,
    time_ms: Milliseconds = None,
) -> None:
    """Play as a program: read questions on stdin, write moves to stdout."""
    contest.check_time(time_ms)
    chosen = chosen_game(game, players, option)
    entrant(level, chosen)
    ready(chosen, to_stderr(), BOTS)
    if level in ("6", "exact"):
        prepare(chosen, surely=level == "exact")
    speak(
        chosen,
        lambda asked: entrant(level, asked, in_seconds(time_ms)),
        sys.stdin.buffer,
        sys.stdout.buffer,
    )


@app.command()
@answering
def verify(
    file: Annotated[Path, typer.Argument(help="A table's record, as its server gives it.")],
) -> None:
    """Check that nobody chose the luck of a game: say yes, or which event differs."""
    for line in check_luck(file, to_stderr()):
        typer.echo(line)


@app.command()
@answering
def review(
    file: Annotated[Path, typer.Argument(help="A record of a finished game, in either form.")],
    json: Annotated[bool, typer.Option("--json", help="Print the review as JSON only.")] = False,
    svg: Annotated[
        Path | None, typer.Option(help="Write the graph of chances there.", metavar="FILE")
    ] = None,
) -> None:
    """Look back at a finished game: what each move was worth, what turned it, who played how."""
    from benben.terminal import reviewing  # the other commands need no tables

    game = reviewing.read_game(file, to_stderr())
    made = reviewing.make(file, game, to_stderr())
    if svg is not None:
        reviewing.save_svg(svg, made, game)
    if json:
        typer.echo(reviewing.as_json(made))
    else:
        reviewing.show(made, game, to_stdout())


@app.command()
@answering
def serve(
    host: Annotated[str, typer.Option(help="Where to listen.", metavar="ADDRESS")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="On which port; 0 is any.", metavar="N")] = 8000,
    database: Annotated[
        str | None,
        typer.Option(help="Where tables are kept, if not in the user's data.", metavar="URL"),
    ] = None,
    rate: Annotated[
        float | None,
        typer.Option(help="Requests a second an address may make; 0 is no limit.", metavar="R"),
    ] = None,
    thinkers: Annotated[
        int | None,
        typer.Option(
            help="How many bots think at once; else as many as there are cores. With 0, bots' "
            "turns are left to `benben think`.",
            envvar="BENBEN_THINKERS",
            metavar="N",
            min=0,
        ),
    ] = None,
    open_browser: Annotated[
        bool, typer.Option("--open", help="Open the shelf of games in the browser.")
    ] = False,
) -> None:
    """Serve the games in the browser and over HTTP, until Ctrl-C."""
    from benben.web.limits import Limits  # the other commands start faster without a web server
    from benben.web.serving import serve as run

    def tell(reach: "ServerAddresses") -> None:
        typer.echo(say("serve.here", address=reach.local_url))
        typer.echo(_for_friends(reach))
        if open_browser:
            webbrowser.open(reach.local_url)

    limits = None
    if rate is not None:
        limits = Limits(rate, 10 * rate, rate, 10 * rate) if rate else Limits.none()
    with preparing(to_stderr()) as watched:
        run(host, port, database, thinkers=thinkers, limits=limits, say=tell, watch=watched.show)


def _for_friends(reach: "ServerAddresses") -> str:
    """How others join."""
    if reach.site:
        return say("serve.site", address=reach.site)
    if reach.is_local_only:
        return say("serve.local")
    if not reach.addresses:
        return say("serve.nowhere")
    return say("serve.network", addresses=joined(list(reach.addresses), "or"))


@app.command()
@answering
def think(
    database: Annotated[
        str | None,
        typer.Option(help="Where the servers keep tables, in PostgreSQL.", metavar="URL"),
    ] = None,
    thinkers: Annotated[
        int | None,
        typer.Option(
            help="How many bots think at once; else as many as there are cores.",
            envvar="BENBEN_THINKERS",
            metavar="N",
            min=1,
        ),
    ] = None,
) -> None:
    """Play the bots' turns at the tables of other servers, until Ctrl-C."""
    from benben.live import worker  # the other commands need no database
    from benben.live.bots import default_thinkers

    place = worker.place_to_think(database)
    for name in benben.names():
        ready(benben.game(name), to_stderr(), BOTS)
    count = thinkers or default_thinkers()
    worker.think(place, count, lambda: typer.echo(say("think.ready", n=count)))


@app.command()
@answering
def prune(
    days: Annotated[int, typer.Argument(help="For how many days nothing has happened there.")],
    database: Annotated[
        str | None,
        typer.Option(help="Where tables are kept, if not in the user's data.", metavar="URL"),
    ] = None,
    unfinished: Annotated[
        bool, typer.Option("--unfinished", help="Also tables whose game is not over.")
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Remove nothing; say what would be removed.")
    ] = False,
) -> None:
    """Remove finished tables from the database that are older than so many days."""
    from benben.terminal.pruning import prune as remove  # the other commands need no database

    for line in remove(days, database, unfinished, dry_run, to_stderr()):
        typer.echo(line)


@app.command()
@answering
def export(
    files: Annotated[
        list[Path] | None,
        typer.Argument(help="Results of `benben arena`; without any, the tables of a database."),
    ] = None,
    game: Annotated[
        str | None, typer.Option(help="Only games of this one.", metavar="GAME")
    ] = None,
    since: Annotated[
        datetime | None,
        typer.Option(
            help="Only tables where something has happened since, by UTC.",
            formats=["%Y-%m-%d", "%Y-%m-%dT%H:%M:%S"],
            metavar="DATE",
        ),
    ] = None,
    names: Annotated[
        bool, typer.Option("--names", help="Say what people and bots at tables were called.")
    ] = False,
    database: Annotated[
        str | None,
        typer.Option(help="Where tables are kept, if not in the user's data.", metavar="URL"),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", help="The file to write; stdout without.", metavar="FILE"),
    ] = None,
    schema: Annotated[
        bool, typer.Option("--schema", help="Print what a line looks like, as JSON Schema.")
    ] = False,
) -> None:
    """Write finished games as JSON Lines: those of tables, or of an arena."""
    from benben.lab import export as data  # the other commands need no database
    from benben.terminal.exporting import export as write_games

    if schema:
        typer.echo(data.schema())
        return
    place = output or sys.stdout.buffer
    for line in write_games(files or [], game, since, names, database, place, to_stderr()):
        typer.echo(line)


@app.command()
@answering
def openapi() -> None:
    """Print the description of the HTTP API, as JSON, without starting a server."""
    from benben.web.app import description  # the other commands start faster without it

    document = msgspec.json.encode(description(), order="sorted")
    typer.echo(msgspec.json.format(document, indent=2).decode())


@app.command()
@answering
def solve(game: GameName, players: Players = None, option: Options = None) -> None:
    """Solve a game exactly, where that can be done, and say what perfect play is worth."""
    chosen = chosen_game(game, players, option)
    ready(chosen, to_stderr())
    for line in solving.solve(chosen, to_stderr()):
        typer.echo(line)


@bench.command("playouts")
@answering
def bench_playouts(
    game: GameName,
    players: Players = None,
    option: Options = None,
    seconds: Annotated[float, typer.Option(help="How long to play.", metavar="S")] = 2.0,
    threads: Annotated[int, typer.Option(help="On how many threads.", metavar="T")] = 1,
    json: Json = False,
) -> None:
    """Play whole games at random for a while and say how many."""
    timing.check(seconds, threads)
    chosen = chosen_game(game, players, option)
    ready(chosen, to_stderr(), COUNTS)
    done = timing.time_playouts(chosen, seconds, threads, to_stderr())
    for line in timing.report(chosen, threads, done):
        typer.echo(line)
    if json:
        typer.echo(timing.as_json(chosen, threads, done))


@puzzles.command("mine")
@answering
def puzzles_mine(
    game: GameName,
    seed: Annotated[
        str, typer.Option(help="Draw everything from this number or text.", metavar="SEED")
    ] = "1",
    games: Annotated[
        int, typer.Option(help="How many games of bots to look through at most.", metavar="N")
    ] = 500,
    nodes: Annotated[
        int, typer.Option(help="How much is thought about a position.", metavar="N")
    ] = 20_000,
    wanted: Annotated[
        int, typer.Option(help="Stop when there are so many puzzles.", metavar="N")
    ] = WANTED,
    out: Annotated[
        Path | None, typer.Option(help="The file to write; GAME.json here unless told.")
    ] = None,
) -> None:
    """Find puzzles in games of bots. Interrupted, the same command goes on."""
    puzzling.check_numbers(games, nodes, wanted)
    mine = Mine(game, seed, nodes)
    for each in mine.games:
        ready(each, to_stderr(), BOTS)
    for line in puzzling.mine(mine, games, wanted, out or Path(f"{game}.json"), to_stderr()):
        typer.echo(line)


@puzzles.command("check")
@answering
def puzzles_check(
    game: GameName,
    file: Annotated[
        Path | None, typer.Option(help="The puzzles to check; those that are there unless told.")
    ] = None,
    drop: Annotated[
        bool, typer.Option("--drop", help="Write the file anew, without what did not hold.")
    ] = False,
    report: Annotated[
        Path | None, typer.Option(help="Write what was found of all games, in Markdown.")
    ] = None,
) -> None:
    """Judge every puzzle again, ten times as closely, and say which hold."""
    ready(benben.game(game), to_stderr(), BOTS)
    if drop and file is None:
        raise BenbenError(say("puzzles.which-file"))
    kept, lines = puzzling.check(game, file, drop, to_stderr())
    if report is not None:
        write(puzzling.report(kept).encode(), report)
    for line in lines:
        typer.echo(line)


def main() -> None:
    # A terminal that cannot write é shows a question mark; it is no reason to stop.
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    app(prog_name="benben")
