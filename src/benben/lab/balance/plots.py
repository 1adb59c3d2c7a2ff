"""Pictures of reports, as SVG: small, with text as text, the same byte for byte for the same data.

A picture is as wide as there is room for: what lies across is placed by percent, what is above one
another by pixels, and nothing is scaled. So its words are as large on a phone as on a desk.

Colours come from classes (`report.css`), so that they suit light and dark; nothing is told by
colour alone. Each picture has a title, and the page has the numbers beside it.
"""

from collections.abc import Callable, Sequence
from html import escape
from typing import NamedTuple

NARROW = 288  # px: a phone that is 320 wide, without the page's margins
_WIDTHS = (NARROW, 358, 420, 544)  # of pictures, on phones and desks
_LEFT, _RIGHT = 48, 22  # outside of a picture with axes, for its ticks; as in `report.css`
_ROW, _BAR = 46, 16  # a labelled row, and the bar at its foot
_TOP, _TALL = 10, 170  # of a field
_LETTER = 8  # px of a tick's letter or digit, at most


class Span(NamedTuple):
    """A value, and between which two it lies."""

    value: float
    low: float
    high: float


class Point(NamedTuple):
    x: float
    y: Span


Format = Callable[[float], str]
Tell = Callable[[Span], str]


def rows(
    title: str,
    items: Sequence[tuple[str, Span]],
    most: float,
    tick: Format,
    tell: Tell,
    par: float | None,
) -> str:
    """A name, what it comes to, and below both a bar with its interval; `par` is marked on each."""

    def x(value: float) -> str:
        return _percent(0.5 + 99 * value / most)  # the last line is as wide as the others

    marks = [most * i / 4 for i in range(5)]
    drawn = []
    for at, (label, span) in enumerate(items):
        top = at * _ROW + _ROW - _BAR - 6
        drawn += [_line("grid", x(mark), x(mark), top - 2, top + _BAR + 2) for mark in marks]
        drawn.append(
            f'<rect class="bar" x="{x(0)}" y="{top}" width="{_percent(99 * span.value / most)}" '
            f'height="{_BAR}"/>'
        )
        drawn += _whisker_across(x(span.low), x(span.high), top + _BAR // 2)
        if par is not None:
            drawn.append(_line("par", x(par), x(par), top - 4, top + _BAR + 4))
        drawn.append(_text("", "0", top - 9, "start", label))
        drawn.append(_text("value", "100%", top - 9, "end", tell(span)))
    foot = len(items) * _ROW + 12
    anchors = ("start", "middle", "middle", "middle", "end")
    drawn += [
        _text("tick", x(mark), foot, anchor, tick(mark))
        for mark, anchor in zip(marks, anchors, strict=True)
    ]
    return _picture(title, foot + 6, drawn)


def bars(
    title: str, items: Sequence[tuple[str, float]], between: bool, tick: Format, below: str
) -> str:
    """Bars side by side; what each stands for is below it, or `between` it and the one before."""
    most = _round_above(max(value for _, value in items))
    step = 100 / len(items)
    room = NARROW - _LEFT - _RIGHT
    longest = max(len(label) for label, _ in items)
    every = -(-len(items) * (longest * _LETTER + 12) // room)

    def y(value: float) -> float:
        return _TOP + _TALL * (1 - value / most)

    drawn = []
    for at, (label, value) in enumerate(items):
        drawn.append(
            f'<rect class="bar" x="{_percent((at + 0.04) * step)}" y="{_n(y(value))}" '
            f'width="{_percent(0.92 * step)}" height="{_n(y(0) - y(value))}"/>'
        )
        if at % every == 0:
            x = _percent((at + (0 if between else 0.5)) * step)
            drawn.append(_text("tick", x, _TOP + _TALL + 18, "middle", label))
    return _framed(title, drawn, [(y(value), tick(value)) for value in (0, most / 2, most)], below)


def line(
    title: str,
    points: Sequence[Point],
    across: Sequence[tuple[float, str]],
    most: float,
    tick: Format,
    below: str,
    par: float | None = None,
) -> str:
    """A line through points with their intervals, from 0 to `most`; ticks as they are given."""
    x, y = _scales(across, 0.0, most)
    drawn = _ticks(across, x)
    if par is not None:
        drawn.append(_line("par", "0", "100%", y(par), y(par)))
    drawn.append(_path("line", [(x(p.x), y(p.y.value)) for p in points]))
    drawn += [part for p in points for part in _dot(x(p.x), y, p.y)]
    marks = [most * i / 4 for i in range(5)]
    return _framed(title, drawn, [(y(mark), tick(mark)) for mark in marks], below)


def scatter(
    title: str,
    points: Sequence[tuple[float, Span, str]],
    curve: Sequence[tuple[float, float]],
    across: Sequence[tuple[float, str]],
    tick: Format,
    below: str,
) -> str:
    """Points with their names, beside the curve they should lie on.

    The highest is one, the lowest nothing, a quarter or a half: as there is something to see.
    """
    least = next(low for low in (0.5, 0.25, 0.0) if low <= min(y.low for _, y, _ in points))
    x, y = _scales(across, least, 1.0)
    drawn = [*_ticks(across, x), _path("curve", [(x(a), y(b)) for a, b in curve])]
    for a, span, _ in points:
        drawn += _dot(x(a), y, span)
    places = _names([(x(a), y(span.high), y(span.low)) for a, span, _ in points])
    for place, (_, _, name) in zip(places, points, strict=True):
        drawn.append(
            f'<text class="tick" x="{_percent(place.x)}" y="{_n(place.bottom - 3)}" '
            f'dx="{_n(place.aside)}" text-anchor="middle">{escape(name)}</text>'
        )
    marks = [mark / 4 for mark in range(5) if mark / 4 >= least]
    return _framed(title, drawn, [(y(mark), tick(mark)) for mark in marks], below)


# ---- Names of points


class _Box(NamedTuple):
    """What is taken: around so many px aside of so many percent, from one height to another."""

    x: float
    aside: float
    half: float
    top: float
    bottom: float

    def gap(self, other: "_Box", field: float) -> float:
        """Px between two of them, less than 0 where they overlap, in a field of this width."""
        apart = (self.x - other.x) * field / 100 + self.aside - other.aside
        across = abs(apart) - self.half - other.half
        down = max(self.top - other.bottom, other.top - self.bottom)
        return max(across, down)


_NAME = (13.0, 7.0)  # px from the middle of a name to its sides, and to above and below
_FREE = 2.0  # px between two things that can be told apart
_ASIDE = (0, 8, -8, 16, -16, 24, -24, 32, -32)
_AWAY = (11, 25, 39, 53)


def _names(dots: Sequence[tuple[float, float, float]]) -> list[_Box]:
    """Where the names of dots are, each given by percent, and from which height to which it goes.

    A name is above or below its dot: the nearest place that is free in a picture of any width, or
    else the freest. Rather than upon another name it stands upon a line.
    """
    lines = [_Box(x, 0, 4, top, bottom) for x, top, bottom in dots]
    half, tall = _NAME
    found: list[_Box] = []
    for x, top, bottom in dots:
        spots = [
            _Box(x, aside, half, middle - tall, middle + tall)
            for away in _AWAY
            for aside in _ASIDE
            for middle in (top - away, bottom + away)
        ]
        spots = [spot for spot in spots if spot.top >= 3 and spot.bottom <= _TOP + _TALL]
        found.append(max(spots, key=lambda spot: (_room(spot, found), _room(spot, lines))))
    return found


def _room(spot: _Box, taken: Sequence[_Box]) -> float:
    room = _FREE
    for width in _WIDTHS:
        field = width - _LEFT - _RIGHT
        here = spot.x * field / 100 + spot.aside
        room = min(room, here - spot.half, field + _RIGHT - here - spot.half)
        room = min(room, *(spot.gap(other, field) for other in taken), _FREE)
    return room


# ---- Parts


def _scales(
    across: Sequence[tuple[float, str]], least: float, most: float
) -> tuple[Callable[[float], float], Callable[[float], float]]:
    """Percent from left to right, px from top to bottom."""
    start, end = across[0][0], across[-1][0]

    def x(value: float) -> float:
        return 100 * (value - start) / ((end - start) or 1)

    def y(value: float) -> float:
        return _TOP + _TALL * (most - value) / (most - least)

    return x, y


def _framed(
    title: str, drawn: Sequence[str], marks: Sequence[tuple[float, str]], below: str
) -> str:
    """What is drawn, lines across it at the marks, which are named beside it, and what is below."""
    foot = _TOP + _TALL
    grid = [_line("grid", "0", "100%", y, y) for y, _ in marks]
    beside = [_text("tick", "-5", y + 4, "end", label) for y, label in marks]
    under = _text("tick", "50%", foot + 38, "middle", below)
    return _picture(title, foot + 46, [*grid, *drawn, *beside, under], "plot framed")


def _picture(title: str, height: float, drawn: Sequence[str], kind: str = "plot") -> str:
    head = f'<svg class="{kind}" role="img" width="100%" height="{_n(height)}" '
    return head + f'aria-label="{escape(title)}">' + "".join(drawn) + "</svg>"


def _ticks(across: Sequence[tuple[float, str]], x: Callable[[float], float]) -> list[str]:
    return [
        _text("tick", _percent(x(value)), _TOP + _TALL + 18, "middle", label)
        for value, label in across
    ]


def _path(kind: str, points: Sequence[tuple[float, float]]) -> str:
    """A way by percent, which no path can have: so it is stretched."""
    way = "".join(f"{'L' if at else 'M'}{_n(10 * x)} {_n(y)}" for at, (x, y) in enumerate(points))
    height = _TOP + _TALL
    return (
        f'<svg viewBox="0 0 1000 {height}" preserveAspectRatio="none" width="100%" '
        f'height="{height}" overflow="visible"><path class="{kind}" d="{way}"/></svg>'
    )


def _dot(x: float, y: Callable[[float], float], span: Span) -> list[str]:
    at = _percent(x)
    drawn = []
    if span.low < span.high:
        low, high = y(span.low), y(span.high)
        drawn = [_line("whisker", at, at, low, high)]
        ends = f"M-3 {_n(low)}h6M-3 {_n(high)}h6"
        drawn.append(f'<svg x="{at}" overflow="visible"><path class="whisker" d="{ends}"/></svg>')
    return [*drawn, f'<circle class="dot" cx="{at}" cy="{_n(y(span.value))}" r="3.5"/>']


def _whisker_across(low: str, high: str, y: float) -> list[str]:
    return [
        _line("whisker", low, high, y, y),
        _line("whisker", low, low, y - 5, y + 5),
        _line("whisker", high, high, y - 5, y + 5),
    ]


def _line(kind: str, x1: str, x2: str, y1: float, y2: float) -> str:
    return f'<line class="{kind}" x1="{x1}" x2="{x2}" y1="{_n(y1)}" y2="{_n(y2)}"/>'


def _text(kind: str, x: str, y: float, anchor: str, text: str) -> str:
    head = f'<text class="{kind}"' if kind else "<text"
    return f'{head} x="{x}" y="{_n(y)}" text-anchor="{anchor}">{escape(text)}</text>'


def _round_above(value: float) -> float:
    """A round number that is not less, and can be cut in two.

    >>> _round_above(94), _round_above(63), _round_above(11), _round_above(1)
    (100, 80, 12, 2)
    """
    rounds = (2, 4, 6, 8, 10, 12, 16)
    return next(k * 10**e for e in range(9) for k in rounds if k * 10**e >= value)


def _percent(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".") + "%"


def _n(value: float) -> str:
    """One decimal at most."""
    return f"{value:.1f}".removesuffix(".0")
