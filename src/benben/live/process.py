"""Logging and signals of server processes."""

import logging
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from benben.core.errors import BenbenError

_STOPS = (signal.SIGINT, signal.SIGTERM)


@contextmanager
def signals_call(stop: Callable[[], None]) -> Iterator[None]:
    """Call `stop` on each SIGINT and SIGTERM instead of raising."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {each: signal.signal(each, lambda *_: stop()) for each in _STOPS}
    try:
        yield
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)


def log_to_stderr() -> None:
    """Log one line for each message to standard error."""
    logging.basicConfig(
        level=logging.INFO, format="%(asctime)s %(levelname)s %(name)s: %(message)s"
    )
    for name in ("uvicorn.error", "alembic", "asyncio"):
        logging.getLogger(name).setLevel(logging.WARNING)


def background_failure(error: Exception) -> BenbenError:
    """The error that ends a process whose background work failed; details are in the log."""
    cause: BaseException = error
    while isinstance(cause, BaseExceptionGroup):
        cause = cause.exceptions[0]
    failure = BenbenError(f"background work has stopped ({type(cause).__name__}): see the log")
    failure.__cause__ = error
    return failure
