"""How much one address, or one token, may ask for, and how many streams may be open.

Every request takes a drop from a bucket that fills again at a steady rate: short bursts are fine,
an endless stream of requests is not. A stream of events takes one drop, and a place for as long as
it is open. Each server counts by itself, in memory.

An IPv4 address is one key. An IPv6 address is counted by its /64, and also by its /56 and /48: a
provider hands out whole networks of them. A wider network may have a few times as many requests and
streams as one /64. Queues, places and quotas go by the /48 alone.
"""

import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from ipaddress import IPv6Address, ip_address
from typing import TypeAlias

MOST_BUCKETS = 50_000  # the one used least recently goes first
_IPV6 = ((48, 16), (56, 4), (64, 1))  # bits of a network, and how many times as much it may have

Keys: TypeAlias = tuple[tuple[str, int], ...]  # each with how many times as much it may have


@dataclass(frozen=True)
class Limits:
    """Requests a second in the long run, and at once; streams open at a time. 0 is no limit.

    Pages have buckets of their own, so that a page can still load while the API is refused.
    """

    address_rate: float = 50.0
    address_burst: float = 500.0
    token_rate: float = 20.0
    token_burst: float = 200.0
    address_streams: int = 200
    streams: int = 10_000
    page_rate: float = 20.0
    page_burst: float = 200.0

    @classmethod
    def none(cls) -> "Limits":
        return cls(0, 0, 0, 0, 0, 0, 0, 0)


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
        self._put(key, left if lacking > 0 else left - drops, now)
        return max(0.0, lacking / self.rate)

    def give_back(self, key: str, drops: float = 1.0) -> None:
        """What was taken before it was known how much is to be taken."""
        if key in self._buckets:
            left, since = self._buckets[key]
            self._buckets[key] = (left + drops, since)

    def _put(self, key: str, left: float, now: float) -> None:
        self._buckets[key] = (left, now)
        if len(self._buckets) > MOST_BUCKETS:
            self._buckets.popitem(last=False)


class StreamSlots:
    """Where somebody stays for a while: so many for each key, and so many in all at this server."""

    def __init__(self, each: int, all: int) -> None:  # noqa: A002
        self.each, self.all = each, all
        self.open: Counter[str] = Counter()
        self._all = 0

    def room_for(self, key: str, times: int = 1) -> bool:
        """Whether this key, which may have `times` as many as others, may have one more."""
        return self.each <= 0 or self.open[key] < self.each * times

    @property
    def full(self) -> bool:
        return 0 < self.all <= self._all

    @contextmanager
    def taken(self, *keys: str) -> Iterator[None]:
        """Hold a slot, which counts for each of these keys."""
        self.open.update(keys)
        self._all += 1
        try:
            yield
        finally:
            self._all -= 1
            for key in keys:
                self.open[key] -= 1
                if not self.open[key]:
                    del self.open[key]


class Counts:
    """What everybody has asked for, as one server counts it."""

    def __init__(self, limits: Limits) -> None:
        self.addresses = Buckets(limits.address_rate, limits.address_burst)
        self.tokens = Buckets(limits.token_rate, limits.token_burst)
        self.pages = Buckets(limits.page_rate, limits.page_burst)
        self.streams = StreamSlots(limits.address_streams, limits.streams)


def take(buckets: Buckets, keys: Keys, drops: float) -> float:
    """Take drops from the bucket of each key, or from none; seconds to wait if there are too few.

    A network that may have `times` as much pays that much less. The widest comes first: what it is
    refused makes no buckets for the networks within it.
    """
    for i, (key, times) in enumerate(keys):
        wait = buckets.wait(key, drops / times)
        if wait > 0:
            give_back(buckets, keys[:i], drops)
            return wait
    return 0.0


def give_back(buckets: Buckets, keys: Keys, drops: float) -> None:
    for key, times in keys:
        buckets.give_back(key, drops / times)


@lru_cache(MOST_BUCKETS)
def address_keys(host: str) -> Keys:
    """The keys an address is counted by, the widest network first."""
    return tuple((_key(network), times) for network, times in networks(host))


def address_key(host: str) -> str:
    """The key by which turns, places and quotas are shared: the widest network of an address.

    Somebody with an IPv6 /48 has 65,536 narrower ones.
    """
    return address_keys(host)[0][0]


def _key(network: str) -> str:
    """Short, and one word, whatever a proxy says the address is."""
    return blake2b(network.encode(), digest_size=8).hexdigest()


def networks(host: str) -> list[tuple[str, int]]:
    """The networks an address is counted in, and how many times as much each may have."""
    try:
        address = ip_address(host)
    except ValueError:  # a socket in the file system has none
        return [(host, 1)]
    if isinstance(address, IPv6Address) and address.ipv4_mapped is None:
        number = int(address)
        return [
            (f"{IPv6Address(number >> 128 - bits << 128 - bits)}/{bits}", times)
            for bits, times in _IPV6
        ]
    return [(str(address), 1)]
