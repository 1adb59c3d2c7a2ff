"""WebKitGTK by its WebDriver, in a virtual display."""

import json
import os
import shutil
import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from subprocess import DEVNULL, PIPE
from typing import Any

import httpx

from tests.engines.processes import running
from tests.engines.tabs import Engine, Profile, Tab
from tests.web.site import PATIENCE, eventually

_WINDOW = Path(__file__).with_name("webkit_window.py")
_ENVIRONMENT = {
    "GDK_BACKEND": "x11",
    "NO_AT_BRIDGE": "1",  # no bus for screen readers
    "WEBKIT_DISABLE_DMABUF_RENDERER": "1",  # no graphics card
}


class WebKit(Engine):
    def __init__(self, folder: Path, display: str, stack: ExitStack) -> None:
        self._folder, self._stack = folder, stack
        self._environment = os.environ | _ENVIRONMENT | {"DISPLAY": display, "HOME": str(folder)}
        self._errors = folder / "errors.jsonl"
        self._errors.touch()

    def open_profile(self, size: tuple[int, int]) -> Profile:
        """A driver has one session, and a session one profile."""
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        command = ["WebKitWebDriver", f"--port={port}"]
        log = self._stack.enter_context((self._folder / f"{port}.log").open("w"))
        driver = running(command, stdout=log, stderr=log, env=self._environment)
        self._stack.enter_context(driver)
        eventually(lambda: _listens(port), "the driver listens")
        url = f"http://127.0.0.1:{port}"
        http = self._stack.enter_context(httpx.Client(base_url=url, timeout=PATIENCE))
        return WebKitProfile(http, size, self._errors)

    def logged_errors(self) -> list[str]:
        return [json.loads(line) for line in self._errors.read_text().splitlines()]


class WebKitProfile(Profile):
    def __init__(self, http: httpx.Client, size: tuple[int, int], errors: Path) -> None:
        self._http = http
        width, height = size
        options = {
            "binary": "/usr/bin/python3",
            "args": [str(_WINDOW), str(width), str(height), str(errors)],
        }
        capabilities = {"alwaysMatch": {"webkitgtk:browserOptions": options}}
        self._session = self.call("POST", "/session", capabilities=capabilities)["sessionId"]
        self._first: str | None = self.send("GET", "/window")
        self._current = self._first

    def call(self, method: str, path: str, **body: Any) -> Any:
        answer = self._http.request(method, path, json=body if method == "POST" else None)
        assert answer.is_success, (path, body, answer.text)
        return answer.json()["value"]

    def send(self, method: str, path: str, window: str | None = None, **body: Any) -> Any:
        """A command of the session, to one of its windows."""
        if window and window != self._current:
            self.call("POST", f"/session/{self._session}/window", handle=window)
            self._current = window
        return self.call(method, f"/session/{self._session}{path}", **body)

    def open_tab(self) -> Tab:
        window, self._first = self._first, None  # a session begins with one
        return WebKitTab(self, window or self.send("POST", "/window/new", type="tab")["handle"])


class WebKitTab(Tab):
    def __init__(self, profile: WebKitProfile, window: str) -> None:
        self._profile, self._window = profile, window

    def _post(self, path: str, **body: Any) -> Any:
        return self._profile.send("POST", path, self._window, **body)

    def visit(self, url: str) -> None:
        self._post("/url", url=url)

    def reload(self) -> None:
        self._post("/refresh")

    def activate(self) -> None:
        """Each has a window of its own."""

    def run(self, function: str, *arguments: Any) -> Any:
        return self._post(
            "/execute/sync", script=f"return ({function})(...arguments)", args=arguments
        )

    def perform(self, actions: list[dict[str, Any]]) -> None:
        self._post("/actions", actions=actions)


def _listens(port: int) -> bool:
    with socket.socket() as trying:
        return trying.connect_ex(("127.0.0.1", port)) == 0


@contextmanager
def virtual_display() -> Iterator[str]:
    """The name of an X display that nobody sees."""
    command = ["Xvfb", "-displayfd", "1", "-screen", "0", "1600x1200x24", "-nolisten", "tcp"]
    with running(command, stdout=PIPE, stderr=DEVNULL) as process:
        assert process.stdout
        yield f":{process.stdout.readline().strip()}"


@contextmanager
def webkit(folder: Path) -> Iterator[Engine]:
    """WebKit, with its files in a folder."""
    for program in ("WebKitWebDriver", "Xvfb"):
        assert shutil.which(program), (
            f"this test needs {program}: `make machine-engines` installs it"
        )
    with ExitStack() as stack:
        display = stack.enter_context(virtual_display())
        yield WebKit(folder, display, stack)
