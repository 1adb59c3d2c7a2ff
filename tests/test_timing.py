"""The report on what a test run spent its time on."""

from typing import Literal

import pytest

from tests.timing import summary

When = Literal["setup", "call", "teardown"]


def report(
    nodeid: str, seconds: float, when: When = "call", slow: bool = False
) -> pytest.TestReport:
    keywords: dict[str, Literal[1]] = {"slow": 1} if slow else {}
    return pytest.TestReport(
        nodeid, ("", None, ""), keywords, "passed", None, when, duration=seconds
    )


def test_time_is_added_up_by_folder_and_slow_tests_are_named() -> None:
    lines = summary(
        [
            report("tests/web/test_a.py::test_one", 4.0, "setup"),
            report("tests/web/test_a.py::test_one", 2.0),
            report("tests/web/deep/test_b.py::test_two", 1.0),
            report("tests/table/test_c.py::test_three", 9.0, slow=True),
            report("README.md::README.md", 0.5),
        ]
    )
    assert [line.split() for line in lines] == [
        ["9.0", "s", "1", "tests", "tests/table"],
        ["7.0", "s", "2", "tests", "tests/web"],
        ["0.5", "s", "1", "tests", "."],
        [],
        ["1", "tests", "over", "5", "s", "that", "are", "not", "marked", "slow:"],
        ["6.0", "s", "tests/web/test_a.py::test_one"],
    ]
