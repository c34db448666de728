"""One self-contained page: trees that fold, everything in it, hazards open from the start."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from lintpickle.graph.canvas import Canvas
from lintpickle.graph.model import Graph, HazardMark, Node, Sort, Tree
from lintpickle.graph.page import page
from lintpickle.report.summary import plural


class Html:
    name = "html"
    human = False

    def render(self, graph: Graph, canvas: Canvas) -> str:
        found = plural(graph.hazards, "hazard")
        only = not canvas.everything and bool(graph.hazards)
        body = "\n".join(part for tree in graph.trees for part in _tree(tree, canvas))
        lead = f"{found} in {plural(len(graph.trees), 'tree')}"
        return page(f"lintpickle: {found}", "What crosses process boundaries", lead, "Only hazards", body, only)


def _tree(tree: Tree, canvas: Canvas) -> Iterator[str]:
    quiet = "" if tree.hazards else ' class="quiet"'
    count = f'<span class="badge">{tree.hazards}</span>' if tree.hazards else '<span class="good">✓</span>'
    methods = ", ".join(method.value for method in tree.start_methods)
    note = f"{tree.confidence.value} under {methods}" if methods else tree.confidence.value
    yield f"<section{quiet}><details{' open' if tree.hazards else ''}><summary><h2>{escape(tree.title)}</h2> {count}"
    yield f'<span class="note">{escape(note)}</span>{_place(canvas.place(tree.place))}</summary><div class="in">'
    if tree.by_kind:
        yield f'<div class="note">{escape(tree.why)}</div>'
    for way in tree.ways:
        for call in way:
            yield f'<div class="leaf note">{escape(call.message)}{_place(canvas.place(call.place))}</div>'
    for mark in tree.marks:
        yield f'<div class="leaf hazard">{_badge(mark)}<span>{escape(mark.message)}</span>'
        yield f"{_place(canvas.place(mark.place))}</div>"
    for node in tree.nodes:
        yield from _node(node, canvas)
    yield "</div></details></section>"


def _node(node: Node, canvas: Canvas) -> Iterator[str]:
    classes = " ".join(
        name
        for name, holds in (
            ("hazard", bool(node.marks)),
            ("quiet", not node.hazards and node.sort in (Sort.PLAIN, Sort.UNKNOWN)),
            (node.sort.value, True),
        )
        if holds
    )
    label = f'<span class="label">{escape(node.label)}</span>' if node.label != node.what else ""
    place = _place(canvas.place(node.place)) if node.place is not None else ""
    errors = "".join(f'<span class="error">{escape(mark.error or mark.message)}</span>' for mark in node.marks)
    line = f'{label}<span class="what">{escape(node.what)}</span>{"".join(map(_badge, node.marks))}{place}{errors}'
    if not node.children:
        yield f'<div class="leaf {classes}">{line}</div>'
        return
    yield f'<details{" open" if node.hazards else ""}><summary class="{classes}">{line}</summary><div class="in">'
    for child in node.children:
        yield from _node(child, canvas)
    yield "</div></details>"


def _badge(mark: HazardMark) -> str:
    return f'<span class="badge" title="{escape(mark.message)}">{mark.code} {escape(mark.name)}</span>'


def _place(text: str) -> str:
    return f'<span class="place">{escape(text)}</span>'
