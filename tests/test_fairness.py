"""Luck that anybody can check: the page that tells how, the verifier written from it, and ours."""

import ast
import hmac
import json
import random
import subprocess
import sys
from collections.abc import Callable, Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

import benben
from benben.core.errors import BenbenError
from benben.learn.rulebook import LANGUAGES
from benben.table import events
from benben.table.fairness import commitment, luck, nonce_commitment
from benben.table.record import Different, TableRecord, verify
from benben.table.table import START_GRACE_MS
from tests.configurations import GAMES, LABELS
from tests.live.playing import Match, at_random, options_of
from tests.table import asking

ROOT = Path(__file__).parents[1]
VERIFIER = ROOT / "examples/verify.py"
VECTORS = ROOT / "frontend/src/core/fairness/vectors.json"

Json = dict[str, Any]


def by_the_page(record: Json) -> int:
    """What the verifier that knows only the page finds: the first event that differs, or 0."""
    events = [entry["event"] for entry in record["entries"]]
    for what, told, drawn in SECOND["checks"](record["terms"], events):
        if told != drawn:
            return (
                int(what.removeprefix("event "))
                if "event" in what
                else event_of(record, "ended")[0]
            )
    return 0


def by_us(record: Json) -> int:
    try:
        verify(TableRecord.parse(json.dumps(record)))
    except Different as error:
        return error.number
    return 0


SECOND: dict[str, Any] = {"__name__": "verify"}
exec(compile(VERIFIER.read_text(), VERIFIER, "exec"), SECOND)  # as it is, without the package


# ---- Records of all kinds


def some_secret(seed: int) -> str:
    return random.Random(seed).randbytes(32).hex()


def match_of(game: benben.Game, seed: int, bots: tuple[int, ...] = (), **how: Any) -> Match:
    secret = some_secret(seed)
    return Match(options_of(game, bots, secret=secret, **how), secret)


def played(game: benben.Game, seed: int) -> Match:
    """A whole game with drawn seats; at times somebody stands up again, undoes, or is a bot."""
    bots = (0, *(1 + (seat + seed) % 6 if seat % 2 else 0 for seat in range(1, game.players)))
    match = match_of(game, seed, bots if seed % 2 else (), drawn=seed % 3 != 0)
    match.store(asking.sit(match.table, 0, "Zoe", f"stays{seed}"))
    if seed % 2 == 0:
        match.store(asking.sit(match.table, 1, "Kim", "goes"))
        match.store(asking.leave(match.table, 1))
    match.fill()
    choose = at_random(seed)
    for _ in range(12):
        match.play(choose, 3)
        undo(match)
    match.play(choose)
    return match


def undo(match: Match) -> None:
    """Take the last move back, where that is possible, with everybody's leave."""
    table = match.table
    person = next((step.seat for step in reversed(table.steps) if step.seat is not None), None)
    if table.over or person is None or not table.seats[person].person:
        return
    try:
        match.store(asking.ask_undo(table, person))
    except BenbenError:  # the dice have been thrown since
        return
    for seat in range(len(table.seats)):
        if table.undo is not None and seat in table.asked_for_undo(person) - table.granted:
            match.store(asking.answer_undo(table, seat, True))


def resigned(game: benben.Game, seed: int) -> Match:
    match = match_of(game, seed, drawn=True)
    match.fill()
    match.play(at_random(seed), 5)
    match.store(asking.resign(match.table, seed % game.players))
    match.settle()
    return match


def other_options() -> Iterator[benben.Game]:
    """Who begins is drawn where it is not usually, and chosen where it usually is drawn."""
    yield benben.game("batisseurs", players=3, first="random")
    yield benben.game("objectif", players=3, first=3)
    yield benben.game("pyramidis", players=4, first=2)
    yield benben.game("pyramidis", players=2, first=2, pair="tc")


EVERY = [*GAMES, *other_options()]
NAMES = [*LABELS, "batisseurs-drawn", "objectif-third", "pyramidis-second", "pyramidis-tc-second"]


@pytest.mark.parametrize("game", EVERY, ids=NAMES)
def test_both_say_yes(game: benben.Game) -> None:
    for match in (*(played(game, seed) for seed in range(4)), resigned(game, 5)):
        assert match.table.closed
        record = json.loads(str(match.record))
        assert by_the_page(record) == by_us(record) == 0
    kinds = {entry["event"]["kind"] for entry in record["entries"]}
    assert {"sat", "began", "ended"} <= kinds


