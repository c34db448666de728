"""What code asks a proxy of an object of the program's own class for, which the proxy does not have; and attributes
that it sets on the proxy, and not on the object.

Measured with CPython 3.11 and 3.13 (see `registered_classes`): `proxy.limit = 5` sets an attribute of the proxy alone.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from msgspec import Struct

from lintpickle.analyses.calls_and_values.caller_frames import frame_of_method, frames_of_calls
from lintpickle.analyses.calls_and_values.named_values import value_named
from lintpickle.analyses.lost_changes.registered_classes import Registered, is_proxy_of, registered_classes
from lintpickle.analyses.waiting.dead_proxies import ITERATING
from lintpickle.control_flow.attempts import is_expected_to_fail, is_ready_for
from lintpickle.facts.records import Called
from lintpickle.facts.values import Choice, Expr, Sum, ending_name
from lintpickle.fixes.syntax import SourceTree, source_tree
from lintpickle.interpreter.abstract_values import ExternalResult, Frame, InstanceValue, Site, TracedValue, is_none
from lintpickle.interpreter.root_frames import RootFrame
from lintpickle.parsing.syntax import dotted, last_name
from lintpickle.payload.linker import Linker
from lintpickle.program.module import Module

_MOST_OBJECTS = 4
"""How many objects of a class are looked at, of those that the program is seen to make."""


class AskedOfProxy(Struct, frozen=True):
    """Where code asks a proxy for something, how that is written, and the error; none where it sets an attribute."""

    site: Site
    written: str
    error: str | None
    registered: Registered
    made: Site


class _Use(Struct, frozen=True):
    """An expression that uses something as its class does not let a proxy be used, if that is a proxy."""

    node: ast.expr
    owner: ast.expr
    error: str | None
    caught_as: str


def asked_of_proxies(registering: RootFrame, linker: Linker) -> Iterator[AskedOfProxy]:
    """The places at which proxies of the classes that a function registers are asked for what only their objects
    have."""
    for registered in registered_classes(registering, linker):
        yield from _asked_anywhere(registered, registering.frame.module.path, linker)


def _asked_anywhere(registered: Registered, asker: str, linker: Linker) -> Iterator[AskedOfProxy]:
    told: set[Site] = set()
    names = registered.data | registered.private
    if names:
        form = re.compile(rf"\.\s*(?:{'|'.join(map(re.escape, sorted(names)))})\b")
        for root in linker.activations_with(names, form, asker):
            yield from _asked(registered, root, None, told, linker)
    if registered.special:
        making = re.compile(rf"\.\s*{re.escape(registered.name)}\s*\(")
        for root in linker.activations_with({registered.name}, making, asker):
            yield from _asked(registered, root, _names_kept(registered.name, root.frame.module), told, linker)


def _names_kept(name: str, module: Module) -> frozenset[str]:
    """The last parts of the names to which a module binds what a manager gives. They are sought once, for all functions
    of the module."""
    return module.remembered(("names of proxies", name), lambda: frozenset(_names_of_proxies(name, module)))


def _names_of_proxies(name: str, module: Module) -> Iterator[str]:
    source = source_tree(module.code)
    for node in source.nodes if source is not None else ():
        match node:
            case ast.Assign(targets=targets, value=ast.Call(func=ast.Attribute(attr=called))) if called == name:
                yield from (last_name(each) for each in targets if isinstance(each, ast.Name | ast.Attribute))
            case _:
                pass


def _asked(
    registered: Registered, root: RootFrame, kept: frozenset[str] | None, told: set[Site], linker: Linker
) -> Iterator[AskedOfProxy]:
    """What a function asks proxies for: for attributes, or if `kept` says how proxies are named, by special methods."""
    module = root.frame.module
    source = source_tree(module.code) if module.first_party else None
    if source is None:
        return
    nodes = [*source.nodes_within(root.function.span)]
    uses: list[tuple[_Use, Site]] = []
    for node in nodes:
        found = _of_attributes(node, registered) if kept is None else _of_special_methods(node, registered, kept)
        site = Site(module, source.span(found.node)) if found is not None else None
        is_inner = site is not None and root.function.is_inner(site.span.start)
        if found is not None and site is not None and site not in told and not is_inner:
            uses.append((found, site))
    callees = {id(node.func) for node in nodes if isinstance(node, ast.Call)} if uses else set[int]()
    for use, site in uses:
        if id(use.node) in callees and isinstance(use.node, ast.Attribute) and use.node.attr in registered.data:
            continue  # What can be called is a method for the proxy, too.
        made = next(proxies_named(use.owner, registered, root, source, linker), None)
        if made is not None and isinstance(made.value, ExternalResult) and not _is_ready(use, site, source):
            told.add(site)
            maker = Site(made.value.frame.module, made.value.call.span)
            yield AskedOfProxy(site, ast.unparse(use.node), use.error, registered, maker)


def _of_attributes(node: ast.AST, registered: Registered) -> _Use | None:
    match node:
        case ast.Attribute(value=owner, attr=name, ctx=ast.Store()) if name in registered.data:
            return _Use(node, owner, None, "")
        case ast.Attribute(value=owner, attr=name, ctx=ast.Load()) if name in registered.data | registered.private:
            error = f"AttributeError: {_proxy(registered)} object has no attribute '{name}'"
            return _Use(node, owner, error, "AttributeError")
        case _:
            return None


def _of_special_methods(node: ast.AST, registered: Registered, kept: frozenset[str]) -> _Use | None:
    methods, proxy = registered.special, _proxy(registered)
    is_iterable = not methods.isdisjoint({"__iter__", "__getitem__"})
    is_container = is_iterable or "__contains__" in methods
    place: ast.AST
    match node:
        case ast.Call(func=ast.Name(id="len"), args=[owner]) if "__len__" in methods:
            place, said = node, f"object of type {proxy} has no len()"
        case ast.Call(func=ast.Name(id=name), args=[owner, *_]) if name in ITERATING and is_iterable:
            place, said = node, f"{proxy} object is not iterable"
        case ast.Call(func=ast.Name() | ast.Attribute() as owner) if "__call__" in methods:
            place, said = node, f"{proxy} object is not callable"
        case ast.Subscript(value=owner, ctx=ast.Load()) if "__getitem__" in methods:
            place, said = node, f"{proxy} object is not subscriptable"
        case ast.Subscript(value=owner, ctx=ast.Store()) if "__setitem__" in methods:
            place, said = node, f"{proxy} object does not support item assignment"
        case ast.For(iter=owner) if is_iterable:
            place, said = owner, f"{proxy} object is not iterable"
        case ast.Compare(ops=[ast.In() | ast.NotIn()], comparators=[owner]) if is_container:
            place, said = node, f"argument of type {proxy} is not iterable"
        case _:
            return None
    if not isinstance(place, ast.expr) or last_name(owner) not in kept:
        return None
    return _Use(place, owner, f"TypeError: {said}", "TypeError")


def _proxy(registered: Registered) -> str:
    return f"'AutoProxy[{registered.name}]'"


def proxies_named(
    owner: ast.expr, registered: Registered, root: RootFrame, source: SourceTree, linker: Linker
) -> Iterator[TracedValue]:
    """The proxies that an expression of a function surely is, in one of the ways in which it runs."""
    if isinstance(owner, ast.Name) and owner.id == root.instance_name:
        return
    for frame in _frames(root, linker):
        value = _value(owner, frame, source)
        found = [each for each in linker.evaluate(value, frame) if not is_none(each.value)] if value is not None else []
        if found and all(is_proxy_of(registered, each.value, linker) for each in found):
            yield found[0]


def _value(owner: ast.expr, frame: Frame, source: SourceTree) -> Expr | None:
    if isinstance(owner, ast.Call):
        span = source.span(owner)
        calls = (each.call for each in frame.function.events if isinstance(each, Called))
        return next((each for each in calls if each.span == span), None)
    return _without_what_is_added(value_named(owner, frame)) if dotted(owner) else None


def _without_what_is_added(value: Expr) -> Expr:
    """What a variable is bound to, without what is put into that later."""
    match value:
        case Choice(options=options):
            return Choice(value.span, tuple(map(_without_what_is_added, options)))
        case Sum(parts=(held, *_)):
            return _without_what_is_added(held)
        case _:
            return value


def _frames(root: RootFrame, linker: Linker) -> Iterator[Frame]:
    """The ways in which a function is seen to run: by itself, as it is called, in workers, and as a method of objects
    that the program makes."""
    yield root.frame
    if root.function.is_module_body:
        return
    asker = root.frame.module.path
    yield from frames_of_calls(root.function, asker, linker)
    for code in linker.worker_codes():
        yield from (each.frame for each in code.functions if each.facts is root.function)
    for instance in _objects(root, linker):
        assert root.owner is not None
        frame = frame_of_method((root.owner, root.function), instance, linker)
        if frame is not None:
            yield frame


def _objects(root: RootFrame, linker: Linker) -> Iterator[InstanceValue]:
    """The first objects that the program is seen to make of the class whose method a function is."""
    if root.owner is None or root.instance_name is None or root.is_constructor:
        return
    facts, count = root.owner.facts, 0
    form = re.compile(rf"(?<!class )\b{re.escape(facts.name)}\s*\(")
    for caller in linker.activations_with({facts.name}, form, root.frame.module.path):
        for event in caller.function.events:
            if isinstance(event, Called) and ending_name(event.call.function) == facts.name:
                for traced in linker.evaluate(event.call, caller.frame):
                    if isinstance(traced.value, InstanceValue) and traced.value.class_.facts is facts:
                        count += 1
                        yield traced.value
        if count >= _MOST_OBJECTS:
            return


def _is_ready(use: _Use, site: Site, source: SourceTree) -> bool:
    """Whether code expects the error, or asks first whether the attribute is there."""
    if use.error is None:
        return False
    row = use.node.lineno
    if is_expected_to_fail(source.tree, row) or is_ready_for(use.caught_as, source.tree, row):
        return True
    name = use.node.attr if isinstance(use.node, ast.Attribute) else ""
    asked = rf"""\b(?:has|get)attr\(\s*{re.escape(ast.unparse(use.owner))}\s*,\s*["']{re.escape(name)}["']"""
    return bool(name) and re.search(asked, site.module.code) is not None
