"""Files and documents that are served from memory."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import blake2b

MOST_CACHED = 128  # rendered documents; a rulebook has about 100 kB


@dataclass(frozen=True, eq=False)
class File:
    """A file to be served, and its compressed forms by encoding, the best first."""

    plain: bytes
    type: str
    caching: str
    compressed: Mapping[str, bytes] = field(default_factory=dict)

    @cached_property
    def etag(self) -> str:
        """A weak tag, which all encodings share."""
        return f'W/"{blake2b(self.plain, digest_size=12).hexdigest()}"'
