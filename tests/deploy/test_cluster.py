"""Several servers behind nginx, as docs/hosting.md has them: parts die, and people play on."""

import signal
import socket
import ssl
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from deploy.cluster import Cluster
from tests.web.site import eventually

OPEN = {"game": "quadrille"}


@pytest.fixture
def http(cluster: Cluster) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=cluster.address, timeout=30) as http:
        yield http


def asked(cluster: Cluster, server: str, path: str) -> int:
    """How often a server has answered this."""
    return (cluster.logs / f"{server}.log").read_text().count(f"GET {path} 200")


def test_all_servers_answer_and_have_the_same_tables(cluster: Cluster, http: httpx.Client) -> None:
    opened = http.post("/api/tables", json=OPEN).json()
    path = f"/api/tables/{opened['id']}"
    for _ in range(10):
        assert http.get(path).json()["commitment"] == opened["table"]["commitment"]
    eventually(
        lambda: all(asked(cluster, each, path) for each in cluster.servers), "all were asked"
    )


def test_nobody_says_who_they_are_but_nginx(cluster: Cluster, http: httpx.Client) -> None:
    """Limits are by address: who could choose it would have none."""
    http.get("/api/games/batisseurs", headers={"X-Forwarded-For": "192.0.2.7"})
    path = "/api/games/batisseurs"
    eventually(
        lambda: any(asked(cluster, each, path) for each in cluster.servers), "it is in a log"
    )
    logs = [(cluster.logs / f"{each}.log").read_text() for each in cluster.servers]
    assert "127.0.0.1 GET /api/games/batisseurs" in "".join(logs)
    assert "192.0.2.7" not in "".join(logs)


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


def test_one_server_dies_and_comes_back(cluster: Cluster, http: httpx.Client) -> None:
    table = http.post("/api/tables", json=OPEN).json()["id"]
    path = f"/api/tables/{table}"
    cluster.kill("serve-1")
    assert cluster.ended == ["serve-1"]
    for _ in range(20):
        assert http.get(path).status_code == 200
    for _ in range(5):
        assert http.post("/api/tables", json=OPEN).status_code == 201, "it was sent to nobody else"
    cluster.start("serve-1")

    def back() -> bool:
        assert http.get(path).status_code == 200
        return asked(cluster, "serve-1", path) > 0

    eventually(back, "the server that came back is asked again")


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


@pytest.mark.long
def test_the_command_goes_on_where_it_was_and_ends_all(cluster: Cluster) -> None:
    table = httpx.post(f"{cluster.address}/api/tables", json=OPEN).json()["id"]
    cluster.stop()
    words: list[str | Path] = [
        sys.executable,
        "-m",
        "deploy.cluster",
        "--directory",
        cluster.directory,
        "--port",
        "0",
    ]
    with subprocess.Popen(
        [*words, "--tls-port", "0"], stdout=subprocess.PIPE, text=True
    ) as running:
        try:
            assert running.stdout is not None
            address = running.stdout.readline().split()[3]
            assert httpx.get(f"{address}/api/tables/{table}").is_success
            running.send_signal(signal.SIGTERM)
            said = running.stdout.read()
            assert running.wait() == 0, said
        finally:
            running.terminate()
    assert said.splitlines()[-1] == "All has ended"
    with pytest.raises(httpx.TransportError):
        httpx.get(f"{address}/healthz")
    assert not (cluster.directory / "postgres/data/postmaster.pid").exists()
