"""Token buckets that limit requests per address and per bearer token, and slots for streams.

Every request takes a token from a bucket that refills at a steady rate, so short bursts are fine. A
stream takes one token, and a slot for as long as it is open. Limits are per server and in memory.

An IPv4 address is one key. An IPv6 address is counted by its /64, and also by its /56 and /48: a
provider hands out whole networks of them. A wider network may have a few times as many requests and
streams as one /64. Queues and quotas go by the /48 alone.
"""

import math
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from ipaddress import IPv6Address, IPv6Network, ip_address
from typing import TypeAlias

from litestar.types import HTTPScope

from benben.web.errors import ApiError

MOST_BUCKETS = 50_000  # the one used least recently goes first
_STREAM_RETRY = {"Retry-After": "10"}  # seconds
_IPV6 = ((48, 16), (56, 4), (64, 1))  # bits of a network, and how many times as much it may have

Cost: TypeAlias = float | Callable[[HTTPScope], float]  # of a route, in requests
Keys: TypeAlias = tuple[tuple[str, int], ...]  # each with how many times as much it may have


@dataclass(frozen=True)
class Limits:
    """Requests per second (rate) and at once (burst), and open streams. 0 is no limit.

    Pages have buckets of their own, so that a page still loads when the API is limited.
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
    """Token buckets by key, which refill at the same rate."""

    def __init__(
        self, rate: float, burst: float, now: Callable[[], float] = time.monotonic
    ) -> None:
        self.rate, self.burst, self._now = rate, burst, now
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, key: str, tokens: float = 1.0) -> float:
        """Take tokens and return 0; if there are too few, take none and return seconds to wait."""
        if self.rate <= 0:
            return 0.0
        now = self._now()
        left, since = self._buckets.pop(key, (self.burst, now))
        left = min(self.burst, left + (now - since) * self.rate)
        lacking = min(tokens, self.burst) - left
        self._buckets[key] = (left if lacking > 0 else left - tokens, now)
        if len(self._buckets) > MOST_BUCKETS:
            self._buckets.popitem(last=False)
        return max(0.0, lacking / self.rate)

    def charge(self, keys: Keys, tokens: float) -> None:
        """Take tokens from the bucket of each key; raise 429 and take none if there are too few.

        A network with `times` as much pays that fraction. The widest comes first: if it is refused,
        no buckets are made for the networks within it.
        """
        for i, (key, times) in enumerate(keys):
            wait = self.take(key, tokens / times)
            if wait > 0:
                self.refund(keys[:i], tokens)
                words = "too many requests: wait a moment"
                headers = {"Retry-After": str(math.ceil(wait))}
                raise ApiError(429, "too-many-requests", words, headers=headers)

    def refund(self, keys: Keys, tokens: float) -> None:
        """Return tokens that were charged."""
        for key, times in keys:
            if key in self._buckets:
                left, since = self._buckets[key]
                self._buckets[key] = (left + tokens / times, since)


class StreamSlots:
    """Slots for open streams, limited for each key and for the server."""

    def __init__(self, each: int, all: int) -> None:  # noqa: A002
        self.each, self.all = each, all
        self.open: Counter[str] = Counter()
        self._all = 0

    @contextmanager
    def hold(self, keys: Keys) -> Iterator[None]:
        """Hold a slot that counts for each of these keys; raise 429 or 503 if there is none."""
        for key, times in keys:
            if 0 < self.each * times <= self.open[key]:
                words = f"{self.each * times} streams are open from here: close one first"
                raise ApiError(429, "too-many-streams", words, headers=_STREAM_RETRY)
        if 0 < self.all <= self._all:
            words = "too many streams are open: try again later, or ask for the table itself"
            raise ApiError(503, "too-many-streams", words, headers=_STREAM_RETRY)
        self.open.update(key for key, _ in keys)
        self._all += 1
        try:
            yield
        finally:
            self._all -= 1
            for key, _ in keys:
                subtract(self.open, key, 1)


def subtract(counts: Counter[str], key: str, count: int) -> None:
    """Subtract from the count of a key, which is removed at 0."""
    counts[key] -= count
    if counts[key] <= 0:
        del counts[key]


class Usage:
    """The buckets and slots of one server."""

    def __init__(self, limits: Limits) -> None:
        self.addresses = Buckets(limits.address_rate, limits.address_burst)
        self.tokens = Buckets(limits.token_rate, limits.token_burst)
        self.pages = Buckets(limits.page_rate, limits.page_burst)
        self.streams = StreamSlots(limits.address_streams, limits.streams)


@lru_cache(MOST_BUCKETS)
def address_keys(host: str) -> Keys:
    """The keys of an address: its networks, the widest first."""
    return tuple((_key(network), times) for network, times in networks(host))


def address_key(host: str) -> str:
    """The key of an address for queues and quotas: its widest network.

    An owner of an IPv6 /48 has 65,536 narrower ones.
    """
    return address_keys(host)[0][0]


def _key(network: str) -> str:
    """A short key without spaces, whatever address a proxy sends."""
    return blake2b(network.encode(), digest_size=8).hexdigest()


def networks(host: str) -> list[tuple[str, int]]:
    """The networks of an address, each with the multiple of the limits that it has."""
    try:
        address = ip_address(host)
    except ValueError:  # a socket in the file system has none
        return [(host, 1)]
    if isinstance(address, IPv6Address) and address.ipv4_mapped is None:
        return [
            (str(IPv6Network((int(address), bits), strict=False)), times) for bits, times in _IPV6
        ]
    return [(str(address), 1)]
