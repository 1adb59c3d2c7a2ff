"""Alembic runs this file for every migration, on a connection that is in a transaction already."""

from alembic import context

from benben.store.schema import metadata


def migrate() -> None:
    """Run the steps that are missing."""
    context.configure(connection=context.config.attributes["connection"], target_metadata=metadata)
    with context.begin_transaction():
        context.run_migrations()


if __name__ == "env_py":  # as Alembic calls it; whoever else imports it has no database at hand
    migrate()
