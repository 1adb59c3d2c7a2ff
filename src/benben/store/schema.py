"""The schema. The database knows nothing of games: it has texts and numbers.

A change here needs a migration in `migrations/versions/`; a test compares the two.
"""

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
    false,
    text,
)

metadata = MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    }
)

_IS_DUE = text("due IS NOT NULL")  # most tables wait for people only

tables = Table(
    "tables",
    metadata,
    Column("id", Text, primary_key=True),
    Column("opened", BigInteger, nullable=False),  # milliseconds since 1970, as all times here
    Column("terms", Text, key="options", nullable=False),  # those of the table, as JSON
    Column("secret", Text, nullable=False),  # the server's seed
    Column("listed", Boolean, nullable=False),
    Column("over", Boolean, nullable=False),
    # Time of the last event that is no move or throw; of live tables, precise to a minute.
    Column("touched", BigInteger, nullable=False),
    # Listed for watching: that is allowed, and the game has begun and is not over.
    Column("live", Boolean, nullable=False, server_default=false()),
    # The deadline: a clock that runs out, a bot's turn, the expiry of the table; or the end of the
    # lease of the server that acts at it.
    Column("due", BigInteger),
    # The deadline is a bot's turn. Without a time the turn is parked until a person is there.
    Column("bot", Boolean, nullable=False, server_default=false()),
    Column("opener", Text),  # keyed hash of the address it was opened from; NULL: not known
    # When a server last reported that a person is there: of a listed open table for the lists of
    # other servers, of a table whose bot's turn was parked for the servers on which bots think.
    Column("attended", BigInteger),
    Index(None, "listed", "over", "touched"),
    Index(None, "live", "touched"),
    Index(None, "secret"),  # published in the record of a finished game
    Index(None, "bot", "due", sqlite_where=_IS_DUE, postgresql_where=_IS_DUE),
)

_HAS_KEY = text("key IS NOT NULL")  # few have one: the others need not be in its index

events = Table(
    "events",
    metadata,
    Column("table_id", Text, ForeignKey("tables.id"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),  # 1, 2, 3, … of its table
    Column("at", BigInteger, nullable=False),
    Column("body", Text, nullable=False),
    Column("key", Text),  # idempotency key: sent twice, it counts once
    Column("mark", Text, nullable=False),  # lets the writer recognise its own rows
    Index(None, "table_id", "key", unique=True, sqlite_where=_HAS_KEY, postgresql_where=_HAS_KEY),
)

tokens = Table(
    "tokens",
    metadata,
    Column("hash", Text, primary_key=True),  # of the token, which itself is not stored
    Column("table_id", Text, ForeignKey("tables.id"), primary_key=True, index=True),
    Column("seat", Integer, nullable=False),
)

reminders = Table(
    "reminders",
    metadata,
    Column("table_id", Text, ForeignKey("tables.id"), primary_key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),  # as chosen, as in tokens
    Column("feed", Text, nullable=False),  # the hash of its key, which itself is not stored
    Column("address", Text, nullable=False),  # empty: no mail
    Column("language", Text, nullable=False),
    Column("known", Integer, nullable=False),  # the last event whose turn needs no mail any more
    Column("mailbox", Text, index=True),  # of the address, if there is one
    Column("unconfirmed", BigInteger, index=True),  # since when the address waits to be confirmed
    UniqueConstraint("feed"),
)

mailboxes = Table(
    "mailboxes",
    metadata,
    Column("hash", Text, primary_key=True),  # of the address, which itself is only in reminders
    Column("stop", Text, nullable=False),  # the key of the link that stops all mail
    Column("stopped", Boolean, nullable=False),
    Column("link", Text),  # the hash of the key that confirms reminders
    Column("linked", BigInteger, nullable=False),  # when that key was sent
    Column("day", Integer, nullable=False),  # of the last mail, since 1970
    Column("sent", Integer, nullable=False),  # on that day
    Column("language", Text, nullable=False),  # of the last mail
    UniqueConstraint("stop"),
    UniqueConstraint("link"),
)

mail_counts = Table(  # confirmations of one day; rows of earlier days are deleted
    "mail_counts",
    metadata,
    Column("key", Text, primary_key=True),  # "server", a table, or the hash of a sender's address
    Column("day", Integer, nullable=False),  # since 1970
    Column("confirmations", Integer, nullable=False),
)

programs = Table(
    "programs",
    metadata,
    Column("hash", Text, primary_key=True),  # of the token by which it holds all its seats
    Column("name", Text, nullable=False),
    Column("since", BigInteger, nullable=False),
    # The name without case, width and lookalike letters; NULL where an older name has the same.
    Column("folded", Text),
    Column("seen", BigInteger, nullable=False, index=True),  # when it last listened
    UniqueConstraint("name"),
    UniqueConstraint("folded"),
)

server_keys = Table(  # secrets that the servers on this database share
    "server_keys",
    metadata,
    Column("name", Text, primary_key=True),
    Column("value", Text, nullable=False),
)

# ---- Archive of finished games

records = Table(  # that people uploaded
    "records",
    metadata,
    Column("id", Text, primary_key=True),  # made from the record
    Column("used", BigInteger, nullable=False),  # last read or uploaded, give or take an hour
    Column("body", Text, nullable=False),  # without anybody's name or words
    Column("size", Integer, nullable=False),  # of the body, in bytes
    Index(None, "used", "size"),
)

reviews = Table(
    "reviews",
    metadata,
    Column("of", Text, primary_key=True),  # the id of a table or a record
    Column("version", Integer, primary_key=True, autoincrement=False),  # of how it was made
    Column("at", BigInteger, nullable=False),
    Column("body", Text, nullable=False),  # without anybody's name
)

# ---- Servers

servers = Table(  # those that are alive, and those that were within the last day
    "servers",
    metadata,
    Column("name", Text, primary_key=True),
    Column("seen", BigInteger, nullable=False),  # its last heartbeat
    Column("ready", BigInteger),  # its last heartbeat with all games ready to be played
)

listeners = Table(  # programs that listen
    "listeners",
    metadata,
    Column("hash", Text, primary_key=True),
    Column("server", Text, nullable=False),
    Column("since", BigInteger, nullable=False),
)

downtimes = Table(  # times in which no server was ready for a game
    "downtimes",
    metadata,
    Column("game", Text, primary_key=True),
    Column("since", BigInteger, primary_key=True, autoincrement=False),
    Column("until", BigInteger, nullable=False),
)
