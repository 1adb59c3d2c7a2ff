"""The luck of tables that tests open."""

import base64
import random

import pytest
from hypothesis import settings

from benben.live import tables
from benben.store import store
from benben.table.fairness import SECRET


@pytest.fixture(autouse=True)
def luck(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where hypothesis tries the same examples every time, each test has the same luck every time.

    Deals and throws come of a table's secret, the thoughts of its bots of its id and of the
    server's key. What a browser or a server in another process draws is drawn anew.
    """
    if settings.default is not None and settings.default.derandomize:
        drawn = random.Random(request.node.nodeid)
        urlsafe = base64.urlsafe_b64encode
        monkeypatch.setattr(tables, "new_secret", lambda: drawn.randbytes(SECRET).hex())
        keys = random.Random(f"{request.node.nodeid} key")
        monkeypatch.setattr(store, "new_secret", lambda: keys.randbytes(SECRET).hex())
        monkeypatch.setattr(tables, "new_id", lambda: urlsafe(drawn.randbytes(9)).decode())
