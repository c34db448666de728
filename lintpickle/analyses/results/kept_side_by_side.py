"""Results in the order of their completion that a method keeps in its object, beside what was sent for them, where
another method of the class pairs the two by position."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator

from msgspec import Struct

from lintpickle.analyses.calls_and_values.caller_frames import frame_of_method
from lintpickle.analyses.results.completion_order import CompletionOrder, name_written
from lintpickle.analyses.results.paired_by_place import PairedByPlace, paired_by_place
from lintpickle.fixes.syntax import Placed, SourceTree, source_tree
from lintpickle.interpreter.abstract_values import ClassValue, Frame, InstanceValue, Site
from lintpickle.payload.linker import Linker

_Passes = Callable[[ast.Call], bool]
_EMPTY = frozenset({"[]", "()", "None", "list()"})
_CHANGES_ORDER = frozenset({"sort", "reverse", "insert"})


class KeptPair(Struct, frozen=True):
    """Where a method pairs two attributes by position, and where another one has kept the results."""

    site: Site
    found: PairedByPlace
    kept: Site


def kept_side_by_side(
    frame: Frame, order: CompletionOrder, sent: frozenset[str], passing: Callable[[Frame], _Passes], linker: Linker
) -> Iterator[KeptPair]:
    """The places of other methods that pair what the method of a frame keeps in its object. `sent` are the names of
    what was sent; `passing` tells for a function which calls give the elements of their first argument in order."""
    me, instance = _object_of(frame)
    if instance is None:
        return
    own = {each.attr: each for each in reversed(order.nodes) if isinstance(each, ast.Attribute) and _is_of(me, each)}
    results = {name: order.source.span(node) for name, node in own.items() if order.holds_behind(name_written(node))}
    others = {name for name, node in own.items() if not order.roots(node).isdisjoint(sent)} - results.keys()
    if not results or not others:
        return
    methods = [each for each in _methods(instance, results, linker) if each.function is not frame.function]
    readings = [(each, read) for each in methods if (read := _reading(each, results, passing(each))) is not None]
    if len(readings) < len(methods) or any(read.changes for _, read in readings):
        return
    for reader, read in readings:
        own_name = reader.function.parameters[0].name
        beside = frozenset(f"{own_name}.{each}" for each in others)
        for found in paired_by_place(read, beside):
            name = found.results.removeprefix(f"{own_name}.")
            kept = results.get(name, min(results.values(), key=lambda span: span.start))
            yield KeptPair(Site(reader.module, read.source.span(found.node)), found, Site(frame.module, kept))


def _object_of(frame: Frame) -> tuple[str, InstanceValue | None]:
    """The name of the object that a method belongs to, and the object."""
    name = frame.function.parameters[0].name if frame.function.parameters else ""
    bound = frame.bindings.get(name)
    value = bound.value if bound is not None else None
    return name, value if isinstance(value, InstanceValue) else None


def _is_of(me: str, node: ast.Attribute) -> bool:
    return isinstance(node.value, ast.Name) and node.value.id == me


def _methods(instance: InstanceValue, attributes: Iterable[str], linker: Linker) -> Iterator[Frame]:
    """The methods of an object whose text has one of some attributes."""
    for class_ in linker.classes.mro(instance):
        if isinstance(class_, ClassValue) and class_.module.first_party:
            for method in class_.facts.methods.values():
                text = class_.module.code[method.span.start : method.span.end]
                has_one = method.parameters and any(f".{each}" in text for each in attributes)
                frame = frame_of_method((class_, method), instance, linker) if has_one else None
                if frame is not None:
                    yield frame


def _reading(method: Frame, results: Iterable[str], passes: _Passes) -> _Reading | None:
    source = source_tree(method.module.code)
    if source is None:
        return None
    nodes = tuple(source.nodes_within(method.function.span))
    kept = frozenset(f"{method.function.parameters[0].name}.{each}" for each in results)
    return _Reading(source, nodes, kept, passes)


class _Reading(CompletionOrder):
    """The order of what a method has of `kept`, which are attributes of its object."""

    def __init__(self, source: SourceTree, nodes: tuple[Placed, ...], kept: frozenset[str], passes: _Passes) -> None:
        super().__init__(source, nodes, lambda _: False, passes, kept)
        self._kept = kept

    @property
    def changes(self) -> bool:
        """Whether the method gives what is kept another order, or puts something else in its place."""
        for name, node in _stores(self):
            if name in self._kept and ast.unparse(node.value) not in _EMPTY:
                return True
        calls = (each.func for each in self.nodes if isinstance(each, ast.Call))
        return any(
            isinstance(each, ast.Attribute) and each.attr in _CHANGES_ORDER and name_written(each.value) in self._kept
            for each in calls
        )


def _stores(order: CompletionOrder) -> Iterator[tuple[str, ast.Assign]]:
    """The assignments of a function to names and attributes, each behind what it sets."""
    for node in order.nodes:
        if isinstance(node, ast.Assign) and len(node.targets) == 1:
            yield name_written(node.targets[0]), node
