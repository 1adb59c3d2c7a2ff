"""What a server's terminal shows while games are prepared."""

import io
import logging
import sys

import pytest
from rich.console import Console

from benben.bots.warm import Progress
from benben.terminal.preparing import preparing

BEGUN = [
    Progress("objectif", "no", 7, 0.25, "view"),
    Progress("quadrille", "people", 4, 0.7, ""),
]
READY = [Progress(each.game, "bots", 0, 1.0, "") for each in BEGUN]


def test_a_line_a_game_until_all_are_ready(monkeypatch: pytest.MonkeyPatch) -> None:
    out, stderr = io.StringIO(), io.StringIO()
    monkeypatch.setattr(sys, "stderr", stderr)
    handler = logging.StreamHandler(stderr)
    logging.getLogger().addHandler(handler)
    try:
        with preparing(Console(file=out, force_terminal=True, width=100)) as watched:
            watched.show(BEGUN)
            assert handler.stream is not stderr, "the log goes above the lines"
            watched.show(READY)
            assert handler.stream is stderr
            before = out.getvalue()
            watched.show(READY)
            assert out.getvalue() == before
    finally:
        logging.getLogger().removeHandler(handler)
    assert "objectif" in out.getvalue()
    assert "people can play in about 7 s" in out.getvalue()
    assert "open; bots play in about 4 s" in out.getvalue()


def test_the_lines_go_when_the_server_ends() -> None:
    out = io.StringIO()
    with preparing(Console(file=out, force_terminal=True, width=100)) as watched:
        watched.show(BEGUN)
        shown = len(out.getvalue())
    assert "\x1b[2K" in out.getvalue()[shown:], "erased"


def test_nothing_is_shown_where_nobody_watches() -> None:
    out = io.StringIO()
    with preparing(Console(file=out)) as watched:
        watched.show(BEGUN)
    assert out.getvalue() == ""