def test_both_know_a_table_that_began_from_a_position() -> None:
    game = benben.game("batisseurs", players=3)
    position = game.deal(seed=3).play("=aabbcf").play("a1")
    match = match_of(game, 3, position=str(position), drawn=True)
    match.fill()
    match.play(at_random(3))
    record = json.loads(str(match.record))
    assert record["terms"]["position"] == event_of(record, "began")[1]["start"]
    assert by_the_page(record) == by_us(record) == 0
    record["terms"]["position"] = str(position.play("a2"))
    assert by_the_page(record) == by_us(record) == event_of(record, "began")[0]


def test_there_is_undo_among_them() -> None:
    match = played(benben.game("objectif", players=3), 2)
    kinds = [entry["event"]["kind"] for entry in json.loads(str(match.record))["entries"]]
    assert kinds.count("undone") > 3
    assert kinds[1:3] == ["sat", "stood"]


# ---- Nonces that are committed to and revealed


def committed(seed: int, players: int = 4) -> Match:
    """A game whose start failed once: a seat was freed after two nonces were known."""
    match = match_of(benben.game("pyramidis", players=players), seed, drawn=True)
    for seat in range(players - 1):
        nonce = f"old{seat}"
        match.store(asking.sit(match.table, seat, f"P{seat}", commitment=nonce_commitment(nonce)))
    match.store(asking.sit(match.table, players - 1, "Kim", "clear"))
    match.store(asking.reveal(match.table, 1, "old1"))
    if seed % 2:
        match.store(asking.leave(match.table, 0))
    else:
        match.now += START_GRACE_MS
        match.settle()
    for seat, each in enumerate(match.table.seats):
        if each.free:
            promised = nonce_commitment(f"new{seat}")
            match.store(asking.sit(match.table, seat, f"Q{seat}", commitment=promised))
    for seat in match.table.start_pending:
        match.store(asking.commit(match.table, seat, nonce_commitment(f"new{seat}")))
    for seat in match.table.start_pending:
        match.store(asking.reveal(match.table, seat, f"new{seat}"))
    match.settle()
    match.play(at_random(seed), 3)
    match.store(asking.resign(match.table, 0))
    match.settle()
    return match


@pytest.mark.parametrize("seed", range(4))
def test_both_know_nonces_that_were_revealed(seed: int) -> None:
    record = json.loads(str(committed(seed).record))
    kinds = [entry["event"]["kind"] for entry in record["entries"]]
    assert {"committed", "revealed", "stood" if seed % 2 else "unrevealed"} <= set(kinds)
    assert by_the_page(record) == by_us(record) == 0


def revealed_before_all_had_committed(record: Json) -> int:
    entries = record["entries"]
    at, reveals = event_of(record, "sat", 3)[0] - 1, event_of(record, "revealed")[0] - 1
    entries[at], entries[reveals] = entries[reveals], entries[at]
    entries[at]["number"], entries[reveals]["number"] = at + 1, reveals + 1
    return at + 1


def revealed_without_committing_again(record: Json) -> int:
    number = event_of(record, "committed")[0]
    del record["entries"][number - 1]
    for index, entry in enumerate(record["entries"], 1):
        entry["number"] = index
    return event_of(record, "revealed", 1)[0]


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize(
    "tamper",
    [
        lambda record: change("revealed", "nonce", lambda nonce: nonce + "x", -1)(record),
        lambda record: change("revealed", "nonce", lambda _: "other")(record),
        lambda record: change("revealed", "seat", lambda seat: seat + 1)(record),
        revealed_before_all_had_committed,
        revealed_without_committing_again,
    ],
)
def test_both_find_nonces_that_somebody_could_have_chosen(
    seed: int, tamper: Callable[[Json], int]
) -> None:
    record = json.loads(str(committed(seed).record))
    number = tamper(record)
    assert by_the_page(record) == by_us(record) == number


# ---- Records that somebody has changed


def event_of(record: Json, kind: str, which: int = 0) -> tuple[int, Json]:
    found = [
        (entry["number"], entry["event"])
        for entry in record["entries"]
        if entry["event"]["kind"] == kind
    ]
    return found[which]


def change(kind: str, field: str, to: Callable[[Any], Any], which: int = 0) -> Callable[..., int]:
    """Change a field of an event; the number of the event."""

    def tamper(record: Json) -> int:
        number, event = event_of(record, kind, which)
        before = deepcopy(event[field])
        event[field] = to(before)
        assert event[field] != before
        return number

    return tamper


