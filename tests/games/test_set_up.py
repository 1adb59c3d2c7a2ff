"""Set-up: options, deals, seeds and their fairness."""

from collections import Counter
from typing import Any

import pytest

import benben
from tests.games import played

GAMES = ["objectif", "pyramidis", "batisseurs", "quadrille"]
CHANCY: list[tuple[str, dict[str, Any]]] = [
    ("objectif", {}),
    ("objectif", {"players": 3}),
    ("objectif", {"players": 4}),
    ("objectif", {"mode": "fair"}),
    ("quadrille", {"layout": "random"}),
]


def fields(position: benben.Position) -> list[str]:
    return str(position).split(" ")


class Counting:
    """A source that always draws the same, and remembers below what."""

    def __init__(self, greatest: bool) -> None:
        self.greatest = greatest
        self.asked: list[int] = []

    def below(self, n: int) -> int:
        self.asked.append(n)
        return n - 1 if self.greatest else 0


# ---- Games and their options


def test_there_are_four_games() -> None:
    assert benben.names() == GAMES


@pytest.mark.parametrize(
    ("name", "players", "working_title"),
    [
        ("objectif", (2, 3, 4), True),
        ("pyramidis", (2, 4), False),
        ("batisseurs", (2, 3, 4), True),
        ("quadrille", (2,), True),
    ],
)
def test_the_cards(name: str, players: tuple[int, ...], working_title: bool) -> None:
    card = benben.info(name)
    assert card.players == players
    assert card.working_title is working_title


@pytest.mark.parametrize(
    ("name", "given", "resolved"),
    [
        ("objectif", {}, {"players": 2, "first": "random", "mode": "random"}),
        (
            "objectif",
            {"players": 3, "mode": "fair"},
            {"players": 3, "first": "random", "mode": "fair"},
        ),
        ("objectif", {"players": 4, "first": 4}, {"players": 4, "first": 4, "mode": "random"}),
        ("pyramidis", {}, {"players": 4, "first": "random"}),
        ("pyramidis", {"players": 2}, {"players": 2, "first": "random", "pair": "bm"}),
        (
            "pyramidis",
            {"players": 2, "pair": "tc", "first": 2},
            {"players": 2, "first": 2, "pair": "tc"},
        ),
        ("batisseurs", {}, {"players": 2, "first": 1, "placing": "all"}),
        (
            "batisseurs",
            {"players": 4, "first": "random", "placing": "free"},
            {"players": 4, "first": "random", "placing": "free"},
        ),
        ("quadrille", {}, {"players": 2, "first": 1, "layout": "regular"}),
        (
            "quadrille",
            {"players": 2, "first": 1, "layout": "random"},
            {"players": 2, "first": 1, "layout": "random"},
        ),
    ],
)
def test_options_are_resolved(
    name: str, given: dict[str, Any], resolved: dict[str, str | int]
) -> None:
    game = benben.game(name, **given)
    assert game.options == resolved
    assert game == benben.game(name, **resolved)  # type: ignore[arg-type]
    assert game.players == resolved["players"]


@pytest.mark.parametrize(
    ("name", "given", "option"),
    [
        ("objectif", {"players": 4, "mode": "fair"}, "mode"),
        ("objectif", {"mode": "unfair"}, "mode"),
        ("objectif", {"players": 1}, "players"),
        ("objectif", {"players": 5}, "players"),
        ("objectif", {"players": 0}, "players"),
        ("objectif", {"players": "two"}, "players"),
        ("objectif", {"first": 3}, "first"),
        ("objectif", {"first": 0}, "first"),
        ("objectif", {"first": "youngest"}, "first"),
        ("objectif", {"pair": "bm"}, "pair"),
        ("pyramidis", {"players": 3}, "players"),
        ("pyramidis", {"players": 5}, "players"),
        ("pyramidis", {"first": 9}, "first"),
        ("pyramidis", {"players": 2, "first": 3}, "first"),
        ("pyramidis", {"players": 4, "pair": "bm"}, "pair"),
        ("pyramidis", {"players": 2, "pair": "bt"}, "pair"),
        ("pyramidis", {"mode": "fair"}, "mode"),
        ("batisseurs", {"players": 5}, "players"),
        ("batisseurs", {"placing": "some"}, "placing"),
        ("batisseurs", {"first": 3}, "first"),
        ("batisseurs", {"dice": 6}, "dice"),
        ("quadrille", {"players": 3}, "players"),
        ("quadrille", {"first": 2}, "first"),
        ("quadrille", {"first": "random"}, "first"),
        ("quadrille", {"layout": "spiral"}, "layout"),
    ],
)
def test_options_are_refused_by_name(name: str, given: dict[str, Any], option: str) -> None:
    with pytest.raises(benben.BadOption) as caught:
        benben.game(name, **given)
    assert caught.value.option == option
    assert caught.value.value == given[option]
    assert str(caught.value).startswith(f"{option}={given[option]}: ")


