"""Logging and signals of server processes, and loading of kernels into them."""

import asyncio
import logging
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic

from benben.core.errors import BenbenError
from benben.core.kernel import PLAIN_PYTHON
from benben.core.registry import game as find
from benben.core.warm import Stage

LONGEST_BREAK = 0.1  # seconds
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


async def load(game: str, stage: Stage) -> None:
    """Call every kernel of a stage once, so that no request or turn waits for the disk cache.

    This holds the interpreter's lock, so there is a pause for requests after each step.
    """
    if PLAIN_PYTHON:
        return
    steps = await asyncio.to_thread(lambda: stage.run(find(game)))
    began = monotonic()
    while await asyncio.to_thread(next, steps, None) is not None:
        await asyncio.sleep(min(monotonic() - began, LONGEST_BREAK))
        began = monotonic()
