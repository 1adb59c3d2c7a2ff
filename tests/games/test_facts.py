"""What a board shows besides the pieces: by another reading of what the rules say."""

import benben
from tests.conformance.checks import games_at_random


def test_objectif_counts_what_decides() -> None:
    for mode in ("random", "fair"):
        for line in games_at_random(benben.game("objectif", players=3, mode=mode), 5):
            for position, _ in line:
                piles = [pieces.lower() for place, pieces in position.drawing().items()]
                piles = piles[: len(piles) - 3]  # then there are the stocks
                colours = {pile[0] for pile in piles}
                counts = position.facts()["counts"]
                assert list(counts) == [each for each in "ogbpyv" if each in colours]
                for colour, counted in counts.items():
                    heights = [len(pile) - 1 for pile in piles if pile[-1] == colour]
                    higher = [height for height in heights if height]
                    assert counted == [len(heights), len(higher), max(higher, default=0)]
            facts, result = position.facts(), position.result
            assert result is not None
            merits = [facts["counts"][goal] for goal in facts["goals"]]
            assert list(result.winners) == [
                seat for seat, merit in enumerate(merits) if merit == max(merits)
            ]


def test_objectif_shows_no_goal_but_the_own_one_before_the_end() -> None:
    for line in games_at_random(benben.game("objectif", players=4), 2):
        goals = [*str(line[0][0]).split()[-1]]
        for position, move in line:
            for seat in (None, *range(4)):
                seen = position.view(seat).facts()["goals"]
                assert seen == [
                    goal if each == seat or not move else "?" for each, goal in enumerate(goals)
                ]


def test_quadrille_controls_the_colours_its_pawns_stand_on() -> None:
    changes = 0
    for line in games_at_random(benben.game("quadrille", layout="random"), 3):
        last = None
        for position, _ in line:
            stacks = position.drawing().values()
            facts = position.facts()
            assert facts["colours"] == ["W", "B"]
            for pawn, control in zip("WB", facts["control"], strict=True):
                tops = {stack[-2] for stack in stacks if stack.endswith(pawn) and len(stack) > 1}
                on_board = {top for top in tops if top.islower()}
                assert control == "".join(each for each in "broy" if each in on_board)
            assert not set(facts["control"][0]) & set(facts["control"][1])
            changes += facts != last
            last = facts
    assert changes > 20


def test_quadrille_refuses_the_colours_the_opponent_controls() -> None:
    for line in games_at_random(benben.game("quadrille"), 2):
        for position, _ in line:
            if position.to_move is None:
                continue
            drawing = position.drawing()
            control = position.facts()["control"][1 - position.to_move]
            for each in position.refusals():
                if each.rule == "colour-not-free":
                    assert drawing[str(each.parameters["to"])][-1] in control


def test_pyramidis_tells_colours_and_how_many_win() -> None:
    games = {
        "btmc": benben.game("pyramidis"),
        "bm": benben.game("pyramidis", players=2),
        "tc": benben.game("pyramidis", players=2, pair="tc"),
    }
    for colours, game in games.items():
        for line in games_at_random(game, 2):
            for position, _ in line:
                facts = position.facts()
                assert facts["colours"] == [*colours]
                assert facts["needed"] == 5
            result = position.result
            assert result is not None
            if result.reason == "five-home":
                homes = [len(position.drawing()[f"home:{letter}"]) for letter in colours]
                assert max(homes) >= facts["needed"]


def test_batisseurs_tells_who_throws_how_many_dice() -> None:
    for line in games_at_random(benben.game("batisseurs", players=3), 3):
        for position, move in line:
            facts = position.facts()
            assert position.to_move in (facts["turn"], benben.CHANCE, None)
            if move.startswith("="):
                assert len(move) - 1 == facts["dice"]
                assert all(effect.owner == facts["turn"] for effect in position.effects(move)[:1])


def test_figures_are_told_only_at_the_end() -> None:
    for name in benben.names():
        for line in games_at_random(benben.game(name), 1):
            assert not any("figures" in position.facts() for position, _ in line[:-1])


def test_whoever_has_won_at_pyramidis_or_batisseurs_has_the_best_figure() -> None:
    for game in (benben.game("pyramidis"), benben.game("batisseurs", players=3)):
        for line in games_at_random(game, 3):
            position = line[-1][0]
            figures, result = position.facts()["figures"], position.result
            assert result is not None
            assert len(figures) == game.players
            if len(result.winners) == 1:
                assert figures[result.winners[0]] == max(figures)
            assert figures == position.view(None).facts()["figures"]


def test_batisseurs_counts_blocks_in_place() -> None:
    for line in games_at_random(benben.game("batisseurs"), 3):
        position = line[-1][0]
        drawing = position.drawing()
        assert position.facts()["figures"] == [
            sum(bool(piece) for place, piece in drawing.items() if place.startswith(f"{seat}:"))
            for seat in (1, 2)
        ]
        assert 21 in position.facts()["figures"]


def test_pyramidis_counts_pyramids_at_home() -> None:
    for line in games_at_random(benben.game("pyramidis"), 2):
        position = line[-1][0]
        homes = [len(position.drawing()[f"home:{letter}"]) for letter in "btmc"]
        assert position.facts()["figures"] == homes


def test_objectif_compares_only_those_who_are_still_level() -> None:
    met = set()
    for line in games_at_random(benben.game("objectif", players=3, mode="fair"), 40):
        position = line[-1][0]
        facts, result = position.facts(), position.result
        assert result is not None
        met.add(result.reason)
        compared = [figure for figure in facts["figures"] if figure is not None]
        assert all(facts["figures"][winner] == max(compared) for winner in result.winners)
        if result.reason == "most-places":
            assert facts["figures"] == [facts["counts"][goal][0] for goal in facts["goals"]]
        elif result.reason == "shared":
            assert len(set(compared)) == 1
            assert len(compared) == len(result.winners)
        else:
            assert compared.count(max(compared)) == 1
    assert {"most-places", "most-piles"} <= met
