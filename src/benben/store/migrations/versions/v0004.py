"""Mail goes only to who asked for it: addresses are confirmed, counted, and can stop all mail."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    op.create_table(
        "mailboxes",
        sa.Column("hash", sa.Text, nullable=False),
        sa.Column("stop", sa.Text, nullable=False),
        sa.Column("stopped", sa.Boolean, nullable=False),
        sa.Column("link", sa.Text),
        sa.Column("linked", sa.BigInteger, nullable=False),
        sa.Column("day", sa.Integer, nullable=False),
        sa.Column("sent", sa.Integer, nullable=False),
        sa.Column("language", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("hash", name="pk_mailboxes"),
        sa.UniqueConstraint("stop", name="uq_mailboxes_stop"),
        sa.UniqueConstraint("link", name="uq_mailboxes_link"),
    )
    op.add_column("reminders", sa.Column("mailbox", sa.Text))
    op.add_column("reminders", sa.Column("unconfirmed", sa.BigInteger))
    op.create_index("ix_reminders_mailbox", "reminders", ["mailbox"])
    op.create_index("ix_reminders_unconfirmed", "reminders", ["unconfirmed"])
    op.execute("UPDATE reminders SET address = ''")  # nobody has confirmed them; feeds stay
