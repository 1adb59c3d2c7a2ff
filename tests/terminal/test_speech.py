"""The terminal speaks French or English, and both catalogues say the same."""

import json
import re
from importlib.resources import files
from pathlib import Path

import pytest

import benben
from benben.core.errors import BenbenError
from benben.core.record import GameRecord
from benben.terminal.choices import understand
from benben.terminal.company import Company
from benben.terminal.speech import Language, catalogue, joined, language, say, use
from benben.terminal.telling import tell, tell_result
from benben.terminal.trouble import explain
from tests.test_cli import run

NARROW = "\N{NARROW NO-BREAK SPACE}"
VARIABLES = ("BENBEN_LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")
EN, FR = catalogue(Language.EN), catalogue(Language.FR)


@pytest.fixture
def french(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BENBEN_LANGUAGE", "fr")


# ---- The catalogues


def test_both_catalogues_have_the_same_keys_and_parameters() -> None:
    assert EN.keys() == FR.keys()
    for key, words in EN.items():
        assert _parameters(words) == _parameters(FR[key]), key


@pytest.mark.parametrize("each", Language)
def test_a_catalogue_is_sorted_and_a_plural_has_both_forms(each: Language) -> None:
    text = (files("benben.terminal") / "words" / f"{each}.json").read_text("utf-8")
    keys = [key for key, _ in json.loads(text, object_pairs_hook=list)]
    assert keys == sorted(set(keys))
    forms = {key.rpartition(".")[0] for key in keys if key.endswith((".one", ".other"))}
    assert all({f"{key}.one", f"{key}.other"} <= set(keys) for key in forms)
    assert not forms & set(keys)


def test_french_is_spaced_and_quoted_as_french_is() -> None:
    for key, words in FR.items():
        assert "'" not in words, key
        prose = words.replace("benben: ", "")  # as a record begins
        assert not re.search(r"[ \w][;!?]|[^\s\w]:| :|\w: ", prose), key


def test_no_french_nouns_in_english() -> None:
    for key, words in EN.items():
        assert not re.search(r"pièce|\bcase\b|objectif", words, re.IGNORECASE) or key in (
            "wrong.move.objectif",
        ), key


@pytest.mark.parametrize("name", benben.names())
def test_what_a_move_looks_like_is_said_as_the_game_says_it(name: str) -> None:
    assert EN[f"wrong.move.{name}"] == benben.game(name).notation.MOVE_FORM


def _parameters(words: str) -> set[str]:
    return set(re.findall(r"\{(\w+)\}", words))


# ---- Which language


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        (("", "", "", ""), Language.EN),
        (("", "", "", "fr_FR.UTF-8"), Language.FR),
        (("", "", "en_GB.UTF-8", "fr_FR.UTF-8"), Language.EN),
        (("", "fr", "en_GB.UTF-8", "de_DE.UTF-8"), Language.FR),
        (("", "C", "fr_FR", "fr_FR"), Language.EN),
        (("en", "fr_FR", "fr_FR", "fr_FR"), Language.EN),
        (("FR", "", "", "en_US"), Language.FR),
        (("", "", "", "de_DE.UTF-8"), Language.EN),
    ],
)
def test_the_first_variable_that_is_set_decides(
    values: tuple[str, ...], expected: Language, monkeypatch: pytest.MonkeyPatch
) -> None:
    for variable, value in zip(VARIABLES, values, strict=True):
        monkeypatch.setenv(variable, value)
    use(None)  # whatever was chosen before
    assert language() is expected


def test_what_is_chosen_beats_the_environment(french: None) -> None:
    use(Language.EN)
    try:
        assert say("you") == "you"
    finally:
        use(None)
    assert say("you") == "vous"


# ---- What is said


def test_one_and_many() -> None:
    assert say("replay.title", game="quadrille", n=1) == "quadrille: 1 move or roll"
    assert say("replay.title", game="quadrille", n=0) == "quadrille: 0 moves and rolls"


def test_one_and_many_in_french(french: None) -> None:
    assert say("replay.title", game="quadrille", n=0) == f"quadrille{NARROW}: 0 coup ou lancer"
    assert say("replay.title", game="quadrille", n=2) == f"quadrille{NARROW}: 2 coups et lancers"
    assert joined(["2", "3", "4"], "or") == "2, 3 ou 4"


