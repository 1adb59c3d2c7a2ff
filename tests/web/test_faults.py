"""Servers and databases that go down again and again: nothing acknowledged is lost or doubled."""

import random
import signal
from pathlib import Path

import pytest

from tests.sizes import LONG
from tests.store.postgres import Postgres
from tests.web.crowd import Crowd
from tests.web.processes import process


@pytest.mark.slow
def test_a_server_killed_at_random_moments_loses_and_doubles_nothing(tmp_path: Path) -> None:
    fate = random.Random(7)
    deaths, between = (6, 175) if LONG else (2, 50)
    with process(f"sqlite:///{tmp_path / 'house.sqlite3'}", tmp_path / "log") as server:
        crowd = Crowd(server.address)
        for _ in range(deaths):
            crowd.play(fate.randrange(1, 2 * between))
            server.die()
        crowd.play(between)
        crowd.end()


@pytest.mark.long  # tests/deploy/test_faults.py has one crash among other faults
def test_a_server_whose_postgresql_crashes_again_and_again_goes_on(
    tmp_path: Path, postgres: Postgres
) -> None:
    crashes, between = 4, 75
    with process(postgres.fresh(), tmp_path / "log") as server:
        crowd = Crowd(server.address)
        for _ in range(crashes):
            crowd.play(between)
            postgres.stop(signal.SIGQUIT)
            try:
                crowd.wait(lambda: crowd.answered(503), 4)
            finally:
                postgres.start()
        crowd.play(between)
        crowd.end()
    assert set().union(*(client.answers for client in crowd.clients)) == {200, 201, 503}
    assert "the store failed" in (tmp_path / "log").read_text()
