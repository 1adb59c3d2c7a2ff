"""Lessons at the keyboard, by pipe."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

import benben
from benben.cli import app
from benben.learn.lessons import Language, script

LANGUAGES: tuple[Language, ...] = ("en", "fr")


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "data"


def learn(data: Path, arguments: str, *typed: str) -> Result:
    """A lesson with these lines typed; then the keyboard is gone."""
    environment = {"BENBEN_DATA_DIR": str(data), "COLUMNS": "400", "NO_COLOR": "1"}
    return CliRunner(env=environment).invoke(
        app, f"learn {arguments}", input="".join(f"{line}\n" for line in typed)
    )


def right_answers(name: str) -> list[str]:
    """What is typed from the first step to the last; Enter where nothing is asked for."""
    lesson, typed = script(name), []
    for number, chapter in enumerate(lesson.chapters, 1):
        typed += [step.moves[0] if step.moves else "" for step in chapter.steps]
        if chapter.steps[-1].done and number < len(lesson.chapters):
            typed.append("")
    return typed


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", benben.names())
def test_a_lesson_to_its_end(data: Path, name: str, language: Language) -> None:
    done = learn(data, f"{name} --language {language}", *right_answers(name), "n")
    assert done.exit_code == 0, done.stdout
    told = " ".join(done.stdout.split())
    for chapter in script(name).chapters:
        for step in chapter.steps:
            assert " ".join(step.say[language].split()) in told
            assert not step.done or " ".join(step.done[language].split()) in told
    assert ("Well done" if language == "en" else "Bravo") in told
    assert f"benben play {name} --players 2 --level 1" in told
    assert json.loads((data / "lessons.json").read_text("utf-8")) == {}


def test_left_and_resumed(data: Path) -> None:
    answers = right_answers("quadrille")
    left = learn(data, "quadrille", *answers[:2], "quit")
    assert left.exit_code == 0
    assert "benben learn quadrille goes on with it" in left.stdout
    back = learn(data, "quadrille", *answers[2:4])  # and the window is closed
    assert "back where you left" in back.stdout
    assert "Step 1 of" not in back.stdout
    assert "Step 3 of" in back.stdout
    assert "Well done" in learn(data, "quadrille", *answers[4:], "n").stdout
    assert "back where you left" not in learn(data, "quadrille").stdout


def test_beginning_anew(data: Path) -> None:
    answers = right_answers("quadrille")
    learn(data, "quadrille", *answers[:3])
    assert "Step 1 of" in learn(data, "quadrille", "again").stdout
    learn(data, "quadrille", *answers[:3])
    assert "Step 1 of" in learn(data, "quadrille --again").stdout


def test_what_was_kept_may_be_spoilt(data: Path) -> None:
    data.mkdir()
    spoilt = (
        "nonsense",
        '{"quadrille": {"chapter": 9}}',
        '{"quadrille": {"chapter": 0, "step": 2}}',
    )
    for kept in spoilt:
        (data / "lessons.json").write_text(kept)
        assert "Step 1 of" in learn(data, "quadrille").stdout


def test_wrong_and_illegal_moves_are_answered(data: Path) -> None:
    out = learn(data, "quadrille", "", "@a1", "c3d4", "hint", "?", "help", "@d3", "quit").stdout
    wrong = script("quadrille").chapters[0].steps[1].wrong
    assert wrong
    assert wrong.en in out
    assert "c3d4 is illegal (pawns-first): first all four pawns are put on the board" in out
    assert out.count("the rulebook says more under") == 2
    assert "Type @d3: put a pawn on d3" in out
    assert "48 @h6" in out
    assert "again  begin the lesson anew" in out
    assert "Black stands on e4" in out


def test_a_real_game_follows(data: Path) -> None:
    out = learn(data, "quadrille", *right_answers("quadrille"), "y").stdout
    assert "Pebble (level 1)" in out


def test_there_may_be_none(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("benben.learn.lessons.written", lambda name: None)
    script.cache_clear()
    try:
        done = learn(data, "quadrille --language fr")
    finally:
        script.cache_clear()
    assert done.exit_code == 2
    assert "quadrille n’a pas de leçon" in done.stderr
    assert learn(data, "chess").exit_code == 2


def test_a_real_game_is_among_as_many_as_were_taught(data: Path) -> None:
    out = learn(data, "pyramidis", *right_answers("pyramidis"), "y").stdout
    assert "seat 2 (mustard)" in out
    assert "seat 3" not in out


def test_no_line_begins_with_what_belongs_to_the_one_before(data: Path) -> None:
    """In French, spaces before `!` and the like are not broken at."""
    environment = {"BENBEN_DATA_DIR": str(data), "COLUMNS": "80", "NO_COLOR": "1"}
    typed = "".join(f"{line}\n" for line in [*right_answers("batisseurs"), "n"])
    told = CliRunner(env=environment).invoke(app, "learn batisseurs --language fr", input=typed)
    lines = [line.strip() for line in told.stdout.splitlines()]
    assert any(line.endswith("six\u202f!") for line in lines)
    assert not [line for line in lines if line.startswith(("!", "?", ":", ";", "»"))]
