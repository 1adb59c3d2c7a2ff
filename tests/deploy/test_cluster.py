"""Several servers behind nginx, as docs/hosting.md has them: parts die, and people play on."""

import signal
import socket
import ssl
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from itertools import islice
from pathlib import Path
from typing import Any, cast

import httpx
import pytest

from deploy.cluster import Cluster
from tests.web.site import Person, Site, eventually

OPEN = {"game": "quadrille"}


@pytest.fixture
def http(cluster: Cluster) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=cluster.address, timeout=30) as http:
        yield http


def asked(cluster: Cluster, server: str, path: str) -> int:
    """How often a server has answered this."""
    return logged(cluster, server).count(f"GET {path} 200")


def logged(cluster: Cluster, server: str) -> str:
    return (cluster.logs / f"{server}.log").read_text()


def server_of(cluster: Cluster, http: httpx.Client, path: str) -> str:
    """The server to which nginx sends a path."""
    before = {each: asked(cluster, each, path) for each in cluster.servers}
    assert http.get(path).is_success

    def found() -> list[str]:
        return [each for each in before if asked(cluster, each, path) > before[each]]

    eventually(found, "a server was asked")
    (server,) = found()
    return server


def people_at(cluster: Cluster, http: httpx.Client, server: str) -> list[Person]:
    """Two people at a new table that nginx sends to this server."""
    site = Site(http, cast(Any, None))
    while True:
        table = site.open()
        if server_of(cluster, http, f"/api/tables/{table}") == server:
            return [site.sit(table, seat) for seat in (0, 1)]


# ---- Routing


@pytest.mark.slow
@pytest.mark.parametrize(("server", "other"), [("serve-1", "serve-2"), ("serve-2", "serve-1")])
def test_all_requests_of_a_table_go_to_one_server(
    cluster: Cluster, http: httpx.Client, server: str, other: str
) -> None:
    ann, bob = people_at(cluster, http, server)
    table = ann.table
    with ann.listening() as heard:
        assert next(heard).kind == "table"
        ann.move()
        bob.move()
        bob.do("chat", {"text": "hello"})
        bob.do("resign")
    for path in (f"/t/{table}", f"/review/{table}", f"/api/reviews/{table}"):
        http.get(path)
    assert ann.record().is_success
    paths = (f"/t/{table} ", f"/review/{table} ", "/chat 200", "/events 200", "/record 200")
    eventually(lambda: all(each in logged(cluster, server) for each in paths), "all is logged")
    assert table not in logged(cluster, other)


def test_what_belongs_to_no_table_goes_by_the_address(cluster: Cluster, http: httpx.Client) -> None:
    headers = {"Benben-Tokens": "some"}
    assert http.get("/api/tables/mine", headers=headers).is_success
    mine = {each for each in cluster.servers if "/api/tables/mine 200" in logged(cluster, each)}
    assert len(mine) == 1
    for path in ("/api/games", "/api/tables", "/api/bots"):
        assert {server_of(cluster, http, path) for _ in range(3)} == mine


def test_a_table_that_two_servers_are_asked_for_is_the_same(cluster: Cluster) -> None:
    with ExitStack() as stack:
        here, there = (
            Site(stack.enter_context(httpx.Client(base_url=each, timeout=30)), cast(Any, None))
            for each in cluster.servers.values()
        )
        ann, bob = here.table()
        bob = Person(there, bob.table, bob.token)
        with bob.listening() as heard:
            assert next(heard).kind == "table"
            for number in range(1, 5):
                (ann if number % 2 else bob).move()
                assert len(ann.look()["moves"]) == len(bob.look()["moves"]) == number
            assert len(list(islice((each for each in heard if each.kind == "event"), 4))) == 4
        assert ann.look()["moves"] == bob.look()["moves"]


# ---- What else nginx does


def test_nobody_says_who_they_are_but_nginx(cluster: Cluster, http: httpx.Client) -> None:
    """Limits are by address: who could choose it would have none."""
    http.get("/api/games/batisseurs", headers={"X-Forwarded-For": "192.0.2.7"})
    path = "/api/games/batisseurs"
    eventually(
        lambda: any(asked(cluster, each, path) for each in cluster.servers), "it is in a log"
    )
    logs = "".join(logged(cluster, each) for each in cluster.servers)
    assert "127.0.0.1 GET /api/games/batisseurs" in logs
    assert "192.0.2.7" not in logs


