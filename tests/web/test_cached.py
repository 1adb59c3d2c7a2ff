"""Answers that are the same for everybody are made once: they take long, and cost one drop."""

import pytest

from benben.lab.balance.shipped import shipped
from benben.web import openapi
from benben.web.routes import lab
from tests.web.in_process import site
from tests.web.site import Site

__all__ = ["site"]


def fail(*_: object) -> None:
    raise AssertionError("it is made anew")


def test_reports_are_made_once(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    name = next(iter(shipped()))
    paths = ["lab?language=en", f"lab/{name}?language=en", f"lab/{name}?language=fr"]
    paths += [f"lab/{name}/data"]
    first = [site.http.get(f"/api/{path}") for path in paths]
    for maker in ("body_of", "title_of", "as_json"):
        monkeypatch.setattr(lab, maker, fail)
    for path, before in zip(paths, first, strict=True):
        assert before.is_success
        assert before.headers["content-type"] == "application/json"
        assert site.http.get(f"/api/{path}").content == before.content, path
    assert first[1].json()["html"] != first[2].json()["html"]


def test_the_description_is_made_once(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    first = site.http.get("/api/openapi.json")
    monkeypatch.setattr(openapi, "completed", fail)
    again = site.http.get("/api/openapi.json")
    assert again.is_success
    assert again.content == first.content
