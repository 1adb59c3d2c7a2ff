"""Only events that have a key are in the index of keys: most have none."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    with op.batch_alter_table("events") as events:
        events.drop_constraint("uq_events_table_id_key", type_="unique")
    has_key = sa.text("key IS NOT NULL")
    op.create_index(
        "ix_events_table_id_key",
        "events",
        ["table_id", "key"],
        unique=True,
        sqlite_where=has_key,
        postgresql_where=has_key,
    )
