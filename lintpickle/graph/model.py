"""What crosses each boundary, as trees: plain frozen records, no behaviour beyond counting."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum

from msgspec import Struct

from lintpickle.diagnostics import Confidence, Defect, StartMethod


class Sort(str, Enum):
    """What a node is: it decides how it is drawn and whether it may be folded away."""

    OBJECT = "object"
    CONTAINER = "container"
    FUNCTION = "function"
    CLASS = "class"
    PRODUCT = "product"
    """Something made by a library that is known not to cross."""
    LIBRARY = "library"
    """Something of a library that is not read."""
    PLAIN = "plain"
    UNKNOWN = "unknown"
    FOLDED = "folded"
    """Stands for several others that hold no hazard."""


class GraphPlace(Struct, frozen=True):
    """An absolute path and a 1-based row."""

    path: str
    row: int


class GraphCall(Struct, frozen=True):
    """A call that leads to a boundary: a phrase ("calls train()") and where."""

    message: str
    place: GraphPlace


class HazardMark(Struct, frozen=True):
    """A hazard in the tree. `error` is the run-time error word for word, if there is one."""

    code: str
    name: str
    message: str
    error: str | None
    place: GraphPlace


class Node(Struct, frozen=True):
    """Something that crosses: `label` is how its parent holds it (".transform", "[0]"), `what` what it is, `place`
    where it is stored. `hazards` counts the marks here and below, `size` the nodes below."""

    label: str
    what: str
    sort: Sort
    place: GraphPlace | None
    marks: tuple[HazardMark, ...] = ()
    children: tuple[Node, ...] = ()
    hazards: int = 0
    size: int = 0


class Tree(Struct, frozen=True):
    """One boundary with what it ships, or one class that is shipped by its kind (`by_kind`). `ways` are chains of calls
    that lead to the boundary; `marks` are findings about the call or the code that runs in its workers."""

    title: str
    why: str
    place: GraphPlace
    confidence: Confidence
    start_methods: tuple[StartMethod, ...]
    by_kind: bool
    ways: tuple[tuple[GraphCall, ...], ...] = ()
    marks: tuple[HazardMark, ...] = ()
    nodes: tuple[Node, ...] = ()

    @property
    def hazards(self) -> int:
        return len(self.marks) + sum(node.hazards for node in self.nodes)

    @property
    def size(self) -> int:
        """The number of nodes about which something is known."""
        return sum(1 + node.size for node in self.nodes if node.sort not in (Sort.UNKNOWN, Sort.PLAIN))


class Graph(Struct, frozen=True):
    """All trees of a run: those with hazards first, each group in the order of places. `hazards` counts the same
    code on the same line once."""

    trees: tuple[Tree, ...]
    defects: tuple[Defect, ...] = ()
    """What of lintpickle itself failed, so that trees may be missing."""

    def marks(self) -> Iterator[HazardMark]:
        for tree in self.trees:
            yield from tree.marks
            for node in tree.nodes:
                yield from _marks(node)

    @property
    def hazards(self) -> int:
        return len({(mark.code, mark.place) for mark in self.marks()})


def _marks(node: Node) -> Iterator[HazardMark]:
    yield from node.marks
    for child in node.children:
        yield from _marks(child)