def another_promise(record: Json) -> int:
    record["terms"]["commitment"] = commitment(some_secret(99))
    return event_of(record, "ended")[0]


def exchanged_nonces(record: Json) -> int:
    (_, one), (_, other) = event_of(record, "sat"), event_of(record, "sat", -1)
    one["nonce"], other["nonce"] = other["nonce"], one["nonce"]
    return event_of(record, "began")[0]


def another_nonce(record: Json) -> int:
    event_of(record, "sat")[1]["nonce"] += "x"
    return event_of(record, "began")[0]


def another_secret_and_promise(record: Json) -> int:
    """Somebody drew until they liked what they saw."""
    secret = some_secret(98)
    event_of(record, "ended")[1]["secret"] = secret
    record["terms"]["commitment"] = commitment(secret)
    return event_of(record, "began")[0]


def chosen_seats(record: Json) -> int:
    record["terms"]["drawn"] = not record["terms"]["drawn"]
    return event_of(record, "began")[0]


def worse_throw(throw: str) -> str:
    return "=" + ("a" if throw[1:] != "a" * len(throw[1:]) else "f") * (len(throw) - 1)


def fewer_dice(throw: str) -> str:
    return throw[:-1]


TAMPERING: dict[str, Callable[[Json], int]] = {
    "promise": another_promise,
    "secret": change("ended", "secret", lambda secret: secret[::-1]),
    "both": another_secret_and_promise,
    "nonce": another_nonce,
    "nonces": exchanged_nonces,
    "order": change("began", "order", lambda order: [*order[1:], order[0]]),
    "draws": change("began", "draws", lambda draws: draws + 1),
    "drawn": chosen_seats,
}
DICE = {
    "throw": change("threw", "throw", worse_throw, 3),
    "last throw": change("threw", "throw", worse_throw, -1),
    "dice": change("threw", "throw", fewer_dice),
    "draw": change("threw", "draw", lambda draw: draw + 1, 2),
    "draw again": change("threw", "draw", lambda draw: draw - 1, 4),
}
STARTS = {
    "goals": change("began", "start", lambda start: start[:-3] + start[:-4:-1]),
    "first": change("began", "start", lambda start: start.replace(" 2 ", " 3 ")),
}
TOKENS = {"tokens": change("began", "start", lambda start: f"{start[:8][::-1]}{start[8:]}")}


@pytest.fixture(scope="module")
def good() -> dict[str, Json]:
    games = {
        "objectif": benben.game("objectif", players=3, first=2),
        "batisseurs": benben.game("batisseurs", players=3),
        "pyramidis": benben.game("pyramidis", players=4),
        "quadrille": benben.game("quadrille", layout="random"),
    }
    return {name: json.loads(str(played(game, 4).record)) for name, game in games.items()}


@pytest.mark.parametrize(
    ("name", "how"),
    [
        *((name, how) for name in benben.names() for how in TAMPERING),
        *(("batisseurs", how) for how in DICE),
        *(("objectif", how) for how in STARTS),
        *(("quadrille", how) for how in TOKENS),
    ],
)
def test_both_find_the_same_event(good: dict[str, Json], name: str, how: str) -> None:
    record = deepcopy(good[name])
    number = (TAMPERING | DICE | STARTS | TOKENS)[how](record)
    assert by_the_page(record) == by_us(record) == number


def test_only_who_knows_the_rules_finds_a_wrong_move_or_result(good: dict[str, Json]) -> None:
    """As the page says."""
    record = deepcopy(good["quadrille"])
    number = change("ended", "shares", lambda shares: shares[::-1])(record)
    assert (by_the_page(record), by_us(record)) == (0, number)
    number = change("moved", "move", lambda _: "a1b2", 1)(record)
    assert (by_the_page(record), by_us(record)) == (0, number)


