"""Servers that share the database know who is there, and which programs listen."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    op.create_table(
        "servers",
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("seen", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_servers"),
    )
    op.create_table(
        "presence",
        sa.Column("table_id", sa.Text, nullable=False),
        sa.Column("seat", sa.Integer, nullable=False, autoincrement=False),
        sa.Column("server", sa.Text, nullable=False),
        sa.Column("until", sa.BigInteger),
        sa.PrimaryKeyConstraint("table_id", "seat", "server", name="pk_presence"),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name="fk_presence_table_id"),
    )
    op.create_index("ix_presence_server", "presence", ["server"])
    op.create_table(
        "listeners",
        sa.Column("hash", sa.Text, nullable=False),
        sa.Column("server", sa.Text, nullable=False),
        sa.Column("since", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("hash", name="pk_listeners"),
    )
