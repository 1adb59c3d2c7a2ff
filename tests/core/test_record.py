"""Records: text that round-trips, and refuses by line and number."""

import pytest

import benben
from benben.core.record import LONGEST, BadRecord, GameRecord

TEXT = """\
benben: 1
game: pyramidis
players: 4
first: random
rules: 1
start: a5=tttttttt,d1=bbbbbbbb,d8=mmmmmmmm,h5=cccccccc b0t0m0c0 b 0
seats: human,random,random,random
resigned: 2

d1*3 a5*2 d8*1
"""


def played(name: str, seed: int, most: int = 1000, **options: str | int) -> GameRecord:
    """A game at random, or the beginning of one."""
    stream = benben.RandomStream.seeded(seed)
    position = start = benben.game(name, **options).deal(source=stream)  # type: ignore[arg-type]
    moves: list[str] = []
    while position.to_move is not None and len(moves) < most:
        if position.to_move == benben.CHANCE:
            move = position.draw(stream)
        else:
            legal = position.moves()
            move = legal[stream.below(len(legal))]
        moves.append(move)
        position = position.play(move)
    return GameRecord(start, tuple(moves))


@pytest.mark.parametrize("name", benben.names())
@pytest.mark.parametrize("seed", range(3))
def test_a_game_and_its_text_say_the_same(name: str, seed: int) -> None:
    record = played(name, seed)
    text = str(record)
    assert GameRecord.parse(text) == record
    assert str(GameRecord.parse(text)) == text
    assert GameRecord.game_of(text) == record.game
    assert max(map(len, text.splitlines()[8:])) <= 80
    assert GameRecord.parse(text).result == record.end.result is not None


def test_the_normal_form() -> None:
    record = GameRecord.parse(TEXT)
    assert str(record) == TEXT
    assert record.game == benben.game("pyramidis")
    assert record.moves == ("d1*3", "a5*2", "d8*1")
    assert record.seats == ("human", "random", "random", "random")
    assert len(list(record.positions())) == 4


def test_every_option_is_written() -> None:
    record = GameRecord(benben.game("pyramidis", players=2, pair="tc", first=2).deal())
    header = str(record).splitlines()
    assert header[1:6] == ["game: pyramidis", "players: 2", "first: 2", "pair: tc", "rules: 1"]
    assert GameRecord.parse(str(record)) == record


def test_moves_may_be_laid_out_freely() -> None:
    spread = TEXT.replace("d1*3 a5*2", "  d1*3\n\n\ta5*2\n")
    assert GameRecord.parse(spread) == GameRecord.parse(TEXT)


def test_who_resigns_gets_nothing_and_the_others_share() -> None:
    result = GameRecord.parse(TEXT).result
    assert result is not None
    assert result.reason == "resigned"
    assert result.shares == pytest.approx((1 / 3, 0, 1 / 3, 1 / 3))
    record = GameRecord(benben.game("quadrille").deal(), resigned=0)
    assert record.result == benben.Result((0.0, 1.0), "resigned")


def test_a_game_that_is_on_has_no_result() -> None:
    assert played("objectif", 1, most=5).result is None


@pytest.mark.parametrize(
    ("old", "new", "line", "why"),
    [
        ("benben: 1\n", "", 1, "begins with benben: 1"),
        ("benben: 1", "benben: 2", 1, "unknown record format"),
        ("game: pyramidis", "game: nope", 2, "no game is called 'nope'"),
        ("game: pyramidis\n", "", 7, "no game"),
        ("game: pyramidis", "game:pyramidis", 2, "a key, a colon, a space and a value"),
        ("game: pyramidis", "game: pyramidis ", 2, "a key, a colon"),
        ("players: 4", "players: 3", 3, "must be 2 or 4"),
        ("players: 4", "players: 4\npair: bm", 4, "only for 2 players"),
        ("players: 4\n", "", 2, "the header has no players"),
        ("first: random\n", "", 2, "the header has no first"),
        ("first: random", "first: 5", 4, "from 1 to 4"),
        ("first: random", "first: random\nfirst: 1", 5, "first is given twice"),
        ("first: random", "first: random\nname: x", 5, "pyramidis takes first, pair"),
        ("rules: 1", "rules: 9", 5, "this version knows rules 1"),
        ("start: a5", "start: a9", 6, "cannot read"),
        ("d1=bbbbbbbb", "d1=bbbbbbb", 6, "wrong-pyramids"),
        ("human,", "", 7, "seats are 4 plain words"),
        ("human,", "HUMAN!,", 7, "seats are 4 plain words"),
        ("resigned: 2", "resigned: 5", 8, "a seat is 1 to 4"),
        ("resigned: 2", "resigned: 0", 8, "a seat is 1 to 4"),
        ("resigned: 2\n\n", "resigned: 2\n", 9, "a key, a colon"),
    ],
)
def test_a_bad_header_is_named_by_its_line(old: str, new: str, line: int, why: str) -> None:
    assert old in TEXT
    with pytest.raises(BadRecord, match=why) as refused:
        GameRecord.parse(TEXT.replace(old, new))
    assert refused.value.line == line


@pytest.mark.parametrize(
    ("body", "line", "number", "why"),
    [
        ("d1*3 a5*2 d9", 10, 3, "cannot read 'd9'"),
        ("d1*3\na5*2\nd8", 12, 3, r"illegal \(count-needed\)"),
        ("a4", 10, 1, r"illegal \(empty-square\)"),
    ],
)
def test_a_bad_move_is_named_by_line_and_number(
    body: str, line: int, number: int, why: str
) -> None:
    with pytest.raises(BadRecord, match=why) as refused:
        GameRecord.parse(TEXT.replace("d1*3 a5*2 d8*1", body))
    assert (refused.value.line, refused.value.move) == (line, number)
    assert str(refused.value).startswith(f"line {line}, move {number}: ")


def test_nothing_follows_the_end() -> None:
    record = played("objectif", 2)
    with pytest.raises(BadRecord, match="game-over"):
        GameRecord.parse(str(record) + record.moves[0])
    over = str(record).replace("\n\n", "\nresigned: 1\n\n")
    with pytest.raises(BadRecord, match="nobody can resign"):
        GameRecord.parse(over)


@pytest.mark.parametrize("text", ["", "\n", "x", "\x00", "benben: 1", TEXT + "x" * LONGEST])
def test_other_texts_are_no_records(text: str) -> None:
    with pytest.raises(BadRecord):
        GameRecord.parse(text)


def test_seats_must_fit() -> None:
    with pytest.raises(ValueError, match="seats are 2"):
        GameRecord(benben.game("quadrille").deal(), seats=("human",))
