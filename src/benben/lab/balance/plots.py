"""Pictures of reports, as SVG: small, with text as text, the same byte for byte for the same data.

Colours come from classes (`report.css`), so that they suit light and dark; nothing is told by
colour alone. Each picture has a title, and the page has the numbers beside it.
"""

from collections.abc import Callable, Sequence
from html import escape
from math import ceil
from typing import NamedTuple

WIDTH = 420
_RIGHT = 14
_ROW = 30  # px of a labelled row
_FOOT = 34  # below: ticks, and what they are of
_VALUES = 66  # right of rows: what each comes to
_TALL = 200


class Span(NamedTuple):
    """A value, and between which two it lies."""

    value: float
    low: float
    high: float


class Point(NamedTuple):
    x: float
    y: Span


Format = Callable[[float], str]


def rows(
    title: str, items: Sequence[tuple[str, Span]], most: float, tell: Format, par: float | None
) -> str:
    """A bar, its interval and its value on a line each; `par` is marked through all of them."""
    left = 12 + 7 * max(len(label) for label, _ in items)
    width, height = WIDTH - left - _VALUES, len(items) * _ROW + 8

    def x(value: float) -> float:
        return round(left + width * value / most, 1)

    drawn = [_grid_down(x, [most * i / 4 for i in range(5)], height, tell)]
    for at, (label, span) in enumerate(items):
        y = 8 + at * _ROW
        middle = y + _ROW // 2 - 4
        drawn.append(
            f'<rect class="bar" x="{left}" y="{y}" width="{_n(x(span.value) - left)}" height="18"/>'
            + _whisker(x(span.low), x(span.high), middle)
            + f'<text x="{left - 6}" y="{middle + 4}" text-anchor="end">{escape(label)}</text>'
            f'<text x="{WIDTH - 4}" y="{middle + 4}" text-anchor="end">'
            f"{escape(tell(span.value))}</text>"
        )
    if par is not None:
        drawn.append(f'<path class="par" d="M{_n(x(par))} 2V{height}"/>')
    return _picture(title, height + _FOOT - 14, drawn)


