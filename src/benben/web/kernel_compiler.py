"""Compiles kernels in child processes while the server already answers requests.

Numba holds the interpreter's lock while it compiles, which would block the server. So child
processes fill the disk cache, and this process loads from it. Games open one by one, each in two
stages: its rules, with which people play, then its bots.

Stages that were requested come first. A request for bots is for a single level, which is compiled
beside the rules of its game. A child turns to it after its current step; one that compiles bots
which were not requested is interrupted, as such steps take up to 20 s, and loses only the kernel
that it was compiling.
"""

import asyncio
import heapq
import logging
import os
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Callable, Iterable, Set
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count
from time import monotonic

from benben.bots.levels import LEVELS
from benben.bots.warm import BOTS, Progress, level_stage
from benben.core.registry import names
from benben.core.warm import RULES, Stage, is_warm
from benben.live.process import load
from benben.web.errors import ApiError

log = logging.getLogger("benben.web")

COMMAND = (sys.executable, "-m", "benben.bots.warm", "--asked")
MOST_CHILDREN = 2
LONGEST_RETRY = 3  # seconds, as a game may open sooner than estimated
LOAD_TRIES, LOAD_PAUSE = 3, 1.0  # attempts, and seconds: file descriptors may be short for a while
PRIOR_SECONDS = 5.0  # weight of the expected compile time against the measured one


class NotReady(ApiError):
    """The rules of some games are not ready."""

    def __init__(self, words: str, seconds: int, **games: str | list[str]) -> None:
        detail = {**games, "stage": RULES.name, "seconds": seconds}
        headers = {"Retry-After": str(min(seconds, LONGEST_RETRY))}
        super().__init__(503, "warming-up", words, detail, headers)


class GameUnavailable(ApiError):
    """A game, or its bots, could not be loaded, and is not offered until the server restarts."""

    def __init__(self, game: str, stage: Stage) -> None:
        words = f"the {stage.name} of {game} could not be loaded: not available on this server"
        detail = {"game": game, "stage": stage.name}
        super().__init__(503, "game-unavailable", words, detail)


@dataclass(eq=False)
class Job:
    """A stage of a game, to be compiled and loaded."""

    game: str
    stage: Stage
    begun: bool = False
    compiled: bool = False  # on disk, or given up by the children
    steps: int = 0  # done by a child
    wanted: int = 0  # the order of the first requests; 0 if there was none
    failed: bool = False  # it cannot be loaded
    done: asyncio.Event = field(default_factory=asyncio.Event)  # it is ready, or has failed

    @property
    def ready(self) -> bool:
        return self.done.is_set() and not self.failed

    @property
    def left(self) -> float:
        """The estimated seconds of compiling that are left."""
        return 0.0 if self.compiled else sum(list(self.stage.steps.values())[self.steps :])


