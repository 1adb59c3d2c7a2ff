"""Tables that are live can be found by those who like to watch."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    live = sa.Column("live", sa.Boolean, nullable=False, server_default=sa.false())
    op.add_column("tables", live)
    op.create_index("ix_tables_live_touched", "tables", ["live", "touched"])
