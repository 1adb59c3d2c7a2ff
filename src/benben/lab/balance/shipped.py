"""The reports that come with Benben. `bench/balance.py` makes them."""

from functools import cache
from importlib.resources import files

import msgspec

from benben.core.errors import BenbenError
from benben.core.registry import names
from benben.lab.balance.files import id_of
from benben.lab.balance.report import Comparison, Report

FOLDER = files("benben.lab") / "reports"
_COMPARE = "compare-"


class NoSuchReport(BenbenError):
    """There is no report of that name."""


@cache
def shipped() -> dict[str, Report | Comparison]:
    """All of them by their ids: game by game as on the shelf, comparisons last."""
    found: list[Report | Comparison] = []
    for file in FOLDER.iterdir():
        if file.name.endswith(".json"):
            content = file.read_bytes()
            if file.name.startswith(_COMPARE):
                found.append(msgspec.json.decode(content, type=Comparison))
            else:
                found.append(msgspec.json.decode(content, type=Report))
    return {id_of(made): made for made in sorted(found, key=_place)}


def report_named(name: str) -> Report | Comparison:
    if name not in shipped():
        raise NoSuchReport(f"there is no report called {name!r}")
    return shipped()[name]


def game_of(made: Report | Comparison) -> tuple[str, int]:
    """The game a report is about, and how many play."""
    told = made if isinstance(made, Comparison) else made.setting
    return told.game, told.players


def _place(made: Report | Comparison) -> tuple[int, bool, int]:
    game, players = game_of(made)
    return list(names()).index(game), isinstance(made, Comparison), players
