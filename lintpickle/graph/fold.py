"""Folding: branches with a hazard stay open, those without are summed up."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from lintpickle.graph.model import Graph, GraphPlace, Node, Sort, Tree

_NAMED = 3
_SHOWN = 6
_WORTH_A_LINE = frozenset({Sort.OBJECT, Sort.FUNCTION, Sort.CLASS, Sort.PRODUCT})


def news(graph: Graph) -> tuple[list[Tree], list[Tree]]:
    """The trees with hazards: those worth drawing, and classes by kind that only reach what others have shown."""
    drawn: list[Tree] = []
    repeated: list[Tree] = []
    seen: set[tuple[str, GraphPlace]] = set()
    for tree in graph.trees:
        marks = {(mark.code, mark.place) for mark in Graph((tree,)).marks()}
        if marks:
            (repeated if tree.by_kind and marks <= seen else drawn).append(tree)
            seen |= marks
    return drawn, repeated


def folded(tree: Tree) -> Tree:
    """The tree with only its branches that lead to hazards unfolded."""
    return replace(tree, nodes=tuple(_folded(node) for node in tree.nodes))


def _folded(node: Node) -> Node:
    if not node.hazards:
        return _closed(node)
    shown: list[Node] = []
    hidden: list[Node] = []
    quiet = 0
    for child in node.children:
        if child.hazards:
            shown.append(_folded(child))
        elif child.sort in _WORTH_A_LINE and quiet < _SHOWN:
            quiet += 1
            shown.append(_closed(child))
        else:
            hidden.append(child)
    if hidden:
        shown.append(_summary(hidden))
    return replace(node, children=tuple(shown))


def _closed(node: Node) -> Node:
    """One line that says how much is in it."""
    if not node.size:
        return node
    return replace(node, what=f"{node.what} (+{node.size})", children=())


def _summary(hidden: Sequence[Node]) -> Node:
    names = list(dict.fromkeys(node.label.lstrip(".") for node in hidden))
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    sorts = {node.sort for node in hidden}
    if sorts <= {Sort.PLAIN, Sort.CONTAINER}:
        what = "plain data"
    elif sorts == {Sort.UNKNOWN}:
        what = "unknown"
    else:
        what = "no hazard seen"
    return Node("", f"{', '.join(names[:_NAMED])}{more}: {what}", Sort.FOLDED, None)
