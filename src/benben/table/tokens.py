"""Random ids of tables, and tokens of seats."""

import base64
import hashlib
import hmac
import secrets


def new_id() -> str:
    """A table id; it gives the right to watch the table."""
    return secrets.token_urlsafe(9)


def derived_id(secret: str, *names: str) -> str:
    """A table id that depends only on the secret and the names."""
    return derived_token(secret, *names)[: len(new_id())]


def new_token() -> str:
    """A token that gives access to a seat."""
    return secrets.token_urlsafe(24)


def derived_token(secret: str, *known_to_the_owner: str) -> str:
    """A token that depends only on the secret and on what its owner can repeat."""
    text = "\n".join(known_to_the_owner).encode()
    digest = hmac.digest(bytes.fromhex(secret), text, hashlib.sha256)
    return base64.urlsafe_b64encode(digest[:24]).decode()


def hashed(token: str) -> str:
    """The SHA-256 of a token, which is stored instead of it."""
    return hashlib.sha256(token.encode()).hexdigest()
