"""Tables know who opened them, and when a person was last there while a bot had to move."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    op.add_column("tables", sa.Column("opener", sa.Text))
    op.add_column("tables", sa.Column("attended", sa.BigInteger))
