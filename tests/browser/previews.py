"""Pictures that links to Benben show: `make previews` writes them to `frontend/public/previews/`.

Each has the box of a game as it stands on the shelf, and its title; the shelf's has them all. There
are no other words in them: one picture serves every language. They are committed, as a server has
no browser to make them with; make them again when a box has changed.
"""

from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import expect

from benben.core.registry import info, names
from benben.web.previews import HEIGHT, WIDTH
from tests.browser.selectors import part
from tests.browser.windows import Window, chromium, window
from tests.web.site import serving

FOLDER = Path(__file__).parents[2] / "frontend/public/previews"

# The boxes of some games, alone on the page, beside a title.
STAGE = """([games, title]) => {
  const style = (element, rules) => (Object.assign(element.style, rules), element);
  const box = (game) => document.querySelector(`[data-testid="game-box"][data-game="${game}"]`);
  const few = games.length === 1;
  const boxes = style(document.createElement("div"), {
    display: "grid", gridTemplateColumns: few ? "600px" : "300px 300px", gap: "40px 24px",
  });
  for (const game of games)
    boxes.append(style(box(game), { width: "auto", filter: "none", transition: "none" }));
  const words = style(document.createElement("div"), { width: "440px", lineHeight: 1.05 });
  words.append(style(document.createElement("div"), { fontSize: "88px", fontWeight: 700 }));
  words.append(style(document.createElement("div"), { fontSize: "44px", opacity: 0.75 }));
  words.children[0].textContent = title;
  words.children[1].textContent = few ? "Benben" : "";
  const stage = style(document.createElement("div"), {
    position: "fixed", inset: 0, zIndex: 9, display: "grid", gridAutoFlow: "column", gap: "60px",
    placeContent: "center", alignItems: "center", background: "#e9dfcc", color: "#2b251d",
  });
  stage.append(boxes, words);
  document.documentElement.style.scrollbarGutter = "auto";
  document.body.style.overflow = "hidden";
  document.body.append(stage);
}"""


def take(here: Window, name: str, games: list[str], title: str) -> None:
    here.visit("/")
    for game in games:
        box = f'{part("game-box")}[data-game="{game}"]'
        picture = here.page.locator(f"{box} [data-thing]").first
        expect(picture).to_be_attached()
    here.page.evaluate(STAGE, [games, title])
    here.page.evaluate("document.fonts.ready")
    here.page.screenshot(path=FOLDER / f"{name}.jpg", type="jpeg", quality=75)


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    with (
        TemporaryDirectory() as folder,
        serving(Path(folder)) as site,
        chromium(whole=True) as browser,
        window(browser, site, (WIDTH, HEIGHT)) as here,
    ):
        take(here, "shelf", names(), "Benben")
        for game in names():
            take(here, game, [game], info(game).titles["en"])


if __name__ == "__main__":
    main()
