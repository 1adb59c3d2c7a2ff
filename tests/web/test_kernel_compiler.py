"""Games open one by one. Nothing is compiled here: children only say what they are told to."""

import asyncio
import os
import signal
from collections.abc import Callable
from pathlib import Path
from time import sleep
from typing import Any

import pytest

import benben
from benben.bots.warm import BOTS, compile_asked
from benben.core.warm import RULES
from benben.web import kernel_compiler
from benben.web.kernel_compiler import KernelCompiler, NotReady
from tests.web.compiling import Compiler
from tests.web.site import Site, refused, serving


def until(true: Callable[[], Any]) -> None:
    while not true():
        sleep(0.01)


def readiness(site: Site) -> dict[str, str]:
    return {each["game"]: each["ready"] for each in site.get("server")["games"]}


def test_a_game_is_played_while_others_are_prepared(tmp_path: Path, compiler: Compiler) -> None:
    with serving(tmp_path, wait=False) as site:
        assert site.http.get("/healthz").text == "well\n"
        assert len(site.get("games")["games"]) == 4
        assert site.get("tables") == {"tables": [], "live": []}
        answer = site.http.post("/api/tables", json={"game": "quadrille"})
        detail = refused(answer, 503, "warming-up")
        assert (detail["game"], detail["stage"]) == ("quadrille", "rules")
        assert detail["seconds"] > 0
        assert 1 <= int(answer.headers["retry-after"]) <= 3
        assert "about" in answer.json()["error"]["message"]
        compiler.finish("objectif.rules", "pyramidis.rules", "quadrille.rules")
        until(lambda: readiness(site)["quadrille"] == "people")
        ann, bob = site.table("quadrille")
        ann.move()
        bob.move()
        assert readiness(site)["batisseurs"] == "no"
        detail = refused(site.http.get("/readyz"), 503, "warming-up")
        assert "batisseurs" in detail["games"]
        assert "quadrille" not in detail["games"]
        refused(site.http.post("/api/tables", json={"game": "batisseurs"}), 503, "warming-up")
        refused(site.http.post("/api/games/batisseurs/positions", json={}), 503, "warming-up")
        assert site.http.post("/api/games/quadrille/positions", json={}).status_code == 200
        refused(site.http.post("/api/tables", json={"game": "chess"}), 422, "unknown-game")
        compiler.finish("batisseurs.rules")
        until(lambda: site.http.get("/readyz").status_code == 200)
        assert "bots" not in readiness(site).values()
        compiler.finish_all()
        until(lambda: set(readiness(site).values()) == {"bots"})
        assert {each["seconds"] for each in site.get("server")["games"]} == {0}


def test_two_at_a_time_and_what_is_asked_for_goes_first(tmp_path: Path, compiler: Compiler) -> None:
    with serving(tmp_path, wait=False) as site:
        until(lambda: compiler.waiting == 2)  # before, another game could still go first
        assert sorted(compiler.asked) == ["objectif rules", "pyramidis rules"]
        wanted = {"game": "quadrille", "seats": [{}, {"bot": 1}]}
        refused(site.http.post("/api/tables", json=wanted), 503, "warming-up")
        sleep(0.05)
        assert len(compiler.asked) == 2, "nothing else is begun before one of them is done"
        compiler.finish("objectif.rules")
        until(lambda: len(compiler.asked) == 3)
        compiler.finish("quadrille.rules")
        until(lambda: len(compiler.asked) == 4)
        assert compiler.asked[2:] == ["quadrille rules", "quadrille bots.2.1"]
        compiler.finish_all()
        until(lambda: set(readiness(site).values()) == {"bots"})
        assert len(compiler.asked) == len(set(compiler.asked)) == 9
        assert len(compiler.children) == 2


def test_a_bot_moves_when_it_can_think(tmp_path: Path, compiler: Compiler) -> None:
    compiler.finish("objectif.rules", "pyramidis.rules", "batisseurs.rules", "quadrille.rules")
    with serving(tmp_path) as site:
        (ann,) = site.table("quadrille", people=1, seats=[{}, {"bot": 1}])
        ann.move()
        sleep(0.1)
        seen = ann.look()
        assert (seen["to_move"], len(seen["moves"])) == (1, 1)
        compiler.finish_all()
        until(lambda: len(ann.look()["moves"]) == 2)


def test_a_level_that_is_asked_for_does_not_wait_for_others(
    tmp_path: Path, compiler: Compiler
) -> None:
    compiler.finish(*(f"{name}.rules" for name in benben.names()))
    with serving(tmp_path) as site:
        until(lambda: {"objectif bots", "pyramidis bots"} <= set(compiler.asked))
        until(lambda: compiler.waiting == 6)
        (ann,) = site.table("quadrille", people=1, seats=[{}, {"bot": 2}])
        ann.move()
        until(lambda: "quadrille bots.2.2" in compiler.asked)
        assert len(compiler.children) == 3, "a child was interrupted"
        compiler.finish("quadrille.bots.2.2")
        until(lambda: len(ann.look()["moves"]) == 2)
        assert "quadrille.bots" not in compiler.session
        assert "bots" not in readiness(site).values()
        compiler.finish_all()
        until(lambda: set(readiness(site).values()) == {"bots"})
        (bob,) = site.table("batisseurs", people=1, players=2, seats=[{}, {"bot": 3}])
        assert bob.look()["seats"]
        assert "batisseurs bots.2.3" not in compiler.asked, "it came with all the others"