def bars(title: str, items: Sequence[tuple[str, float]], tell: Format, below: str) -> str:
    """Bars side by side, with what each stands for below, as far as there is room."""
    left, height = 44, _TALL
    most = max(2, 2 * ceil(max(value for _, value in items) / 2))
    step = (WIDTH - left - _RIGHT) / len(items)
    every = -(-len(items) * 34 // (WIDTH - left - _RIGHT))

    def y(value: float) -> float:
        return 8 + height * (1 - value / most)

    drawn = [_grid_across(y, [0, most / 2, most], left, tell)]
    for at, (label, value) in enumerate(items):
        x = left + at * step
        drawn.append(
            f'<rect class="bar" x="{_n(x + 1)}" y="{_n(y(value))}" width="{_n(step - 2)}" '
            f'height="{_n(y(0) - y(value))}"/>'
        )
        if at % every == 0:
            drawn.append(
                f'<text class="tick" x="{_n(x + step / 2)}" y="{height + 24}" '
                f'text-anchor="middle">{escape(label)}</text>'
            )
    drawn.append(_below(below, left, height))
    return _picture(title, height + _FOOT + 14, drawn)


def line(
    title: str,
    points: Sequence[Point],
    across: Sequence[tuple[float, str]],
    most: float,
    tell: Format,
    below: str,
    par: float | None = None,
) -> str:
    """A line through points with their intervals, from 0 to `most`; ticks as they are given."""
    x, y, frame = _axes(across, most, tell, below)
    way = "".join(
        f"{'L' if at else 'M'}{_n(x(p.x))} {_n(y(p.y.value))}" for at, p in enumerate(points)
    )
    drawn = [*frame]
    if par is not None:
        drawn.append(
            f'<path class="par" d="M{_n(x(across[0][0]))} {_n(y(par))}H{WIDTH - _RIGHT}"/>'
        )
    drawn.append(f'<path class="line" d="{way}"/>')
    drawn += [_upright(x(p.x), y(p.y.low), y(p.y.high)) for p in points if p.y.low < p.y.high]
    drawn += [
        f'<circle class="dot" cx="{_n(x(p.x))}" cy="{_n(y(p.y.value))}" r="3.5"/>' for p in points
    ]
    return _picture(title, _TALL + _FOOT + 14, drawn)


def scatter(
    title: str,
    points: Sequence[tuple[float, float, str]],
    curve: Sequence[tuple[float, float]],
    across: Sequence[tuple[float, str]],
    tell: Format,
    below: str,
) -> str:
    """Points with their names, beside the curve they should lie on; up to one."""
    x, y, frame = _axes(across, 1.0, tell, below)
    way = "".join(f"{'L' if at else 'M'}{_n(x(a))} {_n(y(b))}" for at, (a, b) in enumerate(curve))
    drawn = [*frame, f'<path class="curve" d="{way}"/>']
    taken = [(x(a), y(b)) for a, b, _ in points]
    for a, b, name in points:
        at, text = (x(a), y(b)), _label(x(a), y(b), taken)
        drawn.append(
            f'<circle class="dot" cx="{_n(at[0])}" cy="{_n(at[1])}" r="4"/>'
            f'<text class="small" x="{_n(text[0])}" y="{_n(text[1] + 4)}" text-anchor="middle">'
            f"{escape(name)}</text>"
        )
        taken.append(text)
    return _picture(title, _TALL + _FOOT + 14, drawn)


# ---- Parts


def _label(x: float, y: float, taken: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """Where there is most room beside a point for its name."""
    around = [(x + 17, y + 8), (x - 17, y - 8), (x + 17, y - 8), (x - 17, y + 8), (x, y + 15)]
    free = [(a, b) for a, b in around if 54 < a < WIDTH - 16 and 8 < b < _TALL]

    def room(spot: tuple[float, float]) -> float:
        others = [max(abs(spot[0] - a) / 26, abs(spot[1] - b) / 12) for a, b in taken]
        return min(1.0, min(others))

    return max(free or around, key=room)


def _picture(title: str, height: float, drawn: Sequence[str]) -> str:
    box = f"0 0 {WIDTH} {_n(height)}"
    head = f'<svg class="plot" role="img" viewBox="{box}" aria-label="{escape(title)}">'
    return head + "".join(drawn) + "</svg>"


def _axes(
    across: Sequence[tuple[float, str]], most: float, tell: Format, below: str
) -> tuple[Callable[[float], float], Callable[[float], float], list[str]]:
    left = 44
    start, end = across[0][0], across[-1][0]

    def x(value: float) -> float:
        return left + (WIDTH - left - _RIGHT - 10) * (value - start) / ((end - start) or 1)

    def y(value: float) -> float:
        return 8 + _TALL * (1 - value / most)

    frame = [_grid_across(y, [most * i / 4 for i in range(5)], left, tell)]
    frame += [
        f'<text class="tick" x="{_n(x(value))}" y="{_TALL + 24}" text-anchor="middle">'
        f"{escape(label)}</text>"
        for value, label in across
    ]
    return x, y, [*frame, _below(below, left, _TALL)]


def _below(text: str, left: float, height: float) -> str:
    return (
        f'<text class="tick" x="{_n((left + WIDTH - _RIGHT) / 2)}" y="{_n(height + 42)}" '
        f'text-anchor="middle">{escape(text)}</text>'
    )


def _grid_across(
    y: Format | Callable[[float], float], values: Sequence[float], left: float, tell: Format
) -> str:
    return "".join(
        f'<path class="grid" d="M{left} {_n(float(y(value)))}H{WIDTH - _RIGHT}"/>'
        f'<text class="tick" x="{left - 5}" y="{_n(float(y(value)) + 4)}" text-anchor="end">'
        f"{escape(tell(value))}</text>"
        for value in values
    )


def _grid_down(
    x: Callable[[float], float], values: Sequence[float], height: float, tell: Format
) -> str:
    return "".join(
        f'<path class="grid" d="M{_n(x(value))} 2V{height}"/>'
        f'<text class="tick" x="{_n(x(value))}" y="{height + 14}" text-anchor="middle">'
        f"{escape(tell(value))}</text>"
        for value in values
    )


def _whisker(low: float, high: float, y: float) -> str:
    ends = f"M{_n(low)} {y - 5}v10M{_n(high)} {y - 5}v10"
    return f'<path class="whisker" d="{ends}M{_n(low)} {y}H{_n(high)}"/>'


def _upright(x: float, low: float, high: float) -> str:
    ends = f"M{_n(x - 3)} {_n(low)}h6M{_n(x - 3)} {_n(high)}h6"
    return f'<path class="whisker" d="{ends}M{_n(x)} {_n(low)}V{_n(high)}"/>'


def _n(value: float) -> str:
    """One decimal at most."""
    return f"{value:.1f}".removesuffix(".0")
