"""Quadrille: the rules and rulings of its rulebook."""

import benben
from tests.games import check_nothing_hidden, check_over, check_refusal, played

GAME = benben.game("quadrille")
FILES = "abcdefgh"


def written(tokens: dict[str, str], rest: str) -> str:
    ranks = [[tokens.get(f"{file}{rank}", "") for file in FILES] for rank in (6, 5, 4, 3, 2, 1)]
    shown = ["".join((".", t, f"({t})")[len(t)] for t in rank) for rank in ranks]
    return f"{'/'.join(shown)} {rest}"


def changed(changes: str) -> dict[str, str]:
    """`a1=- c3=by`: a hole, and yellow on blue."""
    pairs = (change.split("=") for change in changes.split())
    return {square: tokens.replace("-", "") for square, tokens in pairs}


def regular(changes: str, rest: str) -> str:
    """A position: the regular layout with some squares changed, then the other fields."""
    tokens = {
        f"{file}{rank}": ("br" if rank % 2 else "oy")[i % 2]
        for i, file in enumerate(FILES)
        for rank in range(1, 7)
    }
    return written(tokens | changed(changes), rest)


def sparse(squares: str, rest: str) -> str:
    """A position late in the game: all squares not named are holes."""
    return written(changed(squares), rest)


START = regular("", "- - w pawn - - 0")
READY = regular("", "a1,c1 f6,h6 w step - - 0")
STEPPED = regular("a1=-", "a2,c1 f6,h6 b step b - 0")  # white a1a2
LIFTED = regular("a1=- h6=-", "a2,c1 f6,h5 b token b y 0")  # black h6h5
PLACED = regular("a1=- h6=- d4=yb", "a2,c1 f6,h5 w step y - 0")  # black +d4
ON_TWO = "a2,c3 e1,g1 w step o -"  # white on c3=by; black controls blue only
CENTRE = regular("h6=- e6=- c3=by", f"{ON_TWO} 0")
NO_ROOM = sparse("a1=b a2=b b1=r f1=by g1=y h1=y", "a1,a2 g1,h1 w step r - 0")
NO_ROOM_LEFT = sparse("a1=rb a2=b b1=o f1=by g1=y h1=y", "a1,a2 g1,h1 w step r - 3")


def check_play(before: str, move: str, after: str) -> benben.Position:
    position = GAME.parse(before).play(move)
    assert str(position) == after
    return position


# ---- Set-up and pawns


def test_ruling_2_the_regular_layout() -> None:
    """The rulebook's example: odd ranks b r b r, even ranks o y o y, from file a."""
    text = "oyoyoyoy/brbrbrbr/oyoyoyoy/brbrbrbr/oyoyoyoy/brbrbrbr - - w pawn - - 0"
    assert str(GAME.deal()) == text == START


def test_ruling_2_every_step_changes_colour() -> None:
    colours = GAME.deal().drawing()
    for x, file in enumerate(FILES):
        for rank in range(1, 7):
            near = [
                f"{FILES[i]}{j}"
                for i in range(max(0, x - 1), min(7, x + 1) + 1)
                for j in range(max(1, rank - 1), min(6, rank + 1) + 1)
                if (i, j) != (x, rank)
            ]
            assert all(colours[square] != colours[f"{file}{rank}"] for square in near)


def test_ruling_1_white_is_seat_1_and_begins() -> None:
    assert GAME.parse(START).to_move == 0
    assert GAME.parse(READY).to_move == 0


def test_pawns_are_put_in_turn_and_then_white_steps() -> None:
    position = GAME.parse(START)
    expected = [
        regular("", "a1 - b pawn - - 0"),
        regular("", "a1 h6 w pawn - - 0"),
        regular("", "a1,c1 h6 b pawn - - 0"),
        READY,
    ]
    for move, text in zip(("@a1", "@h6", "@c1", "@f6"), expected, strict=True):
        position = position.play(move)
        assert str(position) == text


def test_a_pawn_is_put_on_an_available_square_of_a_free_colour() -> None:
    """First all 48; then not the opponent's colours, nor any pawn's square."""
    start = GAME.parse(START)
    assert len(start.moves()) == 48
    black = start.play("@a1")
    assert len(black.moves()) == 48 - 12
    white = black.play("@b1")
    assert len(white.moves()) == 48 - 12 - 1
    assert "@c1" in white.moves()  # the own blue is free
    assert "@d1" not in white.moves()  # black's red is not


