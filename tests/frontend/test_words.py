"""Every word people read is in the catalogues of all languages, and nothing that nobody reads."""

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
from msgspec.structs import asdict

from benben.core.chance import RandomStream
from benben.core.registry import game, info, names
from benben.core.registry import ideas as finder
from benben.core.rules import CHANCE
from benben.learn.reviews.review import MoveName
from benben.learn.reviews.telling import GENERAL, OWN, name_of
from benben.table.actions import PHRASES
from tests.frontend.messages import holes, plain_texts

ROOT = Path(__file__).parents[2]
SOURCES = ROOT / "frontend/src"
CATALOGUE = "core/i18n/catalogue"
LANGUAGES = sorted(path.stem for path in (SOURCES / CATALOGUE).glob("*.json"))


def _read(path: Path) -> dict[str, str]:
    words: dict[str, str] = json.loads(path.read_text())
    return words


def _words_of(game: str, language: str) -> dict[str, str]:
    return _read(SOURCES / f"games/{game}/words/{language}.json")


def _words_of_part(part: str, language: str) -> dict[str, str]:
    return _read(SOURCES / f"{CATALOGUE}/parts/{part}/{language}.json")


PARTS = sorted(path.name for path in (SOURCES / CATALOGUE / "parts").glob("*"))
COMMON = {language: _read(SOURCES / f"{CATALOGUE}/{language}.json") for language in LANGUAGES}
CATALOGUES = {
    language: COMMON[language]
    | {k: v for part in PARTS for k, v in _words_of_part(part, language).items()}
    | {k: v for name in names() for k, v in _words_of(name, language).items()}
    for language in LANGUAGES
}
_CODE = re.compile(r'(?:Refused|Problem)\(\s*(?:\d+,\s*)?"([a-z-]+)"')
# Troubles that no page can bring about: of programs, of paths, and of records that are checked.
_OF_PROGRAMS = {
    "background-stopped",
    "bad-commitment",
    "bad-nonce",
    "bad-record",
    "bad-request",
    "bot-away",
    "committed",
    "cross-site",
    "hidden",
    "impossible-position",
    "internal",
    "invitation-pending",
    "local-only",
    "no-such-bot",
    "no-such-feed",
    "no-such-kit",
    "no-such-path",
    "no-lesson",
    "no-rulebook",
    "no-such-phrase",
    "not-json",
    "not-starting",
    "refused",
    "seated-already",
    "too-many-tables",
}


def _sources() -> Iterator[str]:
    for path in SOURCES.rglob("*"):
        if path.suffix in (".svelte", ".ts") and ".test." not in path.name:
            yield path.read_text()


def _asked_for() -> set[str]:
    """The literal keys in calls of t(…) and lookUp(…), as far as their first argument goes."""
    keys: set[str] = set()
    for text in _sources():
        for call in re.finditer(r"\b(?:t|lookUp)\(", text):
            argument = re.split(r",\s*\{|\)", text[call.end() :], maxsplit=1)[0]
            keys.update(re.findall(r'"([^"]+)"', re.sub(r'[!=]== "[^"]*"', "", argument)))
    return keys


_HOLE = re.compile(r"\$\{[^}]*\}")
_VALUE = "([a-z0-9-]+)"


def _key_templates() -> dict[str, re.Pattern[str]]:
    """Template literals that build keys, each as a pattern with a group per hole.

    Text without a word of its own is no key. A template that starts with a hole starts with the
    name of a game, but for what belongs to a key that is built elsewhere, as `${key}.item`.
    """
    found = {each for text in _sources() for each in re.findall(r"`([^`\n]*\$\{[^`\n]*)`", text)}
    patterns: dict[str, re.Pattern[str]] = {}
    for template in found:
        literals = _HOLE.split(template)
        fixed = "".join(literals)
        if re.fullmatch(r"[a-z.-]*", fixed) and re.search("[a-z]", fixed) and fixed != ".item":
            values = [_VALUE] * (len(literals) - 1)
            if not literals[0]:
                values[0] = f"({'|'.join(names())})"
            pairs = zip(map(re.escape, literals), [*values, ""], strict=True)
            patterns[template] = re.compile("".join(part for pair in pairs for part in pair))
    return patterns


