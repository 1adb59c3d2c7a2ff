"""Kernels before they are needed: compiled by other processes, while this one answers already.

Numba compiles with the interpreter's lock held, and a server that compiles answers nobody. Child
processes fill the disk cache instead, from which this one reads. Games open one by one, each in two
stages: its rules, with which people play, then its bots. What somebody asks for goes first: a child
turns to it after the step it is at.
"""

import asyncio
import heapq
import logging
import os
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Callable, Set
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count
from time import monotonic

from benben.bots.warm import BOTS, Progress
from benben.core.kernel import PLAIN_PYTHON
from benben.core.registry import game as find
from benben.core.registry import names
from benben.core.warm import RULES, Stage, is_warm
from benben.web.errors import ApiError

log = logging.getLogger("benben.web")

COMMAND = (sys.executable, "-m", "benben.bots.warm", "--asked")
MOST_CHILDREN = 2
LONGEST_BREAK = 0.1  # seconds
LONGEST_RETRY = 3  # seconds: a game may open before we thought
LOAD_TRIES, LOAD_PAUSE = 3, 1.0  # times and seconds: there may be no file descriptor left just now
TRUSTED = 5.0  # seconds of compiling until we go by what we see rather than by what we expect


class NotReady(ApiError):
    """Nobody can play this game yet."""

    def __init__(self, game: str, seconds: int) -> None:
        super().__init__(
            503,
            "warming-up",
            f"{game} is still being prepared: its rules will be ready in about {seconds} s",
            {"game": game, "stage": RULES.name, "seconds": seconds},
            {"Retry-After": str(min(seconds, LONGEST_RETRY))},
        )


class GameUnavailable(ApiError):
    """This game, or its bots, could not be loaded: it is not offered until the server restarts."""

    def __init__(self, game: str, stage: Stage) -> None:
        super().__init__(
            503,
            "game-unavailable",
            f"the {stage.name} of {game} could not be loaded: not available on this server",
            {"game": game, "stage": stage.name},
        )


@dataclass(eq=False)
class Job:
    """A stage of a game that is to be compiled."""

    game: str
    stage: Stage
    begun: bool = False
    compiled: bool = False  # on disk, or given up by the children
    steps: int = 0  # done by a child
    wanted: int = 0  # the higher, the later somebody first asked for it; 0: nobody has
    failed: bool = False  # it cannot be loaded
    done: asyncio.Event = field(default_factory=asyncio.Event)  # it is ready, or has failed

    @property
    def ready(self) -> bool:
        return self.done.is_set() and not self.failed

    @property
    def left(self) -> float:
        """About how many seconds of compiling, on a machine like ours."""
        return 0.0 if self.compiled else sum(list(self.stage.steps.values())[self.steps :])


