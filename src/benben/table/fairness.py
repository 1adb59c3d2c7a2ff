"""Luck that nobody can choose and everybody can verify.

Before anybody sits down the server publishes the SHA-256 of a secret. Everyone who takes a seat
commits to a nonce by its SHA-256, and reveals it when every seat has committed. The key of all the
table's luck is

    HMAC-SHA256(secret, "nonce of the first seat\\nnonce of the second\\n…")

with the nonces in the order of seats as they were chosen, bots having none. Nobody could choose the
key: when the first nonce is revealed, the secret and all other nonces are fixed. A seat may also
send its nonce in clear when it is taken. It then trusts that the server and the people who sit down
later do not work together.
Draws are numbered (`core/chance.py` says how one is made of the key), and no number is used twice,
whatever is taken back. At the end the secret is published.
"""

import hashlib
import hmac
import secrets
from collections.abc import Mapping

from benben.core.chance import RandomStream

SECRET = 32  # bytes


def new_secret() -> str:
    return secrets.token_hex(SECRET)


def commitment(secret: str) -> str:
    """The SHA-256 of a secret, published before the secret is used."""
    return hashlib.sha256(bytes.fromhex(secret)).hexdigest()


def nonce_commitment(nonce: str) -> str:
    """The commitment to a nonce: the SHA-256 of its ASCII text."""
    return hashlib.sha256(nonce.encode()).hexdigest()


def is_commitment(text: str) -> bool:
    return len(text) == 64 and set(text) <= set("0123456789abcdef")


def luck(secret: str, nonces: Mapping[int, str], draws: int = 0) -> RandomStream:
    """The table's stream of numbers, from draw number `draws` on; nonces by seat."""
    text = "\n".join(nonces[seat] for seat in sorted(nonces))
    key = hmac.new(bytes.fromhex(secret), text.encode(), hashlib.sha256).digest()
    return RandomStream(key, draws)
