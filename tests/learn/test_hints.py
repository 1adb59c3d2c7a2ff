"""Hints: the right idea in known positions, words for each, and nothing but one's own view."""

import json
import re
from pathlib import Path

import msgspec
import pytest

import benben
from benben.core.errors import BenbenError
from benben.core.player import Budget, Thought, Turn, Worth
from benben.core.position import Position
from benben.core.record import GameRecord
from benben.core.registry import ideas as finder
from benben.learn.hints import GENERAL, Advice, advice, adviser, hint
from benben.terminal.company import Company
from benben.terminal.match import Match
from benben.terminal.speech import Language, catalogue, use
from benben.terminal.telling import tell_hint

WORDS = Path(__file__).parents[2] / "frontend/src"


def advised(position: Position, moves: tuple[str, ...] = ()) -> Advice:
    """What is thought of the position after some moves."""
    start, asked = position, adviser(position.game)
    for move in moves:
        position = position.play(move)
    thought = asked.player.think(Turn.at(start, moves, position, asked.budget))
    assert isinstance(thought, Advice)
    return thought


KNOWN = [
    # The fifth pyramid comes home.
    ("pyramidis", "d1=bbb,d8=mmmmmmmm,e2=b b4m0 b 0", "e2", "wins", {}),
    # Mustard's fifth is one step from home, and brown covers it.
    ("pyramidis", "d1=bbbbb,d7=bbb,d8=mmm,e7=m b0m4 b 0", "d7", "only-defence", {}),
    (
        "pyramidis",
        "d1=mm,d3=bm,d4=m,d5=bm,d6=bb,e4=b,e5=b,e7=bmm,e8=b b0m1 m 24",
        "e7",
        "home",
        {"n": 2},
    ),
    (
        "pyramidis",
        "d1=b,d2=bb,d3=bb,d5=mbmmm,d6=mb,d7=mmb,d8=m b0m0 m 6",
        "d5",
        "covers",
        {"n": 2, "place": "d2"},
    ),
    # The token makes the last square that black could step on a colour closed to them.
    (
        "quadrille",
        "oyo(yr)oyo./brb..rbr/oyoy.y.y/brbrbrbr/(oy)yoyoyoy/b(ro)brbrbr f4,h4 d3,g5 b token o b 1",
        None,
        "wins",
        {},
    ),
    (
        "quadrille",
        "oyo.oyoy/.rbrbrbr/oyoyoyo(yr)/b.brbrbr/oyoyoyoy/brbrbrb(rb) b4,c5 a4,b5 b step y - 0",
        "b5c4",
        "hole",
        {"place": "b5"},
    ),
    # One piece is left, and it decides.
    (
        "objectif",
        "bG/p/pOP/bO/g/gPB/oGP/pBP/gP/oPG/b/bO/o/pOGB/gBGB/oB G|- 1 bg",
        None,
        "wins",
        {},
    ),
    (
        "objectif",
        "pYBY/bP/pB/vYP/vP/yB/pB/pB/yPB/y/y/b/v/bY/b/v VV|PP 1 vb",
        "v@1",
        "own-place",
        {"place": "1", "colour": "y"},
    ),
    (
        "batisseurs",
        "xxxxxx/xxxxx/xxxx/xxx/xx/.|....../...../..../.../../. 1 abcdef 6 0",
        "f1",
        "only-move",
        {},
    ),
    (
        "batisseurs",
        "....../...../..../.../../.|...o.o/...../..../.../../. 2 bbde 4 1",
        "stop",
        "stop",
        {"n": 2, "percent": 48},
    ),
    (
        "batisseurs",
        "..o.../...../..../.../../.|...x.x/...../..../.../../. 1 ccdde 5 1",
        "roll",
        "roll",
        {"n": 1, "percent": 40},
    ),
    (
        "batisseurs",
        "..x.../...../..../.../../.|.o.x.x/...../..../.../../. 2 abccd 5 0",
        "a3",
        "carries",
        {"place": "a3", "above": "b2"},
    ),
]


@pytest.mark.parametrize(
    ("name", "text", "move", "idea", "parameters"),
    KNOWN,
    ids=[f"{known[0]}-{known[3]}" for known in KNOWN],
)
def test_the_idea_of_a_known_position(
    name: str, text: str, move: str | None, idea: str, parameters: dict[str, str | int]
) -> None:
    position = benben.game(name, players=2).parse(text)
    told = advised(position)
    assert (told.idea.id, told.idea.parameters) == (idea, parameters)
    assert move in (None, told.move)
    if idea == "wins":
        result = position.play(told.move).result
        assert result is not None
        assert result.shares[position.to_move or 0] == 1
    assert told.places
    assert set(told.places) <= set(position.drawing())


