"""Reminders of whoever plays for days: a private feed, and mail for those who like."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    op.create_table(
        "reminders",
        sa.Column("table_id", sa.Text, nullable=False),
        sa.Column("seat", sa.Integer, nullable=False, autoincrement=False),
        sa.Column("feed", sa.Text, nullable=False),
        sa.Column("address", sa.Text, nullable=False),
        sa.Column("language", sa.Text, nullable=False),
        sa.Column("known", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("table_id", "seat", name="pk_reminders"),
        sa.UniqueConstraint("feed", name="uq_reminders_feed"),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name="fk_reminders_table_id"),
    )
