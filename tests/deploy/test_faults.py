"""Servers of a town that go down again and again: nothing acknowledged is lost or doubled."""

from pathlib import Path

from deploy.town import Town
from tests.deploy.faults import MORTAL, play_on
from tests.table.postgres import QUICK


def test_people_and_bots_play_on_whatever_dies(directory: Path) -> None:
    with Town(directory, options=("--rate", "0"), settings=QUICK) as town:
        faults = play_on(town, moves=600, between=90, seed=7)
    assert set(faults) == {*MORTAL, "postgres"}
    for log in town.logs.iterdir():
        logged = log.read_text()
        assert "Traceback" not in logged, logged[logged.index("Traceback") - 1000 :][:10_000]
