"""Proxies of a manager that a method keeps on its object, and that another method asks when the manager has ended.

Measured with CPython 3.11: the same errors as those of a proxy in a variable (see `dead_proxies`)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lintpickle.analyses.waiting.dead_proxies import DeadProxy, is_behind, made_by, uses_of_proxies
from lintpickle.analyses.waiting.managers_ended import ManagerContext
from lintpickle.diagnostics import Span
from lintpickle.facts.records import Called, Delete, FunctionFacts, Store
from lintpickle.facts.values import Attribute, Call, Expr, chain
from lintpickle.fixes.syntax import SourceTree, source_tree
from lintpickle.interpreter.abstract_values import InstanceValue, Site
from lintpickle.interpreter.root_frames import RootFrame
from lintpickle.payload.linker import Linker


def kept_proxies(contexts: list[ManagerContext], root: RootFrame, linker: Linker) -> Iterator[DeadProxy]:
    """The proxies of the managers that a method enters and keeps in attributes, each with the first place at which the
    method itself, or one that is called behind it, asks it."""
    me, module = root.instance_name, root.frame.module
    source = source_tree(module.code) if me is not None and root.owner is not None else None
    if me is None or source is None:
        return
    for context in contexts:
        for attribute, made in _kept(context, root, linker).items():
            key = f"{me}.{attribute}"
            own = [span for _, span in uses_of_proxies({key}, root.function, source)]
            is_used = any(context.span.start <= each.start < context.span.end for each in own)
            behind = [each for each in own if each.start >= context.span.end]
            spans = [each for each in behind if is_behind(context, each, root.frame)]
            if not spans and not _is_stored_elsewhere(attribute, root):
                spans = list(_asked_behind(attribute, context, root, source, linker))
            for span in spans[:1]:
                ends = Site(module, context.item)
                yield DeadProxy(Site(module, span), made, ends, is_used, False, context.is_shut_down)


def _kept(context: ManagerContext, root: RootFrame, linker: Linker) -> dict[str, Site]:
    """The attributes that hold a proxy of the manager when its context is left, with where that is made."""
    last: dict[str, Store | Delete] = {}
    for event in root.function.events:
        if isinstance(event, Store | Delete) and chain(event.target) == (root.instance_name,):
            last[event.attribute] = event
    found = dict[str, Site]()
    for attribute, event in last.items():
        if isinstance(event, Store) and context.span.start <= event.span.start < context.span.end:
            made = made_by(context, event.value, root.frame, linker)
            if made is not None:
                found[attribute] = made
    return found


def _is_stored_elsewhere(attribute: str, root: RootFrame) -> bool:
    """Whether another method of the class than `__init__` stores the attribute, so that it may be no proxy any more."""
    others = [each for each in _methods(root) if each is not root.function and each.name != "__init__"]
    events = (event for each in others for event in each.events)
    return any(isinstance(event, Store | Delete) and event.attribute == attribute for event in events)


def _asked_behind(
    attribute: str, context: ManagerContext, root: RootFrame, source: SourceTree, linker: Linker
) -> Iterator[Span]:
    """Where methods that are called when the context has been left ask for an attribute."""
    asking = dict[str, Span]()
    for method in _methods(root):
        if method is not root.function and method.parameters and not method.decorated_by("staticmethod"):
            for _, span in uses_of_proxies({f"{method.parameters[0].name}.{attribute}"}, method, source):
                asking.setdefault(method.name, span)
    if asking:
        behind = (each for each, span in _calls(root) if span.start >= context.span.end)
        called = {each.name for each in behind if chain(each.base) == (root.instance_name,)}
        called |= {*_called_after(root, linker)}
        yield from (span for name, span in asking.items() if name in called)


def _methods(root: RootFrame) -> list[FunctionFacts]:
    return [*root.owner.facts.methods.values()] if root.owner is not None else []


def _called_after(root: RootFrame, linker: Linker) -> Iterator[str]:
    """The names of methods that functions call of an object behind that of a root frame."""
    name = root.function.name
    form = re.compile(rf"\.\s*{re.escape(name)}\s*\(")
    for caller in linker.activations_with({name}, form, root.frame.module.path):
        calls = list(_calls(caller)) if caller.function is not root.function else []
        for first, span in calls:
            objects = _objects(first.base, caller, root, linker) if first.name == name else set()
            for each, _ in calls if objects else ():
                is_behind = each.span.end > span.end
                if is_behind and not caller.frame.paths.exclude_each_other(span.start, each.span.start):
                    yield from {each.name} if objects & _objects(each.base, caller, root, linker) else ()


def _calls(root: RootFrame) -> Iterator[tuple[Attribute, Span]]:
    """The methods that a function calls, as it names them, each with the place of the call, in order."""
    for event in root.function.events:
        if isinstance(event, Called) and isinstance(event.call.function, Attribute):
            yield event.call.function, event.call.span


def _objects(base: Expr, caller: RootFrame, root: RootFrame, linker: Linker) -> set[Call | None]:
    """The objects of the class of a method that an expression can be, by the calls that make them."""
    values = (traced.value for traced in linker.evaluate(base, caller.frame))
    owner = root.owner.facts if root.owner is not None else None
    return {each.call for each in values if isinstance(each, InstanceValue) and each.class_.facts is owner}