class KernelCompiler:
    """Which games can be played on this server, and when the others can."""

    def __init__(self) -> None:
        self._rules = {name: Job(name, RULES) for name in names()}
        self._bots = {name: Job(name, BOTS) for name in names()}
        self._jobs = [*self._rules.values(), *self._bots.values()]
        self._changed = asyncio.Condition()
        self._wishes = count(1)
        self._began = monotonic()
        self._spent = self._done = 0.0  # seconds of compiling: as they were, and as expected
        self.on_progress: Callable[[], None] = lambda: None

    # ---- Whoever would like to play

    @property
    def ready(self) -> bool:
        """Whether people can play every game that could be loaded."""
        return all(job.done.is_set() for job in self._rules.values())

    @property
    def failed(self) -> list[str]:
        """The games that cannot be played here, or only without bots."""
        return [name for name in self._rules if self._bots[name].failed]

    @property
    def complete(self) -> bool:
        """Whether bots can, too."""
        return all(job.done.is_set() for job in self._jobs)

    def playable(self, game: str) -> bool:
        """Whether people can play this game, without asking for it."""
        return game not in self._rules or self._rules[game].ready

    def require_ready(self, game: str, *, bots: bool = False) -> None:
        """Raise NotReady if people cannot play this game yet, and compile it next.

        With `bots` its bots are compiled next, too. GameUnavailable if it failed to load.
        """
        if game not in self._rules:
            return  # an unknown game: others say so
        rules = self._rules[game]
        for job in (rules, self._bots[game]) if bots else (rules,):
            if job.failed:
                raise GameUnavailable(game, job.stage)
        if bots:
            self._prioritize(self._bots[game])
        if not rules.ready:
            self._prioritize(rules)
            raise NotReady(game, self._seconds(rules))

    def not_ready(self) -> ApiError:
        """What is told to whoever needs every game."""
        left = {
            job.game: self._seconds(job) for job in self._rules.values() if not job.done.is_set()
        }
        seconds = max(left.values(), default=1)
        return ApiError(
            503,
            "warming-up",
            f"still being prepared: {', '.join(left)}; try again in about {seconds} s",
            {"games": list(left), "stage": RULES.name, "seconds": seconds},
            {"Retry-After": str(min(seconds, LONGEST_RETRY))},
        )

    async def wait_for_bots(self, game: str) -> None:
        """Return when bots can play this game; until then, compile its bots next.

        GameUnavailable if they failed to load.
        """
        if game in self._bots:
            job = self._bots[game]
            self._prioritize(job)
            await job.done.wait()
            if job.failed:
                raise GameUnavailable(game, job.stage)

    async def wait_for_rules(self) -> None:
        """Return when the rules of every game are ready, or have failed to load."""
        for job in self._rules.values():
            await job.done.wait()

    def _prioritize(self, job: Job) -> None:
        # First come, first served: two who ask again and again would only hold each other up.
        job.wanted = job.wanted or next(self._wishes)

    @property
    def progress(self) -> list[Progress]:
        return [self._progress(name) for name in self._rules]

    def _progress(self, name: str) -> Progress:
        rules, bots = self._rules[name], self._bots[name]
        whole = sum(RULES.steps.values()) + sum(BOTS.steps.values())
        current = bots if rules.ready else rules
        upcoming = list(current.stage.steps)[current.steps : current.steps + 1]
        return Progress(
            game=name,
            ready="bots" if bots.ready else "people" if current is bots else "no",
            seconds=self._seconds(current),
            done=1 - (rules.left + bots.left) / whole,
            step=upcoming[0] if current.begun and upcoming else "",
        )

    def _seconds(self, job: Job) -> int:
        """About how long until it is ready: those before it in the queue take their time, too."""
        if job.done.is_set():
            return 0
        free = [0.0] * children()  # when each child is
        end = 0.0
        for each in self._queue():
            end = free[0] + each.left
            heapq.heapreplace(free, end)
            if each is job:
                break
        return max(1, round(end * (TRUSTED + self._spent) / (TRUSTED + self._done)))

    def _queue(self) -> list[Job]:
        """What is to be compiled: what was asked for first, rules before bots."""
        left = [job for job in self._jobs if not job.compiled]
        return sorted(
            left,
            key=lambda job: (job.wanted == 0, job.stage is not RULES, job.wanted, not job.begun),
        )

    # ---- Compiling, in child processes

    async def compile(self) -> None:
        """Fill the disk cache with everything that is not in it yet."""
        for job in self._jobs:
            if await asyncio.to_thread(is_warm, job.game, job.stage):
                job.begun = True
                await self._set_compiled(job)
        if self._queue():
            log.info("compiling, for the first time only: each game opens when it is ready")
        async with asyncio.TaskGroup() as group:
            for _ in range(min(children(), len(self._queue()))):
                group.create_task(self._compile())

    async def _compile(self) -> None:
        """Let one child compile, step by step, as long as there is something left."""
        child: Process | None = None
        mine: set[Job] = set()  # what the child has begun
        try:
            while (job := await self._next(mine)) is not None:
                mine.add(job)
                try:
                    child = child or await _start()
                    self.on_progress()
                    if await self._step(child, job):
                        continue
                except OSError as error:  # no child is to be had, or it died
                    log.warning(
                        "a child cannot compile %s of %s: %s", job.stage.name, job.game, error
                    )
                    if child is not None:
                        await _end(child)
                    child = None
                    for lost in mine - {job}:
                        lost.begun, lost.steps = False, 0
                    mine = {job}
                mine.discard(job)
                await self._finish_compiling(job)
        finally:
            if child is not None:
                await _end(child)

    async def _next(self, mine: Set[Job]) -> Job | None:
        """What a child does next; None when nothing is left for it. It goes on with `mine`.

        Bots wait for the rules of their game, which are in their kernels: what one child has
        compiled is read from the disk, and not compiled by two at once.
        """
        async with self._changed:
            while queue := [job for job in self._queue() if job in mine or not job.begun]:
                for job in queue:
                    if job.stage is RULES or self._rules[job.game].compiled:
                        job.begun = True
                        return job
                await self._changed.wait()
        return None

    async def _step(self, child: Process, job: Job) -> bool:
        """Let a child take one step; whether there was one left. OSError if it has died."""
        assert child.stdin is not None
        assert child.stdout is not None
        began = monotonic()
        child.stdin.write(f"{job.game} {job.stage.name}\n".encode())
        line = await child.stdout.readline()
        if not line:
            raise ChildProcessError("it has ended")
        step = line.decode().strip()
        if not step:
            return False
        self._spent += monotonic() - began
        self._done += job.stage.steps.get(step, 0.0)
        job.steps += 1
        self.on_progress()
        return True

    async def _finish_compiling(self, job: Job) -> None:
        if not await asyncio.to_thread(is_warm, job.game, job.stage):
            log.warning(
                "%s: the compiled %s could not be kept; they are compiled here, answers are slow",
                job.game,
                job.stage.name,
            )
        await self._set_compiled(job)

    async def _set_compiled(self, job: Job) -> None:
        async with self._changed:
            job.compiled = True
            self._changed.notify_all()
        self.on_progress()

    # ---- Loading into this process what was compiled

    async def load(self) -> AsyncIterator[Job]:
        """Yield each stage of a game when it is loaded, rules first; ready by `set_ready`.

        RuntimeError if no game at all can be played.
        """
        while left := [job for job in self._jobs if not job.done.is_set()]:
            async with self._changed:
                await self._changed.wait_for(lambda: any(job.compiled for job in left))
            job = next(job for job in left if job.compiled)
            if await self._is_loaded(job):
                yield job
            else:
                await self._give_up(job)
        if all(job.failed for job in self._rules.values()):
            raise RuntimeError("no game can be played")

    def set_ready(self, job: Job) -> None:
        """Let people, or bots, play a game from now on."""
        job.done.set()
        log.info("%s: %s ready after %.1f s", job.game, job.stage.name, monotonic() - self._began)
        self.on_progress()

    async def _is_loaded(self, job: Job) -> bool:
        """Load a stage of a game; whether that has succeeded."""
        for tries_left in reversed(range(LOAD_TRIES)):
            try:
                await load(job.game, job.stage)
                return True
            except Exception:  # one game must not keep the others from being played
                log.exception("cannot load the %s of %s", job.stage.name, job.game)
            if tries_left:
                await asyncio.sleep(LOAD_PAUSE)
        return False

    async def _give_up(self, job: Job) -> None:
        """Do not offer a game, or its bots, which need its rules."""
        log.error("%s is not offered until the next start: no %s", job.game, job.stage.name)
        async with self._changed:
            for each in (job, self._bots[job.game]):
                each.failed = each.begun = each.compiled = True
                each.done.set()
            self._changed.notify_all()
        self.on_progress()


def children() -> int:
    """How many may compile at once: as many as there are cores for them."""
    if hasattr(os, "sched_getaffinity"):
        return min(MOST_CHILDREN, len(os.sched_getaffinity(0)))
    return min(MOST_CHILDREN, os.cpu_count() or 1)


async def load(game: str, stage: Stage) -> None:
    """Call everything once, so that the first who needs it does not wait for the disk.

    This too holds the interpreter's lock, so after each step there is a break for who asks already.
    """
    if PLAIN_PYTHON:
        return
    steps = await asyncio.to_thread(lambda: stage.run(find(game)))
    began = monotonic()
    while await asyncio.to_thread(next, steps, None) is not None:
        await asyncio.sleep(min(monotonic() - began, LONGEST_BREAK))
        began = monotonic()


async def _start() -> Process:
    # A session of its own: Ctrl-C is for the server, which ends its children itself.
    return await asyncio.create_subprocess_exec(
        *COMMAND, stdin=PIPE, stdout=PIPE, start_new_session=True
    )


async def _end(child: Process) -> None:
    if child.returncode is None:
        with suppress(ProcessLookupError):
            child.terminate()
    await child.wait()
