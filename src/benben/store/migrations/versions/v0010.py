"""Servers share a secret, and no two bots have names that look the same."""

import sqlalchemy as sa
from alembic import op

from benben.table.names import folded

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    op.create_table(
        "server_keys",
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("value", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_server_keys"),
    )
    with op.batch_alter_table("programs") as programs:
        programs.add_column(sa.Column("folded", sa.Text))
        programs.create_unique_constraint("uq_programs_folded", ["folded"])
    _fold_names()


def _fold_names() -> None:
    """The oldest bot of each folded name has it; others stay without."""
    programs = sa.table("programs", sa.column("name"), sa.column("since"), sa.column("folded"))
    connection, seen = op.get_bind(), set()
    for (name,) in connection.execute(sa.select(programs.c.name).order_by(programs.c.since)).all():
        if folded(name) not in seen:
            seen.add(folded(name))
            update = sa.update(programs).where(programs.c.name == name)
            connection.execute(update.values(folded=folded(name)))
