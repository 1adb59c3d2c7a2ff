"""Names of bots: enough of them, short, and never two alike at a table."""

from benben.bots.names import NAMES, bot_names
from benben.table.actions import check_name


def test_names_are_short_and_not_alike() -> None:
    assert len(set(NAMES)) == len(NAMES) == 24
    for name in NAMES:
        check_name(name)
        assert name.isascii()
        assert len(name) <= 5
        assert name[0] not in "AEIOUY"


def test_a_table_has_names_of_its_own() -> None:
    tables = {bot_names(f"table {number}", 4) for number in range(200)}
    assert len(tables) > 150
    assert {name for names in tables for name in names} == set(NAMES)
    assert all(len({name[0] for name in names}) == 4 for names in tables)
    assert all(bot_names(f"table {n}", 2) == bot_names(f"table {n}", 4)[:2] for n in range(20))