# ---- Words


def test_a_square_has_the_colour_of_its_top_token() -> None:
    """Black on d4=yb controls blue and, on h5, red: yellow is free for white."""
    text = regular("a1=- h6=- d4=yb", "a2,c4 d4,h5 w step y - 0")
    assert GAME.parse(text).moves() == ["a2b2", "c4b4"]


def test_the_own_control_does_not_matter() -> None:
    """White controls blue and steps on the blue of c2=ob."""
    text = regular("a1=- h6=- c2=ob", "c1,e1 f6,h5 w step y - 0")
    assert GAME.parse(text).moves() == ["c1c2", "e1e2"]


# ---- A turn


def test_a_pawn_steps_in_any_of_eight_directions() -> None:
    around = ["c3b2", "c3b3", "c3b4", "c3c2", "c3c4", "c3d2", "c3d3", "c3d4"]
    assert GAME.parse(CENTRE).moves() == ["a2b1", "a2b2", "a2b3", *around]


def test_a_step_goes_to_a_free_colour() -> None:
    """Black controls yellow: white's pawns step on orange and red only."""
    assert GAME.parse(READY).moves() == ["a1a2", "a1b1", "c1b1", "c1c2", "c1d1"]
    assert GAME.parse(PLACED).moves() == ["a2a3", "c1c2"]


def test_white_has_no_token_in_the_first_turn() -> None:
    """The step ends the turn, and the token lifted is in black's hand."""
    position = check_play(READY, "a1a2", STEPPED)
    assert position.to_move == 1


def test_a_step_hands_over_the_token_of_the_square_left() -> None:
    """Black steps, lifts yellow for white, and still has to place white's blue."""
    position = check_play(STEPPED, "h6h5", LIFTED)
    assert position.to_move == 1


def test_the_token_is_placed_and_the_gift_goes_to_the_opponent() -> None:
    position = check_play(LIFTED, "+d4", PLACED)
    assert position.to_move == 0


def test_a_second_token_stays() -> None:
    """Leaving c3=by, white hands over yellow, and blue stays."""
    after = regular("h6=- e6=-", "a2,d3 e1,g1 w token o y 1")
    check_play(CENTRE, "c3d3", after)


def test_a_token_goes_on_available_single_tokens_of_another_colour() -> None:
    """42 squares have a token and no pawn; ten of them are blue like the one in hand."""
    position = GAME.parse(LIFTED)
    blue = {f"{file}{rank}" for file in "aceg" for rank in (1, 3, 5)}
    squares = {f"{file}{rank}" for file in FILES for rank in range(1, 7)}
    open_squares = squares - blue - {"a1", "h6", "a2", "c1", "f6", "h5"}
    assert len(open_squares) == 32
    assert position.moves() == sorted(f"+{square}" for square in open_squares)


def test_a_token_never_goes_on_two_tokens() -> None:
    position = GAME.parse(PLACED).play("a2a3")
    assert str(position) == regular("a1=- h6=- d4=yb a2=-", "a3,c1 f6,h5 w token y o 0")
    check_refusal(position, "+d4", "two-tokens", {"seat": 1, "to": "d4"})


def test_ruling_3_the_square_just_left_counts_if_a_token_is_still_on_it() -> None:
    position = GAME.parse(CENTRE).play("c3d3")
    assert "+c3" in position.moves()
    after = regular("h6=- e6=- c3=bo", "a2,d3 e1,g1 b step y - 1")
    assert str(position.play("+c3")) == after


def test_ruling_3_the_square_just_left_is_no_place_when_it_is_a_hole() -> None:
    check_refusal(GAME.parse(LIFTED), "+h6", "hole", {"seat": 2, "to": "h6"})


def test_ruling_4_without_a_square_the_token_leaves_the_game() -> None:
    """A step that leaves none is legal; the red token is gone, and it is black's turn."""
    assert GAME.parse(NO_ROOM).moves() == ["a1b1", "a2b1"]
    after = sparse("a2=b b1=r f1=by g1=y h1=y", "a2,b1 g1,h1 b step b - 0")
    position = check_play(NO_ROOM, "a1b1", after)
    assert position.to_move == 1
    assert position.moves() == ["g1f1"]


