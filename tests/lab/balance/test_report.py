"""Reports: numbers that come out the same when they are worked out again, in both languages."""

import csv
import json
import re
from dataclasses import replace
from io import StringIO
from itertools import pairwise
from statistics import mean, median
from string import Formatter
from xml.etree import ElementTree

import msgspec
import numpy as np
import pytest

import benben
from benben.core.errors import BenbenError
from benben.lab.balance.comparing import comparison_of, variants
from benben.lab.balance.figures import bins, report_of
from benben.lab.balance.files import as_csv, as_json, id_of
from benben.lab.balance.pages import body_of, document_of, title_of
from benben.lab.balance.report import Comparison, Report
from benben.lab.balance.running import prepare_study
from benben.lab.balance.shipped import NoSuchReport, report_named, shipped
from benben.lab.balance.skill import ladder, skill_of
from benben.lab.balance.speech import LANGUAGES, Speech, catalogue
from benben.lab.balance.study import Study, study_of
from benben.lab.balance.watching import GameNote

OBJECTIF = study_of(benben.game("objectif"), ("greedy",), "r")
BATISSEURS = study_of(benben.game("batisseurs"), ("2",), "r")
GAMES = 8


@pytest.fixture(scope="module", params=[OBJECTIF, BATISSEURS], ids=lambda study: study.name)
def told(request: pytest.FixtureRequest) -> tuple[Study, list[GameNote], Report]:
    study: Study = request.param
    prepare_study(study)
    notes = [study.play(number) for number in range(GAMES)]
    return study, notes, report_of(study, notes, "benben lab …")


