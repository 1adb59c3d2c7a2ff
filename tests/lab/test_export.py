"""Finished games as data: everything that was played, and nothing of a game that is on."""

import json
import re
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import msgspec
import pytest

import benben
from benben.lab.arena import Arena
from benben.lab.export import GameData, arena_games, count_tables, schema, table_games
from benben.lab.gamefile import BadResults
from benben.lab.ledger import Ledger
from benben.store.event_log import PendingEvent
from benben.store.store import Store
from benben.store.tables import StoredTable
from benben.table.events import to_json
from tests.lab.players import make
from tests.live.playing import Match, at_random, table_options
from tests.store.databases import create, database, postgres, sqlite_url, submit
from tests.table import asking
from tests.test_cli import good, run

__all__ = ["database", "postgres", "sqlite_url"]

DOCS = Path(__file__).parent.parent.parent / "docs" / "records.md"


def end_of(data: GameData) -> benben.Position:
    """Where a game ended, by the rules."""
    options = dict(data.options)
    game = benben.game(data.game, players=int(options.pop("players")), **options)
    position = game.parse(data.start)
    for move in data.moves:
        position = position.play(move)
    return position


def keep(store: Store, name: str, match: Match, later: int = 0) -> None:
    """Put a match into a store, as so many milliseconds later."""
    made = msgspec.json.encode(match.table.options).decode()
    opened = match.entries[0].at + later
    create(store, StoredTable(name, opened, made, match.table.secret, listed=False))
    for entry in match.entries:
        over = match.table.closed and entry is match.entries[-1]
        body = to_json(entry.event)
        event = PendingEvent(name, entry.number, entry.at + later, body, over=over or None)
        submit(store, event).result()


def finished(name: str, **more: int) -> Match:
    match = Match(table_options(name, (), **more))
    match.fill()
    match.play(at_random(3))
    assert match.table.closed
    return match


@pytest.fixture
def house(database: str) -> str:
    """Tables of all kinds; the url of where they are."""
    undone = Match(table_options("quadrille", bots=(0, 3)))
    undone.fill()
    undone.play(at_random(1), most=4)
    undone.store(asking.ask_undo(undone.table, 0))
    undone.settle()
    undone.play(at_random(2))
    with Store.open(database) as store:
        keep(store, "a dice", finished("batisseurs", players=3))
        keep(store, "b undone", undone)
        keep(store, "c later", finished("objectif", players=2), later=86_400_000)
        other = "7f" * 32  # or it would have the same deal
        on = Match(table_options("objectif", players=2, secret=other), other)
        on.fill()
        on.play(at_random(1), most=5)
        keep(store, "d on", on)
        resigned = Match(table_options("pyramidis", players=4))
        resigned.fill()
        resigned.store(asking.resign(resigned.table, 2))
        resigned.settle()
        keep(store, "e resigned", resigned)
        empty = Match(table_options())
        empty.fill(begin=False)
        keep(store, "f waiting", empty)
    return database


def test_tables_are_written_as_they_were_played(house: str) -> None:
    with Store.open(house) as store:
        assert count_tables(store) == 4
        games = list(table_games(store))
        named = list(table_games(store, names=True))
    whole = [each for each in games if each is not None]
    assert [each.id for each in whole] == ["a dice", "b undone", "c later", "e resigned"]
    for each in whole:
        assert msgspec.json.decode(each.line(), type=GameData) == each
        assert each.begun is not None
        assert each.ended is not None
        assert each.begun <= each.ended
        end = end_of(each)
        if each.id == "e resigned":
            assert end.result is None
            assert (each.result.shares[2], each.result.reason) == (0.0, "resigned")
        else:
            assert end.result is not None
            assert each.result.shares == end.result.shares
            assert each.result.reason == end.result.reason
    assert [seat.kind for seat in whole[1].seats] == ["person", "bot"]
    assert whole[1].seats[1].bot == "3"
    assert all(not seat.name for each in whole for seat in each.seats)
    assert named[0] is not None
    assert [seat.name for seat in named[0].seats] == ["Ann0", "Ann1", "Ann2"]


def test_only_some_tables(house: str) -> None:
    with Store.open(house) as store:
        one = [each for each in table_games(store, game="batisseurs") if each is not None]
        since = datetime.fromtimestamp(0, UTC) + timedelta(days=1)
        assert count_tables(store, since) == 1
        late = [each.id for each in table_games(store, since=since) if each is not None]
    assert [each.id for each in one] == ["a dice"]
    assert late == ["c later"]


