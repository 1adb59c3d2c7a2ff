"""Records that people bring are kept, and so are reviews of finished games."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    op.create_table(
        "records",
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("brought", sa.BigInteger, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_records"),
    )
    op.create_index("ix_records_brought", "records", ["brought"])
    op.create_table(
        "reviews",
        sa.Column("of", sa.Text, nullable=False),
        sa.Column("version", sa.Integer, nullable=False, autoincrement=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("of", "version", name="pk_reviews"),
    )
