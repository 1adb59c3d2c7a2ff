"""What the parts of the store have in common."""

from benben.store.reader import Reader
from benben.store.writer import Writer


class Part:
    """Part of the store. Every method may raise StoreFailed; times are milliseconds since 1970."""

    def __init__(self, writer: Writer, reader: Reader) -> None:
        self._writer, self._reader = writer, reader
