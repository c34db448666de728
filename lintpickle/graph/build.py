"""From what crosses to trees: the linker lists a payload parent before child."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct, field
from msgspec.structs import replace

from lintpickle.engine.findings import Findings, RuleFinding
from lintpickle.graph.describe import describe
from lintpickle.graph.model import Graph, GraphCall, GraphPlace, HazardMark, Node, Tree
from lintpickle.interpreter.abstract_values import InstanceValue, Site
from lintpickle.payload.crossings import Crossing, Root


class _Branch(Struct):
    """A node that still grows."""

    crossing: Crossing
    label: str
    marks: tuple[HazardMark, ...]
    children: list[_Branch] = field(default_factory=list)


class _Growing(Struct):
    """A tree that still grows: the branches that hang from its root, and all of them by the crossing that they show."""

    root: Root
    via: tuple[tuple[str, Site], ...]
    branches: list[_Branch] = field(default_factory=list)
    grown: dict[Crossing | None, _Branch] = field(default_factory=dict)

    def add(self, crossing: Crossing, marks: tuple[HazardMark, ...]) -> None:
        parent = self.grown.get(crossing.inside)
        label = crossing.path[len(parent.crossing.path) :] if parent is not None else crossing.path
        branch = self.grown[crossing] = _Branch(crossing, label, marks)
        (parent.children if parent is not None else self.branches).append(branch)


def build_graph(findings: Findings) -> Graph:
    """Everything that crosses, with what is wrong with it. A class that some boundary ships is not shown by its kind
    once more, unless that brings hazards to light which no boundary shows."""
    at_calls: dict[Site, list[HazardMark]] = {}
    for site, finding in findings.calls():
        at_calls.setdefault(site, []).append(_mark(finding, findings))
    shipped: set[int] = set()
    seen: set[tuple[str, GraphPlace]] = set()
    trees: dict[tuple[str, GraphPlace, frozenset[HazardMark]], Tree] = {}
    for growing in _grown(findings):
        tree = _tree(growing, at_calls.get(growing.root.site, ()))
        every = frozenset(Graph((tree,)).marks())
        marks = {(mark.code, mark.place) for mark in every}
        if growing.root.spec is None:
            if id(_class_of(growing)) in shipped and marks <= seen:
                continue
        else:
            shipped.update(_classes(growing.branches))
        seen |= marks
        key = (tree.title, tree.place, every)
        trees[key] = _merged(trees[key], tree) if key in trees else tree
    return in_order(trees.values())


def in_order(trees: Iterable[Tree]) -> Graph:
    """The graph of the trees, hazards first."""
    return Graph(tuple(sorted(trees, key=lambda t: (t.hazards == 0, t.by_kind, t.place.path, t.place.row, t.title))))


def _merged(known: Tree, other: Tree) -> Tree:
    """One boundary with the same hazards, reached in several ways: shown once, by the tree that shows most."""
    ways = tuple(dict.fromkeys((*known.ways, *other.ways)))
    return replace(known if known.size >= other.size else other, ways=ways)


def _grown(findings: Findings) -> Iterator[_Growing]:
    growing: _Growing | None = None
    for crossing, found in findings.crossings():
        if growing is None or crossing.root is not growing.root:
            if growing is not None:
                yield growing
            growing = _Growing(crossing.root, _via(crossing))
        growing.add(crossing, tuple(_mark(finding, findings) for finding in found))
    if growing is not None:
        yield growing


def _via(crossing: Crossing) -> tuple[tuple[str, Site], ...]:
    """The calls that lead to the boundary: the hops before the one at the boundary itself."""
    found: list[tuple[str, Site]] = []
    for hop in crossing.hops:
        if hop.site == crossing.root.site:
            return tuple(found)
        found.append((hop.message, hop.site))
    return ()


def _tree(growing: _Growing, called: Iterable[HazardMark]) -> Tree:
    root = growing.root
    first = growing.branches[0].crossing
    if root.spec is not None:
        roles = dict.fromkeys(branch.crossing.role or "" for branch in growing.branches)
        title = f"{root.spec.name}({', '.join(f'{role}=…' for role in roles)})"
        why = root.spec.path
    else:
        title = first.path
        why = first.hops[0].message if first.hops else f"{first.path}, if it is shipped"
    return Tree(
        title,
        why,
        _place(root.site),
        root.confidence,
        root.start_methods,
        root.spec is None,
        (tuple(GraphCall(message, _place(site)) for message, site in growing.via),) if growing.via else (),
        tuple(dict.fromkeys(called)),
        tuple(_node(branch) for branch in growing.branches),
    )


def _node(branch: _Branch) -> Node:
    crossing = branch.crossing
    what, sort = describe(crossing.value, crossing.site)
    children = tuple(_node(child) for child in branch.children)
    held = crossing.held
    stored = held is not None and branch.label == held.step
    return Node(
        branch.label,
        what,
        sort,
        _place(held.site if held is not None and stored else crossing.site),
        branch.marks,
        children,
        len(branch.marks) + sum(child.hazards for child in children),
        len(children) + sum(child.size for child in children),
    )


def _mark(finding: RuleFinding, findings: Findings) -> HazardMark:
    message, error = findings.worded(finding)
    return HazardMark(finding.rule.code, finding.rule.name, message, error, _place(finding.hazard.site))


def _place(site: Site) -> GraphPlace:
    document = site.module.document
    return GraphPlace(document.path, document.position(site.span.start).row)


def _classes(branches: Iterable[_Branch]) -> Iterator[int]:
    for branch in branches:
        if isinstance(branch.crossing.value, InstanceValue):
            yield id(branch.crossing.value.class_.facts)
        yield from _classes(branch.children)


def _class_of(growing: _Growing) -> object:
    value = growing.branches[0].crossing.value
    return value.class_.facts if isinstance(value, InstanceValue) else None
