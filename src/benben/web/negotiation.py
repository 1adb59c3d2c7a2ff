"""Content negotiation and conditional requests, which Litestar does not do for files."""

import re
from collections.abc import Iterable

from benben.web.wording import LANGUAGES

_QUALITY = re.compile(r"[01](\.\d{0,3})?", re.ASCII)


def preferred_language(accepted: str) -> str:
    """The language that an `Accept-Language` header prefers; English if it names none of ours."""
    best, quality = "", 0.0
    for tag, each in _qualities(accepted):
        language = tag.partition("-")[0]
        if language in LANGUAGES and each > quality:
            best, quality = language, each
    return best or LANGUAGES[0]


def preferred_encoding(accepted: str, available: Iterable[str]) -> str:
    """The first available encoding that an `Accept-Encoding` header accepts, or an empty text."""
    qualities = dict(_qualities(accepted))
    every = qualities.get("*", 0.0)
    return next((each for each in available if qualities.get(each, every) > 0), "")


def etag_matches(if_none_match: str, etag: str) -> bool:
    """Whether an `If-None-Match` header has this tag, by weak comparison."""
    tags = [each.strip().removeprefix("W/") for each in if_none_match.split(",")]
    return "*" in tags or etag.removeprefix("W/") in tags


def _qualities(header: str) -> Iterable[tuple[str, float]]:
    """The values of a header with their qualities (`;q=0.8`); 0 for those that are not valid."""
    for part in header[:200].lower().split(","):
        value, _, quality = part.replace(" ", "").partition(";q=")
        if not quality:
            yield value, 1.0
        else:
            yield value, float(quality) if _QUALITY.fullmatch(quality) else 0.0
