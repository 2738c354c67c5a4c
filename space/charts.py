"""Draw charts as SVG: a histogram, intervals, and the samples of two systems.

Colours come from the page's style, so that they fit both themes; every text is escaped. Each chart
has a title that says in words what it shows.
"""

import math
from collections.abc import Sequence
from html import escape
from typing import Final, NamedTuple

# All charts have one size, so that they stand in a row.
_WIDTH: Final = 340
_HEIGHT: Final = 200
_LEFT: Final = 40
_BOTTOM: Final = 34
_TOP: Final = 14
_RIGHT: Final = 12


class Interval(NamedTuple):
    """One row of a chart of intervals.

    Attributes:
        name: what is written beside it.
        value: the number, drawn as a point.
        low: lower end.
        high: upper end.
        text: the numbers, as the page writes them elsewhere.
    """

    name: str
    value: float
    low: float
    high: float
    text: str


def list_ticks(low: float, high: float, most: int, *, whole: bool = False) -> list[float]:
    """Return round numbers from ``low`` to ``high``, for the marks of an axis.

    >>> list_ticks(0, 7, 4, whole=True), list_ticks(-0.1, 0.1, 4)
    ([0.0, 2.0, 4.0, 6.0], [-0.1, -0.05, 0.0, 0.05, 0.1])
    """
    span = high - low
    if not span:
        return [low]
    power = 10.0 ** math.floor(math.log10(span / most))
    step = next(power * factor for factor in (1, 2, 5, 10) if span / (power * factor) <= most)
    if whole:
        step = max(1.0, step)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [round(number * step, 10) for number in range(first, last + 1)]


def draw_histogram(counts: Sequence[int], low: float, high: float, *, title: str) -> str:
    """Draw a bar for each count; all bars are as wide as each other, from ``low`` to ``high``."""
    width, height = _WIDTH - _LEFT - _RIGHT, _HEIGHT - _TOP - _BOTTOM
    most = max([1, *counts])
    step = (high - low) / len(counts)
    parts = []
    for tick in list_ticks(0, most, 4, whole=True):
        y = _TOP + height - tick / most * height
        parts.append(
            f'<path class="grid" d="M{_LEFT} {y:.1f}h{width}"/>'
            f'<text x="{_LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{tick:,.0f}</text>'
        )
    for tick in list_ticks(low, high, 5):
        x = _LEFT + (tick - low) / (high - low) * width
        parts.append(f'<text x="{x:.1f}" y="{_HEIGHT - 14}" text-anchor="middle">{tick:g}</text>')
    each = width / len(counts)
    for place, count in enumerate(counts):
        x, bar = _LEFT + place * each, count / most * height
        label = f"{low + place * step:.2f} to {low + (place + 1) * step:.2f}: {count:,}"
        parts.append(
            f'<rect class="bar" x="{x + 1:.1f}" y="{_TOP + height - bar:.1f}" '
            f'width="{each - 2:.1f}" height="{bar:.1f}"><title>{label}</title></rect>'
        )
    return _draw(title, parts)


def draw_intervals(rows: Sequence[Interval], *, title: str) -> str:
    """Draw a point with its interval for each row, on one axis."""
    step = (_HEIGHT - _TOP - _BOTTOM) / len(rows)
    left, width = 96, _WIDTH - 96 - 2 * _RIGHT
    low, high = min(row.low for row in rows), max(row.high for row in rows)
    margin = (high - low) * 0.05 or 0.5
    low, high = low - margin, high + margin

    def place(value: float) -> float:
        return left + (value - low) / (high - low) * width

    parts = [
        f'<path class="grid" d="M{place(tick):.1f} {_TOP}V{_HEIGHT - _BOTTOM}"/>'
        f'<text x="{place(tick):.1f}" y="{_HEIGHT - 14}" text-anchor="middle">{tick:g}</text>'
        for tick in list_ticks(low, high, 4)
    ]
    for index, row in enumerate(rows):
        y = round(_TOP + step * (index + 0.5), 1)
        parts.append(
            f'<text x="{left - 10}" y="{y + 4}" text-anchor="end">{_shorten(row.name, 12)}</text>'
            f'<path class="line" d="M{place(row.low):.1f} {y}H{place(row.high):.1f}'
            f'M{place(row.low):.1f} {y - 5}v10M{place(row.high):.1f} {y - 5}v10"/>'
            f'<circle class="point" cx="{place(row.value):.1f}" cy="{y}" r="5">'
            f"<title>{escape(row.name)}: {escape(row.text)}</title>"
            "</circle>"
        )
    return _draw(title, parts)


def draw_scatter(
    xs: Sequence[float], ys: Sequence[float], *, x_name: str, y_name: str, title: str
) -> str:
    """Draw a point for each sample: across its score in one system, upwards in another."""
    width, height = _WIDTH - _LEFT - _RIGHT, _HEIGHT - _TOP - _BOTTOM
    most = max([*xs, *ys], default=1)
    scale = 100 if most > 1 else 1

    def place(x: float, y: float) -> tuple[int, int]:
        return round(_LEFT + x / scale * width), round(_TOP + height - y / scale * height)

    parts = [f'<path class="line" d="M{_LEFT} {_TOP + height}L{_LEFT + width} {_TOP}"/>']
    for tick in list_ticks(0, scale, 5):
        x, y = place(tick, tick)
        parts.append(
            f'<path class="grid" d="M{x} {_TOP}v{height}M{_LEFT} {y}h{width}"/>'
            f'<text x="{x}" y="{_TOP + height + 13}" text-anchor="middle">{tick:g}</text>'
            f'<text x="{_LEFT - 6}" y="{y + 4}" text-anchor="end">{tick:g}</text>'
        )
    # Points on the same pixel are one point, so that many samples are no long text.
    points = sorted({place(x, y) for x, y in zip(xs, ys, strict=True)})
    path = "".join(f"M{x} {y}h0" for x, y in points)
    parts.append(f'<path class="points" d="{path}"/>')
    parts.append(
        f'<text x="{_LEFT + width / 2}" y="{_HEIGHT - 5}" text-anchor="middle">'
        f"{_shorten(x_name, 30)}</text>"
        f'<text transform="translate(11 {_TOP + height / 2}) rotate(-90)" text-anchor="middle">'
        f"{_shorten(y_name, 20)}</text>"
    )
    return _draw(title, parts)


def _shorten(name: str, most: int) -> str:
    return escape(name if len(name) <= most else f"{name[: most - 1]}…")


def _draw(title: str, parts: Sequence[str]) -> str:
    return (
        f'<figure class="chart"><figcaption>{escape(title)}</figcaption>'
        f'<svg viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" aria-label="{escape(title)}">'
        f"{''.join(parts)}</svg></figure>"
    )