def test_an_unknown_game_is_refused_with_those_there_are() -> None:
    for ask in (benben.game, benben.info):
        with pytest.raises(benben.UnknownGame) as caught:
            ask("chess")
        assert caught.value.known == tuple(GAMES)
        assert all(name in str(caught.value) for name in ("chess", *GAMES))


# ---- Seeds


@pytest.mark.parametrize(("name", "options"), CHANCY)
def test_a_seed_deals_the_same_again(name: str, options: dict[str, Any]) -> None:
    for seed in (0, 1, "a table", b"\x00\xff"):
        dealt = benben.game(name, **options).deal(seed)
        assert benben.game(name, **options).deal(seed) == dealt


@pytest.mark.parametrize(("name", "options"), CHANCY)
def test_other_seeds_deal_otherwise(name: str, options: dict[str, Any]) -> None:
    game = benben.game(name, **options)
    assert len({str(game.deal(seed)) for seed in range(30)}) == 30


@pytest.mark.parametrize(("name", "options"), CHANCY)
def test_without_a_seed_every_deal_is_new(name: str, options: dict[str, Any]) -> None:
    game = benben.game(name, **options)
    assert len({str(game.deal()) for _ in range(10)}) == 10


@pytest.mark.parametrize("greatest", [False, True])
@pytest.mark.parametrize(("name", "options"), CHANCY)
def test_any_source_of_integers_deals(name: str, options: dict[str, Any], greatest: bool) -> None:
    game = benben.game(name, **options)
    source, again = Counting(greatest), Counting(greatest)
    position = game.deal(source=source)
    assert game.deal(source=again) == position
    assert source.asked == again.asked
    assert all(n >= 2 for n in source.asked)
    assert game.parse(str(position)) == position


@pytest.mark.parametrize("name", GAMES)
def test_every_start_is_read_back_and_goes_on(name: str) -> None:
    for players in benben.info(name).players:
        game = benben.game(name, players=players)
        for seed in range(20):
            position = game.deal(seed)
            assert game.parse(str(position)) == position
            assert position.to_move is not None
            assert position.result is None


@pytest.mark.parametrize("name", GAMES)
def test_a_record_replays_exactly(name: str) -> None:
    """A start position and a list of moves and throws; every position on the way is read back."""
    for players in benben.info(name).players:
        game = benben.game(name, players=players)
        source = benben.RandomStream.seeded(f"{name} {players}")
        start = position = game.deal(source=source)
        record: list[str] = []
        while position.to_move is not None and len(record) < 150:
            if position.to_move == benben.CHANCE:
                record.append(position.draw(source))
            else:
                assert position.chance() == []
                moves = position.moves()
                record.append(moves[source.below(len(moves))])
            position = position.play(record[-1])
            assert game.parse(str(position)) == position
        assert len(record) >= 24
        assert played(game.parse(str(start)), *record) == position


# ---- The first player


def first_seat(position: benben.Position) -> int:
    """From 1, by the text."""
    turn = fields(position)[{"objectif": 2, "pyramidis": 2, "batisseurs": 1}[position.game.name]]
    colours = "btmc" if position.game.players == 4 else "bm"
    return int(turn) if turn.isdigit() else colours.index(turn) + 1


@pytest.mark.parametrize(
    ("name", "players"),
    [(name, players) for name in GAMES[:3] for players in benben.info(name).players],
)
def test_the_first_player_is_fixed_or_drawn(name: str, players: int) -> None:
    for seat in range(1, players + 1):
        game = benben.game(name, players=players, first=seat)
        assert {first_seat(game.deal(seed)) for seed in range(10)} == {seat}
    drawn = benben.game(name, players=players, first="random")
    seats = Counter(first_seat(drawn.deal(seed)) for seed in range(400))
    assert set(seats) == set(range(1, players + 1))
    expected = 400 / players
    assert all(0.7 * expected < times < 1.3 * expected for times in seats.values())


def test_defaults_of_the_first_player() -> None:
    """Drawn in Objectif and Pyramidis; seat 1 in Bâtisseurs and, always, in Quadrille."""
    for name in ("objectif", "pyramidis"):
        game = benben.game(name)
        seats = {first_seat(game.deal(seed)) for seed in range(40)}
        assert seats == set(range(1, game.players + 1))
    assert {first_seat(benben.game("batisseurs").deal(seed)) for seed in range(40)} == {1}
    assert {fields(benben.game("quadrille").deal(seed))[3] for seed in range(40)} == {"w"}


