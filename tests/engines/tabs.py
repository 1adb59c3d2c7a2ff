"""What a journey needs of a browser. Firefox and WebKit speak different dialects of WebDriver;
elements are found by the same script in both, and pointer actions have the same form."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from time import monotonic, sleep
from typing import Any, TypeVar

from tests.web.site import PATIENCE

T = TypeVar("T")

PHONE, DESKTOP = (390, 664), (1440, 900)
POLL_SECONDS = 0.05
PRESS_MS = 110  # as long as people press

# Visible elements by selector and accessible name: a label or the text; `null` is any.
_FIND = """(css, name) => {
    const clean = (text) => text.replace(/\\s+/g, " ").trim();
    const nameOf = (each) => clean(each.ariaLabel ?? each.textContent);
    return [...document.querySelectorAll(css)].filter(
        (each) => each.checkVisibility() && (name === null || nameOf(each) === name));
}"""
_TEXTS = f"(css, name) => ({_FIND})(css, name).map((each) => each.textContent.trim())"
# The centre of the first that a pointer can hit, in view.
_POINT = f"""(css, name) => {{
    for (const each of ({_FIND})(css, name)) {{
        if (each.disabled) continue;
        each.scrollIntoView({{ block: "nearest", behavior: "instant" }});
        const {{ x, y, width, height }} = each.getBoundingClientRect();
        const point = [Math.round(x + width / 2), Math.round(y + height / 2)];
        const hit = document.elementFromPoint(...point);
        if (hit && (each.contains(hit) || hit.contains(each))) return point;
    }}
    return null;
}}"""


@dataclass(frozen=True)
class Locator:
    """Finds elements by a selector and, if one is given, by their accessible name."""

    css: str
    name: str | None = None


def button(name: str) -> Locator:
    return Locator("button", name)


def link(name: str) -> Locator:
    return Locator("a[href]", name)


class Tab(ABC):
    """A page in a browser."""

    @abstractmethod
    def visit(self, url: str) -> None: ...

    @abstractmethod
    def reload(self) -> None: ...

    @abstractmethod
    def activate(self) -> None:
        """Bring it to the front."""

    @abstractmethod
    def run(self, function: str, *arguments: Any) -> Any:
        """Call a JavaScript function in the page."""

    @abstractmethod
    def perform(self, actions: list[dict[str, Any]]) -> None:
        """Perform actions as WebDriver describes them."""

    @property
    def url(self) -> str:
        return str(self.run("() => location.href"))

    def texts(self, locator: Locator) -> list[str]:
        """The text of each that is visible."""
        return list(self.run(_TEXTS, locator.css, locator.name))

    def wait_for(self, locator: Locator) -> None:
        """Wait until it is visible."""
        self.wait_until(lambda: self.texts(locator), f"{locator} is visible")

    def click(self, locator: Locator) -> None:
        """Press the mouse button on it, as soon as it can be hit and has stopped moving."""
        x, y = self.wait_until(lambda: self._resting_point(locator), f"{locator} can be clicked")
        pointer = [
            {"type": "pointerMove", "x": x, "y": y},
            {"type": "pointerDown", "button": 0},
            {"type": "pause", "duration": PRESS_MS},
            {"type": "pointerUp", "button": 0},
        ]
        mouse = {"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}}
        self.perform([{**mouse, "actions": pointer}])

    def _resting_point(self, locator: Locator) -> tuple[int, int] | None:
        before = self.run(_POINT, locator.css, locator.name)
        sleep(POLL_SECONDS)
        after = self.run(_POINT, locator.css, locator.name)
        return after if after == before else None

    def wait_until(self, condition: Callable[[], T | None], what: str) -> T:
        """Wait until the condition is true, and return its value."""
        deadline = monotonic() + PATIENCE
        while not (value := condition()):
            if monotonic() > deadline:
                text = self.run("() => document.body.innerText")
                raise AssertionError(f"it is not so that {what}: {self.url}\n{text}")
            sleep(POLL_SECONDS)
        return value


class Profile(ABC):
    """A browser of one person: its tabs share storage and no other profile has it."""

    @abstractmethod
    def open_tab(self) -> Tab: ...


class Engine(ABC):
    """A kind of browser. Profiles live until it is closed."""

    @abstractmethod
    def open_profile(self, size: tuple[int, int]) -> Profile: ...

    @abstractmethod
    def logged_errors(self) -> list[str]:
        """Errors and warnings of all pages so far."""
