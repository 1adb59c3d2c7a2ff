"""Ids of tables and tokens of seats: drawn so that nobody can guess them."""

import base64
import hashlib
import hmac
import secrets


def new_id() -> str:
    """What a table is found by; whoever knows it may look on."""
    return secrets.token_urlsafe(9)


def derived_id(secret: str, *names: str) -> str:
    """The id of a table that is the same whichever server makes it, for the same names."""
    return derived_token(secret, *names)[: len(new_id())]


def new_token() -> str:
    """What holds a seat; only its owner knows it."""
    return secrets.token_urlsafe(24)


def derived_token(secret: str, *known_to_the_owner: str) -> str:
    """A token that whoever knows the same again is told again, and nobody else can make."""
    text = "\n".join(known_to_the_owner).encode()
    digest = hmac.digest(bytes.fromhex(secret), text, hashlib.sha256)
    return base64.urlsafe_b64encode(digest[:24]).decode()


def hashed(token: str) -> str:
    """What is kept of a token."""
    return hashlib.sha256(token.encode()).hexdigest()
