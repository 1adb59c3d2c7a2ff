"""docs/security.md: every threat has a defence, and every test that is said to prove it exists."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs/security.md").read_text()
THREATS = [
    [cell.strip() for cell in row.strip("|").split("|")]
    for row in PAGE[PAGE.index("## Threats") : PAGE.index("## Out of scope")].splitlines()
    if row.startswith("|") and not row.startswith(("|---", "| threat"))
]


@pytest.mark.parametrize("row", THREATS, ids=lambda row: row[0][:60])
def test_a_threat_has_a_defence_and_a_test(row: list[str]) -> None:
    threat, defence, tests = row
    assert threat
    assert defence
    assert "TBD" not in tests
    named = re.findall(r"`([^`]+)::([^`]+)`", tests)
    assert named
    for path, name in named:
        assert re.search(rf"^(async )?def {name}\(", (ROOT / path).read_text(), re.MULTILINE)


def test_the_policy_and_the_threats_are_found() -> None:
    assert len(THREATS) > 40
    policy = (ROOT / "SECURITY.md").read_text()
    assert "(docs/security.md)" in policy
    assert "(docs/security.md)" in (ROOT / "README.md").read_text()
    assert "(security.md)" in (ROOT / "docs/hosting.md").read_text()
