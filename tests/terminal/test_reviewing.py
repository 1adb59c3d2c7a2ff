"""`benben review`: both forms of records, in both languages, for people and for programs."""

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest
from typer.testing import CliRunner

import benben
from benben.cli import app
from benben.core.record import GameRecord
from benben.learn.reviews import judges
from benben.table import events as happened
from benben.table.fairness import commitment
from benben.table.options import TableOptions
from benben.table.record import Entry, TableRecord
from benben.table.table import Table
from benben.terminal.graph import sparkline
from benben.terminal.speech import use
from tests.table import asking

SOON = "d1=bbb,d8=mmmmmmmm,e2=b b4m0 b 0"  # brown's fifth pyramid can come home
SECRET = "ab" * 32


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judges, "NODES", 100)


def run(*words: str) -> tuple[int, str, str]:
    done = CliRunner().invoke(app, list(words), env={"COLUMNS": "100", "BENBEN_LANGUAGE": "en"})
    use(None)
    return done.exit_code, done.stdout, done.stderr


@pytest.fixture
def text_record(tmp_path: Path) -> Path:
    start = benben.game("pyramidis", players=2).parse(SOON)
    file = tmp_path / "game.txt"
    file.write_text(str(GameRecord(start, ("d1*1", "d8*1", "e2"), ("human", "level-3"))))
    return file


@pytest.fixture
def table_record(tmp_path: Path) -> Path:
    """As a server would have stored it."""
    game = benben.game("pyramidis", players=2)
    terms = TableOptions(
        game="pyramidis",
        game_options=game.options,
        rules=game.rules.VERSION,
        bots=(0, 0),
        position=SOON,
        commitment=commitment(SECRET),
    )
    table, entries = Table(terms, SECRET), list[Entry]()

    def happen(event: happened.AnyEvent | None) -> None:
        assert event is not None
        table.apply(event, len(entries))
        entries.append(Entry(len(entries) + 1, len(entries), event))

    for seat, name in enumerate(("Ann", "Bob")):
        happen(asking.sit(table, seat, name, "n"))
    happen(asking.next_event(table, 2))
    happen(asking.move(table, 0, "e2").event)
    happen(asking.next_event(table, 4))
    file = tmp_path / "table.json"
    file.write_text(str(TableRecord(id="here", options=terms, entries=tuple(entries))))
    return file


def test_a_game_is_told_for_people(text_record: Path) -> None:
    code, told, _ = run("review", str(text_record))
    assert code == 0
    for words in ("Seat 1", "d1*1", "Accuracy", "Estimated by level 6"):
        assert words in told
    assert "Seat 1 (brown) wins" in told
    assert any(block in told for block in "▁█")
    code, told, _ = run("--language", "fr", "review", str(text_record))
    assert code == 0
    assert "Précision" in told
    assert "\u202f%" in told


def test_a_table_s_record_is_read_too_and_told_for_programs(table_record: Path) -> None:
    code, told, _ = run("review", str(table_record), "--json")
    assert code == 0
    review = json.loads(told)
    assert (review["names"], review["complete"]) == (["Ann", "Bob"], True)
    assert [step["move"] for step in review["steps"]] == ["e2"]
    assert review["steps"][0]["chances"] == [1.0, 0.0]


def test_the_graph_is_a_picture(text_record: Path, tmp_path: Path) -> None:
    picture = tmp_path / "graph.svg"
    assert run("review", str(text_record), "--svg", str(picture))[0] == 0
    svg = ElementTree.parse(picture).getroot()
    lines = svg.findall("{http://www.w3.org/2000/svg}polyline")
    assert [len(line.attrib["points"].split()) for line in lines] == [4, 4]
    assert len({line.attrib["stroke-dasharray"] for line in lines}) == 2, "not by colour alone"


def test_what_cannot_be_reviewed_is_refused_in_words(
    text_record: Path, table_record: Path, tmp_path: Path
) -> None:
    code, _, why = run("review", str(tmp_path / "nowhere.txt"))
    assert (code, "nowhere.txt" in why) == (2, True)
    text_record.write_text(text_record.read_text().replace(" e2", ""))
    code, told, why = run("review", str(text_record))
    assert (code, told) == (2, "")
    assert "still on" in why
    table_record.write_text(table_record.read_text().replace('"move": "e2"', '"move": "d1*1"'))
    code, _, why = run("review", str(table_record))
    assert code == 2
    assert "event 5" in why
    code, _, why = run("review", str(table_record.with_name("game.txt")), "--svg", "/no/where.svg")
    assert code == 2


def test_a_line_of_blocks_fits_its_room() -> None:
    assert sparkline([0.0, 0.5, 1.0], 10) == "▁▅█"
    assert sparkline([0.0] * 50 + [1.0] * 50, 10) == "▁▁▁▁▁█████"
