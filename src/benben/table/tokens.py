"""Ids of tables and tokens of seats: drawn so that nobody can guess them."""

import hashlib
import secrets


def new_id() -> str:
    """What a table is found by; whoever knows it may look on."""
    return secrets.token_urlsafe(9)


def new_token() -> str:
    """What holds a seat; only its owner knows it."""
    return secrets.token_urlsafe(24)


def hashed(token: str) -> str:
    """What is kept of a token."""
    return hashlib.sha256(token.encode()).hexdigest()
