"""A picture that needs nothing else: boxes from left to right, the ways to hazards in red."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from lintpickle.graph.canvas import Canvas
from lintpickle.graph.describe import shortened
from lintpickle.graph.fold import folded, news
from lintpickle.graph.layout import Box, place_boxes
from lintpickle.graph.model import Graph, HazardMark, Node, Sort, Tree
from lintpickle.report.summary import plural
from lintpickle.terminal import text_width

_CHAR, _SMALL, _ERROR = 7.3, 6.1, 6.5
_WAYS = 3
_LINE, _PAD, _MARGIN, _BAND = 17.0, 9.0, 24.0, 46.0

_CSS = """\
.bg{fill:#fff}text{font:12px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;fill:#1f2328}
.small{font-size:10px;fill:#59636e}.title{font-size:15px;font-weight:700}.label{font-weight:700}
.box{fill:#f6f8fa;stroke:#d1d9e0}.folded .box{fill:none;stroke-dasharray:3 3}.folded text{fill:#818b98}
.way .box{fill:#fff8f7;stroke:#e5a3a0}.hazard .box{fill:#ffebe9;stroke:#cf222e;stroke-width:1.5}
.badge{fill:#cf222e}text.code{fill:#fff;font-weight:700;font-size:10.5px}text.error{fill:#cf222e;font-size:10.5px}
.line{fill:none;stroke:#d1d9e0;stroke-width:1.3}.line.way{stroke:#cf222e}.rule{stroke:#d1d9e0}.ok{fill:#1a7f37}
@media (prefers-color-scheme:dark){.bg{fill:#0d1117}text{fill:#e6edf3}.small{fill:#9198a1}
.box{fill:#161b22;stroke:#3d444d}.way .box{fill:#25171c;stroke:#8c3a3a}.hazard .box{fill:#3c1618;stroke:#f85149}
.folded text{fill:#818b98}text.error{fill:#ff7b72}.line,.rule{stroke:#3d444d}.line.way{stroke:#f85149}.ok{fill:#3fb950}}
"""


class Svg:
    name = "svg"
    human = False

    def render(self, graph: Graph, canvas: Canvas) -> str:
        parts: list[str] = []
        width, y = 640.0, _MARGIN
        trees = list(graph.trees) if canvas.everything else [folded(tree) for tree in news(graph)[0]]
        for tree in trees:
            drawn, tree_width, height = _tree(tree, canvas, y)
            parts += drawn
            width = max(width, tree_width)
            y += height
        left_out = len(graph.trees) - len(trees)
        summary = f"{plural(len(graph.trees), 'root')}: {plural(graph.hazards, 'hazard')}"
        if left_out:
            summary += f"; {left_out} that show no other hazard are not drawn"
        parts.append(
            f'<text x="{_MARGIN}" y="{y + 8:.0f}" class="{"small" if graph.hazards else "ok"}">{summary}</text>'
        )
        size = f'width="{width + _MARGIN:.0f}" height="{y + _MARGIN:.0f}"'
        box = f'viewBox="0 0 {width + _MARGIN:.0f} {y + _MARGIN:.0f}"'
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" {size} {box} role="img">\n'
            f"<title>lintpickle: what crosses process boundaries</title>\n<style>\n{_CSS}</style>\n"
            f'<rect class="bg" width="100%" height="100%"/>\n' + "\n".join(parts) + "\n</svg>\n"
        )


def _tree(tree: Tree, canvas: Canvas, top: float) -> tuple[list[str], float, float]:
    """The elements of a tree that starts at `top`, its right edge and its height."""
    methods = ", ".join(method.value for method in tree.start_methods)
    lines = [f"{canvas.place(tree.place)} · {tree.confidence.value}" + (f" under {methods}" if methods else "")]
    if tree.by_kind:
        lines.append(tree.why)
    lines += [f"{call.message}  {canvas.place(call.place)}" for way in tree.ways[:_WAYS] for call in way]
    if len(tree.ways) > _WAYS:
        lines.append(f"… and {len(tree.ways) - _WAYS} more ways")
    parts = [_text(_MARGIN, top + 6, tree.title, "title")]
    y = top + 24
    for line in lines:
        parts.append(_text(_MARGIN, y, line, "small"))
        y += 14
    for mark in tree.marks:
        parts.append(_text(_MARGIN, y + 2, f"{mark.code}: {mark.message}", "error"))
        y += 15
    boxes = place_boxes(tree.nodes, lambda node: _size(node, canvas))
    parts += _lines(boxes, _MARGIN, y)
    for box in boxes:
        parts += _box(box, canvas, _MARGIN + box.x, y + box.y)
    right = max((box.x + box.width for box in boxes), default=0.0) + _MARGIN
    head = _MARGIN + max(len(tree.title) * 9.2, *(len(line) * _SMALL for line in lines))
    bottom = y + max((box.y + box.height for box in boxes), default=0.0) + 22
    parts.append(f'<line class="rule" x1="{_MARGIN}" x2="{max(right, head):.0f}" y1="{bottom:.0f}" y2="{bottom:.0f}"/>')
    return parts, max(right, head), bottom - top + 26


def _rows(node: Node, canvas: Canvas) -> Iterator[tuple[str, str]]:
    """The lines of a box with their classes."""
    if node.label and node.label != node.what:
        yield shortened(node.label, 60), "label"
    yield node.what, ""
    for mark in node.marks:
        yield shortened(_error(mark), 90), "error"
    if node.place is not None:
        yield canvas.place(node.place), "small"


def _error(mark: HazardMark) -> str:
    return mark.error or mark.message


def _size(node: Node, canvas: Canvas) -> tuple[float, float]:
    rows = list(_rows(node, canvas))
    widths = [text_width(text) * {"small": _SMALL, "error": _ERROR}.get(how, _CHAR) for text, how in rows]
    badges = sum(52.0 for _ in node.marks)
    return max(widths[0] + badges, *widths) + 2 * _PAD, len(rows) * _LINE + _PAD


def _box(box: Box, canvas: Canvas, x: float, y: float) -> Iterator[str]:
    node = box.node
    how = "hazard" if node.marks else "way" if node.hazards else "folded" if node.sort is Sort.FOLDED else ""
    size = f'width="{box.width:.1f}" height="{box.height:.1f}"'
    yield f'<g class="{how}"><rect class="box" x="{x:.1f}" y="{y:.1f}" {size} rx="6"/>'
    for mark in node.marks:
        yield f"<title>{escape(f'{mark.code} {mark.name}: {mark.message}')}</title>"
    for index, (text, style) in enumerate(_rows(node, canvas)):
        yield _text(x + _PAD, y + _LINE * (index + 1) - 2, text, style)
    for index, mark in enumerate(node.marks):
        left = x + box.width - 50 * (index + 1)
        yield f'<rect class="badge" x="{left:.1f}" y="{y + 5:.1f}" width="44" height="15" rx="4"/>'
        yield _text(left + 6, y + 16, mark.code, "code")
    yield "</g>"


def _lines(boxes: list[Box], left: float, top: float) -> Iterator[str]:
    """The lines from parents to children; those that lead to hazards last, so that they lie on top."""
    for leads in (False, True):
        for box in boxes:
            if box.parent is None or bool(box.node.hazards) is not leads:
                continue
            parent = boxes[box.parent]
            x1, y1 = left + parent.x + parent.width, top + parent.y + parent.height / 2
            x2, y2 = left + box.x, top + box.y + box.height / 2
            bend = max((x2 - x1) / 2, 14)
            way = " way" if leads else ""
            path = f"M{x1:.1f},{y1:.1f} C{x1 + bend:.1f},{y1:.1f} {x2 - bend:.1f},{y2:.1f} {x2:.1f},{y2:.1f}"
            yield f'<path class="line{way}" d="{path}"/>'


def _text(x: float, y: float, text: str, how: str) -> str:
    style = f' class="{how}"' if how else ""
    return f'<text{style} x="{x:.1f}" y="{y:.1f}" xml:space="preserve">{escape(text)}</text>'