# ---- Objectif


@pytest.mark.parametrize(("players", "cases", "stock"), [(2, 16, 12), (3, 20, 10), (4, 24, 9)])
def test_objectif_material(players: int, cases: int, stock: int) -> None:
    """Players + 2 colours, whole; stocks of 12, 10 or 9 from the bag; goals all different."""
    game = benben.game("objectif", players=players)
    for seed in range(20):
        places, stocks, _, goals = fields(game.deal(seed))
        laid = Counter(places.split("/"))
        assert len(places.split("/")) == cases
        assert len(laid) == players + 2
        assert set(laid.values()) == {4}
        assert [len(held) for held in stocks.split("|")] == [stock] * players
        pieces = Counter(stocks.replace("|", ""))
        assert pieces == {colour.upper(): 6 for colour in laid}
        assert len(set(goals)) == len(goals) == players
        assert set(goals) <= set(laid)


@pytest.mark.parametrize(("players", "each"), [(2, 3), (3, 2)])
def test_objectif_fair_stocks(players: int, each: int) -> None:
    """The same for everybody: three of each colour for two players, two of each for three."""
    game = benben.game("objectif", players=players, mode="fair")
    for seed in range(10):
        places, stocks, _, _ = fields(game.deal(seed))
        colours = [colour for colour in "ogbpyv" if colour in places]
        assert stocks.split("|") == ["".join(c.upper() * each for c in colours)] * players


def test_objectif_random_stocks_differ() -> None:
    game = benben.game("objectif")
    stocks = [fields(game.deal(seed))[1].split("|") for seed in range(20)]
    assert any(first != second for first, second in stocks)


def chi_square(seen: Counter[str], keys: str, expected: float) -> float:
    assert set(seen) <= set(keys)
    return sum((seen[key] - expected) ** 2 / expected for key in keys)


@pytest.mark.parametrize(("players", "boxed"), [(2, 2), (3, 1)])
def test_ruling_1_of_objectif_each_colour_goes_to_the_box_equally_often(
    players: int, boxed: int
) -> None:
    game = benben.game("objectif", players=players)
    box: Counter[str] = Counter()
    goals: Counter[str] = Counter()
    firsts: Counter[str] = Counter()
    for seed in range(600):
        places, _, _, drawn = fields(game.deal(seed))
        box.update(set("ogbpyv") - set(places))
        goals.update(drawn[0])
        firsts.update(places[0])
    assert box.total() == 600 * boxed
    # Five degrees of freedom: a fair draw passes 20.5 once in a thousand; these seeds never change.
    assert chi_square(box, "ogbpyv", 100 * boxed) < 20.5
    assert chi_square(goals, "ogbpyv", 100) < 20.5
    assert chi_square(firsts, "ogbpyv", 100) < 20.5


# ---- The others


def test_pyramidis_stacks_eight_on_every_start() -> None:
    four = benben.game("pyramidis", first=3)
    assert str(four.deal()) == ("a5=tttttttt,d1=bbbbbbbb,d8=mmmmmmmm,h5=cccccccc b0t0m0c0 m 0")
    two = {pair: benben.game("pyramidis", players=2, first=2, pair=pair) for pair in ("bm", "tc")}
    assert str(two["bm"].deal()) == "d1=bbbbbbbb,d8=mmmmmmmm b0m0 m 0"
    assert str(two["tc"].deal()) == "a5=tttttttt,h5=cccccccc t0c0 c 0"


@pytest.mark.parametrize("players", [2, 3, 4])
def test_batisseurs_begins_with_empty_boards(players: int) -> None:
    boards = "|".join(["....../...../..../.../../."] * players)
    assert str(benben.game("batisseurs", players=players).deal()) == f"{boards} 1 - 6 0"


def test_quadrille_regular_layout_needs_no_chance() -> None:
    source = Counting(greatest=False)
    benben.game("quadrille").deal(source=source)
    assert source.asked == []


def test_quadrille_random_layout_shuffles_the_48_tokens() -> None:
    game = benben.game("quadrille", layout="random")
    corners: Counter[str] = Counter()
    for seed in range(400):
        board, *rest = fields(game.deal(seed))
        assert rest == ["-", "-", "w", "pawn", "-", "-", "0"]
        assert [len(rank) for rank in board.split("/")] == [8] * 6
        assert Counter(board.replace("/", "")) == {"b": 12, "r": 12, "o": 12, "y": 12}
        corners.update(board[0])
    # Three degrees of freedom: 16.3 is passed once in a thousand.
    assert chi_square(corners, "broy", 100) < 16.3
