"""Tables say when they next need a server, and when games could not be played is kept."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"

_IS_DUE = sa.text("due IS NOT NULL")


def upgrade() -> None:
    op.add_column("tables", sa.Column("due", sa.BigInteger))
    op.add_column("tables", sa.Column("bot", sa.Boolean, nullable=False, server_default=sa.false()))
    op.create_index(
        "ix_tables_bot_due",
        "tables",
        ["bot", "due"],
        sqlite_where=_IS_DUE,
        postgresql_where=_IS_DUE,
    )
    # Each is looked at once, and says then what it needs.
    op.execute("UPDATE tables SET due = 0 WHERE NOT over")
    op.create_table(
        "downtimes",
        sa.Column("game", sa.Text, nullable=False),
        sa.Column("since", sa.BigInteger, nullable=False, autoincrement=False),
        sa.Column("until", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("game", "since", name="pk_downtimes"),
    )
