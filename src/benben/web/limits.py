"""How much one address, or one token, may ask for, and how many streams may be open.

Every request takes a drop from a bucket that fills again at a steady rate: short bursts are fine,
an endless stream of requests is not. A stream of events takes one drop, and a place for as long as
it is open. Buckets and places are in the memory of one server, so two servers allow twice as much.
"""

import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from ipaddress import IPv6Address, ip_address

MOST_BUCKETS = 50_000  # the one used least recently goes first


@dataclass(frozen=True)
class Limits:
    """Requests a second in the long run, and at once; streams open at a time. 0 is no limit."""

    address_rate: float = 50.0
    address_burst: float = 500.0
    token_rate: float = 20.0
    token_burst: float = 200.0
    address_streams: int = 200
    streams: int = 10_000

    @classmethod
    def none(cls) -> "Limits":
        return cls(0, 0, 0, 0, 0, 0)


class Buckets:
    """One for each key; all fill at the same rate."""

    def __init__(
        self, rate: float, burst: float, now: Callable[[], float] = time.monotonic
    ) -> None:
        self.rate, self.burst, self._now = rate, burst, now
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def wait(self, key: str, drops: float = 1.0) -> float:
        """Take so many drops; if there are too few take none, and say in how many seconds."""
        if self.rate <= 0:
            return 0.0
        now = self._now()
        left, since = self._buckets.pop(key, (self.burst, now))
        left = min(self.burst, left + (now - since) * self.rate)
        lacking = min(drops, self.burst) - left
        self._buckets[key] = (left if lacking > 0 else left - drops, now)
        if len(self._buckets) > MOST_BUCKETS:
            self._buckets.popitem(last=False)
        return max(0.0, lacking / self.rate)

    def give_back(self, key: str, drops: float = 1.0) -> None:
        """What was taken before it was known how much is to be taken."""
        if key in self._buckets:
            left, since = self._buckets[key]
            self._buckets[key] = (left + drops, since)


class StreamSlots:
    """Where somebody stays for a while: so many for each key, and so many in all."""

    def __init__(self, each: int, all: int) -> None:  # noqa: A002
        self.each, self.all = each, all
        self._taken: Counter[str] = Counter()
        self._all = 0

    def room_for(self, key: str) -> bool:
        """Whether this key may have one more."""
        return self.each <= 0 or self._taken.get(key, 0) < self.each

    @property
    def full(self) -> bool:
        return 0 < self.all <= self._all

    @contextmanager
    def taken(self, key: str) -> Iterator[None]:
        """Stay."""
        self._taken[key] += 1
        self._all += 1
        try:
            yield
        finally:
            self._all -= 1
            self._taken[key] -= 1
            if not self._taken[key]:
                del self._taken[key]


@lru_cache(MOST_BUCKETS)
def neighbourhood(host: str) -> str:
    """What counts as one address: with IPv6 everybody has 2⁶⁴ of them."""
    try:
        address = ip_address(host)
    except ValueError:  # a socket in the file system has none
        return host
    if isinstance(address, IPv6Address) and address.ipv4_mapped is None:
        return str(IPv6Address(int(address) >> 64 << 64))
    return str(address)
