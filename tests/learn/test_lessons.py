"""Lessons are played through the rules, whatever is chosen; and what is wrong with one is said."""

import re
from collections.abc import Iterator
from importlib.resources import files
from typing import Any

import pytest

import benben
from benben.core.errors import BadNotation, BadOption
from benben.learn.lessons import BadLesson, Language, Script, Step, Text, parse, script

LANGUAGES: tuple[Language, ...] = ("en", "fr")
MOST_WORDS = 45
START = "oyoyoyoy/brbrbrbr/oyoyoyoy/brbrbrbr/oyoyoyoy/brbrbrbr - - w pawn - - 0"
LAST = (
    "(ob)y(oy)...(or)(yo)/(by).b.b..r/oy..(or)(yo)o(yb)/.....(ry)(br)r/.y(or)y.yo(yb)/"
    "b.(br)(rb).(ro)b(ro) a6,c1 d2,h6 w token b r 0"
)


def steps_of(name: str) -> Iterator[Step]:
    for chapter in script(name).chapters:
        yield from chapter.steps


def texts_of(name: str) -> Iterator[Text]:
    for chapter in script(name).chapters:
        yield chapter.title
    for step in steps_of(name):
        yield from (text for text in (step.say, step.wrong, step.done) if text)


# ---- Those there are


@pytest.mark.parametrize("name", benben.names())
def test_every_choice_leads_to_the_end(name: str) -> None:
    """By hand, through `at`: every line of accepted moves, up to a few thousand a chapter."""
    lesson = script(name)
    for number, chapter in enumerate(lesson.chapters):
        lines: list[tuple[str, ...]] = [()]
        for at, step in enumerate(chapter.steps):
            for line in lines:
                position = lesson.at(number, at, line)
                assert not step.moves or position.to_move == lesson.seat
                assert set(step.moves) <= set(position.moves())
            if step.moves:
                lines = [(*line, move) for line in lines for move in step.moves]
            assert len(lines) < 5000
        ends = [lesson.at(number, len(chapter.steps), line) for line in lines]
        if number == len(lesson.chapters) - 1:
            for end in ends:
                assert end.result is not None
                assert end.result.shares[lesson.seat] == 1, "the learner wins"


@pytest.mark.parametrize("name", benben.names())
def test_it_is_short_and_the_learner_plays(name: str) -> None:
    lesson = script(name)
    assert 8 <= sum(bool(step.moves) for step in steps_of(name)) <= 14
    assert lesson.lesson.minutes < 5


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", benben.names())
def test_texts_are_short_and_in_both_languages(name: str, language: Language) -> None:
    for text in texts_of(name):
        words = text[language].split()
        assert 0 < len([word for word in words if re.search(r"\w", word)]) <= MOST_WORDS, text


@pytest.mark.parametrize("name", benben.names())
def test_french_is_spaced_as_french_is(name: str) -> None:
    for text in texts_of(name):
        assert "'" not in text.fr
        assert not re.search(r"(?<![\u202f\u00a0])[:;!?](?!\w)|« | »", text.fr), text.fr


@pytest.mark.parametrize("name", benben.names())
def test_whoever_may_go_wrong_is_answered(name: str) -> None:
    """Where another move is legal, there are words for it."""
    lesson = script(name)
    for number, chapter in enumerate(lesson.chapters):
        choices: list[str] = []
        for at, step in enumerate(chapter.steps):
            if step.moves:
                legal = set(lesson.at(number, at, choices).moves())
                assert step.wrong or legal <= set(step.moves), step.say.en
                choices.append(step.moves[0])


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", benben.names())
def test_rules_are_paragraphs_of_the_rulebook(name: str, language: Language) -> None:
    book = (files("benben.games") / name / f"rulebook.{language}.md").read_text("utf-8")
    ids = set(re.findall(r"\{#([a-z0-9-]+)\}", book))
    assert {step.rule for step in steps_of(name) if step.rule} <= ids


# ---- Playing one


