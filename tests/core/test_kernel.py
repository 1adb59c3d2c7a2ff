"""Compiled kernels: kept, found again, and never older than the rules."""

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from threading import Thread
from types import ModuleType, SimpleNamespace

import numpy as np
import pytest
from numba.core import config

import benben
from benben.core import engine, registry
from benben.core import kernel as kernels
from benben.core.errors import BadGame
from benben.core.kernel import PLAIN_PYTHON, _save_one_by_one, adopt, record
from benben.core.locking import locked
from tests.copying import copy_package

COUNT = """
import benben, sys
game = benben.game("pyramidis", first=1)
position = game.parse("a5=tttttttt,d1=bbb,d2=b,d3=bbbb,d8=mmmmmmmm,h5=cccccccc b0t0m0c0 b 0")
print(position.play("d2"), position.perft(5))
"""


def _python(code: str, **environment: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.long
def test_an_edited_rule_is_played(tmp_path: Path) -> None:
    """A generic kernel is cached with the rules inside; an edited rule must not find the old."""
    copy = copy_package(tmp_path)
    environment = {
        "PYTHONPATH": str(tmp_path),
        "BENBEN_CACHE_DIR": str(tmp_path / "cache"),
        "PYTHONDONTWRITEBYTECODE": "1",  # Python itself would not see an edit of the same time
    }
    before = _python(COUNT, **environment)
    assert _python(COUNT, **environment) == before

    rules = copy / "games" / "pyramidis" / "rules.py"
    text = rules.read_text("utf-8")
    assert text.count("TO_WIN, TOWER, MOST_FROM_START = 5, 5, 5") == 1
    stamp = rules.stat()
    rules.write_text(
        text.replace("MOST_FROM_START = 5, 5, 5", "MOST_FROM_START = 5, 4, 5"), "utf-8"
    )
    os.utime(rules, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))  # not even the time tells
    after = _python(COUNT, **environment)
    assert "d3=bbbbb" in before
    assert "d3=bbbb,d4=b" in after
    assert before.split()[-1] != after.split()[-1]


@pytest.mark.long
def test_the_second_start_compiles_nothing(tmp_path: Path) -> None:
    code = """
from numba.core import event
import benben
with event.install_recorder("numba:compile") as compiles:
    game = benben.game("batisseurs")
    position = game.deal()
    position.chance(), position.moves(), position.play("=aaaaaa").play("a1")
    position.perft(1)
print(len(compiles.buffer))
"""
    environment = {"BENBEN_CACHE_DIR": str(tmp_path)}
    assert int(_python(code, **environment)) > 0
    assert int(_python(code, **environment)) == 0


@pytest.mark.skipif(PLAIN_PYTHON, reason="nothing is compiled")
def test_processes_save_kernels_one_by_one(tmp_path: Path) -> None:
    """One file lists a function's kernels of all games: two that add to it at once spoil it."""
    assert "save_overload" in vars(vars(engine.whose)["_cache"])
    saved: list[str] = []
    compiled = SimpleNamespace(_cache=SimpleNamespace(save_overload=lambda s, _: saved.append(s)))
    _save_one_by_one(compiled, tmp_path / "lock")
    with locked(tmp_path / "lock"):
        saving = Thread(target=compiled._cache.save_overload, args=("signature", None))
        saving.start()
        saving.join(0.1)
        assert saved == []
    saving.join()
    assert saved == ["signature"]
    _save_one_by_one(compiled, tmp_path / "nowhere" / "lock")
    compiled._cache.save_overload("signature", None)
    assert saved == ["signature"], "what cannot be kept is no reason to fail"


@pytest.mark.long
def test_without_a_writable_cache_everything_still_works(tmp_path: Path) -> None:
    nowhere = tmp_path / "file"
    nowhere.write_text("not a directory")
    code = 'import benben; print(benben.game("quadrille").deal().perft(1))'
    assert _python(code, BENBEN_CACHE_DIR=str(nowhere)) == "48\n"


def test_a_users_own_kernels_stay_where_they_were() -> None:
    assert vars(config)["CACHE_DIR"] == os.environ.get("NUMBA_CACHE_DIR", "")


def test_import_is_quick_and_loads_no_rules() -> None:
    """Time is for bench/; here: importing loads no game, so no kernel of one."""
    code = "import benben, sys; print([m for m in sys.modules if m.startswith('benben.games.')])"
    assert _python(code) == "[]\n"


# ---- Games of other packages

OUTSIDE = """
import numpy as np
from benben.core.kernel import kernel, record

STATE = record(("players", np.int64), ("outside", np.int64))

@kernel
def to_move(s):
    return 1
"""
ASK = """
import outside.rules
from benben.core import engine
from benben.core.kernel import adopt, blank

adopt(outside.rules)
print(engine.whose(blank(outside.rules.STATE)))
"""


@pytest.mark.slow
@pytest.mark.skipif(PLAIN_PYTHON, reason="nothing is compiled")
def test_an_edited_rule_of_another_package_is_played_and_damaged_kernels_are_not(
    tmp_path: Path,
) -> None:
    package, cache = tmp_path / "outside", tmp_path / "cache"
    package.mkdir()
    rules = package / "rules.py"
    rules.write_text(OUTSIDE, "utf-8")
    environment = {"PYTHONPATH": f"{tmp_path}{os.pathsep}{os.environ.get('PYTHONPATH', '')}"}
    environment["BENBEN_CACHE_DIR"] = str(cache)
    assert _python(ASK, **environment) == "1\n"
    rules.write_text(OUTSIDE.replace("return 1", "return 0"), "utf-8")
    assert _python(ASK, **environment) == "0\n"
    kept = [*cache.rglob("*.nbi"), *cache.rglob("*.nbc")]
    for file, damage in zip(kept, (b"", b"garbage") * len(kept), strict=False):
        file.write_bytes(damage)
    assert _python(ASK, **environment) == "0\n", "it is compiled again"
    assert not set(map(Path.read_bytes, cache.rglob("*.nbi"))) & {b"", b"garbage"}


def _rules(name: str, *fields: tuple[str, type]) -> ModuleType:
    rules = ModuleType(name)
    vars(rules)["STATE"] = record(*fields)
    return rules


def test_games_with_equal_records_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each would be played by the other's rules: a record's type is all that tells them apart."""
    monkeypatch.setattr(kernels, "_modules_of", {})
    fields = ("players", np.int64), ("turn", np.int64)
    first = _rules("first.rules", *fields)
    adopt(first)
    with pytest.raises(BadGame, match=r"second\.rules and first\.rules have equal records"):
        adopt(_rules("second.rules", *fields))
    assert kernels._modules_of[first.STATE] == (first,), "nothing has changed"
    adopt(first, ModuleType("first.evaluation"))
    adopt(_rules("third.rules", *fields, ("third", np.int64)))


def test_a_game_for_more_players_than_kernels_have_places_for_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    card = replace(benben.info("quadrille"), name="crowd", players=(2, 5))
    monkeypatch.setitem(sys.modules, "crowd", SimpleNamespace(INFO=card))
    monkeypatch.setitem(registry._packages, "crowd", "crowd")
    with pytest.raises(BadGame, match="crowd is for up to 5 players, but games have at most 4"):
        benben.game("crowd", players=2)
