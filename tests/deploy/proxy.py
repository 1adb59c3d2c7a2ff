"""nginx before one server, with a file of deploy/."""

import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx

from deploy.nginx import Ports, command
from tests.web.site import eventually

DEPLOYED = Path(__file__).parents[2] / "deploy/nginx.conf"


@dataclass(frozen=True)
class Proxy:
    """Where nginx is: with TLS, without it, and where it redirects; and its files."""

    tls: str
    plain: str
    redirect: str
    folder: Path

    @property
    def log(self) -> str:
        return (self.folder / "benben.log").read_text()


@contextmanager
def nginx(server: str, folder: Path, deployed: Path = DEPLOYED) -> Iterator[Proxy]:
    """Run it as it is deployed but for ports and files."""
    ports = Ports(*(free_port() for _ in range(3)))
    servers = [8000] if deployed == DEPLOYED else [8001, 8002]
    place = f"server {httpx.URL(server).netloc.decode()} "
    changes = {f"server 127.0.0.1:{port} ": place for port in servers}
    running = subprocess.Popen(command(deployed, changes, ports, folder))
    proxy = Proxy(
        f"https://127.0.0.1:{ports.tls}",
        f"http://127.0.0.1:{ports.plain}",
        f"http://127.0.0.1:{ports.redirect}",
        folder,
    )
    try:
        eventually(lambda: running.poll() is not None or _answers(proxy.plain), "nginx answers")
        assert running.poll() is None, (folder / "error.log").read_text()
        yield proxy
    finally:
        running.terminate()
        running.wait()


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port: int = free.getsockname()[1]
    return port


def _answers(address: str) -> bool:
    try:
        return httpx.get(f"{address}/healthz", verify=False).status_code > 0
    except httpx.TransportError:
        return False
