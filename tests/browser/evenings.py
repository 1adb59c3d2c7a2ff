"""What people do at a table besides moving, and what they see of it."""

from typing import Any, Literal

from playwright.sync_api import Locator, expect

from tests.browser.conftest import Opener
from tests.browser.hands import Hand, chosen, until
from tests.browser.selectors import CURTAIN, MOVE, MY_BOARD, MY_THING, THING
from tests.browser.windows import DESKTOP, Window
from tests.web.site import Person, Site

PHONE = (390, 664)  # with its browser's bars
PEOPLE = ("Ann", "Bob", "Cleo", "Dan")
FIRST = {"first": 1}


def seated(site: Site, game: str, people: int = 2, bots: int = 0, **terms: Any) -> list[Person]:
    """People on the first seats of a table, then the simplest bots."""
    seats = [{"bot": 0}] * people + [{"bot": 1}] * bots
    table = site.open(game, players=people + bots, seats=seats, **terms)
    return [site.sit(table, seat, PEOPLE[seat]) for seat in range(people)]


def at_table(opened: Opener, person: Person, size: tuple[int, int] = PHONE, **how: Any) -> Window:
    here = opened(size, **how)
    here.take(person)
    until(here.page, f"{THING}, {CURTAIN}")
    return here


def two_people(site: Site, opened: Opener, game: str, **terms: Any) -> tuple[Window, Window]:
    """Ann at a phone and Bob at a desk."""
    ann, bob = seated(site, game, **terms)
    return at_table(opened, ann), at_table(opened, bob, DESKTOP)


def on_one_device(opened: Opener, game: str, people: int, **how: Any) -> Window:
    """Some people round one phone."""
    here = opened(PHONE, **how)
    here.visit("/")
    box = here.page.get_by_role("article").filter(
        has=here.page.locator(f'a[href="/rules/{game}"], a[href="/new/{game}"]')
    )
    box.get_by_role("button", name="On one device").tap()
    dialog = here.page.get_by_role("dialog")
    number = dialog.get_by_role("radio", name=str(people), exact=True)
    if number.count():
        dialog.locator("label").filter(
            has=here.page.get_by_role("radio", name=str(people), exact=True)
        ).click()
    for seat in range(people):
        dialog.get_by_label(f"Player {seat + 1}").fill(PEOPLE[seat])
    dialog.get_by_role("button", name="Start").tap()
    until(here.page, f"{MY_THING}, {CURTAIN}")
    return here


def button(here: Window, name: str) -> Locator:
    return here.page.get_by_role("button", name=name, exact=True)


def seat_of(here: Window, name: str) -> Locator:
    return here.page.get_by_test_id("seat").filter(has_text=name)


def from_menu(here: Window, what: str) -> None:
    """Choose something that is not done often."""
    button(here, "Menu").click()
    button(here, what).click()


def really(here: Window, what: str, means: str) -> None:
    """Do something that cannot be undone; what it says before."""
    from_menu(here, what)
    dialog = here.page.get_by_role("dialog")
    expect(dialog).to_contain_text(means)
    dialog.get_by_role("button", name=what, exact=True).click()


def is_told(here: Window, what: str) -> None:
    """It is said at the board, and in the log."""
    expect(here.page.get_by_test_id("status")).to_contain_text(what)
    is_logged(here, what)


def is_logged(here: Window, what: str) -> None:
    expect(here.page.get_by_test_id("notice").filter(has_text=what).last).to_be_visible()


def has_moves(here: Window, count: int) -> None:
    expect(here.page.get_by_test_id("move")).to_have_count(count)


def play_one(here: Window) -> None:
    """Make a move by hand, whoever of this device is to move."""
    lift_curtain(here)
    for _, person in Hand(here).people():
        seen = person.look()
        if "legal" in seen:
            by: Literal["finger", "mouse"] = "finger" if is_phone(here) else "mouse"
            Hand(here, by).play(seen["game"], chosen(seen["legal"], 0))
            until(here.page, MOVE, len(seen.get("moves", ())) + 1)
            return
    raise AssertionError("nobody here is to move")


def is_phone(here: Window) -> bool:
    size = here.page.viewport_size
    return size is not None and size["width"] == PHONE[0]


def legal_moves(seen: dict[str, Any]) -> list[str]:
    return [each["move"] for each in seen.get("legal", ())]


def lift_curtain(here: Window) -> None:
    until(here.page, f"{MY_BOARD}, {CURTAIN}")
    curtain = here.page.get_by_test_id("curtain").get_by_role("button")
    if curtain.count():
        curtain.tap()
    until(here.page, MY_BOARD)


def is_at_another_table(here: Window, before: str) -> None:
    here.page.wait_for_url(lambda address: "/t/" in address and before not in address)