def _known_values() -> set[str]:
    """What a hole can hold: quoted words and property names of the pages, quoted server words."""
    pages = "\n".join(_sources())
    server = "\n".join(path.read_text() for path in (ROOT / "src/benben").rglob("*.py"))
    quoted = re.findall(r'"([A-Za-z0-9-]+)"', f"{pages}\n{server}")
    properties = re.findall(r"^\s*([a-z]+)\??:", pages, re.M)
    return {each.lower() for each in quoted} | set(properties) | set(names())


def _is_built(key: str, templates: dict[str, re.Pattern[str]], values: set[str]) -> bool:
    """Whether some template builds the key from values that exist."""

    def exists(value: str, hole: str) -> bool:
        if re.fullmatch("[a-z]|[0-9]", value):  # letters of pieces, numbers of lines
            return True
        parts = value.split("-") if 'join("-")' in hole else [value]
        return all(part in values for part in parts)

    for template, pattern in templates.items():
        match = pattern.fullmatch(key)
        holes = _HOLE.findall(template)
        if match and all(map(exists, match.groups(), holes)):
            return True
    return False


def _unused(keys: Iterable[str]) -> list[str]:
    text, named = "\n".join(_sources()), _asked_for()
    templates, values = _key_templates(), _known_values()

    def is_used(key: str) -> bool:
        # A key of one word may be quoted for another reason: only t("word") names it.
        literal = key in named or ("." in key and f'"{key}"' in text)
        return literal or _is_built(key, templates, values)

    def is_listed(key: str) -> bool:
        whole = key.removesuffix(".item")
        return whole != key and "all" in holes(CATALOGUES["en"].get(whole, "")) and is_used(whole)

    return [key for key in keys if not is_used(key) and not is_listed(key)]


def _files() -> dict[str, Path]:
    """The folders of catalogues: the common one is empty, the others by part or game."""
    parts = {part: SOURCES / CATALOGUE / "parts" / part for part in PARTS}
    return {"": SOURCES / CATALOGUE} | parts | {n: SOURCES / f"games/{n}/words" for n in names()}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("own", _files())
def test_a_language_has_all_keys_in_order(own: str, language: str) -> None:
    english, texts = (_read(_files()[own] / f"{each}.json") for each in ("en", language))
    assert list(texts) == list(english) == sorted(english)
    assert all(text.strip() for text in texts.values())


def test_a_key_is_in_one_catalogue() -> None:
    keys = Counter(key for folder in _files().values() for key in _read(folder / "en.json"))
    assert [key for key, times in keys.items() if times > 1] == []


@pytest.mark.parametrize("game", names())
def test_the_words_of_a_game_are_its_own(game: str) -> None:
    assert all(key.startswith(f"{game}.") for key in _read(_files()[game] / "en.json"))
    assert not any(key.startswith(f"{game}.") for key in COMMON["en"])


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_language_shows_the_same_parameters(language: str) -> None:
    for key, english in CATALOGUES["en"].items():
        assert holes(CATALOGUES[language][key]) == holes(english), key


def test_french_signs_stay_with_their_word() -> None:
    """Before `: ; ! ?` and within « » there is a space at which no line ends."""
    wrong = re.compile(r"(?<![\u202f\u00a0:;!?])[:;!?](?!\w)|« | »|'")
    texts = [each for text in CATALOGUES["fr"].values() for each in plain_texts(text)]
    assert [text for text in texts if wrong.search(text)] == []


def test_no_colour_follows_an_article() -> None:
    """One of them is orange: it would be `a orange token`."""
    terminal = _read(ROOT / "src/benben/terminal/words/en.json")
    texts = [*CATALOGUES["en"].values(), *terminal.values()]
    assert [text for text in texts if re.search(r"\b[Aa] \{colour\}", text)] == []


def test_no_name_follows_a_word_that_french_shortens_before_a_vowel() -> None:
    """« Règles de Objectif »: it is `{game, select, vowel {d’} other {de }}{game}`."""
    shortened = re.compile(
        r"\b(?:de|que|jusque|lorsque) \{(?:game|names?|other|who)\}", re.IGNORECASE
    )
    assert [key for key, text in CATALOGUES["fr"].items() if shortened.search(text)] == []


