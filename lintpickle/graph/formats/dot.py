"""For Graphviz: `lintpickle graph --format dot | dot -Tsvg`."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

from lintpickle.graph.canvas import Canvas
from lintpickle.graph.fold import folded, news
from lintpickle.graph.model import Graph, Node, Sort, Tree

_HEAD = """\
digraph lintpickle {
  rankdir=LR;
  node [shape=box, style="rounded,filled", fillcolor="#f6f8fa", color="#8c959f", fontname="Helvetica", fontsize=11];
  edge [color="#8c959f", arrowsize=0.6];
"""
_STYLES = {
    "hazard": 'fillcolor="#ffebe9", color="#cf222e", penwidth=1.6',
    "way": 'color="#cf222e"',
    "folded": 'shape=plaintext, style="", fontcolor="#6e7781"',
    "boundary": 'fillcolor="#0969da", color="#0969da", fontcolor="white"',
}


class Dot:
    name = "dot"
    human = False

    def render(self, graph: Graph, canvas: Canvas) -> str:
        numbers = count(1)
        lines: list[str] = []
        for tree in graph.trees if canvas.everything else map(folded, news(graph)[0]):
            lines += _tree(tree, canvas, numbers)
        return _HEAD + "".join(f"  {line}\n" for line in lines) + "}\n"


def _tree(tree: Tree, canvas: Canvas, numbers: count[int]) -> Iterator[str]:
    name = f"n{next(numbers)}"
    marks = [f"{mark.code}: {mark.message}" for mark in tree.marks]
    label = "\n".join([tree.title, canvas.place(tree.place), *marks])
    yield f"{name} [label={_quoted(label)}, {_STYLES['boundary']}];"
    for node in tree.nodes:
        yield from _node(node, name, canvas, numbers)


def _node(node: Node, parent: str, canvas: Canvas, numbers: count[int]) -> Iterator[str]:
    name = f"n{next(numbers)}"
    lines = [node.what]
    lines += [f"{mark.code} {mark.name}" for mark in node.marks]
    if node.place is not None:
        lines.append(canvas.place(node.place))
    how = "hazard" if node.marks else "way" if node.hazards else "folded" if node.sort is Sort.FOLDED else ""
    style = f", {_STYLES[how]}" if how else ""
    tooltip = f", tooltip={_quoted(node.marks[0].message)}" if node.marks else ""
    yield f"{name} [label={_quoted(chr(10).join(lines))}{style}{tooltip}];"
    edge = f" [label={_quoted(node.label)}, fontsize=10, fontname=Helvetica]" if node.label != node.what else ""
    yield f"{parent} -> {name}{edge};"
    for child in node.children:
        yield from _node(child, name, canvas, numbers)


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
