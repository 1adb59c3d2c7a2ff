"""nginx with one of the files beside this one, and all it has in a folder."""

import os
import pwd
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

_WHOLE = """
daemon off;
{user}
worker_processes 2;
worker_rlimit_nofile 16384;
pid {folder}/pid;
error_log {folder}/error.log;
events {{ worker_connections 8192; }}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    {ours}
}}
"""
_CERTIFICATES = "/etc/letsencrypt/live/games.example.org"


class NginxFailed(Exception):
    """There is none here, or a file is not as it was expected."""


@dataclass(frozen=True)
class Ports:
    """Where nginx listens on this machine."""

    tls: int  # instead of 443
    redirect: int  # instead of 80
    plain: int  # the same as `tls` without encryption: for tests, and for this machine only


def command(
    deployed: Path, changes: Mapping[str, str], ports: Ports, folder: Path
) -> list[str | Path]:
    """How to start it as it is deployed, but for addresses and files that are changed.

    Its log and a certificate of its own (`certificate.pem`) are in the folder.
    """
    program = shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin")
    if program is None:
        raise NginxFailed("nginx is needed: install your system's package, such as nginx-light")
    folder.mkdir(exist_ok=True)
    certificate, key = folder / "certificate.pem", folder / "key.pem"
    _make_certificate(certificate, key)
    here = {
        "listen 80;": f"listen 127.0.0.1:{ports.redirect};",
        "listen 443 ssl http2;": (
            f"listen 127.0.0.1:{ports.tls} ssl http2; listen 127.0.0.1:{ports.plain};"
        ),
        f"{_CERTIFICATES}/fullchain.pem": str(certificate),
        f"{_CERTIFICATES}/privkey.pem": str(key),
    }
    ours = deployed.read_text("utf-8")
    for theirs, mine in {**here, **changes}.items():
        if ours.count(theirs) != 1:
            raise NginxFailed(f"{deployed} does not have {theirs!r} once")
        ours = ours.replace(theirs, mine)
    ours = ours.replace("/var/log/nginx/", f"{folder}/")
    # Else workers of root would have another user's rights, who may not enter the folder.
    user = f"user {pwd.getpwuid(0).pw_name};" if os.geteuid() == 0 else ""
    whole = folder / "nginx.conf"
    whole.write_text(_WHOLE.format(user=user, folder=folder, ours=ours), "utf-8")
    return [program, "-p", folder, "-c", whole, "-e", folder / "error.log"]


def _make_certificate(certificate: Path, key: Path) -> None:
    """One that nobody has signed, so browsers warn of it: for this machine only."""
    if certificate.exists() and key.exists():
        return
    words = ["openssl", "req", "-x509", "-nodes", "-newkey", "ec", "-days", "3650"]
    words += ["-pkeyopt", "ec_paramgen_curve:prime256v1", "-subj", "/CN=localhost"]
    words += ["-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"]
    try:
        subprocess.run(
            [*words, "-keyout", key, "-out", certificate], capture_output=True, check=True
        )
    except (OSError, subprocess.CalledProcessError) as error:
        raise NginxFailed(f"openssl makes no certificate: {error}") from error
