"""Servers of a cluster that go down again and again: nothing acknowledged is lost or doubled."""

import pytest

from deploy.cluster import Cluster
from tests.deploy.faults import MORTAL, play_on
from tests.sizes import LONG


@pytest.mark.slow
def test_people_and_bots_play_on_whatever_dies(cluster: Cluster) -> None:
    moves, between = (600, 90) if LONG else (60, 12)
    assert set(play_on(cluster, moves, between, seed=7)) == {*MORTAL, "postgres"}