def test_with_tls_streams_share_a_connection(cluster: Cluster) -> None:
    context = ssl.create_default_context(cafile=str(cluster.certificate))
    assert httpx.get(f"{cluster.tls_address}/api/games", verify=context).is_success
    context.set_alpn_protocols(["h2", "http/1.1"])
    address = cluster.tls_address.removeprefix("https://").split(":")
    with (
        socket.create_connection((address[0], int(address[1]))) as plain,
        context.wrap_socket(plain, server_hostname="127.0.0.1") as secure,
    ):
        assert secure.selected_alpn_protocol() == "h2"


def test_events_are_not_held_back(http: httpx.Client) -> None:
    table = http.post("/api/tables", json=OPEN).json()["id"]
    with http.stream("GET", f"/api/tables/{table}/events") as stream:
        assert next(stream.iter_lines()) == "event: table"


# ---- Parts that die


def test_games_of_a_server_that_dies_go_on_and_come_back_to_it(
    cluster: Cluster, http: httpx.Client
) -> None:
    ann, bob = people_at(cluster, http, "serve-1")
    path = f"/api/tables/{ann.table}"
    ann.move()
    cluster.kill("serve-1")
    assert cluster.ended == ["serve-1"]
    for _ in range(2):
        bob.move()
        ann.move()
    for _ in range(20):
        assert http.get(path).status_code == 200
    for _ in range(5):
        assert http.post("/api/tables", json=OPEN).status_code == 201, "it was sent to nobody else"
    assert asked(cluster, "serve-2", path) > 0
    cluster.start("serve-1")
    eventually(lambda: server_of(cluster, http, path) == "serve-1", "it is asked again")
    bob.move()
    assert len(ann.look()["moves"]) == 6


def test_bots_wait_while_nobody_thinks(cluster: Cluster, http: httpx.Client) -> None:
    table = http.post("/api/tables", json=OPEN | {"seats": [{}, {"bot": 1}]}).json()["id"]
    path = f"/api/tables/{table}"
    sat = http.post(f"{path}/seats/0", json={"name": "Ann", "nonce": "n"}).json()
    mine = {"Authorization": f"Bearer {sat['token']}"}
    cluster.stop("think")
    assert cluster.ended == ["think"]
    move = http.get(path, headers=mine).json()["legal"][0]["move"]
    assert http.post(f"{path}/move", json={"move": move}, headers=mine).is_success
    metrics = [httpx.get(f"{address}/metrics").text for address in cluster.servers.values()]
    assert all("benben_bot_thoughts_total 0.0" in each for each in metrics)
    assert http.get(path).json()["moves"] == [move]
    cluster.start("think")
    eventually(lambda: len(http.get(path).json()["moves"]) > 1, "the bot has moved")


@pytest.mark.parametrize("how", ["restart", "crash"])
def test_postgresql_goes_away_for_a_moment(cluster: Cluster, http: httpx.Client, how: str) -> None:
    if how == "restart":
        cluster.restart("postgres")
    else:
        cluster.kill("postgres")
        cluster.start("postgres")
    eventually(lambda: http.post("/api/tables", json=OPEN).status_code == 201, "tables are opened")


def test_nginx_dies_with_all_its_workers_and_comes_back(
    cluster: Cluster, http: httpx.Client
) -> None:
    cluster.kill("nginx")
    with pytest.raises(httpx.TransportError):
        http.get("/healthz")
    cluster.start("nginx")
    assert http.get("/healthz").is_success


@contextmanager
def _command(directory: Path) -> Iterator[str]:
    """Run a cluster by the command, end it by a signal; the address of nginx."""
    words = [sys.executable, "-m", "deploy.cluster", "--directory", str(directory)]
    with subprocess.Popen(
        [*words, "--port", "0", "--tls-port", "0"], stdout=subprocess.PIPE, text=True
    ) as running:
        try:
            assert running.stdout is not None
            yield running.stdout.readline().split()[3]
            running.send_signal(signal.SIGTERM)
            output = running.stdout.read()
            assert running.wait() == 0, output
            assert output.splitlines()[-1] == "All has ended"
        finally:
            running.terminate()


@pytest.mark.long
def test_the_command_goes_on_where_it_was_and_ends_all(directory: Path) -> None:
    with _command(directory / "cluster") as address:
        table = httpx.post(f"{address}/api/tables", json=OPEN).json()["id"]
    with pytest.raises(httpx.TransportError):
        httpx.get(f"{address}/healthz")
    assert not (directory / "cluster/postgres/data/postmaster.pid").exists()
    with _command(directory / "cluster") as address:
        assert httpx.get(f"{address}/api/tables/{table}").is_success
