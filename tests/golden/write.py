"""Write the golden files anew: `python -m tests.golden.write`. Read what changed before you commit.

playthroughs/*.txt: a game of every kind, each position with its legal moves and what was played.
perft.txt: how many ways the next moves and throws can go. No publication has such counts for these
games: `test_golden.py` makes the smaller ones again with the naive readings in tests/reference,
which share no code with the rules.
"""

import random
from pathlib import Path

import benben
from tests.configurations import GAMES, label

HERE = Path(__file__).parent
PLAYTHROUGHS = HERE / "playthroughs"
PERFT = HERE / "perft.txt"
LARGEST = 3_000_000  # counts kept in perft.txt


def playthrough(game: benben.Game) -> str:
    """One game as text, move by move."""
    lines = [f"# {game!r}"]
    position, rng = game.deal(seed="golden"), random.Random("golden")
    while position.to_move is not None:
        if position.to_move == benben.CHANCE:
            throws, odds = zip(*position.chance(), strict=True)
            move = rng.choices(throws, odds)[0]
            offered = f"{len(throws)} throws"
        else:
            moves = position.moves()
            move, offered = rng.choice(moves), " ".join(moves)
        lines += [str(position), f"  moves {offered}", f"  plays {move}"]
        position = position.play(move)
    assert position.result is not None
    shares = " ".join(f"{share:.6g}" for share in position.result.shares)
    lines += [str(position), f"  ends {position.result.reason} {shares}", ""]
    return "\n".join(lines)


def middle(game: benben.Game) -> benben.Position:
    """A position in the middle of the playthrough, where all kinds of moves are to be had."""
    lines = playthrough(game).splitlines()
    positions = [line for line in lines[1:] if not line.startswith("  ")]
    return game.parse(positions[len(positions) // 2])


def perft_lines() -> list[str]:
    lines = []
    for game in GAMES:
        for position in (game.deal(seed="golden"), middle(game)):
            for depth in range(1, 7):
                count = position.perft(depth)
                if count > LARGEST:
                    break
                lines.append(f"{label(game)} | {position} | {depth} | {count}")
    return lines


if __name__ == "__main__":
    PLAYTHROUGHS.mkdir(exist_ok=True)
    for game in GAMES:
        (PLAYTHROUGHS / f"{label(game)}.txt").write_text(playthrough(game), "utf-8")
    PERFT.write_text(
        "# game | position | depth | count\n" + "\n".join(perft_lines()) + "\n", "utf-8"
    )
