"""Where a deal and a throw get their integers from.

Draw number k (from 0) below n, from a key of bytes:

    for t = 0, 1, 2, …
        x = the first 8 bytes, big-endian, of HMAC-SHA256(key, "k.t" in ASCII)
        if x < n * floor(2^64 / n): the draw is x mod n

Every value is equally likely, every draw stands alone (it can be recomputed from the key and its
number), and any language can follow.
"""

import hashlib
import hmac
import secrets
from typing import Protocol


class Source(Protocol):
    """Whatever integers can be drawn from."""

    def below(self, n: int) -> int:
        """A whole number from 0 to n - 1."""
        ...


class RandomStream:
    """Numbered draws from a key, by the algorithm above."""

    def __init__(self, key: bytes, number: int = 0) -> None:
        self._hmac = hmac.new(key, digestmod=hashlib.sha256)
        self.number = number

    @classmethod
    def seeded(cls, seed: int | str | bytes | None) -> "RandomStream":
        """The stream of a seed; None takes 32 bytes from the system's randomness."""
        if seed is None:
            return cls(secrets.token_bytes(32))
        return cls(seed if isinstance(seed, bytes) else str(seed).encode())

    def below(self, n: int) -> int:
        if n < 1:
            raise ValueError(f"cannot draw below {n}")
        limit = n * (2**64 // n)
        attempt = 0
        while True:
            keyed = self._hmac.copy()
            keyed.update(b"%d.%d" % (self.number, attempt))
            x = int.from_bytes(keyed.digest()[:8], "big")
            if x < limit:
                self.number += 1
                return x % n
            attempt += 1