def test_the_verifier_is_short_and_stands_alone(good: dict[str, Json], tmp_path: Path) -> None:
    source = VERIFIER.read_text()
    assert 90 <= lines_of_code(source) <= 105  # "some hundred lines", as the pages say
    assert "benben" not in source
    record, file = deepcopy(good["batisseurs"]), tmp_path / "record.json"
    command = [sys.executable, "-I", "-S", str(VERIFIER), str(file)]  # without anything installed
    file.write_text(json.dumps(record), "utf-8")
    done = subprocess.run(command, capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "yes\n", "")
    number = DICE["throw"](record)
    file.write_text(json.dumps(record), "utf-8")
    done = subprocess.run(command, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (1, "")
    draw = event_of(good["batisseurs"], "threw", 3)[1]
    lied = event_of(record, "threw", 3)[1]["throw"]
    assert done.stderr == (
        f"no: event {number} is {[draw['draw'], lied]}, "
        f"but it should be {[draw['draw'], draw['throw']]}\n"
    )


def test_a_game_that_is_on_cannot_be_checked(good: dict[str, Json]) -> None:
    record = deepcopy(good["pyramidis"])
    del record["entries"][event_of(record, "ended")[0] - 1 :]
    what, told, promised = next(
        SECOND["checks"](record["terms"], [e["event"] for e in record["entries"]])
    )
    assert what == "the fingerprint of the secret"
    assert told != promised == record["terms"]["commitment"]


def lines_of_code(source: str) -> int:
    """Without blank lines and docstrings."""
    told = [
        statement
        for part in ast.walk(ast.parse(source))
        if isinstance(part, ast.Module | ast.ClassDef | ast.FunctionDef)
        for statement in part.body[: ast.get_docstring(part) is not None]
    ]
    texts = {n for each in told for n in range(each.lineno, (each.end_lineno or 0) + 1)}
    lines = enumerate(source.splitlines(), 1)
    return sum(bool(line.strip()) and number not in texts for number, line in lines)


# ---- The page in the browser


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_for_players_has_the_same_example(language: str) -> None:
    """That of `docs/fairness.md`, which is a doctest."""
    page = (ROOT / f"src/benben/learn/fairness.{language}.md").read_text("utf-8")
    for found in (secret := bytes(range(32)).hex(), commitment(secret)):
        assert f"`{found}`" in page
    nonces = {0: "f3a9c1d2e4b50617", 2: "Zoe7"}
    key = hmac.digest(bytes.fromhex(secret), "\n".join(nonces.values()).encode(), "sha256")
    first = hmac.digest(key, b"0.0", "sha256")[:8].hex()
    d = luck(secret, nonces, 60).below(6**6)
    thrown = benben.game("batisseurs").deal().draw(luck(secret, nonces, 60))
    assert luck(secret, nonces).below(3) == 1
    for found in (*nonces.values(), key.hex(), first, str(d), thrown[1:]):
        assert found in page


# ---- The same numbers in the browser


def vectors() -> list[Json]:
    """What the browser has to find too: `python -m tests.test_fairness` writes them."""
    cases = [
        (bytes(range(32)).hex(), {0: "f3a9c1d2e4b50617", 2: "Zoe7"}),
        (some_secret(1), {1: "a"}),
        (some_secret(2), {0: "0" * 64, 1: "Z" * 64, 2: "x", 3: "1f"}),
    ]
    return [vector(secret, nonces) for secret, nonces in cases]


def vector(secret: str, nonces: dict[int, str]) -> Json:
    limits = [1, 3, 6, 48, 6**6, 2**53 + 1, 2**63 + 1, 2**63 + 1, 2**64]
    draws = [
        [at, str(n), str(luck(secret, nonces, at).below(n))] for at, n in enumerate(limits, 97)
    ]
    start = benben.game("batisseurs").deal()
    rolled = start.play("=aabbcd").play("a1").play("a2").play("b1").play("roll")
    throws = [
        [at, position.draw(luck(secret, nonces, at))]
        for at in range(6)
        for position in (start, rolled)
    ]
    orders = []
    for players in (2, 3, 4):
        match = Match(options_of(benben.game("batisseurs", players=players), drawn=True), secret)
        match.table.nonces = dict(nonces)
        began = match.table._deal().event
        assert isinstance(began, events.Began)
        orders.append(began.order)
    return {
        "secret": secret,
        "nonces": [nonces[seat] for seat in sorted(nonces)],
        "commitment": commitment(secret),
        "draws": draws,
        "throws": throws,
        "orders": orders,
    }


def test_the_browser_is_tested_by_these_numbers() -> None:
    assert json.loads(VECTORS.read_text()) == json.loads(json.dumps(vectors()))


if __name__ == "__main__":
    VECTORS.write_text(json.dumps(vectors(), indent=2) + "\n")
