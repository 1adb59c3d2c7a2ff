"""Limits hold for the house: what one server lets through counts at the others.

Every second, if there was anything, a server tells what was taken and how many streams are open, by
key. Whatever is little beside the limit is left out, so that people who play as people do cost
nothing; and until the others know, an address has what it may have at once at each of them.
"""

from collections.abc import Mapping, Set

from benben.store.notify import of_many
from benben.store.store import Store, StoreFailed
from benben.web.limits import Counts

PAUSE = 1.0  # seconds
LITTLE = 0.1  # of a limit, by one key at one server
_UNKNOWN = -1  # how many streams of a key the others know of


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
            self._streams_unknown()

    async def tell(self) -> None:
        """What has changed since, if others are there. If it cannot be stored, it is told later."""
        asks, self._asks = self._asks, False
        before, taken = self._streams, self._take()
        messages = ["asks -"] if asks else []
        if taken is not None:
            messages += of_many("taken", self._worth_sharing(taken))
            messages += of_many(f"streams {self._servers.ours}", self._changed_streams())
        if not messages:
            return
        try:
            await self._servers.notify(messages)
        except StoreFailed:
            self._asks = self._asks or asks
            self._streams = before | self._streams
            self._streams_unknown()
            self._give_back(taken or {})
            raise

    def _take(self) -> dict[str, dict[str, float]] | None:
        """What was taken since the last time, by kind and key; None if this is the only server."""
        if self._counts.addresses.taken is None:
            return None
        taken = {name: buckets.taken or {} for name, buckets in self._buckets.items()}
        for buckets in self._buckets.values():
            buckets.taken = {}
        return taken

    def _give_back(self, taken: Mapping[str, Mapping[str, float]]) -> None:
        for name, drops in taken.items():
            since = self._buckets[name].taken
            if since is not None:
                for key, n in drops.items():
                    since[key] = since.get(key, 0.0) + n

    def _worth_sharing(self, taken: Mapping[str, Mapping[str, float]]) -> list[str]:
        things = []
        for name, drops in taken.items():
            little = LITTLE * PAUSE * self._buckets[name].rate
            things += [f"{name}:{key}:{n:g}" for key, n in drops.items() if n > 0 and n >= little]
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
        self._asks = True
        self._streams_unknown()

    def _tell_again(self) -> None:
        """Somebody is there who does not know what is open here."""
        self._streams_unknown()
        self.share({"somebody"})

    def _streams_unknown(self) -> None:
        """Tell everything again; also of what is closed by now, as some may still count it."""
        self._streams = dict.fromkeys(self._streams, _UNKNOWN)
