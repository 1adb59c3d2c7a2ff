"""It is known when a program last listened, so that unused ones can be dropped."""

import time

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"


def upgrade() -> None:
    with op.batch_alter_table("programs") as programs:
        programs.add_column(sa.Column("seen", sa.BigInteger))
    table = sa.table("programs", sa.column("seen"))
    # Nobody knows when those there are last listened: they all have time from now on.
    op.execute(sa.update(table).values(seen=time.time_ns() // 1_000_000))
    with op.batch_alter_table("programs") as programs:
        programs.alter_column("seen", existing_type=sa.BigInteger, nullable=False)
        programs.create_index("ix_programs_seen", ["seen"])
