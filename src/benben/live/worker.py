"""`benben think`: a worker that plays bots' turns for the servers on its database.

It is notified of a bot's turn, takes a lease on the table and stores the move; the servers are
notified of that. If it dies, another worker or server takes over when the lease expires.
"""

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress

from benben.bots.warm import BOTS
from benben.core.errors import BenbenError
from benben.core.registry import names
from benben.core.warm import RULES
from benben.live.process import background_failure, load, log_to_stderr, signals_call
from benben.live.tables import Tables
from benben.store.database import Database, StoreFailed
from benben.store.store import Store

log = logging.getLogger("benben.live")

_ALONE = (
    "thinking servers need PostgreSQL, which several servers can share; a file has one server, "
    "where bots think too"
)


def place_to_think(database: str | None) -> Database:
    """The database of a worker; StoreFailed if it cannot be shared."""
    place = Database(database)
    if place.sqlite:
        raise StoreFailed(place.where, _ALONE)
    return place


def think(place: Database, thinkers: int | None, say: Callable[[], None]) -> None:
    """Play bots' turns until SIGTERM or SIGINT, `thinkers` at a time.

    `say` is called when the worker is ready. StoreFailed if the store cannot be opened; BenbenError
    if no game can be loaded, or the work stops by an unexpected error.
    """
    log_to_stderr()
    with asyncio.Runner() as runner:
        loop = runner.get_loop()
        thinking = loop.create_task(_think(place, thinkers, say))

        def stop() -> None:  # once: a second signal must not interrupt the shutdown
            if not thinking.cancelling():
                loop.call_soon_threadsafe(thinking.cancel)

        with signals_call(stop), suppress(asyncio.CancelledError):
            runner.run(asyncio.wait_for(thinking, None))


async def _think(place: Database, thinkers: int | None, say: Callable[[], None]) -> None:
    games = [game for game in names() if await _loaded(game)]
    if not games:
        raise BenbenError("no game can be played: see the log")
    store = await asyncio.to_thread(Store, place)
    tables = Tables(store, thinkers=thinkers, only_bots=True)
    try:
        await tables.join(serves=False)
        for game in games:
            await tables.open_game(game)
        say()
        await tables.scheduler.run()
    except BenbenError:
        raise
    except Exception as error:
        log.exception("background work has stopped: the process ends")
        raise background_failure(error) from error
    finally:
        await tables.close()
        await asyncio.to_thread(store.close)


async def _loaded(game: str) -> bool:
    """Load a game; False if that fails: other servers play its turns."""
    try:
        for stage in (RULES, BOTS):
            await load(game, stage)
    except Exception:
        log.exception("cannot load %s: its bots do not think here", game)
        return False
    return True
