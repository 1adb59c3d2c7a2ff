"""The nginx file of one server: TLS, what is logged, what is refused, and in which form."""

import socket
import ssl
import subprocess
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from deploy.cluster import CONFIGURATION
from deploy.nginx import Ports, command
from tests.deploy.proxy import DEPLOYED, Proxy, free_port, nginx
from tests.web.site import Site, eventually, refused, serving

ELSEWHERE = "127.0.0.2"  # a client's address to which nginx's own limits apply


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with serving(tmp_path_factory.mktemp("site"), wait=False) as site:
        yield site


@pytest.fixture(scope="module")
def proxy(site: Site, directory: Path) -> Iterator[Proxy]:
    with nginx(str(site.http.base_url), directory / "nginx") as proxy:
        yield proxy


@pytest.fixture(scope="module")
def alone(directory: Path) -> Iterator[Proxy]:
    """nginx whose server is away."""
    with nginx(f"http://127.0.0.1:{free_port()}", directory / "alone") as proxy:
        yield proxy


@pytest.fixture(scope="module")
def https(proxy: Proxy) -> Iterator[httpx.Client]:
    context = ssl.create_default_context(cafile=str(proxy.folder / "certificate.pem"))
    with httpx.Client(base_url=proxy.tls, verify=context) as https:
        yield https


@pytest.mark.parametrize("deployed", [DEPLOYED, CONFIGURATION])
def test_nginx_accepts_the_file(deployed: Path, tmp_path: Path) -> None:
    words = command(deployed, {}, Ports(8443, 8080, 8081), tmp_path)
    checked = subprocess.run([*words, "-t"], capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stderr


def test_what_comes_unencrypted_is_sent_to_the_encrypted_site(proxy: Proxy) -> None:
    answer = httpx.get(f"{proxy.redirect}/t/x?a=b")
    assert answer.status_code == 301
    assert answer.headers["location"] == "https://127.0.0.1/t/x?a=b"
    assert httpx.post(f"{proxy.redirect}/api/tables").status_code == 301


def test_browsers_come_back_encrypted(https: httpx.Client) -> None:
    for path in ("/healthz", "/nothing", "/metrics"):
        assert https.get(path).headers["strict-transport-security"] == "max-age=31536000"


def test_no_key_is_in_a_log(site: Site, proxy: Proxy, https: httpx.Client) -> None:
    for path in ("/feeds/KEY", "/mail/KEY/stop", "/x/feeds/KEY", "/Mail/KEY", "/%66eeds/KEY?KEY"):
        https.get(path)
        httpx.get(f"{proxy.redirect}{path}")
    https.get("/healthz?KEY", headers={"Referer": f"{proxy.tls}/feeds/KEY", "User-Agent": "KEY"})
    eventually(lambda: "GET /healthz HTTP/1.1" in proxy.log.splitlines()[-1], "it is logged")
    assert "GET /feeds/*** HTTP/1.1" in proxy.log
    assert "GET /mail/*** HTTP/1.1" in proxy.log
    assert "KEY" not in proxy.log


def test_no_key_is_in_the_log_of_errors(alone: Proxy) -> None:
    for path in ("/feeds/KEY", "/mail/KEY/stop", "/api/tables"):
        assert httpx.get(f"{alone.plain}{path}").status_code == 502
    errors = (alone.folder / "error.log").read_text()
    assert "/api/tables" in errors
    assert "KEY" not in errors


def test_metrics_are_not_public(site: Site, https: httpx.Client) -> None:
    refused(https.get("/metrics"), 404, "no-such-path")
    for spelling in ("/%6detrics", "//metrics", "/x/../metrics", "/metrics/", "/metrics?x"):
        assert "benben_requests_total" not in https.get(spelling).text
    assert "benben_requests_total" in site.http.get("/metrics").text, "Benben's own port has them"


def test_large_bodies_are_refused_as_benben_refuses_them(https: httpx.Client) -> None:
    for size in (100_000, 400_000, 3_000_000):
        path = "/api/records" if size > 100_000 else "/api/tables"
        answer = https.post(path, content=b" " * size, headers={"Content-Type": "application/json"})
        if size == 400_000:
            assert answer.status_code != 413, "Benben takes it, or says what is wrong with it"
        else:
            refused(answer, 413, "too-large")


def test_one_address_has_a_limit(alone: Proxy) -> None:
    check_limit(alone, "/feeds/x", 2000)


def test_one_address_has_a_limit_at_all_servers_together(directory: Path) -> None:
    away = f"http://127.0.0.1:{free_port()}"
    with nginx(away, directory / "cluster", CONFIGURATION) as proxy:
        for path in ("/api/tables", "/api/tables/x/events", "/api/bots/me/tables"):
            check_limit(proxy, path, 500)


def check_limit(proxy: Proxy, path: str, burst: int) -> None:
    """Requests are sent down a connection without waiting for answers."""
    request = f"HEAD {path} HTTP/1.1\r\nHost: x\r\n\r\n".encode()
    last = f"GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".encode()
    url = httpx.URL(proxy.plain)
    limited = {}
    for source in (ELSEWHERE, "127.0.0.1"):
        answers = b""
        while b" 429 " not in answers and answers.count(b"HTTP/1.1 ") < 2 * burst:
            with socket.create_connection((url.host, url.port), 10, (source, 0)) as client:
                client.sendall(request * 400 + last)
                while data := client.recv(1 << 16):
                    answers += data
        limited[source] = b'"code":"too-many-requests"' in answers
    assert limited == {ELSEWHERE: True, "127.0.0.1": False}
