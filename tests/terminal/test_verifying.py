"""`benben verify`: yes, or the first event that differs."""

from pathlib import Path

import benben
from benben.table import events as happened
from tests.table.test_record import changed, finished, number_of
from tests.test_cli import good, run


def test_a_record_that_is_right_and_one_that_is_not(tmp_path: Path) -> None:
    file = tmp_path / "record.json"
    record = finished(benben.game("batisseurs")).record
    file.write_text(str(record), "utf-8")
    out = good("verify", str(file))
    assert out.startswith(f"yes: batisseurs, {len(record.entries)} events, ")
    assert "numbers were drawn" in out
    threw = number_of(record, happened.Threw)
    forged = changed(record, threw, happened.Threw("=ffffff", 1))
    file.write_text(str(forged), "utf-8")
    done = run("verify", str(file))
    assert done.exit_code == 2
    assert done.stdout == ""
    assert f"{file}: event {threw}: should have been =" in done.stderr


def test_a_game_without_chance_and_a_file_that_is_none(tmp_path: Path) -> None:
    file = tmp_path / "record.json"
    file.write_text(str(finished(benben.game("quadrille")).record), "utf-8")
    assert "1 number was drawn" in good("verify", str(file))  # who sits where
    file.write_text("{}", "utf-8")
    done = run("verify", str(file))
    assert done.exit_code == 2
    assert "this is not the record of a table" in done.stderr
