"""Everybody's chances over a game: as a line of blocks for a terminal, and as a picture in SVG."""

from collections.abc import Sequence
from html import escape

from benben.learn.reviews.review import Review

BLOCKS = "▁▂▃▄▅▆▇█"
_WIDTH, _HEIGHT, _LEFT, _TOP = 800, 300, 44, 16
_FOOT = 44  # below the graph: who is who
_COLOURS = ("#b5651d", "#1f6f78", "#8a3b5c", "#4a5f2a")
_DASHES = ("", "8 4", "2 3", "10 3 2 3")  # colour is never the only sign


def curves(review: Review) -> list[list[float]]:
    """The chances of each seat, before the first step and after each."""
    points = [review.start, *(step.chances for step in review.steps)]
    return [[each[seat] for each in points] for seat in range(len(review.start))]


def sparkline(chances: Sequence[float], width: int) -> str:
    """A block a point; if there are more points than room, each stands for several."""
    n = len(chances)
    width = max(1, min(width, n))
    line = ""
    for at in range(width):
        some = chances[at * n // width : max((at + 1) * n // width, at * n // width + 1)]
        mean = sum(some) / len(some)
        line += BLOCKS[min(len(BLOCKS) - 1, int(mean * len(BLOCKS)))]
    return line


def as_svg(review: Review, names: Sequence[str], title: str) -> str:
    """The graph as a picture of its own, turning points marked."""
    drawn = [
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" font-family="sans-serif"'
        f' font-size="12" viewBox="0 0 {_LEFT + _WIDTH + 16} {_TOP + _HEIGHT + _FOOT}">',
        f"<title>{escape(title)}</title>",
        '<rect width="100%" height="100%" fill="#ffffff"/>',
    ]
    for percent in (0, 25, 50, 75, 100):
        y = _y(percent / 100)
        drawn.append(
            f'<path d="M{_LEFT} {y}h{_WIDTH}" stroke="#dddddd"/>'
            f'<text x="{_LEFT - 6}" y="{y + 4}" text-anchor="end" fill="#555555">{percent}%</text>'
        )
    lines = curves(review)
    across = _WIDTH / len(names)
    for seat, (name, line) in enumerate(zip(names, lines, strict=True)):
        colour, dashes = _COLOURS[seat % 4], _DASHES[seat % 4]
        style = f'fill="none" stroke="{colour}" stroke-width="2" stroke-dasharray="{dashes}"'
        points = " ".join(f"{_x(i, len(line))},{_y(chance)}" for i, chance in enumerate(line))
        drawn.append(f'<polyline points="{points}" {style}/>')
        left, foot = round(_LEFT + seat * across), _TOP + _HEIGHT + 28
        drawn.append(
            f'<path d="M{left} {foot - 4}h28" {style}/>'
            f'<text x="{left + 34}" y="{foot}">{escape(name)}</text>'
        )
    for turn in review.turns:
        line = lines[turn.seat]
        x, y = _x(turn.at + 1, len(line)), _y(line[turn.at + 1])
        drawn.append(f'<circle cx="{x}" cy="{y}" r="5" fill="{_COLOURS[turn.seat % 4]}"/>')
    return "\n".join([*drawn, "</svg>"]) + "\n"


def _x(at: int, points: int) -> float:
    return round(_LEFT + _WIDTH * at / max(1, points - 1), 1)


def _y(chance: float) -> float:
    return round(_TOP + _HEIGHT * (1 - chance), 1)
