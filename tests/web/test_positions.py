"""Positions without a table, and what is refused at one: as the Python API has it."""

import json
from typing import Any

import httpx
import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import benben
from benben.core.effects import Effect, follow
from benben.learn.rulebook import address_of
from tests.configurations import GAMES, LABELS
from tests.conformance.checks import games_at_random
from tests.web.in_process import site
from tests.web.site import Person, Site, refused
from tests.web.test_nonsense import nearly

__all__ = ["site"]

OFTEN = settings(
    max_examples=settings().max_examples // 4,  # each is a request or more
    derandomize=True,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)


def ask(site: Site, game: str, **asked: Any) -> httpx.Response:
    return site.http.post(f"/api/games/{game}/positions", json=asked)


def shown(site: Site, game: benben.Game, **asked: Any) -> Any:
    options = {name: value for name, value in game.options.items() if name != "players"}
    answer = ask(site, game.name, players=game.players, options=options, **asked)
    assert answer.status_code == 200, answer.text
    assert answer.json()["game"] == game.name
    assert answer.json()["options"] == game.options
    return answer.json()


def plain(value: object) -> Any:
    return msgspec.json.decode(msgspec.json.encode(value))


def check_seen(seen: Any, view: benben.View) -> None:
    assert seen["view"] == str(view)
    assert seen["drawing"] == view.drawing()
    assert seen["facts"] == view.facts()
    assert seen["to_move"] == (None if view.to_move == benben.CHANCE else view.to_move)


def check_now(seen: Any, view: benben.View) -> None:
    check_seen(seen, view)
    assert seen["legal"] == plain(view.choices())
    assert seen["refusals"] == plain(view.refusals())
    assert seen.get("throws", []) == plain(view.chance())
    if view.result is None:
        assert "result" not in seen
    else:
        assert seen["result"] == {
            "shares": list(view.result.shares),
            "reason": view.result.reason,
        }


