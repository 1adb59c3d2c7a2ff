"""Servers have one row each, and no longer share who is at which table."""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"

_servers = sa.table("servers", sa.column("name"), sa.column("seen"), sa.column("ready"))
_heartbeats = sa.table("heartbeats", sa.column("server"), sa.column("at"))


def upgrade() -> None:
    op.drop_table("presence")
    op.drop_table("servers")
    op.create_table(
        "servers",
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("seen", sa.BigInteger, nullable=False),
        sa.Column("ready", sa.BigInteger),
        sa.PrimaryKeyConstraint("name", name="pk_servers"),
    )
    # They say since when no server runs, for which clocks are paused.
    kept = sa.select(_heartbeats.c.server, _heartbeats.c.at, _heartbeats.c.at)
    op.execute(_servers.insert().from_select(["name", "seen", "ready"], kept))
    op.drop_table("heartbeats")