def test_ruling_4_when_only_the_same_colour_is_left() -> None:
    """Red lies alone on the square just left, and red is in hand: it leaves the game too."""
    after = sparse("a1=r a2=b b1=o f1=by g1=y h1=y", "a2,b1 g1,h1 b step b - 4")
    check_play(NO_ROOM_LEFT, "a1b1", after)


def test_a_square_without_a_token_is_a_hole_for_good() -> None:
    check_refusal(GAME.parse(PLACED), "a2a1", "hole", {"seat": 1, "from": "a2", "to": "a1"})
    check_refusal(GAME.parse(LIFTED), "+a1", "hole", {"seat": 2, "to": "a1"})


# ---- End


def test_who_cannot_step_loses() -> None:
    """White's step leaves black in the corner with holes all round."""
    before = sparse("a1=b a2=b b1=r g1=y h1=y", "a1,a2 g1,h1 w step r - 0")
    after = sparse("a2=b b1=r g1=y h1=y", "a2,b1 g1,h1 b step b - 0")
    check_over(check_play(before, "a1b1", after), (1.0, 0.0), "cannot-step")


def test_white_may_lose_as_well() -> None:
    """By holes, or because the only neighbour is of a colour black controls."""
    holes = sparse("a2=b b1=r f1=o g1=y h1=y", "a2,b1 g1,h1 w step b - 0")
    check_over(GAME.parse(holes), (0.0, 1.0), "cannot-step")
    colours = sparse("a1=b b1=y c1=b f1=r g1=y h1=r", "a1,c1 g1,h1 w step b - 0")
    check_over(GAME.parse(colours), (0.0, 1.0), "cannot-step")


def test_the_end_is_seen_when_a_turn_begins() -> None:
    """While white still has a token to place it is white's turn, and the token may free black."""
    squares = "a1=b a2=b b1=r d4=r g2=b g1=y h1=y"
    position = GAME.parse(sparse(squares, "a1,a2 g1,h1 w step o - 0")).play("a1b1")
    assert position.to_move == 0
    assert position.result is None
    assert position.moves() == ["+d4", "+g2"]
    assert position.play("+g2").moves() == ["g1g2", "h1g2"]
    check_over(position.play("+d4"), (1.0, 0.0), "cannot-step")


def test_ruling_5_fifty_steps_without_a_new_hole_are_a_draw() -> None:
    """Checked when the next turn begins, the token placed."""
    position = GAME.parse(regular("h6=- e6=- c3=by", f"{ON_TWO} 49")).play("c3d3")
    assert position.to_move == 0
    drawn = position.play("+c3")
    assert str(drawn) == regular("h6=- e6=- c3=bo", "a2,d3 e1,g1 b step y - 50")
    check_over(drawn, (0.5, 0.5), "quiet")


def test_ruling_5_forty_nine_are_none() -> None:
    position = GAME.parse(regular("h6=- e6=- c3=by", f"{ON_TWO} 48"))
    assert played(position, "c3d3", "+c3").to_move == 1


def test_ruling_5_a_new_hole_starts_the_count_again() -> None:
    position = GAME.parse(regular("h6=- e6=- c3=by", f"{ON_TWO} 49")).play("a2b1")
    assert str(position) == regular("h6=- e6=- c3=by a2=-", "b1,c3 e1,g1 w token o o 0")
    assert position.play("+a1").to_move == 1


def test_ruling_5_who_cannot_step_has_lost_all_the_same() -> None:
    """The fiftieth quiet step, once with a way out for black (f1) and once without."""
    squares = "a1=rb a2=b b1=o f1=by g1=y h1=y"
    rest = "a1,a2 g1,h1 w step r - 49"
    check_over(GAME.parse(sparse(squares, rest)).play("a1b1"), (0.5, 0.5), "quiet")
    stuck = GAME.parse(sparse(squares.replace("f1=by ", ""), rest)).play("a1b1")
    assert str(stuck).endswith(" b step b - 50")
    check_over(stuck, (1.0, 0.0), "cannot-step")


def test_nothing_is_hidden() -> None:
    for text in (START, READY, STEPPED, LIFTED, PLACED, NO_ROOM):
        check_nothing_hidden(GAME.parse(text))
