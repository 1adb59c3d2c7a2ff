"""One server for all tests that need none of their own, and one app without a socket."""

from collections.abc import Iterator

import pytest

from tests.luck import luck
from tests.store.databases import postgres
from tests.web.compiling import compiler
from tests.web.in_process import in_process
from tests.web.site import Site, serving

__all__ = ["compiler", "luck", "postgres", "site"]


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with serving(tmp_path_factory.mktemp("site")) as site:
        yield site


@pytest.fixture(scope="session")
def site_in_process(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with in_process(tmp_path_factory.mktemp("site")) as site:
        yield site
