"""Where boxes go: a tree from left to right, one column for each depth, leaves below one another."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from msgspec import Struct

from lintpickle.graph.model import Node

GAP_X = 44.0
GAP_Y = 10.0


class Box(Struct, frozen=True):
    """A node where it is drawn; units are those of the sizes that were given. `parent` is an index of the list of
    boxes, None for those that hang from the boundary itself."""

    node: Node
    parent: int | None
    x: float
    y: float
    width: float
    height: float


def place_boxes(nodes: tuple[Node, ...], size: Callable[[Node], tuple[float, float]]) -> list[Box]:
    """Boxes for the nodes of a forest, every parent before its children, from (0, 0) to the right and downwards.

    `size` gives the width and height of a node's box. A parent stands in the middle of what hangs from it.
    """
    entries = list(_entries(nodes))
    sizes = [size(node) for node, _, _ in entries]
    widths: dict[int, float] = {}
    for (_, _, depth), (width, _) in zip(entries, sizes, strict=True):
        widths[depth] = max(widths.get(depth, 0.0), width)
    columns = {depth: sum(widths[d] + GAP_X for d in range(depth)) for depth in widths}
    children: dict[int | None, list[int]] = {}
    for index, (_, parent, _) in enumerate(entries):
        children.setdefault(parent, []).append(index)
    heights: dict[int, float] = {}
    for index in range(len(entries) - 1, -1, -1):
        heights[index] = max(sizes[index][1], _stacked(children.get(index, ()), heights))
    tops: dict[int, float] = {}
    _stack(children.get(None, ()), 0.0, heights, tops)
    boxes = []
    for index, (node, parent, depth) in enumerate(entries):
        width, height = sizes[index]
        top, below = tops[index], children.get(index, ())
        _stack(below, top + (heights[index] - _stacked(below, heights)) / 2, heights, tops)
        boxes.append(Box(node, parent, columns[depth], top + (heights[index] - height) / 2, width, height))
    return boxes


def _stacked(indexes: Sequence[int], heights: dict[int, float]) -> float:
    """The height of subtrees below one another."""
    return sum(heights[index] + GAP_Y for index in indexes) - GAP_Y if indexes else 0.0


def _stack(indexes: Sequence[int], top: float, heights: dict[int, float], tops: dict[int, float]) -> None:
    for index in indexes:
        tops[index] = top
        top += heights[index] + GAP_Y


def _entries(nodes: tuple[Node, ...]) -> Iterator[tuple[Node, int | None, int]]:
    """Nodes with the index of their parent and their depth, parents first."""
    stack: list[tuple[Node, int | None, int]] = [(node, None, 0) for node in reversed(nodes)]
    index = 0
    while stack:
        node, parent, depth = stack.pop()
        yield node, parent, depth
        stack.extend((child, index, depth + 1) for child in reversed(node.children))
        index += 1