def test_a_turn_in_french(french: None) -> None:
    game = benben.game("pyramidis")
    text = "a5=tttttttt,d1=bbbbb,d3=mmmmm,d8=mmm,e3=bb,h5=cccccccc b1t0m0c0 b 0"
    effects = game.parse(text).effects("e3")
    assert tell(game, effects) == (
        "sème 2 pyramides depuis e3, dépose b en e2, arrive en e1, fait rentrer 1 pyramide marron"
    )
    assert tell(game, effects, you=True).startswith("semez 2 pyramides depuis e3, déposez b")


def test_who_won_in_french(french: None) -> None:
    game = benben.game("quadrille")
    lost = benben.Result((0.0, 1.0), "cannot-step")
    assert tell_result(Company(game, 0, {1: "Hori"}), lost) == [
        f"Hori (noirs) gagne{NARROW}: vous ne pouvez plus faire un pas."
    ]
    assert tell_result(Company(game, 1, {0: "Hori"}), lost) == [
        f"Vous (noirs) gagnez{NARROW}: Hori (blancs) ne peut plus faire un pas."
    ]


# ---- What is wrong


def wrong(name: str, typed: str) -> str:
    with pytest.raises(BenbenError) as caught:
        understand(typed, benben.game(name, first=1).deal().view(0))
    return str(caught.value)


def test_refusals_in_english_have_the_words_of_the_table() -> None:
    assert wrong("pyramidis", "e5") == "e5 is illegal (empty-square): there is no pyramid on e5"


def test_refusals_in_french(french: None) -> None:
    assert wrong("pyramidis", "e5") == (
        f"e5 n’est pas permis (empty-square){NARROW}: il n’y a aucune pyramide en e5"
    )
    assert wrong("pyramidis", "x") == (
        f"'x' n’est pas lisible{NARROW}: {FR['wrong.move.pyramidis']}"
    )


def test_options_in_french(french: None) -> None:
    with pytest.raises(BenbenError) as caught:
        benben.game("objectif", players=4, mode="fair")
    assert explain(caught.value) == (
        f"mode=fair{NARROW}: seulement à 2 ou 3 joueurs, et il y en a 4"
    )
    with pytest.raises(BenbenError) as caught:
        benben.game("pyramidis", players=3)
    assert explain(caught.value) == f"players=3{NARROW}: il faut 2 ou 4"


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        ("show chess", "aucun jeu ne s’appelle 'chess' ; les jeux sont objectif, pyramidis"),
        ("show pyramidis --option first=1 --option first=2", "first=2 : est donné deux fois"),
        ("perft quadrille --depth 21", "depth=21 : il faut un nombre entier de 0 à 20"),
        ("play quadrille --seat cat", "seat=cat : il faut human, random, greedy ou un niveau"),
        ("replay no-such-file", "no-such-file : ce fichier ou ce dossier n’existe pas"),
        ("solve quadrille", "quadrille à 2 n’est pas résolu ici ; batisseurs à 2–3 l’est"),
    ],
)
def test_the_command_line_in_french(french: None, arguments: str, why: str) -> None:
    done = run(*arguments.split())
    assert done.exit_code == 2
    assert done.stderr.replace(NARROW, " ").splitlines()[-1].startswith(f"benben: {why}")


def test_a_sentence_is_translated_whole_or_not_at_all(french: None) -> None:
    assert explain(BenbenError("no player is called 'x': the moon is full")) == (
        "no player is called 'x': the moon is full"
    )


def test_a_bad_move_in_a_record_in_french(french: None, tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    record = GameRecord(benben.game("pyramidis", first=1).deal(), ("d1*3",))
    file.write_text(f"{record}d8\n", "utf-8")
    assert "ligne 9, coup 2 : d8 n’est pas permis" in run("replay", str(file)).stderr.replace(
        NARROW, " "
    )


def test_what_nobody_has_translated_stays_as_it_is(french: None) -> None:
    assert explain(BenbenError("the moon is full")) == "the moon is full"
