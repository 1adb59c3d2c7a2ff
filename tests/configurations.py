"""Every game with every player count and every value of its own option, from the games' cards."""

import benben
from benben.core.errors import BadOption


def configurations() -> list[benben.Game]:
    found = []
    for name in benben.names():
        card = benben.info(name)
        for players in card.players:
            values = card.option.values if players in card.option.players else (None,)
            for value in values:
                options = {} if value is None else {card.option.name: value}
                try:
                    found.append(benben.game(name, players=players, **options))
                except BadOption:
                    assert value in card.option.limits, f"{name} refuses {options}"
    return found


def label(game: benben.Game) -> str:
    """A short name for a test's id and a golden file: `objectif-3-fair`."""
    own = game.options.get(game.info.option.name)
    return "-".join([game.name, str(game.players), *([str(own)] if own else [])])


GAMES = configurations()
LABELS = [label(game) for game in GAMES]
