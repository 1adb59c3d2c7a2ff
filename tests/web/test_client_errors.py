"""Errors that pages report: a line in the log, a count, and nothing else."""

import logging
from collections.abc import Iterator
from pathlib import Path

import pytest

from benben.web.client_errors import ADDRESS_BURST, LINES_BURST
from benben.web.limits import Limits
from benben.web.requests import ClientError
from tests.web.in_process import in_process
from tests.web.site import Site

PATH = "/api/client-errors"
REPORT = {
    "message": "TypeError: scene is undefined",
    "stack": "at Board (/assets/Board-a1b2c3d4.js:1:20)\nat mount (/assets/index-e5f6.js:2:3)",
    "page": "/t/ID",
    "build": "index-e5f6.js",
    "browser": "Firefox",
}
MARK = "reported-by-a-test"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("client-errors")


@pytest.fixture(scope="module")
def site(folder: Path) -> Iterator[Site]:
    with in_process(folder) as site:
        yield site


@pytest.fixture
def log(caplog: pytest.LogCaptureFixture, site: Site) -> pytest.LogCaptureFixture:
    for buckets in (site.state.client_errors._lines, site.state.client_errors._addresses):
        buckets._buckets.clear()  # each test has room for its lines
    caplog.set_level(logging.WARNING, "benben.web")
    return caplog


def report(site: Site, **parts: str) -> int:
    return site.http.post(PATH, json=REPORT | parts).status_code


def lines(log: pytest.LogCaptureFixture) -> list[str]:
    return [
        each.getMessage()
        for each in log.records
        if each.name == "benben.web" and each.levelno == logging.WARNING
    ]


def counted(site: Site) -> float:
    text = site.http.get("/metrics").text
    (line,) = (each for each in text.splitlines() if each.startswith("benben_client_errors_total"))
    return float(line.split()[1])


def test_a_report_is_one_line_in_the_log_and_is_counted(
    site: Site, log: pytest.LogCaptureFixture
) -> None:
    before = counted(site)
    answer = site.http.post(PATH, json=REPORT)
    assert (answer.status_code, answer.content) == (204, b"")
    assert lines(log) == [
        "an error in a browser (Firefox, index-e5f6.js) at /t/ID: TypeError: scene is undefined | "
        "at Board (/assets/Board-a1b2c3d4.js:1:20) at mount (/assets/index-e5f6.js:2:3)"
    ]
    assert counted(site) == before + 1


def test_only_the_message_is_required(site: Site, log: pytest.LogCaptureFixture) -> None:
    assert site.http.post(PATH, json={"message": "x"}).status_code == 204
    assert lines(log) == ["an error in a browser (other, ?) at ?: x | "]


def test_it_is_stored_nowhere(site: Site, folder: Path) -> None:
    assert report(site, message=MARK, stack=MARK) == 204
    site.table()  # whatever is stored later is stored by now
    files = [path for path in folder.rglob("*") if path.is_file()]
    assert files
    assert not [path for path in files if MARK.encode() in path.read_bytes()]


@pytest.mark.parametrize(
    "sign", ["\n", "\r", "\x00", "\x1b[31m", "\x7f", "\x85", "\u2028", "\u202e", "\ufeff"]
)
def test_nobody_writes_a_line_of_their_own(
    site: Site, log: pytest.LogCaptureFixture, sign: str
) -> None:
    for field in ("message", "stack", "page", "build"):
        assert report(site, **{field: f"x{sign}WARNING forged"}) == 204
    assert len(lines(log)) == 4
    assert all(line.isprintable() for line in lines(log))


@pytest.mark.parametrize(
    ("written", "logged"),
    [
        (
            "at f (http://h.test/assets/x.js?seat=SECRET:1:20)",
            "at f (http://h.test/assets/x.js:1:20)",
        ),
        ("f@https://h.test/t/SECRET#seat=SECRET:1:20", "f@https://h.test/t/ID:1:20"),
        ("no answer of /api/tables/SECRET/move?x=SECRET", "no answer of /api/tables/ID/move"),
        ("/feeds/SECRET and /mail/SECRET/stop", "/feeds/ID and /mail/ID/stop"),
        ('"SECRET" is not valid JSON', '"…" is not valid JSON'),
        ('"{"name":"SECRET" x" is not valid JSON', '"…" is not valid JSON'),
        ('Unexpected "SECRET', 'Unexpected "…"'),
        ("Bearer SECRETSECRETSECRETSECRETSECRETSE", "Bearer ***"),
        ("Cannot access private field #x of what?", "Cannot access private field #x of what"),
    ],
)
def test_no_secret_is_logged(
    site: Site, log: pytest.LogCaptureFixture, written: str, logged: str
) -> None:
    for field in ("message", "stack"):
        assert report(site, **{field: written}) == 204
    assert len(lines(log)) == 2
    for line in lines(log):
        assert logged in line
        assert "SECRET" not in line


@pytest.mark.parametrize(
    "parts",
    [
        {"message": ""},
        {"message": "x" * 301},
        {"stack": "x" * 2001},
        {"page": "x" * 101},
        {"build": "x" * 61},
        {"browser": "Mozilla/5.0 (X11; Linux x86_64)"},
        {"name": "Ann"},
    ],
)
def test_what_is_longer_or_other_than_described_is_refused(
    site: Site, log: pytest.LogCaptureFixture, parts: dict[str, str]
) -> None:
    before = counted(site)
    assert report(site, **parts) == 400
    assert lines(log) == []
    assert counted(site) == before


def test_a_page_of_another_site_cannot_report(site: Site, log: pytest.LogCaptureFixture) -> None:
    headers = {"Sec-Fetch-Site": "cross-site"}
    assert site.http.post(PATH, json=REPORT, headers=headers).status_code == 403
    assert lines(log) == []


def test_an_address_reports_a_few(tmp_path: Path) -> None:
    with in_process(tmp_path, limits=Limits(address_rate=0.01, address_burst=100)) as site:
        assert [report(site) for _ in range(7)] == [204] * 5 + [429] * 2


def test_an_address_does_not_silence_the_others(site: Site, log: pytest.LogCaptureFixture) -> None:
    before = counted(site)
    for _ in range(3 * int(ADDRESS_BURST)):
        assert report(site) == 204
    assert ADDRESS_BURST <= len(lines(log)) < 2 * ADDRESS_BURST
    assert counted(site) == before + 3 * ADDRESS_BURST


def test_a_flood_from_many_addresses_does_not_fill_the_log(
    site: Site, log: pytest.LogCaptureFixture
) -> None:
    for i in range(3 * int(LINES_BURST)):
        site.state.client_errors.report(ClientError(message="x"), f"address {i}")
    assert LINES_BURST <= len(lines(log)) < 2 * LINES_BURST
