"""Programs, whose one token may hold a seat at each of many tables."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.create_table(
        "programs",
        sa.Column("hash", sa.Text, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("since", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("hash", name="pk_programs"),
        sa.UniqueConstraint("name", name="uq_programs_name"),
    )
    # SQLite cannot change a key: there the rows move to a new table.
    with op.batch_alter_table("tokens") as tokens:
        tokens.drop_constraint("pk_tokens", type_="primary")
        tokens.create_primary_key("pk_tokens", ["hash", "table_id"])