def test_the_command_writes_lines_and_no_secret_of_a_game_that_is_on(
    house: str, tmp_path: Path
) -> None:
    lines = good("export", "--database", house).splitlines()
    told = [json.loads(line) for line in lines]
    assert [each["id"] for each in told] == ["a dice", "b undone", "c later", "e resigned"]
    assert told[2]["ended"].startswith("1970-01-02T")
    with Store.open(house) as store:
        secret = next(event.body for event in store.events("d on") if '"began"' in event.body)
    assert json.loads(secret)["start"] not in "".join(lines)
    file = tmp_path / "games.jsonl"
    said = good("export", "--database", house, "-o", str(file), "--game", "objectif", "--names")
    assert said == f"1 game in {file}\n"
    (line,) = file.read_text().splitlines()
    assert [seat["name"] for seat in json.loads(line)["seats"]] == ["Ann0", "Ann1"]
    assert good("export", "--database", house, "--since", "1970-01-02") == lines[2] + "\n"


def test_a_table_of_rules_nobody_knows_is_left_out(sqlite_url: str) -> None:
    match = finished("quadrille")
    match.table.options = msgspec.structs.replace(match.table.options, rules=99)
    with Store.open(sqlite_url) as store:
        keep(store, "old", match)
        assert list(table_games(store)) == [None]


def test_games_of_an_arena(tmp_path: Path) -> None:
    arena = Arena(benben.game("objectif", first=1), ["random", "late"])
    path = tmp_path / "results.jsonl"
    with Ledger(path, arena.header) as ledger:
        entries = arena.play(4, ledger, make=make)
    with path.open("ab") as file:
        file.write(b'{"game": 8, "bo')  # it is being written
    games = [each for each in arena_games(path) if each is not None]
    assert [entry.reason for entry in entries] == ["failed"] * 3 + ["out"] * 5
    assert [each.id for each in games] == [f"results-{number:06}" for number in range(3)]
    for each, entry in zip(games, entries, strict=False):
        assert tuple(seat.bot for seat in each.seats) == entry.bots
        assert each.result.shares == entry.shares
        assert end_of(each).to_move is not None
        failed = [seat.failed for seat in each.seats if seat.bot == "late"]
        assert failed == ["raised ZeroDivisionError"]
    assert list(arena_games(path, "quadrille")) == [None] * 8
    done = subprocess.run(
        [sys.executable, "-m", "benben", "export", str(path)],
        capture_output=True,
        check=True,
    )
    assert done.stdout == b"".join(each.line() for each in games)
    assert done.stderr == b""


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"Dear diary\n", "this is not a file of arena results"),
        (b'{"benben-arena": 1}\n', "of another version of Benben, which kept no moves"),
        (b'{"benben-arena": 2, "game": "objectif"}\n{}\n', "line 2 is not a game"),
        (None, "No such file or directory"),
    ],
)
def test_files_that_are_no_results(tmp_path: Path, content: bytes | None, why: str) -> None:
    path = tmp_path / "results.jsonl"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(BadResults, match=why):
        list(arena_games(path))
    out = tmp_path / "games.jsonl"
    done = run("export", str(path), "-o", str(out))
    assert done.exit_code == 2
    assert why in done.stderr
    assert not out.exists(), "a file is there whole, or not at all"


def test_what_cannot_be_exported(tmp_path: Path) -> None:
    nowhere = f"sqlite:///{tmp_path / 'nothing.sqlite3'}"
    for arguments, why in (
        (["--database", nowhere], "there is no such file"),
        (["--game", "chess"], "no game is called 'chess'"),
        (["--since", "yesterday"], "does not match the formats"),
    ):
        done = run("export", *arguments)
        assert done.exit_code == 2
        assert why in re.sub(r"[\s│]+", " ", done.stderr)


def test_the_examples_are_games_by_the_schema() -> None:
    examples = re.findall(r"```json\n(.*?)```", DOCS.read_text(), re.S)
    assert len(examples) == 2
    for text in examples:
        data = msgspec.json.decode(text, type=GameData)
        end = end_of(data)
        assert end.result is not None
        assert data.result.shares == end.result.shares
        assert data.result.reason == end.result.reason
    described = json.loads(schema())
    assert described["$ref"] == "#/$defs/GameData"
    fields = described["$defs"]["GameData"]["properties"]
    page = DOCS.read_text()
    for struct in ("GameData", "SeatData"):
        for field in described["$defs"][struct]["properties"]:
            assert f"`{field}`" in page
    assert set(fields) >= set(json.loads(examples[0]))
    assert json.loads(good("export", "--schema")) == described
