"""Errors that pages report: one line each in the log of the server, and a count. Nothing is stored.

A report is the text of a stranger. Pages leave out queries, fragments, ids and quoted text before
they send one; here it is done once more, in case an old page does not, or somebody writes by hand.
"""

import logging
import re

from benben.web.limits import Buckets
from benben.web.requests import ClientError

LINES_RATE, LINES_BURST = 1.0, 60.0  # lines of a server per second, and at once
# What follows the path of a URL, up to the line and column that a stack has there.
_QUERY = re.compile(r"(?<=[\w/])[?#]\S*?(?=(?::\d+){0,2}[),;]?(?:\s|$))")
_ID = re.compile(r"/(t|tables|review|reviews|feeds|mail)/[^\s/?#:)]+")
_QUOTED = re.compile(r'"[^"]*"')  # perhaps an answer of the server, with names
_TOKEN = re.compile(r"[\w-]{32,}")  # also secrets and nonces

log = logging.getLogger("benben.web")


class ClientErrors:
    """Counts reports, and logs them as far as there is room."""

    def __init__(self) -> None:
        self.count = 0
        self._lines = Buckets(LINES_RATE, LINES_BURST)

    def report(self, error: ClientError) -> None:
        """Count an error; log it, unless browsers report a flood of them."""
        self.count += 1
        if self._lines.take("lines") > 0:
            return
        log.warning(
            "an error in a browser (%s, %s) at %s: %s | %s",
            error.browser,
            plain(error.build) or "?",
            plain(error.page) or "?",
            plain(error.message),
            plain(error.stack),
        )


def plain(text: str) -> str:
    """A text on one line, without control characters, queries, ids, tokens and quoted text."""
    text = "".join(sign if sign.isprintable() else " " for sign in text)
    text = _ID.sub(r"/\1/ID", _QUERY.sub("", text))
    return _TOKEN.sub("***", _QUOTED.sub('"…"', text))