def test_a_position_of_a_lesson() -> None:
    lesson = Script("quadrille", parse("quadrille", toml()))
    assert str(lesson.at(0, 0, [])) == START
    assert str(lesson.at(0, 1, ["@c3"])).endswith("c3 f4 w pawn - - 0")
    assert lesson.line(0, 1, ["@d3"]) == ["@d3", "@f4"]
    assert lesson.at(1, 1, ["+h3"]).result is not None
    with pytest.raises(BadNotation, match="asks for other moves"):
        lesson.at(0, 1, ["@h6"])
    with pytest.raises(BadNotation, match="asks for other moves"):
        lesson.at(0, 1, [])
    with pytest.raises(BadNotation, match="step 1 comes before"):
        lesson.at(0, 0, ["@c3"])
    with pytest.raises(BadOption, match="from 0 to 1"):
        lesson.at(2, 0, [])


# ---- What is refused


def toml(
    head: str = "players = 2\nseat = 1\nminutes = 4",
    start: str = START,
    say: str = 'say = { en = "Go.", fr = "Allez." }',
    step: str = 'moves = ["@c3", "@d3"]\nreplies = ["@f4"]',
    last: str = 'moves = ["+h3"]',
) -> str:
    """A lesson of Quadrille in two chapters."""
    title = 'title = { en = "One", fr = "Un" }'
    return "\n".join(
        (
            *(head, "[[chapters]]", title, f'position = "{start}"', "[[chapters.steps]]", say),
            *(step, "[[chapters]]", title, f'position = "{LAST}"', "[[chapters.steps]]"),
            *('say = { en = "Go.", fr = "Allez." }', last),
        )
    )


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ({"head": "players = 2\nseat = 1"}, "missing required field `minutes`"),
        ({"head": "players = 2\nseat = 3\nminutes = 4"}, "no seat 3"),
        ({"head": "players = 3\nseat = 1\nminutes = 4"}, "players=3: must be 2"),
        ({"head": "players = 2\nseat = 1\nminutes = 4\nlevel = 1"}, "unknown field `level`"),
        ({"head": 'players = "2"\nseat = 1\nminutes = 4'}, "Expected `int`"),
        ({"head": "players = "}, "Invalid value"),
        ({"start": "nonsense"}, "chapter 1: cannot read"),
        ({"say": 'say = { en = "Go." }'}, "missing required field `fr`"),
        ({"say": 'say = "Go."'}, "Expected `object`"),
        ({"say": ""}, "missing required field `say`"),
        ({"step": 'move = ["@c3"]'}, "unknown field `move`"),
        ({"step": 'moves = ["@c9"]'}, "chapter 1, step 1: cannot read"),
        ({"step": 'moves = ["@c3", "c3d4"]'}, "chapter 1, step 1: c3d4 is illegal"),
        ({"step": 'moves = ["@c3"]\nreplies = ["@c3"]'}, "step 1: @c3 is illegal"),
        ({"step": 'replies = ["@c3"]'}, "a reply, and it is the learner's turn"),
        ({"step": 'moves = ["@c3"]\nhighlight = ["z9"]'}, "no place z9"),
        ({"step": 'wrong = { en = "No.", fr = "Non." }'}, "nothing is asked for"),
        ({"last": ""}, "must end with a game's result"),
    ],
)
def test_a_bad_lesson_says_what_is_wrong(wrong: dict[str, Any], why: str) -> None:
    with pytest.raises(BadLesson, match=re.escape(why)) as refused:
        Script("quadrille", parse("quadrille", toml(**wrong)))
    assert str(refused.value).startswith("the lesson of quadrille: ")


def test_a_step_must_be_the_learners() -> None:
    text = toml(step='moves = ["@c3"]').replace(
        '[[chapters]]\ntitle = { en = "One", fr = "Un" }\nposition = "(ob)',
        '[[chapters.steps]]\nsay = { en = "And?", fr = "Et ?" }\nmoves = ["@f4"]\n'
        '[[chapters]]\ntitle = { en = "One", fr = "Un" }\nposition = "(ob)',
    )
    with pytest.raises(BadLesson, match="step 2: it is not the learner's turn"):
        Script("quadrille", parse("quadrille", text))
