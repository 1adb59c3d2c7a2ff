"""Documents of pages as they are sent: made and packed off the event loop, then cached."""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

MOST_CACHED = 128  # documents; that of a rulebook has some 100 kB


@dataclass(frozen=True)
class File:
    """A file as it is sent; without `packed`, its gzip form, it is only sent plain."""

    plain: bytes
    packed: bytes | None
    type: str
    caching: str


class Documents:
    """The cache of one server. The document used least recently goes first."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(1, thread_name_prefix="page")
        self._cached: OrderedDict[Hashable, File] = OrderedDict()

    async def get(self, key: Hashable, make: Callable[[], File]) -> File:
        """The document of a key, which says all that it depends on."""
        found = self._cached.get(key)
        if found is None:
            found = await asyncio.get_running_loop().run_in_executor(self._threads, make)
            self._cached[key] = found
            if len(self._cached) > MOST_CACHED:
                self._cached.popitem(last=False)
        self._cached.move_to_end(key)
        return found

    def close(self) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)
