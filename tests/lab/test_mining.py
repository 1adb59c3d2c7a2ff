"""Mining puzzles: always the same, resumed without loss, mirror images once."""

from pathlib import Path

import pytest

import benben
from benben.core.errors import BenbenError
from benben.lab.mining import Find, Finds, Mine, chosen, collected, mine_all
from benben.lab.mirrors import key_of

NODES, GAMES = 300, 4


def mined(path: Path, games: int) -> Finds:
    mine = Mine("pyramidis", "7", NODES)
    finds = Finds(path, mine.header)
    mine_all(mine, games, 100, finds, lambda done, found: None)
    finds.close()
    return finds


def test_the_same_seed_finds_the_same_and_goes_on_where_it_was(tmp_path: Path) -> None:
    whole = mined(tmp_path / "whole", GAMES)
    assert any(find.puzzle for find in whole.found)
    part = tmp_path / "part"
    mined(part, GAMES - 2)
    with part.open("ab") as file:
        file.write(b'{"game": 2, "half a li')  # as when it is killed
    assert mined(part, GAMES).found == whole.found
    assert part.read_bytes() == (tmp_path / "whole").read_bytes()
    made = collected(Mine("pyramidis", "7", NODES), whole.found, 100, "mine")
    assert len(made.puzzles) == len(chosen("pyramidis", whole.found, 100))


def test_what_was_mined_otherwise_is_not_gone_on_with(tmp_path: Path) -> None:
    path = tmp_path / "finds"
    Finds(path, Mine("pyramidis", "7", NODES).header).close()
    with pytest.raises(BenbenError, match="mined otherwise"):
        Finds(path, Mine("pyramidis", "8", NODES).header)


def test_no_puzzle_twice_and_not_too_many_of_a_grade(tmp_path: Path) -> None:
    finds = [find for find in mined(tmp_path / "finds", GAMES).found if find.puzzle]
    again = [Find(100 + find.game, find.key, find.at_once, find.puzzle) for find in finds]
    assert chosen("pyramidis", [*finds, *again], 100) == chosen("pyramidis", finds, 100)
    many = [Find(n, str(n), False, finds[0].puzzle) for n in range(10)]
    assert len(chosen("pyramidis", many, 10)) == 3


@pytest.mark.parametrize(
    ("game", "one", "other"),
    [
        (
            benben.game("pyramidis", players=2),
            "d1=bbbbb,d2=b,d3=bb,d8=mmmmmmmm b0m0 b 3",
            "d1=bbbbbbbb,d6=mm,d7=m,d8=mmmmm b0m0 m 3",
        ),
        (
            benben.game("batisseurs"),
            "xo..../...../..../.../../.|xx..../x..../..../.../../. 1 aabbf 5 1",
            "....ox/...../..../.../../.|....xx/....x/..../.../../. 1 aabbf 5 1",
        ),
        (
            benben.game("objectif"),
            "oB/g/b/p/o/g/b/p/o/g/b/p/o/g/b/p OOOGGGBBPPP|OOOGGGBBBPPP 2 ?g",
            "g/o/o/p/gB/o/b/p/g/o/b/p/b/g/b/p OOOGGGBBPPP|OOOGGGBBBPPP 2 ?o",
        ),
        (
            benben.game("quadrille"),
            "oyoyoyoy/brbrbrbr/oyoyoyoy/brbrbrbr/oyoyoyoy/brbrbrbr a1 - b pawn - - 0",
            "oyoyoyoy/brbrbrbr/oyoyoyoy/brbrbrbr/oyoyoyoy/brbrbrbr h6 - b pawn - - 0",
        ),
    ],
    ids=lambda value: value.name if isinstance(value, benben.Game) else "",
)
def test_mirror_images_are_the_same_puzzle(game: benben.Game, one: str, other: str) -> None:
    assert key_of(game.parse_view(one)) == key_of(game.parse_view(other))


@pytest.mark.parametrize("name", benben.names())
def test_other_positions_are_not(name: str) -> None:
    keys = {key_of(benben.game(name).deal(seed=n).view(0)) for n in range(8)}
    assert len(keys) == (1 if name == "quadrille" else 8 if name == "objectif" else len(keys))
