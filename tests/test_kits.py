"""The kits to print: all are there, on the right paper, and given by the command."""

import json
import re
from io import BytesIO
from pathlib import Path

import pytest
from pypdf import PdfReader
from typer.testing import CliRunner, Result

import benben
from benben import kits
from benben.cli import app
from benben.kits import Paper
from tests.made import kits as made
from tests.made import noted
from tests.sizes import rotating

GAMES = Path(__file__).parents[1] / "frontend/src/games"
LARGEST = 250_000  # bytes
SIZES = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}  # mm
SHEETS = {"objectif": 4, "pyramidis": 4, "batisseurs": 7, "quadrille": 4}
RULES = 2  # of them, the first
SAYS = {
    "en": ("The aim", "a kit to print"),
    "fr": ("Le but", "kit à imprimer"),
}


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["kit", *arguments])


def test_there_are_32() -> None:
    folder = Path(kits.__file__).parent
    assert sorted(path.name for path in folder.glob("*.pdf")) == sorted(kits.all_names())
    assert len(kits.all_names()) == 32


@pytest.mark.slow
@pytest.mark.parametrize("paper", [Paper.A4, pytest.param(Paper.LETTER, marks=pytest.mark.long)])
@rotating("language", kits.LANGUAGES)
@pytest.mark.parametrize("game", benben.names())
def test_a_kit_is_as_its_name_says(game: str, language: str, paper: Paper) -> None:
    in_colour, in_black = (
        _read(kits.name_of(game, language, paper, black_and_white), game, language, paper)
        for black_and_white in (False, True)
    )
    assert in_colour == in_black
    _only_what_is_cut_has_a_ruler(in_colour)
    _what_is_printed_is_what_the_pages_say(in_colour, game, language)


def _read(name: str, game: str, language: str, paper: Paper) -> list[str]:
    """What is written on each page."""
    content = kits.read(name)
    assert content.startswith(b"%PDF-")
    assert len(content) <= LARGEST
    reader = PdfReader(BytesIO(content))
    assert len(reader.pages) == SHEETS[game]
    for page in reader.pages:
        size = [float(each) / 72 * 25.4 for each in (page.mediabox.width, page.mediabox.height)]
        assert size == pytest.approx(SIZES[paper], abs=0.5)
    title = benben.info(game).titles[language]
    aim, kind = SAYS[language]
    assert reader.metadata is not None
    assert reader.metadata.title is not None
    assert reader.metadata.title.startswith(title)
    assert kind in reader.metadata.title
    texts = [page.extract_text() for page in reader.pages]
    assert all(title in text for text in texts)
    assert aim in texts[0]
    return texts


def _only_what_is_cut_has_a_ruler(texts: list[str]) -> None:
    """The rules have two pages, of the right length; whatever else there is, is to be cut."""
    assert ["50 mm" in text for text in texts] == [at >= RULES for at in range(len(texts))]
    words = sum(len(re.findall(r"\w+", text)) for text in texts[:RULES])
    assert 400 < words < 900


def _what_is_printed_is_what_the_pages_say(texts: list[str], game: str, language: str) -> None:
    """Otherwise somebody has changed the words and not printed them: `make kits`."""
    book = json.loads((GAMES / game / "kit" / f"{language}.json").read_text("utf-8"))
    printed = [re.sub(r"\s", "", text) for text in texts]
    for page, sections in zip(printed, book["pages"], strict=False):
        for section in sections:
            for line in (section["title"], *section["lines"]):
                assert re.sub(r"\s", "", line) in page, line
    for todo in book["sheets"].values():
        assert any(re.sub(r"\s", "", todo) in page for page in printed), todo


@pytest.mark.parametrize("game", benben.names())
def test_kits_are_printed_as_the_pages_are_now(game: str) -> None:
    assert made(game)[game] == noted()["kits"].get(game), "old: `make kits`, or see tests/made.py"


@pytest.mark.parametrize("game", benben.names())
def test_both_languages_differ_and_colours_do(game: str) -> None:
    names = [
        kits.name_of(game, language, Paper.A4, bw)
        for language in ("en", "fr")
        for bw in (False, True)
    ]
    assert len({kits.read(name) for name in names}) == 4


def test_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    done = run("pyramidis")
    assert done.exit_code == 0, done.output
    assert "pyramidis-en-a4.pdf" in done.output
    wanted = kits.read("pyramidis-en-a4.pdf")
    assert (tmp_path / "pyramidis-en-a4.pdf").read_bytes() == wanted
    path = tmp_path / "mine.pdf"
    done = run(
        "quadrille", "--language", "fr", "--paper", "letter", "--black-and-white", "-o", str(path)
    )
    assert done.exit_code == 0, done.output
    assert path.read_bytes() == kits.read("quadrille-fr-letter-bw.pdf")


def test_the_command_speaks_the_language_of_the_reader(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("BENBEN_LANGUAGE", "fr")
    assert "prêt à imprimer" in run("objectif").output
    assert (tmp_path / "objectif-fr-a4.pdf").exists()


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["chess"], "the games are objectif"),
        (["objectif", "--paper", "a5"], "'a4', 'letter'"),
        (["objectif", "--language", "de"], "'en', 'fr'"),
        (["objectif", "-o", "/nowhere/at/all.pdf"], "No such file or directory"),
    ],
)
def test_bad_names_are_refused(arguments: list[str], why: str) -> None:
    done = run(*arguments)
    assert done.exit_code == 2
    assert why in done.output


def test_a_game_without_a_kit(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("benben.kits.files", lambda _: tmp_path)
    done = run("objectif")
    assert done.exit_code == 2
    assert "there is no kit 'objectif-en-a4.pdf'" in done.output
