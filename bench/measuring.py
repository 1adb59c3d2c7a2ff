"""What benchmarks share: two things measured turn by turn; which commit and machine it was."""

import os
import platform
import re
import statistics
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

ROUNDS = 7
HERE = Path(__file__).parent
TICKS = os.sysconf("SC_CLK_TCK")  # a second, in /proc

Measure = Callable[[], float]  # so many per second


def compare(ours: Measure, theirs: Measure, tick: Callable[[], None]) -> tuple[float, float, float]:
    """Turn by turn: our median, their median, and the median of the rounds' ratios."""
    pairs = []
    for _ in range(ROUNDS):
        pairs.append((ours(), theirs()))
        tick()
    ratio = statistics.median(a / b for a, b in pairs)
    return (*(statistics.median(column) for column in zip(*pairs, strict=True)), ratio)


def row(what: str, beside: str, figures: tuple[float, float, float], wanted: float | None) -> str:
    """A ratio, and whether it is what is wanted, if anything is."""
    a, b, ratio = figures
    asked = " | "
    if wanted is not None:
        asked = f"{wanted:g} | {'yes' if ratio >= wanted else '**no**'}"
    return f"| {what} | {short(a)} | {beside} | {short(b)} | {ratio:.1f} | {asked} |"


def short(rate: float) -> str:
    return f"{rate / 1e6:.1f} M/s" if rate >= 1e6 else f"{rate / 1e3:.0f} k/s"


def commit() -> str:
    def git(*words: str) -> str:
        return subprocess.run(
            ["git", *words], cwd=HERE, capture_output=True, text=True, check=True
        ).stdout.strip()

    changed = git("status", "--porcelain", "--", "../src")
    return git("rev-parse", "--short=12", "HEAD") + (" with changes" if changed else "")


def commit_if_known() -> str:
    try:
        return commit()
    except (OSError, subprocess.CalledProcessError):
        return "unknown"


def machine() -> str:
    found = re.search(r"model name\s*: (.*)", Path("/proc/cpuinfo").read_text())
    model = found[1] if found else platform.machine()
    return f"{os.cpu_count()} cores of {model}, {platform.system()}"


def cpu_of(pid: int) -> float:
    """Seconds of CPU that a process has used."""
    words = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(words[11]) + int(words[12])) / TICKS


def note(words: str) -> None:
    """What is being measured, for whoever waits for it."""
    sys.stderr.write(f"{words} …\n")
