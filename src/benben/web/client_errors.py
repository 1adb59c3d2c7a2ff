"""Errors that pages report: one line each in the log of the server, and a count. Nothing is stored.

A report is the text of a stranger. Pages leave out queries, fragments, ids and quoted text before
they send one; here it is done once more, in case an old page does not, or somebody writes by hand.
"""

import logging
import re

from benben.web.limits import Buckets
from benben.web.requests import ClientError

# Lines per second, and at once: of a server, and of an address, which cannot silence the others.
LINES_RATE, LINES_BURST = 0.2, 60.0
ADDRESS_RATE, ADDRESS_BURST = 0.05, 10.0
# What follows the path of a URL, up to the line and column that a stack has there.
_QUERY = re.compile(r"(?<=[\w/])[?#]\S*?(?=(?::\d+){0,2}[),;]?(?:\s|$))")
_ID = re.compile(r"/(t|tables|review|reviews|feeds|mail)/[^\s/?#:)]+")
_QUOTED = re.compile(r'"(?:.*"|.*$)', re.MULTILINE)  # perhaps an answer of the server, with names
_TOKEN = re.compile(r"[\w-]{32,}")  # also secrets and nonces

log = logging.getLogger("benben.web")


class ClientErrors:
    """Counts reports, and logs them as far as there is room."""

    def __init__(self) -> None:
        self.count = 0
        self._lines = Buckets(LINES_RATE, LINES_BURST)
        self._addresses = Buckets(ADDRESS_RATE, ADDRESS_BURST)

    def report(self, error: ClientError, address: str) -> None:
        """Count an error; log it, unless this address or all browsers report a flood of them."""
        self.count += 1
        if self._addresses.take(address) > 0 or self._lines.take("lines") > 0:
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
    text = _QUOTED.sub('"…"', text)
    text = "".join(sign if sign.isprintable() else " " for sign in text)
    return _TOKEN.sub("***", _ID.sub(r"/\1/ID", _QUERY.sub("", text)))
