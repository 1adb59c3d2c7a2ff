"""A cache of documents that are rendered and compressed in a thread."""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping
from concurrent.futures import ThreadPoolExecutor
from hashlib import blake2b

MOST_CACHED = 128  # documents; a rulebook has about 100 kB


class File:
    """A file to be served, and its compressed forms by encoding, the best first."""

    def __init__(
        self, plain: bytes, type_: str, caching: str, compressed: Mapping[str, bytes] | None = None
    ) -> None:
        self.plain, self.type, self.caching, self.compressed = (
            plain,
            type_,
            caching,
            compressed or {},
        )
        # A weak tag, which all encodings share.
        self.etag = f'W/"{blake2b(plain, digest_size=12).hexdigest()}"'


class Documents:
    """An LRU cache of rendered documents."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(1, thread_name_prefix="page")
        self._cached: OrderedDict[Hashable, File] = OrderedDict()

    async def get(self, key: Hashable, make: Callable[[], File]) -> File:
        """Return the document of a key, which has everything that the document depends on."""
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