def test_nothing_is_missing() -> None:
    assert _asked_for() - set(CATALOGUES["en"]) == set()


def test_nothing_is_there_for_nobody() -> None:
    assert _unused(CATALOGUES["en"]) == []


@pytest.mark.parametrize(
    "key",
    [
        "board.unheard-of",  # two parts
        "unheard-of",
        "batisseurs.effect.win.item",  # of what has no list
        "trouble.unheard-of",  # the last part is a code of the server
        "quadrille.refusal.unheard-of",  # a rule of a game
        "batisseurs.effect.unheard-of",  # effects that are joined
        "unheard-of.aim",  # a game
        "move",  # quoted, but not in t(…)
    ],
)
def test_a_key_that_nothing_asks_for_is_found(key: str) -> None:
    assert _unused([key]) == [key]


@pytest.mark.parametrize("name", names())
def test_every_refusal_and_every_end_of_a_game_has_words(name: str) -> None:
    rules = game(name).rules
    wanted = {f"{name}.refusal.{rule}" for rule, _ in rules.REFUSALS if rule}
    wanted |= {f"{name}.reason.{reason}" for reason in rules.REASONS if reason}
    assert wanted - set(CATALOGUES["en"]) == set()


@pytest.mark.parametrize("name", names())
def test_whatever_a_review_says_has_words(name: str) -> None:
    own = finder(name)
    wanted = {f"{name}.said.{each}" for each in OWN.get(name, ()) + (own.IDEAS if own else ())}
    wanted |= {f"review.said.{each}" for each in GENERAL}
    assert wanted - set(CATALOGUES["en"]) == set()


@pytest.mark.parametrize("name", names())
def test_every_move_that_a_review_tells_of_has_a_name(name: str) -> None:
    """As people say it: nobody has to read how moves are written."""
    words = _words_of(name, "en")
    told: dict[str, MoveName] = {}
    for players in info(name).players:
        position, luck = game(name, players=players).deal(seed=players), RandomStream(bytes(32))
        while position.to_move is not None:
            if position.to_move == CHANCE:
                position = position.play(position.draw(luck))
                continue
            moves = position.moves()
            told |= {move: name_of(position, move) for move in moves}
            position = position.play(moves[luck.below(len(moves))])
    for move, named in told.items():
        parts = holes(words[f"{name}.named.{named.kind}"])
        assert all(asdict(named)[each] for each in parts), move
    assert len(told) > 20


@pytest.mark.parametrize("language", CATALOGUES)
@pytest.mark.parametrize("name", names())
def test_words_for_a_refusal_name_only_what_is_told_ahead(name: str, language: str) -> None:
    """What is told of refusals before a move is tried has the parameters of the rules' words."""
    for rule, words in game(name).rules.REFUSALS[1:]:
        told = set(re.findall(r"{(\w+)}", words))
        assert holes(CATALOGUES[language][f"{name}.refusal.{rule}"]) <= told, rule


def test_everything_a_table_refuses_has_words() -> None:
    source = "\n".join(
        path.read_text()
        for package in ("table", "web")
        for path in (ROOT / "src/benben" / package).glob("*.py")
    )
    codes = set(_CODE.findall(source)) - _OF_PROGRAMS
    assert "seat-taken" in codes
    assert {f"trouble.{code}" for code in codes} - set(CATALOGUES["en"]) == set()


@pytest.mark.parametrize("name", names())
def test_whatever_makes_a_position_impossible_has_words(name: str) -> None:
    package = ROOT / "src/benben"
    own = (package / f"games/{name}/notation.py").read_text()
    offences = set(
        re.findall(r'^ +"([a-z]+(?:-[a-z]+)+)",$|demand\([^"]*?"([a-z-]+)", f?"', own, re.M)
    )
    ids = {one or other for one, other in offences}
    assert len(ids) > 5
    assert {f"analysis.offence.{name}.{each}" for each in ids} - set(CATALOGUES["en"]) == set()


def test_every_ready_phrase_has_words() -> None:
    assert {f"phrase.{each}" for each in PHRASES} <= set(CATALOGUES["en"])