class KernelCompiler:
    """Compiles and loads the kernels of all games, and knows which games can be played."""

    def __init__(self) -> None:
        self._rules = {name: Job(name, RULES) for name in names()}
        self._bots = {name: Job(name, BOTS) for name in names()}
        self._levels: dict[tuple[str, str], Job] = {}  # that were requested before all bots
        self._jobs = [*self._rules.values(), *self._bots.values()]
        self._working: dict[Process, Job] = {}  # children and the steps they take now
        self._interrupted: set[Process] = set()
        self._changed = asyncio.Event()  # replaced by a new one whenever it is set
        self._requests = count(1)
        self._began = monotonic()
        self._spent = self._done = 0.0  # seconds of compiling: as they were, and as expected
        self.on_progress: Callable[[], None] = lambda: None

    # ---- What can be played

    @property
    def ready(self) -> bool:
        """Whether people can play every game that could be loaded."""
        return all(job.done.is_set() for job in self._rules.values())

    @property
    def failed(self) -> list[str]:
        """The games that cannot be played here, or only without bots."""
        return [name for name in self._rules if self._bots[name].failed]

    def playable(self, game: str) -> bool:
        """Whether people can play this game. Unlike `require_ready`, does not prioritise it."""
        return game not in self._rules or self._rules[game].ready

    def require_ready(
        self, game: str, players: int = 0, levels: Iterable[int] = (), *, bots: bool = False
    ) -> None:
        """Raise NotReady if people cannot play this game yet, and compile it next.

        Bots of these `levels` are also compiled next, or with `bots` all bots of the game. Raise
        GameUnavailable if any of these failed to load.
        """
        if game not in self._rules:
            return  # unknown games are refused elsewhere
        rules = self._rules[game]
        wanted = [self._level(game, players, each) for each in levels if each in LEVELS]
        wanted += [self._bots[game]] if bots else []
        for job in (rules, *wanted):
            if job.failed:
                raise GameUnavailable(game, job.stage)
        if not rules.ready:
            self._prioritize(rules)
        for job in wanted:
            self._prioritize(job)
        if not rules.ready:
            seconds = self._seconds(rules)
            words = f"{game} is still being prepared: its rules will be ready in about {seconds} s"
            raise NotReady(words, seconds, game=game)

    def _level(self, game: str, players: int, number: int) -> Job:
        """The job of a level of bots, or that of all bots once it is compiled."""
        bots, stage = self._bots[game], level_stage(players, number)
        if bots.compiled:
            return bots
        key = game, stage.name
        if key not in self._levels:
            self._levels[key] = Job(game, stage)
            self._jobs.append(self._levels[key])
        return self._levels[key]

    def not_ready(self) -> NotReady:
        """The error for requests that need every game."""
        left = {
            job.game: self._seconds(job) for job in self._rules.values() if not job.done.is_set()
        }
        seconds = max(left.values(), default=1)
        words = f"still being prepared: {', '.join(left)}; try again in about {seconds} s"
        return NotReady(words, seconds, games=list(left))

    async def wait_for_bots(self, game: str, players: int = 0, level: int = 0) -> None:
        """Return when bots can play this game; until then, compile them next.

        With a `level`, only bots of that level in a game for `players` are needed. Raise
        GameUnavailable if they failed to load.
        """
        if game in self._bots:
            job = self._level(game, players, level) if level else self._bots[game]
            self._prioritize(job)
            await job.done.wait()
            if job.failed:
                raise GameUnavailable(game, job.stage)

    def _notify(self) -> None:
        self._changed.set()
        self._changed = asyncio.Event()
        self.on_progress()

    def _prioritize(self, job: Job) -> None:
        # First come, first served: repeated requests must not overtake each other.
        if job.wanted or job.compiled:
            return
        job.wanted = next(self._requests)
        self._notify()
        unwanted = (
            child
            for child, each in self._working.items()
            if not each.wanted and each.stage is BOTS and child not in self._interrupted
        )
        child = None if job.begun else next(unwanted, None)
        if child is not None:
            self._interrupted.add(child)
            child.terminate()

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
        """The estimated seconds until a job is ready, with those before it in the queue."""
        if job.done.is_set():
            return 0
        free = [0.0] * children()  # when each child is free
        end = 0.0
        for each in self._queue():
            end = free[0] + each.left
            heapq.heapreplace(free, end)
            if each is job:
                break
        return max(1, round(end * (PRIOR_SECONDS + self._spent) / (PRIOR_SECONDS + self._done)))

    def _queue(self) -> list[Job]:
        """The jobs that are not compiled, by urgency."""
        return _by_urgency(job for job in self._jobs if not job.compiled)

    # ---- Compiling, in child processes

    async def compile(self) -> None:
        """Compile everything that is not in the disk cache."""
        for job in self._jobs:
            if await asyncio.to_thread(is_warm, job.game, job.stage):
                job.begun = job.compiled = True
                self._notify()
        if self._queue():
            log.info("compiling, for the first time only: each game opens when it is ready")
        async with asyncio.TaskGroup() as group:
            for _ in range(min(children(), len(self._queue()))):
                group.create_task(self._compile())

    async def _compile(self) -> None:
        """Let one child compile, step by step, until nothing is left."""
        child: Process | None = None
        mine: set[Job] = set()  # the jobs that the child has begun
        try:
            while (job := await self._next(mine)) is not None:
                mine.add(job)
                try:
                    child = child or await _start()
                    self.on_progress()
                    if await self._step(child, job):
                        continue
                except OSError as error:  # a child cannot be started, or has died
                    interrupted = child in self._interrupted
                    if child is not None:
                        await _end(child)
                        self._interrupted.discard(child)
                    child = None
                    for lost in mine if interrupted else mine - {job}:
                        lost.begun, lost.steps = False, 0
                    mine.clear()
                    if interrupted:
                        continue
                    log.warning(
                        "a child cannot compile %s of %s: %s", job.stage.name, job.game, error
                    )
                mine.discard(job)
                await self._finish_compiling(job)
        finally:
            if child is not None:
                await _end(child)

    async def _next(self, mine: Set[Job]) -> Job | None:
        """The next job of a child, which may be one of `mine`; None when nothing is left.

        Bots wait for the rules of their game, whose kernels they call, so that two children do not
        compile the same kernels. Bots that were requested do not wait.
        """
        while queue := [job for job in self._queue() if job in mine or not job.begun]:
            for job in queue:
                rules = self._rules[job.game]
                if job is rules or rules.compiled or (job.wanted and rules.begun):
                    job.begun = True
                    return job
            await self._changed.wait()
        return None

    async def _step(self, child: Process, job: Job) -> bool:
        """Let a child take one step. False if there was none left, OSError if it has died."""
        assert child.stdin is not None
        assert child.stdout is not None
        began = monotonic()
        self._working[child] = job
        try:
            child.stdin.write(f"{job.game} {job.stage.name}\n".encode())
            line = await child.stdout.readline()
        finally:
            del self._working[child]
        if not line or child in self._interrupted:
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
                "%s: %s are not in the disk cache: they are compiled here, answers are slow",
                job.game,
                job.stage.name,
            )
        job.compiled = True
        self._notify()

    # ---- Loading compiled kernels into this process

    async def load(self) -> AsyncIterator[Job]:
        """Yield each stage of a game when it is loaded, rules first; ready by `set_ready`.

        RuntimeError if no game at all can be played.
        """
        while left := [job for job in self._jobs if not job.done.is_set()]:
            job = next((job for job in _by_urgency(left) if job.compiled), None)
            if job is None:
                await self._changed.wait()
            elif await self._is_loaded(job):
                yield job
            else:
                self._give_up(job)
        if all(job.failed for job in self._rules.values()):
            raise RuntimeError("no game can be played")

    def set_ready(self, job: Job) -> None:
        """Mark a stage as ready, so that people, or bots, can play."""
        for each in (job, *self._levels_in(job)):
            each.begun = each.compiled = True
            each.done.set()
        log.info("%s: %s ready after %.1f s", job.game, job.stage.name, monotonic() - self._began)
        self.on_progress()

    def _levels_in(self, job: Job) -> list[Job]:
        """The levels that are ready with all bots of their game."""
        levels = self._levels.values() if job.stage is BOTS else ()
        return [each for each in levels if each.game == job.game]

    async def _is_loaded(self, job: Job) -> bool:
        """Load a stage of a game. Return whether that has succeeded."""
        for tries_left in reversed(range(LOAD_TRIES)):
            try:
                await load(job.game, job.stage)
                return True
            except Exception:  # the other games can still be played
                log.exception("cannot load the %s of %s", job.stage.name, job.game)
            if tries_left:
                await asyncio.sleep(LOAD_PAUSE)
        return False

    def _give_up(self, job: Job) -> None:
        """Mark a stage as failed; without rules, the bots as well."""
        log.error("%s is not offered until the next start: no %s", job.game, job.stage.name)
        bots = self._bots[job.game]
        for each in (job, bots, *self._levels_in(bots)):
            each.failed = each.begun = each.compiled = True
            each.done.set()
        self._notify()


def _by_urgency(jobs: Iterable[Job]) -> list[Job]:
    """Requested jobs first, in the order of requests, and rules before bots."""
    return sorted(
        jobs, key=lambda job: (job.wanted == 0, job.stage is not RULES, job.wanted, not job.begun)
    )


def children() -> int:
    """How many children compile at once: one for each core, up to a limit."""
    if hasattr(os, "sched_getaffinity"):
        return min(MOST_CHILDREN, len(os.sched_getaffinity(0)))
    return min(MOST_CHILDREN, os.cpu_count() or 1)


async def _start() -> Process:
    # In a new session, so that Ctrl-C reaches only the server, which ends its children itself.
    return await asyncio.create_subprocess_exec(
        *COMMAND, stdin=PIPE, stdout=PIPE, start_new_session=True
    )


async def _end(child: Process) -> None:
    if child.returncode is None:
        with suppress(ProcessLookupError):
            child.terminate()
    await child.wait()
