"""Prints what a test run spent its time on: by folder, and which tests are slow.

A report, not a failure: machines are shared. A test that has to take long is marked `slow`.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable
from pathlib import PurePosixPath

import pytest

BUDGET_SECONDS = 5.0
MOST_SHOWN = 40


def _folder(nodeid: str) -> str:
    """The folder of a test, or of a document with examples; the first two levels of it."""
    parts = PurePosixPath(nodeid.partition("::")[0]).parent.parts
    return "/".join(parts[:2]) or "."


def summary(reports: Iterable[pytest.TestReport]) -> list[str]:
    """Lines with the seconds by folder, set-up and teardown included, and the slow tests."""
    seconds: dict[str, float] = defaultdict(float)  # by test
    counts: Counter[str] = Counter()  # of tests, by folder
    allowed: set[str] = set()
    for report in reports:
        seconds[report.nodeid] += report.duration
        counts[_folder(report.nodeid)] += report.when == "call"
        if "slow" in report.keywords:
            allowed.add(report.nodeid)
    folders: dict[str, float] = defaultdict(float)
    for nodeid, took in seconds.items():
        folders[_folder(nodeid)] += took
    lines = [
        f"{took:8.1f} s  {counts[folder]:5} tests  {folder}"
        for folder, took in _longest_first(folders)
    ]
    over = [
        (nodeid, took)
        for nodeid, took in _longest_first(seconds)
        if took > BUDGET_SECONDS and nodeid not in allowed
    ]
    if over:
        lines += ["", f"{len(over)} tests over {BUDGET_SECONDS:g} s that are not marked slow:"]
        lines += [f"{took:8.1f} s  {nodeid}" for nodeid, took in over[:MOST_SHOWN]]
    return lines


def _longest_first(seconds: dict[str, float]) -> list[tuple[str, float]]:
    return sorted(seconds.items(), key=lambda item: -item[1])


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    every = (each for reports in terminalreporter.stats.values() for each in reports)
    reports = [each for each in every if isinstance(each, pytest.TestReport)]
    if len({each.nodeid for each in reports}) > MOST_SHOWN:  # not for a few that somebody runs
        terminalreporter.section("time")
        for line in summary(reports):
            terminalreporter.write_line(line)
