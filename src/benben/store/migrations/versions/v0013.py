"""Confirmations are counted by sender, by table and in all."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    op.create_table(
        "mail_counts",
        sa.Column("key", sa.Text, nullable=False),
        sa.Column("day", sa.Integer, nullable=False),
        sa.Column("confirmations", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("key", name="pk_mail_counts"),
    )
