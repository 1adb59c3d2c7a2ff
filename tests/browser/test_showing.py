"""What a page shows of a game, when: looking back, and that nothing is told before it is seen."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from benben.core.registry import names
from tests.browser.conftest import Opener
from tests.browser.evenings import (
    PEOPLE,
    at_table,
    button,
    has_moves,
    is_at_another_table,
    legal_moves,
    lift_curtain,
    on_one_device,
    play_one,
    really,
    seated,
    two_people,
)
from tests.browser.hands import Hand, chosen, until
from tests.browser.selectors import BOARD, CURTAIN, MOVE, MY_BOARD, RESULT, THING, TO_MOVE
from tests.browser.windows import DESKTOP, Window
from tests.sizes import rotating
from tests.web.site import Site

# ---- Looking back

# Every thing of the board as it is called, what is marked, and whose turn is shown.
_SHOWN = """() => new Promise(done => requestAnimationFrame(() => {
    const things = {};
    const board = document.querySelector('[data-testid="board"]');
    for (const thing of board.querySelectorAll("[data-thing]"))
        (things[thing.dataset.thing] ??= []).push(thing.ariaLabel);
    const marks = board.querySelectorAll("[data-marked]").length;
    const seat = document.querySelector('[data-testid="seat"][data-to-move="true"]');
    const name = seat?.querySelector('[data-testid="seat-name"]');
    done({ things, marks, turn: name?.firstChild.textContent.trim() ?? "" });
}))"""
# The same at every moment, from the start to the present, by the log's buttons; and the status.
_WALK = f"""async () => {{
    const button = name => document.querySelector(`button[aria-label="${{name}}"]`);
    const seen = [];
    button("Start of the game").click();
    for (;;) {{
        const shown = await ({_SHOWN})();
        const lead = document.querySelector('[data-testid="status-lead"]');
        seen.push([shown, lead.textContent]);
        if (button("Next move").disabled) return seen;
        button("Next move").click();
    }}
}}"""


def _shown(page: Page) -> dict[str, Any]:
    seen: dict[str, Any] = page.evaluate(_SHOWN)
    return seen


@pytest.mark.slow
@rotating("game", names())
def test_looking_back(site: Site, opened: Opener, game: str) -> None:
    people = seated(site, game)
    table = people[0].table
    here = opened(DESKTOP)
    here.visit(f"/t/{table}")  # somebody who looks on: nothing is offered to them
    until(here.page, THING)
    live = {len(people[0].look().get("moves", ())): _shown(here.page)}
    for number in range(14):
        seat = people[0].look().get("to_move")
        if seat is None:
            break
        people[seat].move(5 * number + 2)
        made = len(people[0].look()["moves"])
        until(here.page, MOVE, made)
        live[made] = _shown(here.page)
    here.page.reload()
    until(here.page, THING)
    steps = site.get(f"tables/{table}/history")["steps"]
    until(here.page, MOVE, len(steps))
    walked = here.page.evaluate(_WALK)
    assert len(walked) == len(steps) + 1
    throws = [at for at, step in enumerate(steps) if "seat" not in step]
    assert set(range(len(walked))) - set(live) <= set(throws), "all others were seen"
    for at, (shown, status) in enumerate(walked):
        if at in live:  # a moment that ends with a throw is over before it can be looked at
            assert shown == live[at], at
        if at < len(steps):
            assert shown["turn"] == PEOPLE[_doer(steps[at])], at
        assert (status == "Looking back") == (at < len(steps))
    button(here, "Previous move").click()
    expect(here.page.get_by_test_id("status")).to_contain_text("Looking back")


def _doer(step: dict[str, Any]) -> int:
    """Who moved, or whose dice were thrown."""
    seat: int = step.get("seat", step["effects"][0][4])
    return seat


@rotating("game", names())
def test_nothing_is_played_while_one_looks_back(site: Site, opened: Opener, game: str) -> None:
    people = seated(site, game)
    for number in range(4):
        people[people[0].look()["to_move"]].move(number)
    seen = [person.look() for person in people]
    ann = next(each for each in range(2) if "legal" in seen[each])
    here = at_table(opened, people[ann])
    until(here.page, MY_BOARD)
    button(here, "Previous move").tap()
    assert here.page.locator(MY_BOARD).count() == 0
    for thing in here.page.locator(f"{THING}:visible").all()[:8]:
        thing.tap(force=True)
        thing.tap(force=True)
    assert people[ann].look()["number"] == seen[ann]["number"]
    here.page.get_by_test_id("status").get_by_role("button", name="Current position").tap()
    until(here.page, MY_BOARD)
    assert people[ann].look()["number"] == seen[ann]["number"]


def test_taken_back_while_one_looks_back(site: Site, opened: Opener) -> None:
    ann, bob = two_people(site, opened, "quadrille")
    player = ann.player()
    player.move()
    has_moves(bob, 1)
    button(bob, "Previous move").click()
    player.do("undo")
    button(bob, "Yes").click()
    has_moves(bob, 0)
    expect(bob.page.get_by_text("Looking back")).to_be_hidden()
    player.move()
    has_moves(bob, 1)
    until(bob.page, MY_BOARD)


# ---- What is told follows what is shown

_SAMPLE = """() => {
    window.frames_seen = [];
    const part = (name, state = "") => document.querySelector(`[data-testid="${name}"]${state}`);
    const text = element => element?.textContent.trim() ?? "";
    const nameOf = seat => text(seat?.querySelector('[data-testid="seat-name"]'));
    const look = () => {
        const things = [...part("board").querySelectorAll("[data-thing]")]
            .map(thing => `${thing.dataset.thing} ${thing.ariaLabel}`).sort();
        const frame = {
            board: things.join("|"),
            bottom: nameOf(part("seat")),
            turn: nameOf(part("seat", '[data-to-move="true"]')).split(" ")[0],
            status: text(part("status-lead")),
            said: [...document.querySelectorAll("[aria-live=polite]")]
                .map(each => each.textContent).join(""),
            seats: text(part("seats")),
            over: part("result") !== null,
            curtain: text(part("curtain")?.querySelector("h2")),
            moves: document.querySelectorAll('[data-testid="move"]').length,
        };
        const last = window.frames_seen.at(-1);
        if (JSON.stringify(last) !== JSON.stringify(frame)) window.frames_seen.push(frame);
        requestAnimationFrame(look);
    };
    look();
}"""


def _sampled(here: Window, deed: Callable[[], object], done: str) -> list[dict[str, Any]]:
    """What a page shows from frame to frame while something happens."""
    here.page.evaluate(_SAMPLE)
    deed()
    until(here.page, done)
    here.page.wait_for_timeout(300)
    frames: list[dict[str, Any]] = here.page.evaluate("frames_seen")
    assert not any("Looking back" in frame["status"] for frame in frames)
    return frames


@rotating("game", names())
def test_the_turn_comes_when_the_move_has_been_seen(site: Site, opened: Opener, game: str) -> None:
    ann, bob = seated(site, game)
    if "legal" not in bob.look():
        ann, bob = bob, ann  # who is to move is elsewhere
    here = at_table(opened, ann, calm=False)

    def play() -> None:
        while "legal" not in ann.look():  # what is thrown for her may be in vain
            seen = bob.look()
            move = "stop" if "stop" in legal_moves(seen) else chosen(seen["legal"], 3)
            bob.do("move", {"move": move, "number": seen["number"]})

    frames = _sampled(here, play, MY_BOARD)
    last = frames[-1]
    assert last["status"] == "Your turn"
    mine = last["turn"]
    told = [frame for frame in frames if frame["status"] == "Your turn"]
    if game != "batisseurs":  # there one's turn begins with the throw of one's dice
        told += [frame for frame in frames if frame["turn"] == mine]
        assert all(frame["moves"] for frame in told)
    assert {frame["board"] for frame in told} == {last["board"]}
    assert len({frame["board"] for frame in frames}) > 1
    assert all(frame["turn"] and frame["status"] for frame in frames)


@pytest.mark.slow
def test_the_end_comes_when_the_last_move_has_been_seen(site: Site, opened: Opener) -> None:
    people = seated(site, "objectif")
    here = at_table(opened, people[0])
    while not _is_last(seen := people[people[0].look()["to_move"]].look()):
        people[seen["you"]].move()
    here.page.emulate_media(reduced_motion="no-preference")
    frames = _sampled(here, lambda: people[seen["you"]].move(), RESULT)
    over = [frame["over"] for frame in frames]
    assert over == sorted(over)
    assert all(frame["board"] == frames[-1]["board"] for frame in frames if frame["over"])
    assert any(frame["board"] != frames[0]["board"] for frame in frames if not frame["over"])


def _is_last(seen: dict[str, Any]) -> bool:
    """Whether the stocks have one piece left in all."""
    stocks = [pieces for place, pieces in seen["drawing"].items() if place.startswith("stock")]
    return sum(map(len, stocks)) == 1


@pytest.mark.slow
def test_a_board_is_turned_when_the_move_has_been_seen(opened: Opener) -> None:
    here = on_one_device(opened, "pyramidis", 2, calm=False)
    player = next(person for person in here.players() if "legal" in person.look())
    seen = player.look()
    move = next(each["move"] for each in seen["legal"] if each["move"].endswith("*3"))
    other = PEOPLE[1 - seen["you"]]

    def play() -> None:
        player.do("move", {"move": move, "number": seen["number"]})
        expect(here.page.locator(TO_MOVE)).to_contain_text(other)

    frames = _sampled(here, play, MY_BOARD)
    last = frames[-1]
    assert last["bottom"].startswith(other)
    early = [frame for frame in frames if frame["bottom"] == last["bottom"]]
    assert {frame["moves"] for frame in early} == {1}
    assert len({frame["board"] for frame in frames if frame["bottom"] != last["bottom"]}) > 2
    assert not any("offline" in frame["seats"] for frame in frames)


def test_a_curtain_falls_when_the_move_has_been_seen(opened: Opener) -> None:
    here = on_one_device(opened, "objectif", 2, calm=False)
    lift_curtain(here)
    people = dict(Hand(here).people())
    seat = people[0].look()["to_move"]
    seen = people[seat].look()
    move = {"move": seen["legal"][0]["move"], "number": seen["number"]}
    place = move["move"].partition("@")[2]
    before = here.page.locator(f'{BOARD} [data-thing="{place}"]').get_attribute("aria-label")
    frames = _sampled(here, lambda: people[seat].do("move", move), CURTAIN)
    open_ = [frame for frame in frames if not frame["curtain"]]
    assert f"{place} {before}|" not in open_[-1]["board"] + "|"
    assert open_[-1]["moves"] == 1
    assert frames[-1]["curtain"].endswith(PEOPLE[1 - seat])


# ---- Several tabs


@pytest.mark.slow
def test_two_tabs_of_one_seat_stay_in_step(site: Site, opened: Opener) -> None:
    ann = at_table(opened, seated(site, "quadrille", 1, 1)[0], DESKTOP)
    other = Window(site, ann.context, ann.context.new_page())
    other.visit(f"/t/{ann.table}")
    until(other.page, MY_BOARD)
    play_one(other)
    for here in (ann, other):
        has_moves(here, 2)
        until(here.page, MY_BOARD)
    assert _shown(ann.page) == _shown(other.page)
    button(ann, "Take back").click()
    has_moves(other, 0)
    until(other.page, MY_BOARD)
    really(other, "Resign", "your opponent wins")
    until(ann.page, RESULT)
    before = ann.table
    button(ann, "Rematch").click()
    is_at_another_table(ann, before)
    button(other, "Rematch").click()
    is_at_another_table(other, before)
    until(other.page, THING)
    assert ann.table == other.table
    assert not other.complaints
