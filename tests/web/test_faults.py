"""Servers and databases that go down again and again: nothing acknowledged is lost or doubled."""

import random
import signal
from pathlib import Path

from tests.table.postgres import Postgres
from tests.web.crowd import Crowd
from tests.web.processes import process


def test_a_server_killed_at_random_moments_loses_and_doubles_nothing(tmp_path: Path) -> None:
    fate, deaths = random.Random(7), 0
    with process(f"sqlite:///{tmp_path / 'house.sqlite3'}", tmp_path / "log") as server:
        crowd = Crowd(server.address)
        while crowd.moves < 1000:
            crowd.play(fate.randrange(1, 350))
            server.die()
            deaths += 1
        server.wait()
        crowd.end()
    assert deaths >= 5


def test_a_server_whose_postgresql_crashes_again_and_again_goes_on(
    tmp_path: Path, postgres: Postgres
) -> None:
    with process(postgres.fresh(), tmp_path / "log") as server:
        crowd = Crowd(server.address)
        for _ in range(4):
            crowd.play(75)
            postgres.stop(signal.SIGQUIT)
            try:
                crowd.wait(lambda: crowd.answered(503), 4)
            finally:
                postgres.start()
        crowd.play(75)
        crowd.end()
    assert set().union(*(client.answers for client in crowd.clients)) == {200, 201, 503}
    assert "the store failed" in (tmp_path / "log").read_text()
