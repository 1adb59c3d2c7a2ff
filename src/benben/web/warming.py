"""Kernels before they are needed: compiled by another process, while this one answers already.

Numba compiles with the interpreter's lock held, and a server that compiles answers nobody. A child
process fills the disk cache instead, from which this one reads them.
"""

import asyncio
import logging
import sys
from contextlib import suppress
from time import monotonic

from benben.bots.warm import BOTS
from benben.core.kernel import PLAIN_PYTHON
from benben.core.registry import game, names
from benben.core.warm import RULES, is_warm

log = logging.getLogger("benben.web")

COMMAND = (sys.executable, "-m", "benben.bots.warm")
LONGEST_BREAK = 0.1  # seconds


def is_cold() -> bool:
    """Whether something is still to be compiled."""
    return not all(is_warm(game(name), each) for name in names() for each in (RULES, BOTS))


async def compile_all() -> None:
    """Return when no kernel of any game is to be compiled any more."""
    if not await asyncio.to_thread(is_cold):
        return
    log.info("compiling rules and bots; tables are served when that is done")
    if await _run(COMMAND) != 0 or await asyncio.to_thread(is_cold):
        log.warning("what was compiled could not be kept: it is compiled here, answers are slow")
        await load_all()


async def load_all() -> None:
    """Call everything once, so that the first who needs it does not wait for the disk.

    This too holds the interpreter's lock, so after each step there is a break for who asks already.
    """
    if PLAIN_PYTHON:
        return
    for name in names():
        for each in (RULES, BOTS):
            steps = each.run(game(name))
            began = monotonic()
            while await asyncio.to_thread(next, steps, None) is not None:
                await asyncio.sleep(min(monotonic() - began, LONGEST_BREAK))
                began = monotonic()


async def _run(command: tuple[str, ...]) -> int:
    # A session of its own: Ctrl-C is for the server, which ends its child itself.
    child = await asyncio.create_subprocess_exec(*command, start_new_session=True)
    try:
        return await child.wait()
    finally:
        if child.returncode is None:
            with suppress(ProcessLookupError):
                child.terminate()
            await child.wait()
