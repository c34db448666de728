"""One self-contained page: trees that fold, everything in it, hazards open from the start."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lintpickle.graph.canvas import Canvas
from lintpickle.graph.model import Graph, HazardMark, Node, Sort, Tree
from lintpickle.graph.page import hides, page, placed, safe
from lintpickle.report.summary import plural


class Html:
    name = "html"
    human = False

    def render(self, graph: Graph, canvas: Canvas) -> str:
        found = plural(graph.hazards, "hazard")
        kinds = list(_alike(graph.trees))
        body = "\n".join(part for trees in kinds for part in _tree(trees, canvas))
        only = "Only hazards" if graph.hazards and hides(body) else None
        lead = f"{found} in {plural(len(graph.trees), 'tree')}"
        return page(f"lintpickle: {found}", "What crosses process boundaries", lead, only, body, not canvas.everything)


def _alike(trees: Sequence[Tree]) -> Iterator[list[Tree]]:
    """The trees, those together that hold no hazard and show the same but for their places: tests make many."""
    kinds: dict[object, list[Tree]] = {}
    for tree in trees:
        key: object = id(tree) if tree.hazards else (tree.title, tree.by_kind, _shape(tree.nodes))
        kinds.setdefault(key, []).append(tree)
    yield from kinds.values()


def _shape(nodes: Sequence[Node]) -> tuple[object, ...]:
    return tuple((node.label, node.what, _shape(node.children)) for node in nodes)


def _tree(alike: Sequence[Tree], canvas: Canvas) -> Iterator[str]:
    tree = alike[0]
    quiet = "" if tree.hazards else ' class="quiet"'
    count = f'<span class="badge">{tree.hazards}</span>' if tree.hazards else '<span class="good">✓</span>'
    methods = ", ".join(method.value for method in tree.start_methods)
    note = f"{tree.confidence.value} under {methods}" if methods else tree.confidence.value
    yield f"<section{quiet}><details{' open' if tree.hazards else ''}><summary><h2>{safe(tree.title)}</h2> {count}"
    times = f'<span class="note">{len(alike)} times</span>' if len(alike) > 1 else ""
    yield f'{times}<span class="note">{safe(note)}</span>{placed(canvas.place(tree.place))}</summary><div class="in">'
    for other in alike[1:]:
        yield f'<div class="leaf note">also here{placed(canvas.place(other.place))}</div>'
    if tree.by_kind:
        yield f'<div class="note">{safe(tree.why)}</div>'
    for way in tree.ways:
        for call in way:
            yield f'<div class="leaf note">{safe(call.message)}{placed(canvas.place(call.place))}</div>'
    for mark in tree.marks:
        yield f'<div class="leaf hazard">{_badge(mark)}<span>{safe(mark.message)}</span>'
        yield f"{placed(canvas.place(mark.place))}</div>"
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
    label = f'<span class="label">{safe(node.label)}</span>' if node.label != node.what else ""
    where = placed(canvas.place(node.place)) if node.place is not None else ""
    errors = "".join(f'<span class="error">{safe(mark.error or mark.message)}</span>' for mark in node.marks)
    line = f'{label}<span class="what">{safe(node.what)}</span>{"".join(map(_badge, node.marks))}{where}{errors}'
    if not node.children:
        yield f'<div class="leaf {classes}">{line}</div>'
        return
    yield f'<details{" open" if node.hazards else ""}><summary class="{classes}">{line}</summary><div class="in">'
    for child in node.children:
        yield from _node(child, canvas)
    yield "</div></details>"


def _badge(mark: HazardMark) -> str:
    return f'<span class="badge" title="{safe(mark.message)}">{mark.code} {safe(mark.name)}</span>'
