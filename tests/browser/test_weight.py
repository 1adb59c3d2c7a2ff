"""What a table loads: in how many steps, and how much."""

import pytest

from benben.core.registry import names
from benben.web.built_pages import STATIC
from tests.browser.conftest import Opener
from tests.browser.hands import until
from tests.browser.selectors import THING
from tests.sizes import rotating
from tests.web.site import Site

# Bytes of scripts and styles, gzipped. In French the English words are loaded too.
# The goal is 90 kB in both, when pages load the words of their own language only.
MOST_CODE = {"en-GB": 104_000, "fr-FR": 113_000}
MOST_FONTS = 45_000


@pytest.mark.slow
@pytest.mark.parametrize("language", MOST_CODE)
@rotating("game", names())
def test_a_table_is_light(site: Site, opened: Opener, game: str, language: str) -> None:
    """What its scripts ask for was in its document: a board needs three round trips."""
    person = site.table(game, people=2, players=2)[0]
    here = opened(language=language)
    here.take(person)
    until(here.page, THING)
    paths: list[str] = []
    here.page.on("request", lambda request: paths.append(request.url.removeprefix(here.base)))
    here.page.reload()
    until(here.page, THING)
    document = here.page.request.get(here.page.url, headers={"Accept-Language": language}).text()
    files = {path.removeprefix("/") for path in paths if path.startswith("/assets/")}
    code = {name for name in files if name.endswith((".js", ".css"))}
    late = sorted(name for name in code if name not in document)
    assert late == []
    assert sum(map(_gzipped, code)) < MOST_CODE[language]
    assert sum((STATIC / name).stat().st_size for name in files - code) < MOST_FONTS


def _gzipped(name: str) -> int:
    """The size of a file as it is sent; those that would not be smaller are not compressed."""
    compressed = STATIC / f"{name}.gz"
    return (compressed if compressed.exists() else STATIC / name).stat().st_size
