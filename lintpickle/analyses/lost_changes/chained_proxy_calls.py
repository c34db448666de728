"""Calls that go on with what a method of a proxy returns, if that is the object itself: a copy of it, in truth.

Measured with CPython 3.11, under every start method: a method that returns `self` is called in the process of the
manager, and its result is pickled to the caller. Of `proxy.add(1).add(2)`, only the first call changes the object of
the manager, unless the class was registered with a `method_to_typeid=`, by which the result is a proxy again.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from msgspec import Struct

from lintpickle.analyses.calls_and_values.stored_by_methods import kept_by
from lintpickle.analyses.lost_changes.asked_of_proxies import proxies_named
from lintpickle.analyses.lost_changes.attribute_changes import changes_by_calls
from lintpickle.analyses.lost_changes.registered_classes import Registered, registered_classes
from lintpickle.facts.records import Called, FunctionFacts
from lintpickle.facts.values import Attribute, Parameter, without_narrowing
from lintpickle.fixes.syntax import SourceTree, source_tree
from lintpickle.interpreter.abstract_values import ClassValue, ExternalResult, Site
from lintpickle.interpreter.root_frames import RootFrame
from lintpickle.payload.linker import Linker

_DEPTH = 3
"""Methods of an object that call one another until one stores something."""
_OWN_PICKLING = frozenset({"__reduce__", "__reduce_ex__"})


class ChainedCall(Struct, frozen=True):
    """Where code calls a method that changes the object on what another method of a proxy has returned; the names of
    both, and where the proxy is made."""

    site: Site
    first: str
    method: str
    returns: Site
    registered: Registered
    made: Site


class _Chain(Struct, frozen=True):
    """The calls of one expression, the first of which is that of a method of `owner`."""

    owner: ast.expr
    calls: tuple[ast.Call, ...]
    is_statement: bool

    @property
    def names(self) -> list[str]:
        return [each.func.attr for each in self.calls if isinstance(each.func, ast.Attribute)]


class _Methods(Struct, frozen=True):
    """Of the methods of a class, those that return nothing but their object, with where they do, and those that change
    it."""

    returning: dict[str, Site]
    changing: frozenset[str]

    def lost(self, chain: _Chain) -> ast.Call | None:
        """The first call that changes a copy."""
        for before, call, name in zip(chain.names, chain.calls[1:], chain.names[1:], strict=False):
            if before not in self.returning:
                return None
            if name in self.changing:
                is_used = not chain.is_statement and chain.names[-1] in self.returning
                return call if not is_used else None
        return None


def chained_calls(registering: RootFrame, linker: Linker) -> Iterator[ChainedCall]:
    """The calls that are to change objects of the classes that a function registers, and change copies."""
    for registered in registered_classes(registering, linker):
        methods = _methods(registered, linker)
        if not registered.is_own_result or not registered.special.isdisjoint(_OWN_PICKLING) or not methods.returning:
            continue
        form = re.compile(rf"\.\s*(?:{'|'.join(map(re.escape, sorted(methods.returning)))})\s*\(")
        for root in linker.activations_with(methods.returning.keys(), form, registering.frame.module.path):
            if root.frame.module.first_party:
                yield from _chained(registered, methods, root, linker)


def _chained(registered: Registered, methods: _Methods, root: RootFrame, linker: Linker) -> Iterator[ChainedCall]:
    module = root.frame.module
    source = source_tree(module.code)
    for chain in _chains(root, source) if source is not None else ():
        lost = methods.lost(chain)
        if source is None or lost is None:
            continue
        site = Site(module, source.span(lost))
        if root.function.is_inner(site.span.start):
            continue
        made = next(proxies_named(chain.owner, registered, root, source, linker), None)
        if made is not None and isinstance(made.value, ExternalResult):
            before = chain.names[chain.calls.index(lost) - 1]
            called = chain.names[chain.calls.index(lost)]
            maker = Site(made.value.frame.module, made.value.call.span)
            yield ChainedCall(site, before, called, methods.returning[before], registered, maker)


def _chains(root: RootFrame, source: SourceTree) -> Iterator[_Chain]:
    nodes = [*source.nodes_within(root.function.span)]
    statements = {id(each.value) for each in nodes if isinstance(each, ast.Expr)}
    told = set[int]()
    for node in nodes:
        if isinstance(node, ast.Call) and id(node) not in told:
            calls: list[ast.Call] = []
            owner: ast.expr = node
            while isinstance(owner, ast.Call) and isinstance(owner.func, ast.Attribute):
                calls.append(owner)
                owner = owner.func.value
            told.update(map(id, calls))
            for start in range(len(calls) - 1, 0, -1):
                # What makes the proxy may be a call as well: `manager.Board().add(1).add(2)`.
                base = calls[start].func
                assert isinstance(base, ast.Attribute)
                yield _Chain(base.value, tuple(calls[start::-1]), id(node) in statements)


def _methods(registered: Registered, linker: Linker) -> _Methods:
    own = [each for each in linker.classes.mro(registered.class_) if isinstance(each, ClassValue)]
    found = {name: (each, facts) for each in reversed(own) for name, facts in each.facts.methods.items()}
    usual = {name: each for name, each in found.items() if each[1].parameters and not each[1].decorators}
    functions = {name: facts for name, (_, facts) in usual.items()}
    return _Methods(
        {
            name: Site(class_.module, facts.header)
            for name, (class_, facts) in usual.items()
            if not name.startswith("_") and _returns_itself(facts)
        },
        frozenset(name for name in functions if _changes(name, functions, 0)),
    )


def _returns_itself(facts: FunctionFacts) -> bool:
    me = facts.parameters[0].name
    returned = [without_narrowing(each) for each in facts.returns]
    is_its = all(isinstance(each, Parameter) and each.name == me for each in returned)
    return bool(returned) and is_its and not facts.is_generator


def _changes(method: str, methods: dict[str, FunctionFacts], depth: int) -> bool:
    """Whether a method stores something on its object, or one does that it calls on it."""
    facts = methods.get(method)
    if facts is None or depth > _DEPTH:
        return False
    me = facts.parameters[0].name
    if any(kept_by(facts)) or any(_is_of(me, each.target) for each in changes_by_calls(facts)):
        return True
    called = (each.call.function for each in facts.events if isinstance(each, Called))
    own = [each.name for each in called if isinstance(each, Attribute) and _is_of(me, each.base)]
    return any(_changes(each, methods, depth + 1) for each in own)


def _is_of(me: str, value: object) -> bool:
    return isinstance(value, Parameter) and value.name == me
