"""A disk that is full or may only be read: it is said plainly, and everything before is kept."""

import logging
import resource
import tempfile
from pathlib import Path

import httpx
import pytest
from typer.testing import CliRunner

from benben.cli import app
from benben.table.record import TableRecord, verify
from tests.store.databases import check, child, troubled
from tests.web.processes import process
from tests.web.site import refused, serving


@pytest.mark.parametrize(
    ("pragma", "why"),
    [("query_only=ON", "it is read-only"), ("max_page_count=1", "the disk is full")],
)
def test_what_cannot_be_stored_is_said_and_done_later(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, pragma: str, why: str
) -> None:
    with serving(tmp_path) as site:
        first, _ = site.table()
        first.move()
        before = first.record().content
        caplog.clear()
        with troubled(site.state.store, pragma):
            # Some events fit into free pages of the file.
            said = [first.ask("chat", {"text": "hm " * 90}) for _ in range(240)]
            opened = [site.http.post("/api/tables", json={"game": "quadrille"}) for _ in range(30)]
            for answer in (said[-1], opened[-1]):
                refused(answer, 503, "store-failed")
                assert int(answer.headers["retry-after"]) > 0
                assert why not in answer.text
            assert first.record().content.startswith(before[:-2]), "it can still be read"
        told = [each for each in caplog.records if each.levelno >= logging.WARNING]
        assert told
        assert all(why in each.getMessage() and not each.exc_info for each in told)
        first.do("chat", {"text": "back"})
        first.do("resign")
        verify(TableRecord.parse(first.record().content))
    assert check(tmp_path / "tables.sqlite3") == "ok"


@pytest.mark.slow
def test_a_server_survives_a_full_disk(tmp_path: Path) -> None:
    path = tmp_path / "house.sqlite3"
    with (
        process(f"sqlite:///{path}", tmp_path / "log") as server,
        httpx.Client(base_url=server.address, timeout=60) as http,
    ):
        table = http.post("/api/tables", json={"game": "quadrille"}).json()["id"]
        tokens = []
        for seat in range(2):
            body = {"name": f"P{seat}", "nonce": "n"}
            answer = http.post(f"/api/tables/{table}/seats/{seat}", json=body)
            tokens.append({"Authorization": f"Bearer {answer.json()['token']}"})

        def say(number: int) -> httpx.Response:
            body = {"text": f"{number}".rjust(300, ".")}
            return http.post(f"/api/tables/{table}/chat", json=body, headers=tokens[0])

        room = (tmp_path / "house.sqlite3-wal").stat().st_size + 100_000
        resource.prlimit(server.pid, resource.RLIMIT_FSIZE, (room, resource.RLIM_INFINITY))
        said = 0
        while (answer := say(said + 1)).status_code == 200:
            said += 1
            assert said < 1000
        refused(answer, 503, "store-failed")
        full = http.get(f"/api/tables/{table}/record").content
        assert len(TableRecord.parse(full).entries) == 3 + said
        unlimited = (resource.RLIM_INFINITY, resource.RLIM_INFINITY)
        resource.prlimit(server.pid, resource.RLIMIT_FSIZE, unlimited)
        assert say(said + 1).status_code == 200
        assert http.post(f"/api/tables/{table}/resign", headers=tokens[1]).status_code == 200
        record = TableRecord.parse(http.get(f"/api/tables/{table}/record").content)
        verify(record)
        assert len(record.entries) == 3 + said + 1 + 2
        assert record.entries[: 3 + said] == TableRecord.parse(full).entries
    assert said > 0
    assert "the store failed" in (tmp_path / "log").read_text()
    assert "the disk" in (tmp_path / "log").read_text()
    assert check(path) == "ok"


SERVING = """
import encodings.idna, os, sys  # nobody may not be allowed to load it later
from pathlib import Path
from benben.cli import main
from benben.store.store import Store
import benben.web.serving

Store.open(f"sqlite:///{sys.argv[1]}").close()
path, folder = Path(sys.argv[1]), Path(sys.argv[1]).parent
path.chmod(0o400)
folder.chmod(0o500)
if os.geteuid() == 0:  # who may write anything, and so has to be somebody else
    os.chown(path, 65534, 65534)
    os.chown(folder, 65534, 65534)
    os.seteuid(65534)
sys.argv = ["benben", "serve", "--port", "0", "--database", f"sqlite:///{path}"]
main()
"""


@pytest.mark.slow
def test_a_file_that_may_only_be_read_is_not_served() -> None:
    with tempfile.TemporaryDirectory() as folder:  # which others may enter, as tmp_path is not
        path = Path(folder) / "house.sqlite3"
        with child(SERVING, str(path)) as server:
            out, err = server.communicate()
    assert (server.returncode, out) == (2, "")
    assert err.splitlines()[-1].startswith(f"benben: {path}: it is read-only")
    assert "Traceback" not in err


@pytest.mark.parametrize(
    ("database", "why"),
    [
        ("sqlite:////dev/null/house.sqlite3", "there is a file where its folder should be"),
        ("sqlite:////proc/house.sqlite3", "/proc/house.sqlite3: No such file or directory"),
        ("sqlite:////", "/: this is a folder; name a file in it"),
        ("sqlite://", "the database URL: a database in memory keeps nothing; name a file"),
        ("swordfish", "the database URL: it is not valid; write postgresql://user@host/name"),
        ("postgresql://u:swordfish@[::1", "the database URL: it is not valid"),
        ("postgresql://u:swordfish@host:port/x", "the database URL: it is not valid"),
        ("mysql://u:swordfish@host/x", "tables are kept in sqlite:///… or postgresql://…, not in"),
        ("postgresql://u:swordfish@127.0.0.1:1/x", "refused"),
        ("postgresql://u@127.0.0.1:1/x?password=swordfish", "refused"),
        ("postgresql://u:swordfish@127.0.0.1:1/x?nonsense=1", "nonsense"),
        ("postgresql://u:sword%fish@127.0.0.1:1/x", "refused"),
    ],
)
def test_a_database_that_cannot_be_is_said_without_its_password(database: str, why: str) -> None:
    done = CliRunner().invoke(app, ["serve", "--port", "0", "--database", database])
    assert (done.exit_code, done.stdout) == (2, "")
    (line,) = [each for each in done.stderr.splitlines() if each.startswith("benben: ")]
    assert why in line
    assert "sword" not in done.stderr
    assert "Traceback" not in done.stderr
