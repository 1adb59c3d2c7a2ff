"""What Prometheus is told."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families

from benben.core.errors import BenbenError
from benben.web.metrics import Metrics
from benben.web.settings import Settings
from tests.web.site import Site, eventually, refused, serving
from tests.web.test_actions import ask

MOVE = "/api/tables/{table}/move"


def samples(site: Site) -> dict[tuple[str, frozenset[tuple[str, str]]], float]:
    """By name and labels, read as Prometheus would."""
    answer = site.http.get("/metrics")
    assert answer.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8"
    return {
        (each.name, frozenset(each.labels.items())): each.value
        for family in text_string_to_metric_families(answer.text)
        for each in family.samples
    }


def timed(site: Site, route: str, method: str, status: str) -> float:
    """How many requests there are in the histogram."""
    labels = frozenset({"route": route, "method": method, "status": status}.items())
    return samples(site).get(("benben_request_seconds_count", labels), 0)


def is_timed(site: Site, route: str, method: str, status: str, count: int) -> bool:
    return timed(site, route, method, status) == count


@pytest.fixture(scope="module")
def quiet(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """Where nobody else asks for anything."""
    with serving(tmp_path_factory.mktemp("quiet")) as site:
        yield site


def test_requests_are_timed_by_their_route(quiet: Site) -> None:
    people = quiet.table()
    people[0].look()
    quiet.http.get("/api/tables/nowhere")
    quiet.http.get("/a/b/c")
    quiet.http.get("/assets/nothing.js")
    quiet.http.request("DELETE", "/api/games")
    for route, method, status, count in (
        ("/api/tables", "POST", "2xx", 1),
        ("/api/tables/{table}/seats/{seat}", "POST", "2xx", 2),
        ("/api/tables/{table}", "GET", "2xx", 1),
        ("/api/tables/{table}", "GET", "4xx", 1),
        ("/assets/{name}", "GET", "4xx", 1),
        ("none", "GET", "4xx", 1),
        ("none", "DELETE", "4xx", 1),
    ):
        what = f"{count} are timed at {method} {route} {status}"
        eventually(partial(is_timed, quiet, route, method, status, count), what)


def test_moves_are_timed(quiet: Site) -> None:
    before = timed(quiet, MOVE, "POST", "2xx"), timed(quiet, MOVE, "POST", "4xx")
    first, _ = quiet.table()
    assert ask(first, {"move": "@a1"}).status_code == 200
    assert ask(first, {"move": "@a1"}).status_code == 409
    eventually(lambda: timed(quiet, MOVE, "POST", "2xx") == before[0] + 1, "moves are timed")
    eventually(lambda: timed(quiet, MOVE, "POST", "4xx") == before[1] + 1, "others too")


def test_a_stream_is_no_long_request(quiet: Site) -> None:
    route = "/api/tables/{table}/events"
    first, _ = quiet.table()
    with first.listening() as heard:
        next(heard)
    assert quiet.http.get("/api/tables/nowhere/events").status_code == 404
    eventually(lambda: timed(quiet, route, "GET", "4xx") == 1, "one that is refused is short")
    eventually(lambda: quiet.state.streams.open == 0, "the stream has ended")
    assert timed(quiet, route, "GET", "2xx") == 0
    answered = frozenset({"method": "GET", "status": "200"}.items())
    assert samples(quiet)["benben_requests_total", answered] > 0


def test_commits_of_the_store_are_timed(quiet: Site) -> None:
    name = ("benben_commit_seconds_count", frozenset[tuple[str, str]]())
    before = samples(quiet)[name]
    quiet.table()
    assert samples(quiet)[name] >= before + 3


def test_nobody_makes_up_labels(quiet: Site) -> None:
    for path in ("/api/tables/secret", "/feeds/secret", "/secret", "/secret/secret", "/t/secret"):
        for method in ("GET", "PROPFIND", "MKCOL"):
            quiet.http.request(method, path)
    quiet.http.get("/healthz")
    text = quiet.http.get("/metrics").text
    assert "secret" not in text
    assert "MKCOL" not in text
    assert 'method="OTHER"' in text


def test_metrics_are_for_this_machine_and_networks_that_are_allowed(
    quiet: Site, tmp_path: Path
) -> None:
    def status(site: Site, host: str) -> int:
        answer = site.http.get("/metrics", headers={"X-Forwarded-For": host})
        if answer.status_code != 200:
            refused(answer, 403, "local-only")
        return answer.status_code

    hosts = ("127.0.0.1", "::1", "10.1.2.3", "192.0.2.7", "2001:db8::1", "nowhere")
    assert [status(quiet, host) for host in hosts] == [200, 200, 403, 403, 403, 403]
    allowed = Settings.of({"BENBEN_METRICS_FROM": "10.0.0.0/8, 2001:db8::1"})
    with serving(tmp_path, wait=False, settings=allowed) as site:
        assert [status(site, host) for host in hosts] == [200, 200, 200, 403, 200, 403]
    assert allowed.may_read_metrics("::ffff:10.1.2.3")
    with pytest.raises(BenbenError, match="BENBEN_METRICS_FROM: write addresses"):
        Settings.of({"BENBEN_METRICS_FROM": "everybody"})


def test_servers_in_one_process_count_for_themselves() -> None:
    first, second = Metrics(), Metrics()
    first.answered("GET", 200)
    line = b'benben_requests_total{method="GET",status="200"} 1.0\n'
    assert line in first.written()
    assert line not in second.written()
