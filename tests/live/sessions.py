"""Sessions of tables that are only looked at."""

from collections.abc import Iterable
from types import SimpleNamespace
from typing import cast

from benben.live.session import TableSession
from benben.live.signals import Signals
from benben.live.tables import Tables
from benben.store.tables import StoredTable
from benben.table.record import Entry
from benben.table.table import Table


def unstored_session(table: Table, entries: Iterable[Entry] = (), opened: int = 0) -> TableSession:
    """A table in memory without a store: its events can be applied, but not stored."""
    tables = SimpleNamespace(
        store=None, grace_seconds=0.0, presence_changed=lambda _: None, signals=Signals()
    )
    stored = StoredTable("table", opened, "", "", False, False, opened, False, None, False)
    return TableSession(cast(Tables, tables), stored, table, [*entries], {}, {})
