"""Uploaded records have a size and a time of last use, and no names or words of anybody."""

import json
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    op.create_index("ix_tables_secret", "tables", ["secret"])
    op.drop_index("ix_records_brought", "records")
    with op.batch_alter_table("records") as records:
        records.alter_column(
            "brought",
            new_column_name="used",
            existing_type=sa.BigInteger,
            existing_nullable=False,
        )
        records.add_column(sa.Column("size", sa.Integer, nullable=False, server_default="0"))
    _strip_all()
    with op.batch_alter_table("records") as records:
        records.alter_column("size", server_default=None)
    op.create_index("ix_records_used_size", "records", ["used", "size"])


def _strip_all() -> None:
    records = sa.table("records", sa.column("id"), sa.column("body"), sa.column("size"))
    connection = op.get_bind()
    for (name,) in connection.execute(sa.select(records.c.id)).all():
        own = records.c.id == name
        body = connection.execute(sa.select(records.c.body).where(own)).scalar_one()
        text = json.dumps(_stripped(json.loads(body)), ensure_ascii=False, separators=(",", ":"))
        values = {"body": text, "size": len(text.encode())}
        connection.execute(sa.update(records).where(own).values(values))


def _stripped(record: Any) -> Any:
    for name in ("expected", "programs", "bot_names"):
        record["terms"].pop(name, None)
    for entry in record["entries"]:
        event = entry["event"]
        if event["kind"] == "sat":
            event["name"] = ""
        elif event["kind"] == "said":
            event.pop("text", None)
    return record
