"""Every game's files have the same shape, so that who has read one finds the way in all."""

import re
from pathlib import Path

import pytest

import benben
from benben.core.notation import Notation
from benben.games.batisseurs import notation as batisseurs
from benben.games.objectif import notation as objectif
from benben.games.pyramidis import notation as pyramidis
from benben.games.quadrille import notation as quadrille

SECTIONS = {
    "rules": ["Data", "Set-up", "Legal moves", "Play", "Result", "View", "Helpers"],
    "notation": ["Moves", "Positions", "Reading"],
}
LONGEST = 350  # lines of rules

# That each is a Notation is checked by mypy.
NOTATIONS: dict[str, Notation] = {
    "objectif": objectif,
    "pyramidis": pyramidis,
    "batisseurs": batisseurs,
    "quadrille": quadrille,
}


def _source(name: str, module: str) -> str:
    rules = Path(str(benben.game(name).rules.__file__))
    return rules.with_name(f"{module}.py").read_text("utf-8")


@pytest.mark.parametrize("name", benben.names())
def test_a_game_has_its_own_notation(name: str) -> None:
    assert benben.game(name).notation is NOTATIONS[name]


@pytest.mark.parametrize("module", SECTIONS)
@pytest.mark.parametrize("name", benben.names())
def test_sections_come_in_the_same_order(name: str, module: str) -> None:
    source = _source(name, module)
    assert re.findall(r"^# ---- ([\w -]+)", source, re.MULTILINE) == SECTIONS[module]


@pytest.mark.parametrize("name", benben.names())
def test_rules_hold_rules_only(name: str) -> None:
    source = _source(name, "rules")
    assert source.count("\n") < LONGEST
    assert "lru_cache" not in source
    assert "Source:" in source
    assert "Left out:" in source
