"""What a table loads: in how many steps, and how much."""

import pytest

from benben.core.registry import names
from benben.web.built_pages import STATIC
from tests.browser.conftest import Opener
from tests.browser.hands import until
from tests.browser.selectors import THING
from tests.sizes import rotating
from tests.web.site import Site

# Bytes, as browsers receive them over https: with Brotli.
MOST_CODE = 90_000
MOST_FONTS = 45_000


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en-GB", "fr-FR"])
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
    assert sum(map(_compressed, code)) < MOST_CODE
    assert sum((STATIC / name).stat().st_size for name in files - code) < MOST_FONTS


def _compressed(name: str) -> int:
    """The size of a file as it is sent; those that would not be smaller are not compressed."""
    compressed = STATIC / f"{name}.br"
    return (compressed if compressed.exists() else STATIC / name).stat().st_size
