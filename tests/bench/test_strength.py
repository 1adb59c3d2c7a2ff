"""What the page about strength says, and when it says that something is met."""

from pathlib import Path

import pytest

import benben
from benben.bots.levels import LEVELS
from benben.lab.arena import Arena
from benben.lab.rating import Estimate, Ratings, Sprt, Standing
from benben.terminal.contest import Contest
from bench import strength
from bench.strength import Claim

GAME = benben.game("quadrille")
NOTHING = Estimate(0.0, 0.0, 0.0)


def contest(low: float, share: float, high: float, sprt: Sprt | None = None) -> Contest:
    standing = Standing(200, Estimate(share, low, high), NOTHING)
    return Contest(Arena(GAME, ["6", "5"]), Path(), [], 0, Ratings(0.5, (standing,), ()), sprt)


def decided(value: float, low: float, high: float) -> Sprt:
    sprt = Sprt(low, high)
    while sprt.verdict is None:
        sprt.add(value)
    return sprt


@pytest.mark.parametrize(
    ("share", "met"), [(0.61, False), (0.62, True), (0.88, True), (0.89, False)]
)
def test_a_window_is_about_the_share_itself(share: float, met: bool) -> None:
    assert Claim(GAME, "6", "5", 200, 0.62, 0.88).met(contest(0, share, 1)) is met


def test_a_test_that_is_decided_says_what_is_met() -> None:
    claim = Claim(GAME, "6", "5", 200, 0.70, test=strength.SEVENTY)
    for value in (0.0, 1.0):
        done = contest(0.6, 0.7, 0.8, decided(value, *strength.SEVENTY))
        assert claim.met(done) is bool(value)
    open_test = Sprt(*strength.SEVENTY)
    assert claim.met(contest(0.6, 0.71, 0.8, open_test))
    assert not claim.met(contest(0.6, 0.69, 0.8, open_test))


def test_stronger_at_all_must_be_beyond_doubt() -> None:
    claim = Claim(GAME, "6@200", "6@20", 200, 0.50, test=strength.STRONGER)
    assert claim.met(contest(0.45, 0.55, 0.65, decided(1.0, *strength.STRONGER)))
    assert not claim.met(contest(0.45, 0.55, 0.65, Sprt(*strength.STRONGER)))
    assert claim.met(contest(0.51, 0.55, 0.65, Sprt(*strength.STRONGER)))


def test_what_is_wanted_in_words() -> None:
    table = benben.game("objectif", players=4)
    assert Claim(GAME, "6", "5", 1, 0.62, 0.88).wanted == "62–88 %"
    assert Claim(GAME, "6", "1", 1, 0.97).wanted == "at least 97.0 %"
    assert Claim(GAME, "6", "6@9", 1, 0.5, test=(0.5, 0.6)).wanted == "more than 50 %"
    among = Claim(table, "6", "4", 1, 0.35, gauntlet=True)
    assert among.wanted == "at least 35.0 % (1.40 × fair)"


def test_every_level_is_measured_in_every_game_of_two() -> None:
    claims = [*strength.ladder().claims, *strength.lucky_ladder().claims]
    for name in benben.names():
        steps = {(c.first, c.second) for c in claims if c.game.name == name}
        assert steps == {(str(n + 1), str(n)) for n in LEVELS[:-1]} | {("6", "1")}
    assert {c.game.options.get("mode") for c in strength.ten_times().claims} >= {"fair", "random"}


def test_a_whole_run_is_expected_to_take_less_than_two_hours() -> None:
    claims = [claim for make in strength.SECTIONS.values() for claim in make().claims]
    assert sum(claim.seconds(1, 2) for claim in claims) < 110 * 60


def rows(*met: str) -> str:
    each = [
        f"| `quadrille`, 2 | 6 | cut | 9 | 50.0 % (40.0–60.0) | abc | 70 % | {m} |" for m in met
    ]
    return "\n".join(["Words.", "", strength.HEAD, *each])


def test_the_page_says_at_its_end_what_is_met(tmp_path: Path) -> None:
    title = strength.sparring().title
    timed = "Words.\n\n| | | median | met |\n|---|---|---|---|\n| level 1 moves | x | 9 | **no** |"
    text = strength.page({strength.THINKING_TITLE: timed, title: rows("yes", "**no**")})
    assert text.index(title) < text.index(strength.THINKING_TITLE) < text.index(strength.VERDICT)
    ending = text.partition(f"## {strength.VERDICT}\n\n")[2].splitlines()
    assert ending == [
        f"- {title}: 1 of 2 as wanted.",
        "  - Not met: in `quadrille`, 2, 6 against cut got 50.0 % (40.0–60.0), wanted 70 %.",
        f"- {strength.THINKING_TITLE}: 0 of 1 as wanted.",
        "  - Not met: level 1 moves, x, 9.",
    ]
    file = tmp_path / "strength.md"
    assert strength.told_before(file) == {}
    file.write_text(text, "utf-8")
    assert strength.page(strength.told_before(file)) == text, "what is not measured stays"


def test_rows_that_are_not_measured_again_stay() -> None:
    section = strength.more_time()
    games = [strength.described(claim.game) for claim in section.claims]
    each = [f"| {game} | 6@200 | 6@20 | 9 | 60.0 % (50.1–70.0) | old | x | yes |" for game in games]
    before = strength.table(section, "", each)
    assert before.splitlines()[-3:] == each
    again = each[1].replace("old", "new")
    assert strength.table(section, before, [again]).splitlines()[-3:] == [each[0], again, each[2]]
