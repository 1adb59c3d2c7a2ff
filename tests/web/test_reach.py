"""Whom a server can be told to: the address that others use, and only to those who are near."""

import ipaddress
import re
import socket
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from benben.web.reach import ServerAddresses, is_near
from benben.web.settings import Settings, SiteUrl
from tests.sizes import rotating
from tests.web.site import Site, serving


def test_on_loopback_nobody_else_comes(site: Site) -> None:
    told = site.get("server")
    assert (told["addresses"], told["local"]) == ([], True)
    for host in ("127.0.0.1", "127.0.0.9", "::1"):
        reach = ServerAddresses(host, 8000)
        assert (reach.addresses, reach.is_local_only) == ([], True)


def test_behind_a_proxy_the_address_is_the_sites(tmp_path: Path, site: Site) -> None:
    forwarded = site.http.get("/api/server", headers={"X-Forwarded-For": "203.0.113.5"}).json()
    assert (forwarded["addresses"], forwarded["local"]) == ([], False), "somebody did come"
    settings = Settings(address=SiteUrl("https://games.example.org"))
    with serving(tmp_path, settings=settings, wait=False) as other:
        told = other.get("server")
    assert (told["addresses"], told["local"]) == (["https://games.example.org"], False)


def test_on_all_interfaces_it_is_the_machines_own(monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[object] = []

    class Asked(socket.socket):
        def connect(self, address: object) -> None:
            sent.append(address)

        def getsockname(self) -> object:
            return ("fd12::7" if self.family == socket.AF_INET6 else "192.168.1.7", 4)

    monkeypatch.setattr(socket, "socket", Asked)
    reach = ServerAddresses("0.0.0.0", 8000)
    assert (reach.addresses, reach.is_local_only) == (["http://192.168.1.7:8000"], False)
    assert reach.local_url == "http://127.0.0.1:8000"
    assert sent
    six = ServerAddresses("::", 8000)
    assert six.addresses == ["http://192.168.1.7:8000", "http://[fd12::7]:8000"]
    assert six.local_url == "http://[::1]:8000"
    assert ServerAddresses("192.168.1.9", 80).addresses == ["http://192.168.1.9:80"]


def test_a_machine_without_a_network_has_no_address(monkeypatch: pytest.MonkeyPatch) -> None:
    class Asked(socket.socket):
        def connect(self, address: object) -> None:
            raise OSError("network is unreachable")

    monkeypatch.setattr(socket, "socket", Asked)
    assert ServerAddresses("::", 8000).addresses == []
    assert not ServerAddresses("::", 8000).is_local_only


def test_the_addresses_of_this_machine_are_real() -> None:
    for address in ServerAddresses("0.0.0.0", 8000).addresses:
        host = httpx.URL(address).host
        assert not ipaddress.ip_address(host).is_loopback
        with socket.socket() as bound:
            bound.bind((host, 0))  # it is ours


@pytest.mark.parametrize(
    ("address", "near"),
    [
        ("127.0.0.1", True),
        ("192.168.1.4", True),
        ("::ffff:10.0.0.3", True),
        ("fe80::1", True),
        ("93.184.216.34", False),
        ("testclient", False),
        ("", False),
    ],
)
def test_who_is_near(address: str, near: bool) -> None:
    assert is_near(address) == near


@pytest.mark.slow
@rotating(
    "host, words",
    [
        ("127.0.0.1", "Friends in the same network can join if you start it with --host 0.0.0.0"),
        ("0.0.0.0", "Friends in the same network "),
    ],
)
def test_the_command_says_how_friends_can_join(tmp_path: Path, host: str, words: str) -> None:
    database = f"sqlite:///{tmp_path / 'x.sqlite3'}"
    command = [sys.executable, "-m", "benben", "serve", "--port", "0", "--database", database]
    with subprocess.Popen(
        [*command, "--host", host], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as server:
        try:
            assert server.stdout is not None
            line = server.stdout.readline()
            assert re.fullmatch(r"Benben is at http://127\.0\.0\.1:\d+\n", line)
            assert words in server.stdout.readline()
        finally:
            server.kill()
