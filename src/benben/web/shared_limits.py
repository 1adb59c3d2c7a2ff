"""Limits hold for the house: what one server lets through counts at the others.

Every second, if there was anything, a server tells what was taken and how many streams are open, by
key. Whatever is little beside the limit is left out, so that people who play as people do cost
nothing; and until the others know, an address has what it may have at once at each of them.
"""

from collections.abc import Set

from benben.table.channel import of_many
from benben.table.store import Store
from benben.web.limits import Counts

PAUSE = 1.0  # seconds
LITTLE = 0.1  # of a limit, by one key at one server


class SharedLimits:
    """As one server knows them. While it is alone nothing is done."""

    def __init__(self, counts: Counts, store: Store) -> None:
        self._counts, self._servers = counts, store.servers
        self._buckets = {"address": counts.addresses, "token": counts.tokens}
        self._streams: dict[str, int] = {}  # by key, as the others know them
        self._asks = True
        store.channel.on("taken", self._hear_taken)
        store.channel.on("streams", self._hear_streams)
        store.channel.on("asks", lambda _: self._tell_again())
        store.channel.on("dead", lambda names: self.forget(set(names)))
        store.channel.on_connected(self._ask)

    def share(self, others: Set[str]) -> None:
        """With these servers; none is there if there are no names."""
        for buckets in self._buckets.values():
            if not others:
                buckets.taken = None
            elif buckets.taken is None:
                buckets.taken = {}

    def forget(self, dead: Set[str]) -> None:
        """Servers that are not there any more."""
        for server in dead:
            self._counts.streams.forget(server)
        if self._servers.ours in dead:  # they think so
            self._streams = {}

    async def tell(self) -> None:
        """What has changed since, if others are there."""
        messages = ["asks -"] if self._asks else []
        self._asks = False
        if self._counts.addresses.taken is not None:
            messages += of_many("taken", self._taken())
            messages += of_many(f"streams {self._servers.ours}", self._changed_streams())
        if messages:
            await self._servers.tell_soon(messages)

    def _taken(self) -> list[str]:
        things = []
        for name, buckets in self._buckets.items():
            taken, buckets.taken = buckets.taken or {}, {}
            little = LITTLE * PAUSE * buckets.rate
            things += [f"{name}:{key}:{n:g}" for key, n in taken.items() if n > 0 and n >= little]
        return things

    def _changed_streams(self) -> list[str]:
        slots, before = self._counts.streams, self._streams
        if slots.each <= 0:
            return []
        few = LITTLE * slots.each
        self._streams = {key: count for key, count in slots.open.items() if count >= few}
        now = dict.fromkeys(before, 0) | self._streams
        return [f"{key}:{count}" for key, count in now.items() if before.get(key) != count]

    def _hear_taken(self, things: list[str]) -> None:
        for thing in things:
            name, key, drops = thing.split(":")
            self._buckets[name].take_elsewhere(key, float(drops))

    def _hear_streams(self, words: list[str]) -> None:
        server, *things = words
        for thing in things:
            key, count = thing.split(":")
            self._counts.streams.set_elsewhere(server, key, int(count))

    def _ask(self) -> None:
        """We have not heard for a while what is open at the others, nor whether one has asked."""
        self._counts.streams.forget()
        self._asks, self._streams = True, {}

    def _tell_again(self) -> None:
        """Somebody is there who does not know what is open here."""
        self._streams = {}
        self.share({"somebody"})
