"""Trees for the terminal: hazards stand out, places are aligned at the right."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from msgspec import Struct

from lintpickle.graph.canvas import Canvas
from lintpickle.graph.describe import shortened
from lintpickle.graph.fold import folded, news
from lintpickle.graph.model import Graph, Node, Sort, Tree
from lintpickle.report.summary import plural
from lintpickle.terminal import Style, text_width, visible

_WIDEST = 88
_WAYS = 3
_QUIET = 12


class _Glyphs(Struct, frozen=True):
    fork: str
    last: str
    bar: str
    bad: str
    good: str
    dot: str


_UNICODE = _Glyphs("├─ ", "└─ ", "│  ", "✗", "✓", "·")
_ASCII = _Glyphs("|- ", "`- ", "|  ", "x", "ok", "-")


class _Row(Struct, frozen=True):
    """One line: parts with how to paint them, and what stands at the right."""

    parts: tuple[tuple[str, str], ...]
    place: str = ""

    @property
    def width(self) -> int:
        return sum(text_width(text) for text, _ in self.parts)


class Text:
    name = "text"
    human = True

    def render(self, graph: Graph, canvas: Canvas) -> str:
        glyphs = _UNICODE if canvas.unicode else _ASCII
        drawn, repeated = (list(graph.trees), []) if canvas.everything else news(graph)
        blocks = []
        for tree in drawn:
            shown = tree if canvas.everything else folded(tree)
            blocks.append(_block(list(_rows(shown, canvas, glyphs)), canvas.style))
        if repeated:
            rows = [_again(tree, canvas, glyphs) for tree in repeated]
            blocks.append(_block([_Row((("The same hazards again:", "dim"),)), *rows], canvas.style))
        quiet = [] if canvas.everything else [tree for tree in graph.trees if not tree.hazards]
        known = [tree for tree in quiet if not tree.by_kind and tree.size and tree.why != "copy.deepcopy"][:_QUIET]
        if known:
            blocks.append(_block([_quiet(tree, canvas, glyphs) for tree in known], canvas.style))
        return "\n".join([*blocks, _summary(graph, len(quiet) - len(known), canvas)])


def _rows(tree: Tree, canvas: Canvas, glyphs: _Glyphs) -> Iterator[_Row]:
    methods = ", ".join(method.value for method in tree.start_methods)
    head = f"  {tree.confidence.value} under {methods}" if methods else f"  {tree.confidence.value}"
    yield _Row(((tree.title, "title"), (head, "dim")), canvas.place(tree.place))
    if tree.by_kind:
        yield _Row(((tree.why, "dim"),))
    shown = tree.ways if canvas.everything else tree.ways[:_WAYS]
    for way in shown:
        for call in way:
            yield _Row(((call.message, "dim"),), canvas.place(call.place))
    if len(shown) < len(tree.ways):
        yield _Row(((f"and {plural(len(tree.ways) - len(shown), 'more way')} to get here", "dim"),))
    for mark in tree.marks:
        text = visible(shortened(mark.message, _WIDEST))
        yield _Row(((f"{glyphs.bad} {mark.code} ", "code"), (text, "bad")), canvas.place(mark.place))
    only = tree.nodes[0] if tree.by_kind else None
    yield from _children(only.children if only is not None else tree.nodes, "", canvas, glyphs)


def _children(nodes: Sequence[Node], indent: str, canvas: Canvas, glyphs: _Glyphs) -> Iterator[_Row]:
    for index, node in enumerate(nodes):
        last = index == len(nodes) - 1
        lead = indent + (glyphs.last if last else glyphs.fork)
        inner = indent + ("   " if last else glyphs.bar)
        yield _node(node, lead, canvas, glyphs)
        rest = inner + (glyphs.bar if node.children else "   ")
        for mark in node.marks:
            elsewhere = canvas.place(mark.place) if mark.place != node.place else ""
            yield _Row(((rest, "dim"), (visible(mark.error or mark.message), "bad")), elsewhere)
        yield from _children(node.children, inner, canvas, glyphs)


def _node(node: Node, lead: str, canvas: Canvas, glyphs: _Glyphs) -> _Row:
    if node.sort is Sort.FOLDED:
        return _Row(((lead, "dim"), (f"{glyphs.dot} {visible(node.what)}", "dim")))
    parts = [(lead, "dim")]
    if node.label != node.what:
        parts.append((visible(node.label), "label" if node.hazards else ""))
        parts.append(("  ", ""))
    paint = "bad" if node.marks else "dim" if node.sort in (Sort.PLAIN, Sort.UNKNOWN) else "accent"
    parts.append((visible(node.what), paint))
    for (code, name), times in Counter((mark.code, mark.name) for mark in node.marks).items():
        parts.append((f"  {glyphs.bad} {code} {name}" + (f" ({times} times)" if times > 1 else ""), "code"))
    return _Row(tuple(parts), canvas.place(node.place) if node.place is not None else "")


def _again(tree: Tree, canvas: Canvas, glyphs: _Glyphs) -> _Row:
    codes = ", ".join(dict.fromkeys(mark.code for mark in Graph((tree,)).marks()))
    return _Row(((f"{glyphs.bad} ", "bad"), (tree.title, ""), (f"  {codes}", "code")), canvas.place(tree.place))


def _quiet(tree: Tree, canvas: Canvas, glyphs: _Glyphs) -> _Row:
    things = dict.fromkeys(node.what for node in tree.nodes if node.sort not in (Sort.UNKNOWN, Sort.PLAIN))
    seen = ", ".join(visible(what) for what in list(things)[:3])
    return _Row(
        ((f"{glyphs.good} ", "good"), (tree.title, ""), (f"  {seen}", "dim")),
        canvas.place(tree.place),
    )


def _block(rows: Sequence[_Row], style: Style) -> str:
    column = min(max((row.width for row in rows if row.place), default=0), _WIDEST) + 2
    return "".join(f"{_line(row, column, style)}\n" for row in rows)


def _line(row: _Row, column: int, style: Style) -> str:
    text = "".join(_painted(part, how, style) for part, how in row.parts)
    if not row.place:
        return text
    return f"{text}{' ' * max(2, column - row.width)}{style.dim(row.place)}"


def _painted(text: str, how: str, style: Style) -> str:
    match how:
        case "title":
            return style.heading(text)
        case "label":
            return style.bold(text)
        case "code":
            return style.error(text)
        case "accent" | "bad" | "dim" | "good":
            painted: str = getattr(style, how)(text)
            return painted
        case _:
            return text


def _summary(graph: Graph, left_out: int, canvas: Canvas) -> str:
    style = canvas.style
    calls = sum(not tree.by_kind for tree in graph.trees)
    classes = len(graph.trees) - calls
    found = plural(graph.hazards, "hazard")
    hazards = style.error(found) if graph.hazards else style.good(found)
    by_kind = f", {_classes(classes)} shipped by kind" if classes else ""
    text = f"{plural(calls, 'boundary call')}{by_kind}: {hazards}.\n"
    if left_out:
        text += style.dim(f"{left_out} without a hazard left out: --all shows them.") + "\n"
    return text


def _classes(count: int) -> str:
    return "1 class" if count == 1 else f"{count} classes"