@pytest.mark.parametrize("players", [2, 4])
def test_ideas_are_told_in_known_words(players: int) -> None:
    """Whatever is thought in games played at random: the id has words, the places are there."""
    stream = benben.RandomStream.seeded(players)
    for name in benben.names():
        if players not in benben.info(name).players:
            continue
        game = benben.game(name, players=players)
        found = finder(name)
        assert found is not None
        start = position = game.deal(seed=players)
        moves: list[str] = []
        while position.to_move is not None and len(moves) < 60:
            if position.to_move == benben.CHANCE:
                moves.append(position.draw(stream))
            else:
                if len(moves) % 7 == 3:
                    turn = Turn.at(start, moves, position, Budget(simulations=60))
                    thought = adviser(game).player.think(turn)
                    assert isinstance(thought, Advice)
                    assert thought.idea.id in (*found.IDEAS, *GENERAL)
                    assert set(thought.places) <= set(position.drawing())
                    _tell(game, thought)
                legal = position.moves()
                moves.append(legal[stream.below(len(legal))])
            position = position.play(moves[-1])


def _tell(game: benben.Game, thought: Advice) -> None:
    """Nothing is left to fill in, in either language."""
    company = Company(game, 0, {seat: f"Bot{seat}" for seat in range(1, game.players)})
    for language in Language:
        use(language)
        try:
            for strength in ("nudge", "idea", "move"):
                said = tell_hint(company, hint(thought, strength))
                assert said not in ("", thought.idea.id)
                assert "{" not in said
        finally:
            use(None)


def test_every_idea_has_words_in_both_languages_everywhere() -> None:
    for language in ("en", "fr"):
        pages = json.loads((WORDS / f"core/i18n/catalogue/{language}.json").read_text())
        terminal = catalogue(Language(language))
        wanted = {f"idea.{each}" for each in GENERAL}
        for name in benben.names():
            pages |= json.loads((WORDS / f"games/{name}/words/{language}.json").read_text())
            found = finder(name)
            assert found is not None
            assert len(set(found.IDEAS)) == len(found.IDEAS)
            assert not set(found.IDEAS) & set(GENERAL)
            wanted |= {f"{name}.idea.{each}" for each in found.IDEAS}
        for words in (pages, terminal):
            told = {re.sub(r"\.(one|other)$", "", key) for key in words if "idea." in key}
            assert told == wanted


def test_each_strength_tells_more() -> None:
    told = advised(benben.game("pyramidis", players=2).parse(KNOWN[2][1]))
    nudge, idea, move = (hint(told, each) for each in ("nudge", "idea", "move"))
    assert nudge.places == idea.places == move.places == ["home:m"]
    assert nudge.idea is None
    assert nudge.move is None
    assert idea.idea is not None
    assert (idea.idea.id, idea.idea.general, idea.move) == ("home", False, None)
    assert move.move is not None
    assert move.move.move == "e7"
    assert [effect.kind for effect in move.move.effects].count("home") == 2


def test_the_same_view_has_the_same_hint() -> None:
    """Whatever the others' goals are."""
    game = benben.game("objectif", players=3, first=1)
    dealt = game.deal(seed=5)
    fields = str(dealt).split()
    own, others = fields[3][0], fields[3][1:]
    free = [each for each in "ogbpyv" if each in fields[0] and each not in (own, *others)]
    other = game.parse(" ".join([*fields[:3], own + free[0] + others[0]]))
    assert dealt != other
    assert dealt.view(0) == other.view(0)
    one, two = (msgspec.to_builtins(hint(advised(each), "move")) for each in (dealt, other))
    assert one == two


def test_a_game_without_ideas_has_general_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("benben.learn.hints.finder", lambda name: None)
    start = benben.game("pyramidis", players=2, first=1).deal()
    turn = Turn.at(start, (), start, Budget(simulations=1))

    def told(*shares: float) -> str:
        worths = tuple(Worth(m, s, 0.1) for m, s in zip(turn.moves, shares, strict=True))
        return advice(turn, Thought(turn.moves[0], worths)).idea.id

    assert told(0.5, 0.5, 0.5, 0.5, 0.5) == "quiet"
    assert told(0.9, 0.5, 0.5, 0.5, 0.5) == "clear"
    assert told(0.5, 0.45, 0.4, 0.3, 0.3) == "good"
    assert advice(turn, Thought(turn.moves[0])).idea.id == "good"


def test_hints_at_the_keyboard_count_in_the_record() -> None:
    start = benben.game("pyramidis", players=2, first=1).deal()
    source = benben.RandomStream.seeded(1)
    match = Match(start, ("human", "random"), source, source)
    match.advise()
    match.advise()
    assert match.hints == [1, 0]
    record = GameRecord.parse(str(match.record))
    assert record.hints == (1, 0)
    assert Match.resume(record, match.seats, source, source).hints == [1, 0]
    with pytest.raises(BenbenError, match="only for one person"):
        Match(start, ("human", "human"), source, source).advise()
