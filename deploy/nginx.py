"""nginx with one of the files beside this one, and all it has in a folder."""

import os
import pwd
import shutil
from collections.abc import Mapping
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


class NginxFailed(Exception):
    """There is none here, or a file is not as it was expected."""


def command(deployed: Path, changes: Mapping[str, str], folder: Path) -> list[str | Path]:
    """How to start it as it is deployed, but for addresses and files that are changed."""
    program = shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin")
    if program is None:
        raise NginxFailed("nginx is needed: install your system's package, such as nginx-light")
    ours = deployed.read_text("utf-8")
    for theirs, mine in changes.items():
        if ours.count(theirs) != 1:
            raise NginxFailed(f"{deployed} does not have {theirs!r} once")
        ours = ours.replace(theirs, mine)
    # Else workers of root would have another user's rights, who may not enter the folder.
    user = f"user {pwd.getpwuid(0).pw_name};" if os.geteuid() == 0 else ""
    folder.mkdir(exist_ok=True)
    whole = folder / "nginx.conf"
    whole.write_text(_WHOLE.format(user=user, folder=folder, ours=ours), "utf-8")
    return [program, "-p", folder, "-c", whole, "-e", folder / "error.log"]
