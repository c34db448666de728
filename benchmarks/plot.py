"""A line chart with two logarithmic axes, as SVG."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from html import escape

Point = tuple[float, float]

_WIDTH, _HEIGHT = 760, 460
_LEFT, _RIGHT, _TOP, _BOTTOM = 70, 140, 20, 50
_LABEL_GAP = 15
"""Pixels: of the picture, of its margins, and at least between the labels of two lines."""

_COLORS = ("#d4002a", "#0b6fb8", "#2e8540", "#8a5a00", "#6f42c1", "#5b616b", "#b8008f")


def line_chart(lines: Mapping[str, Sequence[Point]], x_title: str, y_title: str) -> str:
    """An SVG with a line for each name, through its points (x, y), which must all be above 0. Raises ValueError if
    there are no points."""
    points = [point for line in lines.values() for point in line]
    across = _Axis([x for x, _ in points], _LEFT, _WIDTH - _RIGHT)
    up = _Axis([y for _, y in points], _HEIGHT - _BOTTOM, _TOP)
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" width="{_WIDTH}" '
            f'height="{_HEIGHT}" font-family="system-ui, sans-serif" font-size="12" role="img">',
            f"<title>{escape(y_title)} by {escape(x_title)}</title>",
            f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="#ffffff"/>',
            *_grid(across, up),
            f'<text x="{(_LEFT + _WIDTH - _RIGHT) / 2:.0f}" y="{_HEIGHT - 12}" text-anchor="middle">'
            f"{escape(x_title)}</text>",
            f'<text x="16" y="{_HEIGHT / 2:.0f}" text-anchor="middle" transform="rotate(-90 16 {_HEIGHT / 2:.0f})">'
            f"{escape(y_title)}</text>",
            *_lines(lines, across, up),
            "</svg>\n",
        ]
    )


class _Axis:
    """Maps values to pixels from `start` to `end`, over whole powers of ten."""

    def __init__(self, values: Sequence[float], start: float, end: float) -> None:
        self._low = math.floor(math.log10(min(values)))
        self._high = max(math.ceil(math.log10(max(values))), self._low + 1)
        self._start, self._end = start, end

    def pixel(self, value: float) -> float:
        return self._start + (math.log10(value) - self._low) / (self._high - self._low) * (self._end - self._start)

    def ticks(self) -> list[float]:
        return [10.0**power for power in range(self._low, self._high + 1)]


def _grid(across: _Axis, up: _Axis) -> Iterator[str]:
    for value in across.ticks():
        x = across.pixel(value)
        yield f'<path d="M{x:.1f} {_TOP}V{_HEIGHT - _BOTTOM}" stroke="#dddddd"/>'
        yield f'<text x="{x:.1f}" y="{_HEIGHT - _BOTTOM + 18}" text-anchor="middle">{value:,.10g}</text>'
    for value in up.ticks():
        y = up.pixel(value)
        yield f'<path d="M{_LEFT} {y:.1f}H{_WIDTH - _RIGHT}" stroke="#dddddd"/>'
        yield f'<text x="{_LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{value:,.10g}</text>'


def _lines(lines: Mapping[str, Sequence[Point]], across: _Axis, up: _Axis) -> Iterator[str]:
    labels: dict[float, float] = {}
    ordered = sorted(lines.items(), key=lambda line: max(line[1])[1])
    for number, (name, points) in enumerate(ordered):
        color = _COLORS[number % len(_COLORS)]
        places = [(across.pixel(x), up.pixel(y)) for x, y in sorted(points)]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
        yield f'<polyline points="{path}" fill="none" stroke="{color}" stroke-width="2"/>'
        for x, y in places:
            yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.5" fill="{color}"/>'
        x, y = places[-1]
        labels[x] = min(y + 4, labels.get(x, _HEIGHT) - _LABEL_GAP)
        yield f'<text x="{x + 8:.1f}" y="{labels[x]:.1f}" fill="{color}">{escape(name)}</text>'
