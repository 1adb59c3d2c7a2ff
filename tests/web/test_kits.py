"""Kits to print over HTTP."""

import pytest

from benben import kits
from tests.web.in_process import site
from tests.web.site import Site, refused

__all__ = ["site"]


@pytest.mark.parametrize("name", ["objectif-fr-a4.pdf", "batisseurs-en-letter-bw.pdf"])
def test_over_http(site: Site, name: str) -> None:
    answer = site.http.get(f"/kits/{name}")
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "application/pdf"
    assert answer.headers["content-disposition"] == f'attachment; filename="{name}"'
    assert answer.content == kits.read(name)


@pytest.mark.parametrize(
    "name", ["chess-en-a4.pdf", "objectif-de-a4.pdf", "objectif-en-a4", "__init__.py"]
)
def test_bad_names_over_http(site: Site, name: str) -> None:
    detail = refused(site.http.get(f"/kits/{name}"), 404, "no-such-kit")
    assert detail["known"] == kits.all_names()
