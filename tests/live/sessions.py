"""Sessions of tables that are only looked at."""

from collections.abc import Iterable
from types import SimpleNamespace
from typing import cast

from benben.live.session import Services, TableSession
from benben.live.signals import Signals
from benben.table.record import Entry
from benben.table.table import Table


def unstored_session(table: Table, entries: Iterable[Entry] = (), opened: int = 0) -> TableSession:
    """A table in memory without a store: its events can be applied, but not stored."""
    services = SimpleNamespace(
        store=None, grace_seconds=0.0, presence_changed=lambda _: None, signals=Signals()
    )
    return TableSession(cast(Services, services), "table", table, opened=opened, entries=[*entries])
