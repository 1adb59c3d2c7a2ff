"""Browser tests find things by role, label and test id: classes and places belong to the layout."""

import re
from pathlib import Path

import pytest

FOLDER = Path(__file__).parent
# A class or an id of an element that the layout may rename, or the place of one among others.
LAYOUT = re.compile(
    r"(?:^|[\s>+~(,])(?:\w*\.[a-z][\w-]*|\w*#[a-z][\w-]*)|:nth-|:first-child|:last-"
)
# What selectors are handed to.
CALLS = re.compile(
    r'(?:locator|querySelector|querySelectorAll|until|query_selector)\(\s*(?:[\w.]+, *)?f?(["\'`])'
    r"(?P<selector>(?:(?!\1).)*)\1"
)
# Headings of a rulebook are named by their ids, which addresses name; a field that a test adds.
OF_ADDRESSES = re.compile(r"^#(?:home|endings|pasted|\{paragraph_of)")


def layout_selectors(source: str) -> list[str]:
    found = [match["selector"] for match in CALLS.finditer(source)]
    return [each for each in found if LAYOUT.search(each) and not OF_ADDRESSES.match(each)]


def test_no_selector_names_the_layout() -> None:
    found = {path.name: layout_selectors(path.read_text("utf-8")) for path in FOLDER.glob("*.py")}
    assert {name: selectors for name, selectors in found.items() if selectors} == {}


@pytest.mark.parametrize(
    "selector", [".board", "div.board.yours", "#log li", "li:nth-child(2)", "[data-x] > .node"]
)
def test_what_names_the_layout_is_found(selector: str) -> None:
    assert layout_selectors(f'page.locator("{selector}")') == [selector]
    assert layout_selectors(f"document.querySelectorAll('{selector}')") == [selector]


@pytest.mark.parametrize(
    "selector", ['[data-testid="x"] [data-thing]', "main a, main button", "dialog[open]", ":focus"]
)
def test_what_does_not_is_let_through(selector: str) -> None:
    assert layout_selectors(f"page.locator('{selector}')") == []