@pytest.mark.parametrize("game", GAMES, ids=LABELS)
def test_it_is_what_python_says_all_along_a_game(site: Site, game: benben.Game) -> None:
    (line,) = games_at_random(game, 1, seed=5)
    start, moves = line[0][0], [move for _, move in line[:-1]]
    for at in {0, 1, 2, len(moves) // 2, len(moves)}:
        if at > 1000:
            continue
        for seat in (None, 0, game.players - 1):
            seen = shown(
                site, game, position=str(start), seat=seat, moves=moves[:at], refusals=True
            )
            check_seen(seen["start"], start.view(seat))
            check_now(seen, line[at][0].view(seat))
            drawing, facts = seen["start"]["drawing"], seen["start"]["facts"]
            for step, (position, move) in zip(seen["steps"], line, strict=False):
                mover = None if position.to_move == benben.CHANCE else position.to_move
                assert (step["move"], step.get("seat")) == (move, mover)
                assert step["effects"] == plain(position.view(seat).effects(move))
                drawing = follow(drawing, [Effect(*each) for each in step["effects"]])
                facts = step.get("facts", facts)
            assert len(seen["steps"]) == at
            assert (drawing, facts) == (seen["drawing"], seen["facts"])


@pytest.mark.parametrize("game", GAMES, ids=LABELS)
def test_without_a_position_it_is_a_deal(site: Site, game: benben.Game) -> None:
    for asked, seed in (({}, 0), ({"seed": 7}, 7)):
        check_seen(shown(site, game, **asked)["start"], game.deal(seed).view(None))


def test_what_is_not_asked_for_is_not_there(site: Site) -> None:
    seen = ask(site, "quadrille").json()
    assert list(seen["start"]) == ["view", "drawing", "facts", "to_move"]
    assert set(seen) == {*seen["start"], "game", "options", "start", "steps", "legal"}


# ---- What is hidden

OBJECTIF = benben.game("objectif", players=3, first=1)


def test_a_view_is_shown_and_played_as_far_as_it_knows(site: Site) -> None:
    (line,) = games_at_random(OBJECTIF, 1, seed=2)
    moves = [move for _, move in line[:-1]]
    for seat in (None, 0, 2):
        view = line[0][0].view(seat)
        for eyes in {None, seat}:
            seen = shown(
                site, OBJECTIF, position=str(view), seat=eyes, moves=moves[:-1], refusals=True
            )
            check_seen(seen["start"], view)
            check_now(seen, line[-2][0].view(seat))
            options = {"first": 1}
            answer = ask(
                site, "objectif", players=3, options=options, position=str(view), moves=moves
            )
            assert refused(answer, 422, "hidden") == {"at": len(moves) - 1}


def test_a_view_is_not_shown_to_whom_it_does_not_belong(site: Site) -> None:
    view = str(OBJECTIF.deal(seed=1).view(0))
    answer = ask(site, "objectif", players=3, position=view, seat=1)
    assert refused(answer, 422, "impossible-position") == {"offence": "too-much-seen"}


@pytest.mark.parametrize("seat", [None, 1, 2])
def test_other_goals_look_the_same(site: Site, seat: int | None) -> None:
    before, goals = str(OBJECTIF.deal(seed=1)).rsplit(" ", 1)
    colours = {pile[0] for pile in before.split()[0].split("/")}
    another = min(colours - set(goals)) + goals[1:]
    position = OBJECTIF.parse(f"{before} {goals}")
    moves: list[str] = []
    while position.to_move is not None:
        moves.append(position.moves()[len(moves) % len(position.moves())])
        position = position.play(moves[-1])

    def bytes_of(goals: str, moves: list[str]) -> bytes:
        text = f"{before} {goals}"
        return ask(
            site, "objectif", players=3, position=text, seat=seat, moves=moves, refusals=True
        ).content

    for played in (0, 5, len(moves) - 1):
        one, other = bytes_of(goals, moves[:played]), bytes_of(another, moves[:played])
        assert one == other
    assert bytes_of(goals, moves) != bytes_of(another, moves), "the end shows it"


# ---- What is refused


def test_what_cannot_be_is_refused(site: Site) -> None:
    start = str(benben.game("quadrille").deal())
    told = refused(ask(site, "quadrille", moves=["@c3", "c3d4"]), 422, "illegal-move")
    assert told == {
        "rule": "pawns-first",
        "parameters": {"seat": 2, "from": "c3", "to": "d4"},
        "rulebook": address_of("quadrille", "pawns-first"),
        "at": 1,
    }
    assert refused(ask(site, "quadrille", moves=["xyzzy"]), 422, "bad-notation") == {"at": 0}
    refused(ask(site, "quadrille", position="xyzzy"), 422, "bad-notation")
    refused(ask(site, "quadrille", position="?"), 422, "bad-notation")
    refused(ask(site, "quadrille", position=start.replace("b", "?", 1)), 422, "bad-notation")
    impossible = start.replace("brbrbrbr", "bbbrbrbr", 1)
    answer = ask(site, "quadrille", position=impossible)
    assert refused(answer, 422, "impossible-position") == {"offence": "too-many-tokens"}
    assert refused(ask(site, "quadrille", players=3), 422, "bad-option") == {"option": "players"}
    answer = ask(site, "quadrille", options={"colour": "red"})
    assert refused(answer, 422, "bad-option") == {"option": "colour"}
    for seat in (-1, 2, 10**30):
        assert refused(ask(site, "quadrille", seat=seat), 422, "bad-option") == {"option": "seat"}
    refused(ask(site, "xyzzy"), 404, "unknown-game")


@pytest.mark.parametrize(
    "asked",
    [
        {"moves": ["@c3"] * 1001},
        {"moves": ["x" * 41]},
        {"position": "x" * 2001},
        {"seed": -1},
        {"seed": 2**53},
        {"seed": 1.5},
        {"seat": "x"},
        {"moves": "c3"},
        {"refusals": "x"},
        {"more": 1},
    ],
)
def test_what_is_not_of_the_form_is_refused(site: Site, asked: dict[str, Any]) -> None:
    refused(ask(site, "quadrille", **asked), 400, "bad-request")


def test_a_whole_game_can_be_played(site: Site) -> None:
    game = benben.game("batisseurs", players=4, first=1)
    (line,) = games_at_random(game, 1, seed=1)
    moves = [move for _, move in line[:-1]]
    assert 150 < len(moves) < 1000
    seen = shown(site, game, moves=moves)
    assert [step["move"] for step in seen["steps"]] == moves
    answer = ask(site, game.name, players=4, options={"first": 1}, moves=[*moves, "roll"])
    told = refused(answer, 422, "illegal-move")
    assert (told["rule"], told["at"]) == ("game-over", len(moves))


def test_what_is_nearly_right_is_shown_or_refused(site: Site) -> None:
    good = {
        "players": 2,
        "options": {"first": 1},
        "position": str(benben.game("objectif").deal(seed=1)),
        "seed": 1,
        "seat": 0,
        "moves": [benben.game("objectif").deal(seed=1).moves()[0]],
        "refusals": True,
    }

    @OFTEN
    @given(nearly(good), st.sampled_from([*benben.names(), "xyzzy", "%00"]))
    def send(body: Any, game: str) -> None:
        content = json.dumps(body).encode()
        answer = site.http.post(
            f"/api/games/{game}/positions",
            content=content,
            headers={"Content-Type": "application/json"},
        )
        assert answer.status_code in (200, 400, 404, 413, 422), answer.text
        if answer.status_code != 200:
            refused(answer, answer.status_code, answer.json()["error"]["code"])

    send()


@OFTEN
@given(text=st.text("obpgyvOBPGYVbmtcx.?/|- 0123456789,=()wW", max_size=200))
def test_positions_may_be_anything(site: Site, text: str) -> None:
    for game in benben.names():
        answer = ask(site, game, position=text)
        assert answer.status_code == 422, answer.text


# ---- At a table


def refusals(person: Person) -> Any:
    answer = person.site.http.get(f"/api/tables/{person.table}/refusals", headers=person.headers)
    assert answer.status_code == 200, answer.text
    return answer.json()


@pytest.mark.parametrize("game", benben.names())
def test_whoever_is_to_move_is_told_why_not(site: Site, game: str) -> None:
    people = site.table(game, players=2)
    spectator = Person(site, people[0].table)
    for turn in range(6):
        seen = people[0].look()
        mover = people[seen["to_move"]]
        view = benben.game(game, players=2).parse_view(mover.look()["view"])
        assert refusals(mover) == {"number": seen["number"], "refusals": plain(view.refusals())}
        for other in (spectator, people[1 - seen["to_move"]]):
            assert refusals(other) == {"number": seen["number"], "refusals": []}
        mover.move(turn)


def test_before_the_game_nothing_is_refused_ahead(site: Site) -> None:
    table = site.open()
    assert refusals(Person(site, table)) == {"number": 0, "refusals": []}
    assert refusals(site.sit(table, 0)) == {"number": 1, "refusals": []}