@pytest.mark.slow
def test_tables_of_a_game_go_on_when_it_is_ready(tmp_path: Path, compiler: Compiler) -> None:
    compiler.finish_all()
    with serving(tmp_path, bot_delay=600.0) as site:
        (ann,) = site.table("quadrille", people=1, seats=[{}, {"bot": 1}])
        bob = site.sit(site.open("objectif", listed=True), 0)
        ann.move()
    compiler.begin_again()
    with serving(tmp_path, wait=False) as site:
        ann.site = site
        # Each child is in the middle of something, which it does not leave for what is asked for.
        until(lambda: compiler.waiting == kernel_compiler.children())
        look = site.http.get(f"/api/tables/{ann.table}", headers=ann.headers)
        assert refused(look, 503, "warming-up")["game"] == "quadrille"
        mine = {"Benben-Tokens": ann.token}
        assert site.http.get("/api/tables/mine", headers=mine).json() == {"tables": []}
        assert site.get("tables") == {"tables": [], "live": []}
        compiler.finish("objectif.rules")
        until(lambda: readiness(site)["objectif"] == "people")
        bob.site = site
        bob.look()
        assert [each["id"] for each in site.get("tables")["tables"]] == [bob.table]
        compiler.finish("pyramidis.rules", "quadrille.rules")
        until(lambda: readiness(site)["quadrille"] == "people")
        assert site.http.get("/api/tables/mine", headers=mine).json()["tables"]
        assert ann.look()["to_move"] == 1
        compiler.finish_all()
        until(lambda: len(ann.look()["moves"]) == 2)


@pytest.mark.parametrize("trouble", ["die", "read-only"])
def test_what_children_cannot_do_is_done_here(
    tmp_path: Path, compiler: Compiler, trouble: str, caplog: pytest.LogCaptureFixture
) -> None:
    (compiler.folder / trouble).touch()
    if trouble == "read-only":
        compiler.finish_all()
    with serving(tmp_path) as site:
        until(lambda: set(readiness(site).values()) == {"bots"})
        site.table()[0].move()
    assert len(compiler.session) == 8
    assert "compiled here" in caplog.text


def test_no_child_at_all(
    tmp_path: Path, compiler: Compiler, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kernel_compiler, "COMMAND", (str(tmp_path / "nothing"),))
    with serving(tmp_path) as site:
        site.table()[0].move()


def test_a_server_that_ends_ends_its_children(tmp_path: Path, compiler: Compiler) -> None:
    with serving(tmp_path, wait=False):
        until(lambda: len(compiler.asked) == 2)
    assert len(compiler.children) == 2
    for child in compiler.children:
        with pytest.raises(ProcessLookupError):
            os.kill(child, signal.SIG_DFL)


def test_warm_games_need_no_child(tmp_path: Path, compiler: Compiler) -> None:
    for name in benben.names():
        for stage in (RULES, BOTS):
            (compiler.folder / f"{name}.{stage.name}.kept").touch()
    with serving(tmp_path) as site:
        until(lambda: set(readiness(site).values()) == {"bots"})
    assert compiler.children == []


def test_the_longer_the_queue_the_longer_it_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernel_compiler, "children", lambda: 2)

    async def look() -> None:
        kernels = KernelCompiler()
        first = {each.game: each.seconds for each in kernels.progress}
        assert first["objectif"] == first["pyramidis"] == round(sum(RULES.steps.values()))
        assert first["quadrille"] == 2 * first["objectif"]
        with pytest.raises(NotReady):
            kernels.require_ready("quadrille")
        then = {each.game: each.seconds for each in kernels.progress}
        assert then["quadrille"] == first["objectif"]
        assert then["pyramidis"] > then["objectif"]

    asyncio.run(look())


def test_a_child_turns_to_what_is_asked_for_and_back() -> None:
    async def look() -> None:
        kernels = KernelCompiler()
        objectif = await kernels._next(set())
        assert objectif is not None
        assert objectif.game == "objectif"
        assert await kernels._next({objectif}) is objectif
        for wanted in ("quadrille", "batisseurs"):
            with pytest.raises(NotReady):
                kernels.require_ready(wanted)
        quadrille = await kernels._next({objectif})
        assert quadrille is not None
        assert quadrille.game == "quadrille", "first come, first served"
        quadrille.compiled = True
        batisseurs = await kernels._next({objectif})
        assert batisseurs is not None
        batisseurs.compiled = True
        assert await kernels._next({objectif}) is objectif

    asyncio.run(look())


def test_a_level_is_compiled_beside_the_rules_of_its_game() -> None:
    async def look() -> None:
        kernels = KernelCompiler()
        for levels in ([0, 2], [2], [99]):
            with pytest.raises(NotReady):
                kernels.require_ready("quadrille", 2, levels)
        jobs = [await kernels._next(set()) for _ in range(3)]
        told = [(job.game, job.stage.name) for job in jobs if job is not None]
        assert told == [("quadrille", "rules"), ("quadrille", "bots.2.2"), ("objectif", "rules")]

    asyncio.run(look())


def test_what_a_child_says() -> None:
    said = compile_asked(["quadrille rules\n", "quadrille bots\n"] * (len(RULES.steps) + 1))
    told = list(said)
    assert told[0::2] == [*RULES.steps, ""]
    assert told[1::2] == [*BOTS.steps, *[""] * (len(RULES.steps) - len(BOTS.steps) + 1)]
    assert list(compile_asked(["quadrille bots.2.1\n"] * 2)) == ["level", ""]
