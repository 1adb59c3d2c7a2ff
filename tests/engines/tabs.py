"""What a journey needs of a browser. Firefox and WebKit speak different dialects of WebDriver;
elements are found by the same script in both, and pointer actions have the same form."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from time import monotonic, sleep
from typing import Any

PHONE, DESKTOP = (390, 664), (1440, 900)
PATIENCE_SECONDS = 20.0
PRESS_MS = 110  # as long as people press

# Elements by selector and accessible name. A name is a label or the text; `null` is any.
_FIND = """(css, name) => {
    const clean = (text) => text?.replace(/\\s+/g, " ").trim();
    const nameOf = (each) => clean(each.ariaLabel ?? each.textContent);
    return [...document.querySelectorAll(css)].filter(
        (each) => each.checkVisibility() && (name === null || nameOf(each) === name));
}"""
_COUNT = f"(css, name) => ({_FIND})(css, name).length"
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
class Element:
    """Elements of a kind, by tag, role or data attribute, and by their accessible name."""

    css: str
    name: str | None = None


def button(name: str) -> Element:
    return Element("button", name)


def link(name: str) -> Element:
    return Element("a[href]", name)


def thing(name: str) -> Element:
    """A place on a board, or a piece."""
    return Element(f'[data-thing="{name}"]')


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

    def count(self, element: Element) -> int:
        return int(self.run(_COUNT, element.css, element.name))

    def sees(self, element: Element) -> None:
        """Wait until it is visible."""
        self._wait(lambda: self.count(element) or None, f"{element} is visible")

    def click(self, element: Element) -> None:
        """Press the mouse button on it, as soon as it is where it will stay."""
        last = None

        def settled() -> Any:
            nonlocal last
            before, last = last, self.run(_POINT, element.css, element.name)
            return last if last == before else None

        x, y = self._wait(settled, f"{element} can be clicked")
        pointer = [
            {"type": "pointerMove", "x": x, "y": y},
            {"type": "pointerDown", "button": 0},
            {"type": "pause", "duration": PRESS_MS},
            {"type": "pointerUp", "button": 0},
        ]
        mouse = {"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}}
        self.perform([{**mouse, "actions": pointer}])

    def _wait(self, condition: Any, what: str) -> Any:
        deadline = monotonic() + PATIENCE_SECONDS
        while (found := condition()) is None:
            page = self.run("() => document.body.innerText") if monotonic() > deadline else ""
            assert monotonic() < deadline, f"it is not so that {what}: {self.url}\n{page}"
            sleep(0.05)
        return found


class Profile(ABC):
    """A browser of one person: its tabs share storage and no other profile has it."""

    @abstractmethod
    def open_tab(self) -> Tab: ...


class Engine(ABC):
    """A kind of browser. Profiles live until it is closed."""

    @abstractmethod
    def open_profile(self, size: tuple[int, int]) -> Profile: ...

    @abstractmethod
    def complaints(self) -> list[str]:
        """Errors and warnings of all pages so far."""
