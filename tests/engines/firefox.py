"""Debian's Firefox ESR by WebDriver BiDi, which it speaks without a driver."""

import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from websockets.sync.client import ClientConnection, connect

from tests.engines.processes import running
from tests.engines.tabs import Engine, Profile, Tab
from tests.web.site import PATIENCE, eventually

_PREFERENCES = {
    "intl.accept_languages": "en-GB, en",
    "layout.css.prefers-color-scheme.content-override": 1,  # light
    "ui.prefersReducedMotion": 1,
    # Requests to Mozilla.
    "browser.safebrowsing.downloads.remote.enabled": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "services.settings.server": "data:,",
}
_CALL = "async (all) => JSON.stringify((await (%s)(...JSON.parse(all))) ?? null)"


class Firefox(Engine):
    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket
        self._number = 0
        self._logged_errors: list[str] = []
        self.call("session.new", capabilities={})
        self.call("session.subscribe", events=["log.entryAdded"])

    def call(self, method: str, **parameters: Any) -> Any:
        """Send a command and return its result. Errors logged meanwhile are noted."""
        self._number += 1
        command = {"id": self._number, "method": method, "params": parameters}
        self._socket.send(json.dumps(command))
        while True:
            message = json.loads(self._socket.recv(PATIENCE))
            if message["type"] == "event":
                self._log(message["params"])
            elif message["id"] == self._number:
                assert message["type"] == "success", (command, message)
                return message["result"]

    def _log(self, entry: dict[str, Any]) -> None:
        if entry["level"] in ("error", "warn"):
            self._logged_errors.append(f"{entry['type']}: {entry['text']}")

    def open_profile(self, size: tuple[int, int]) -> Profile:
        return FirefoxProfile(self, self.call("browser.createUserContext")["userContext"], size)

    def logged_errors(self) -> list[str]:
        self.call("session.status")  # the events up to now
        return self._logged_errors


class FirefoxProfile(Profile):
    def __init__(self, firefox: Firefox, user: str, size: tuple[int, int]) -> None:
        self._firefox, self._user, self._size = firefox, user, size
        self._where = {"type": "window"}  # of its own, as another's tab in front would hide it

    def open_tab(self) -> Tab:
        created = self._firefox.call(
            "browsingContext.create", userContext=self._user, **self._where
        )
        context = created["context"]
        self._where = {"type": "tab", "referenceContext": context}
        width, height = self._size
        viewport = {"width": width, "height": height}
        self._firefox.call("browsingContext.setViewport", context=context, viewport=viewport)
        return FirefoxTab(self._firefox, context)


class FirefoxTab(Tab):
    def __init__(self, firefox: Firefox, context: str) -> None:
        self._firefox, self._context = firefox, context

    def _call(self, method: str, **parameters: Any) -> Any:
        return self._firefox.call(method, context=self._context, **parameters)

    def visit(self, url: str) -> None:
        self._call("browsingContext.navigate", url=url, wait="complete")

    def reload(self) -> None:
        self._call("browsingContext.reload", wait="complete")

    def activate(self) -> None:
        self._call("browsingContext.activate")

    def run(self, function: str, *arguments: Any) -> Any:
        answer = self._firefox.call(
            "script.callFunction",
            functionDeclaration=_CALL % function,
            arguments=[{"type": "string", "value": json.dumps(arguments)}],
            awaitPromise=True,
            target={"context": self._context},
        )
        assert answer["type"] == "success", answer
        return json.loads(answer["result"]["value"])

    def perform(self, actions: list[dict[str, Any]]) -> None:
        self._call("input.performActions", actions=actions)


@contextmanager
def firefox(folder: Path) -> Iterator[Engine]:
    """Firefox, with its profile in a folder."""
    path = shutil.which("firefox-esr") or shutil.which("firefox")
    assert path, "this test needs Firefox: `make machine-engines` installs it"
    lines = (f"user_pref({json.dumps(k)}, {json.dumps(v)});\n" for k, v in _PREFERENCES.items())
    (folder / "user.js").write_text("".join(lines))
    address = folder / "WebDriverBiDiServer.json"
    command = [path, "--headless", "--remote-debugging-port=0", "--profile", str(folder)]
    environment = os.environ | {"HOME": str(folder)}
    with (
        (folder / "log").open("w") as log,
        running(command, stdout=log, stderr=log, env=environment),
    ):
        eventually(address.exists, "Firefox listens")
        eventually(lambda: address.read_text().endswith("}"), "its address is written")
        listening = json.loads(address.read_text())
        url = f"ws://{listening['ws_host']}:{listening['ws_port']}/session"
        with connect(url, max_size=None) as socket:
            yield Firefox(socket)
