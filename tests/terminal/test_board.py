"""Boards as people see them, letter by letter."""

import pytest
from rich.text import Text

import benben
from benben.terminal.beside import draw_beside, legend
from benben.terminal.board import draw_board, draw_stack
from benben.terminal.company import Company
from benben.terminal.palette import Palette, palette_of

CONFIGURATIONS = [(name, n) for name in benben.names() for n in benben.info(name).players]


def plain(lines: list[Text]) -> str:
    return "\n".join(line.plain.rstrip() for line in lines)


def drawn(name: str, text: str, players: int = 2, width: int = 78, **options: str) -> str:
    position = benben.game(name, players=players, **options).parse(text)
    return plain(draw_board(position, width) + draw_beside(position, width))


def test_pyramidis() -> None:
    text = "a4=mmmmmmbbcc,a5=ttttt,d1=bbbbb,e6=tmb,h5=cccccc b0t2m1c0 b 0"
    assert (
        drawn("pyramidis", text, players=4)
        == """\
 8                      d8     e8
 7                      d7     e7
 6                      d6     tmb
 5 ttttt  b5     c5     d5     e5     f5     g5     c6
 4 m…c2   b4     c4     d4     e4     f4     g4     h4
 3                      d3     e3
 2                      d2     e2
 1                      bbbbb  e1
   a      b      c      d      e      f      g      h
a4: m6b2c2
home     brown –   turquoise t t   mustard m   cream –"""
    )


def test_pyramidis_for_two_has_one_strip_and_two_homes() -> None:
    text = "a5=ttttttt,h5=cccccccc t1c0 t 0"
    assert (
        drawn("pyramidis", text, pair="tc")
        == """\
 5 t7     b5     c5     d5     e5     f5     g5     c8
 4 a4     b4     c4     d4     e4     f4     g4     h4
   a      b      c      d      e      f      g      h
home     turquoise t   cream –"""
    )


def test_quadrille() -> None:
    text = "oyoyoyoy/brbrbrbr/oyoyoyoy/brb.brbr/oyoyoyoy/brbrbrbr a1,e3 e4,h6 b step r - 0"
    assert (
        drawn("quadrille", text)
        == """\
 6 o   y   o   y   o   y   o   yB
 5 b   r   b   r   b   r   b   r
 4 o   y   o   y   oB  y   o   y
 3 b   r   b   ·   bW  r   b   r
 2 o   y   o   y   o   y   o   y
 1 bW  r   b   r   b   r   b   r
   a   b   c   d   e   f   g   h
hand     r"""
    )


def test_objectif_numbers_every_place() -> None:
    text = "oG/gO/b/p/o/g/b/p/o/g/b/p/o/g/b/p OOOGGBBBPPP|OOGGGBBBPPP 1 gp"
    assert (
        drawn("objectif", text)
        == """\
 1 oG      2 gO      3 b       4 p
 5 o       6 g       7 b       8 p
 9 o      10 g      11 b      12 p
13 o      14 g      15 b      16 p
stock    seat 1 O3 G2 B3 P3   seat 2 O2 G3 B3 P3
showing  orange 4, green 4, blue 4, pink 4"""
    )


def test_batisseurs_puts_boards_below_each_other_where_they_must() -> None:
    text = "xxo.../x..../..../.../../.|....../...../..../.../../. 1 aabcf 5 1"
    assert (
        drawn("batisseurs", text)
        == """\
seat 1                     seat 2
          f1                         f1
        e1  e2                     e1  e2
      d1  d2  d3                 d1  d2  d3
    c1  c2  c3  c4             c1  c2  c3  c4
  x   b2  b3  b4  b5         b1  b2  b3  b4  b5
x   x   o   a4  a5  a6     a1  a2  a3  a4  a5  a6
dice     a a b c f"""
    )
    narrow = drawn("batisseurs", text, width=40).splitlines()
    assert narrow[0] == "seat 1"
    assert narrow[8] == "seat 2"


@pytest.mark.parametrize(("name", "players"), CONFIGURATIONS)
def test_a_whole_game_fits_eighty_columns_and_shows_every_place(name: str, players: int) -> None:
    stream = benben.RandomStream.seeded(1)
    position = benben.game(name, players=players).deal(source=stream)
    places = {place for row in position.diagram() for _, place in row}
    while position.to_move is not None:
        lines = draw_board(position, 78, Company(position.game, you=0)) + draw_beside(position, 78)
        assert max(len(line) for line in lines) <= 78
        # Colour is never the only sign: what a place shows is printed as its letter.
        for place in places:
            top = position.drawing()[place][-1:]
            assert top == "" or top in plain(lines)
        if position.to_move == benben.CHANCE:
            move = position.draw(stream)
        else:
            moves = position.moves()
            move = moves[stream.below(len(moves))]
        position = position.play(move)


@pytest.mark.parametrize(
    ("stack", "shown"),
    [
        ("b", "b"),
        ("bmt", "bmt"),
        ("ttttt", "ttttt"),
        ("tttttttt", "t8"),
        ("bbbbbbmm", "b6m2"),
        ("t" * 11 + "m", "t11m"),
        ("mtmtmt", "mtmtmt"),
    ],
)
def test_tall_stacks_are_counted(stack: str, shown: str) -> None:
    assert draw_stack(stack, Palette()).plain == shown


def test_a_stack_too_tall_for_its_place_keeps_both_ends() -> None:
    assert draw_stack("gOBOBOP", Palette(), space=5).plain == "g…BOP"


def test_the_top_stands_on_its_colour() -> None:
    palette = palette_of(benben.game("pyramidis"))
    below, top = draw_stack("bm", palette).spans
    assert " on " not in str(below.style)
    assert str(top.style) == palette.top("m")
    assert str(top.style).startswith("bold")
    assert " on " in str(top.style)


def test_a_game_nobody_painted_is_drawn_all_the_same() -> None:
    palette = Palette()
    assert palette.word("q") == "q"
    assert draw_stack("qr", palette).plain == "qr"


@pytest.mark.parametrize("name", benben.names())
def test_every_piece_is_in_the_legend(name: str) -> None:
    game = benben.game(name)
    words = legend(game)
    for piece in game.rules.PIECES:
        assert piece == "?" or piece.lower() in words.lower()
    assert len(words) < 160