def test_shares_are_those_of_the_games(told: tuple[Study, list[GameNote], Report]) -> None:
    _, notes, report = told
    begins = mean(note.shares[note.first] for note in notes)
    assert report.by_order[0].value == pytest.approx(begins, abs=1e-4)
    assert report.by_order[1].value == pytest.approx(1 - begins, abs=1e-4)
    assert report.by_seat[0].value == pytest.approx(mean(n.shares[0] for n in notes), abs=1e-4)
    for share in (*report.by_order, *report.by_seat, report.draws, report.ties):
        assert 0 <= share.low <= share.value <= share.high <= 1
    pairs = zip(notes[::2], notes[1::2], strict=True)
    won = mean(one.shares[0] + other.shares[0] != 1 for one, other in pairs)
    assert report.sides is not None
    assert (report.sides.matches, report.sides.won.value) == (GAMES // 2, won)


def test_counts_are_those_of_the_games(told: tuple[Study, list[GameNote], Report]) -> None:
    study, notes, report = told
    assert sum(each.games for each in report.reasons) == len(notes)
    for reason in report.reasons:
        assert reason.games == sum(note.reason == reason.reason for note in notes)
    assert report.draws.value == mean(1.0 not in note.shares for note in notes)
    lengths = [len(note.choices) for note in notes]
    assert report.length.median == median(lengths)
    assert sum(each.games for each in report.lengths) == len(notes)
    every = [n for note in notes for n in note.choices]
    assert report.choices.mean == pytest.approx(mean(every), abs=1e-3)
    first = [n for note in notes for n in note.choices[: -(-len(note.choices) // 10)]]
    assert report.choices_over_time[0] == pytest.approx(mean(first), abs=0.01)
    for special in report.special:
        counts = [note.events.get(special.event, 0) for note in notes]
        assert special.a_game == pytest.approx(mean(counts), abs=1e-3)
        assert special.most == max(counts)
        assert special.games.value == pytest.approx(mean(n > 0 for n in counts), abs=1e-4)
    busts = sum(note.events.get("bust", 0) for note in notes)
    assert sum(each.busts for each in report.busts) == busts
    assert bool(report.busts) == (study.name == "batisseurs")


def test_the_leader_of_the_end_has_won(told: tuple[Study, list[GameNote], Report]) -> None:
    _, notes, report = told
    at_half = []
    for note in notes:
        chances = note.chances[5]
        apart = abs(chances[0] - chances[1]) >= 0.005
        at_half.append(note.shares[chances.index(max(chances))] if apart else 0.5)
    assert report.lead.leader_wins[5].value == pytest.approx(mean(at_half), abs=1e-4)
    settled = [note.settled for note in notes if note.settled is not None]
    assert report.lead.settled is not None
    assert report.lead.settled.median == pytest.approx(median(settled), abs=1e-3)


def test_exact_figures_of_batisseurs(told: tuple[Study, list[GameNote], Report]) -> None:
    study, _, report = told
    if study.name == "objectif":
        assert report.exact is None
        assert not report.lead.exact
    else:
        assert report.exact is not None
        assert report.exact.chances == [0.550492, 0.449508]
        command = "benben solve batisseurs --players 2 --option placing=all"
        assert report.exact.command == command
        assert report.lead.exact


def test_histograms_have_every_game_once() -> None:
    assert [(b.least, b.most, b.games) for b in bins([24] * 5)] == [(24, 24, 5)]
    found = bins([7, 40, 41, 300])
    assert sum(each.games for each in found) == 4
    assert len(found) <= 20
    for one, other in pairwise(found):
        assert other.least == one.most + 1


def test_skill_is_what_levels_win_from_each_other() -> None:
    study = Study("objectif", 2, "fair", ("random", "greedy"), "s", judged=False)
    notes = [study.play(number) for number in range(24)]
    skill = skill_of(study, notes)
    greedy = mean(note.shares[study.seated(note.game).index("greedy")] for note in notes)
    (pairing,) = skill.pairings
    assert (pairing.weaker, pairing.stronger) == ("random", "greedy")
    assert pairing.share.value == pytest.approx(greedy, abs=1e-4)
    assert 0 <= pairing.share.low < pairing.share.value < pairing.share.high <= 1
    assert skill.levels[0].elo.value == 0
    assert skill.levels[1].elo.value == pairing.gap.value > 0


def test_what_two_of_many_take_is_of_the_points_that_go_to_either() -> None:
    study = ladder(Study("objectif", 4, "random", ("5",), "s"))
    shares = np.zeros((3, study.round_size, 4))
    for number, lineup in enumerate(study.lineups):
        winner = 4 if 4 in lineup and number % 2 else lineup[0]
        shares[:, number, lineup.index(winner)] = 1
    games = shares.reshape(-1, 4).tolist()
    notes = [
        GameNote(number, study.first(number), tuple(each), "", 0, (), {}, (), None, 0)
        for number, each in enumerate(games)
    ]
    skill = skill_of(study, notes)
    found = {(each.weaker, each.stronger): each.share for each in skill.pairings}
    for (weaker, stronger), share in found.items():
        one, other = study.bots.index(weaker), study.bots.index(stronger)
        took = [0.0, 0.0]
        for number, each in enumerate(games):
            seated = study.lineups[number % study.round_size]
            if one in seated and other in seated:
                took[0] += each[seated.index(one)]
                took[1] += each[seated.index(other)]
        assert share.value == pytest.approx(took[1] / sum(took), abs=1e-4)
        assert 0 <= share.low < share.value < share.high <= 1


# ---- Comparing


def test_every_value_for_every_bot_with_the_same_openings() -> None:
    found = variants(benben.game("quadrille"), ["greedy", "1"], "0", None)
    assert [(each.value, each.bots) for each in found] == [
        ("regular", ("greedy",)),
        ("regular", ("1",)),
        ("random", ("greedy",)),
        ("random", ("1",)),
    ]
    assert {each.openings for each in found} == {4}
    with pytest.raises(BenbenError, match="one way to play"):
        variants(benben.game("objectif", players=4), ["1"], "0", None)


def test_a_comparison_has_what_its_reports_have(
    told: tuple[Study, list[GameNote], Report],
) -> None:
    study, notes, report = told
    other = report_of(replace(study, bots=("x",)), notes, "benben lab …")
    made = comparison_of([report, other], "benben lab compare …")
    assert [row.bots for row in made.rows] == [list(study.bots), ["x"]]
    assert made.rows[0].by_order == report.by_order
    for language in LANGUAGES:
        assert_well_formed(body_of(made, language))


# ---- For people


def assert_well_formed(html: str) -> None:
    tree = ElementTree.fromstring(html)
    assert not [each for each in tree.iter() if "style" in each.attrib]  # pages allow none
    pictures = [each for each in tree.iter("svg") if "plot" in each.get("class", "")]
    for picture in pictures:
        assert picture.attrib["role"] == "img"
        assert picture.attrib["aria-label"]
        assert len(ElementTree.tostring(picture)) < 10_000
    for column in tree.iter("th"):
        assert "".join(column.itertext()).strip()


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_report_is_the_same_every_time(
    told: tuple[Study, list[GameNote], Report], language: str
) -> None:
    study, notes, report = told
    again = report_of(study, notes, "benben lab …")
    assert document_of(again, language) == document_of(report, language)
    assert as_json(again) == as_json(report)
    assert msgspec.json.decode(as_json(report), type=Report) == report
    assert_well_formed(body_of(report, language))
    told_share = Speech(language).percent(report.by_order[0].value)
    assert told_share in body_of(report, language)
    assert "benben lab …" in body_of(report, language)


def test_a_line_for_each_game(told: tuple[Study, list[GameNote], Report]) -> None:
    _, notes, _ = told
    lines = list(csv.DictReader(StringIO(as_csv(notes))))
    assert [int(line["game"]) for line in lines] == list(range(GAMES))
    for line, note in zip(lines, notes, strict=True):
        assert int(line["first"]) == note.first + 1
        assert tuple(float(line[f"share {seat}"]) for seat in (1, 2)) == note.shares
        assert {event: int(line[event]) for event in note.events} == note.events


def test_both_languages_have_the_same_words() -> None:
    en, fr = catalogue("en"), catalogue("fr")
    assert list(en) == list(fr)
    for key, words in en.items():
        named = {name for _, name, _, _ in Formatter().parse(words) if name}
        assert {name for _, name, _, _ in Formatter().parse(fr[key]) if name} == named
        assert not re.search(r" [:;!?%]", fr[key])  # a narrow space, not one that breaks


# ---- Those that come with Benben


def test_every_game_and_player_count_has_a_report() -> None:
    reports = [each for each in shipped().values() if isinstance(each, Report)]
    found = {(each.setting.game, each.setting.players) for each in reports}
    every = {(name, n) for name in benben.names() for n in benben.info(name).players}
    assert found == every
    compared = {each.game for each in shipped().values() if isinstance(each, Comparison)}
    assert compared == set(benben.names())


def test_every_report_tells_skill_and_luck() -> None:
    reports = [each for each in shipped().values() if isinstance(each, Report)]
    for report in reports:
        assert report.skill is not None
        assert len(report.skill.pairings) == 10
        assert f"--ladder {report.skill.games}" in report.setting.command
        assert report.skill.games % 20 == 0


def test_two_pictures_side_by_side_have_one_scale() -> None:
    pages = [body_of(made, "en") for made in shipped().values() if isinstance(made, Comparison)]
    for page in pages:
        pictures = re.findall(r'<svg class="plot".*?</svg>', page)
        scales = [re.findall(r'class="tick"[^>]*>([^<]*)<', picture) for picture in pictures]
        assert len(pictures) >= 2
        assert all(scale == scales[0] for scale in scales)


def test_what_every_game_has_alike_is_no_finding() -> None:
    """Bâtisseurs ends in one way and has no deal, Quadrille has no tie-breaks and no secrets."""
    batisseurs, quadrille = (
        body_of(report_named(name), "en") for name in ("batisseurs-2-all", "quadrille-2-regular")
    )
    assert catalogue("en")["reasons.title"] not in batisseurs
    assert "deal" not in batisseurs
    assert "secret" not in quadrille
    stray = catalogue("en")["event.stray:moves"]
    assert stray in body_of(report_named("pyramidis-4"), "en")
    assert stray not in body_of(report_named("pyramidis-2-bm"), "en")
    assert "secret" in body_of(report_named("objectif-2-random"), "en")
    compared = {name: body_of(report_named(f"compare-{name}-2"), "en") for name in benben.names()}
    draws = [name for name, page in compared.items() if catalogue("en")["compare.draws"] in page]
    assert set(draws) == {*benben.names()} - {"batisseurs"}
    ties = [name for name, page in compared.items() if catalogue("en")["compare.ties"] in page]
    assert ties == ["objectif"]


@pytest.mark.parametrize("name", shipped())
def test_what_is_shipped_can_be_shown(name: str) -> None:
    made = report_named(name)
    assert id_of(made) == name
    for language in LANGUAGES:
        assert title_of(made, language)
        assert_well_formed(body_of(made, language))
    assert json.loads(as_json(made))["format"] == 1


def test_no_such_report() -> None:
    with pytest.raises(NoSuchReport, match="'chess'"):
        report_named("chess")
