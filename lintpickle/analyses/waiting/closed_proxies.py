"""Proxies that an object keeps beside their manager, and that are asked when a method of it has shut the manager down:
`__exit__`, as its `with` ends, or `close()`.

Measured with CPython 3.11: the same errors as those of a proxy in a variable (see `dead_proxies`)."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from itertools import islice

from msgspec import Struct

from lintpickle.analyses.waiting.dead_proxies import DeadProxy, uses_of_proxies
from lintpickle.analyses.waiting.managers_ended import ended_by, is_manager
from lintpickle.analyses.waiting.objects_closed import (
    Closing,
    closings,
    is_behind_closing,
    methods_called,
    variables_closed,
)
from lintpickle.boundaries.proxies import MANAGER
from lintpickle.diagnostics import Span
from lintpickle.facts.records import Called, Delete, FunctionFacts, Store
from lintpickle.facts.values import Attribute, Call, Expr, chain, without_narrowing
from lintpickle.fixes.syntax import source_tree
from lintpickle.interpreter.abstract_values import ClassValue, Site
from lintpickle.interpreter.proxies import is_proxy
from lintpickle.interpreter.root_frames import RootFrame
from lintpickle.parsing.syntax import FUNCTIONS
from lintpickle.payload.linker import Linker


class _Kept(Struct, frozen=True):
    """A proxy that an object keeps in an attribute: where it is made, and the method that stores it."""

    attribute: str
    made: Site
    by: FunctionFacts


def closed_proxies(root: RootFrame, linker: Linker) -> Iterator[DeadProxy]:
    """The proxies which the object of a method keeps whose manager that shuts down, each with the first place at which
    it is asked behind that."""
    me, owner = root.instance_name, root.owner
    if me is None or owner is None or not root.frame.module.has(MANAGER):
        return
    for event in root.function.events:
        ended = ended_by(event) if isinstance(event, Called) else None
        names = chain(ended) if ended is not None else None
        if names is None or len(names) != 2 or names[0] != me or not _is_surely_run(event.span, names, root):
            continue
        for kept in _kept_beside(names[1], owner, root.function, linker):
            yield from islice(_asked(kept, event.span, root, owner, linker), 1)


def _is_surely_run(place: Span, names: Sequence[str], root: RootFrame) -> bool:
    """Whether a method that is called gets to a place, but for the question whether there is a manager."""
    asked = ".".join(names)
    for step in root.frame.paths.steps(place.start):
        tests = [test for test, _ in step.conditions if not isinstance(test, ast.Constant)]
        if not isinstance(step.node, FUNCTIONS) and not step.conditions:
            return False
        if not all(asked in ast.unparse(test) for test in tests):
            return False
    return True


def _kept_beside(manager: str, owner: ClassValue, ending: FunctionFacts, linker: Linker) -> Iterator[_Kept]:
    """The proxies that the manager in an attribute makes, which a method of the class keeps in other attributes, if no
    other one but `__init__` stores or deletes these."""
    stores = [(method, each) for method in owner.facts.methods.values() for each in _stores(method)]
    makers = {method.name: store.value for method, store in stores if _is_maker(manager, store, method, owner, linker)}
    last = {(method.name, store.attribute): store for method, store in stores}
    for (name, attribute), store in last.items():
        method = owner.facts.methods[name]
        others = {each.name for each, other in stores if other.attribute == attribute} - {name, "__init__"}
        if name not in makers or method is ending or others or _deletes(attribute, owner):
            continue
        made = _made(store, manager, makers[name], method, owner, linker)
        if made is not None:
            yield _Kept(attribute, made, method)


def _stores(method: FunctionFacts) -> Iterator[Store]:
    me = method.parameters[0].name if method.parameters else None
    for event in method.events:
        if isinstance(event, Store) and chain(event.target) == (me,):
            yield event


def _deletes(attribute: str, owner: ClassValue) -> bool:
    events = (event for method in owner.facts.methods.values() for event in method.events)
    return any(isinstance(event, Delete) and event.attribute == attribute for event in events)


def _is_maker(manager: str, store: Store, method: FunctionFacts, owner: ClassValue, linker: Linker) -> bool:
    """Whether a method stores a manager in an attribute."""
    if store.attribute != manager:
        return False
    return any(map(is_manager, linker.evaluate(store.value, linker.activations.of_method(owner, method).frame)))


def _made(
    store: Store, attribute: str, manager: Expr, method: FunctionFacts, owner: ClassValue, linker: Linker
) -> Site | None:
    """Where the manager makes the proxy that a method stores; None if it stores something else."""
    value = without_narrowing(store.value)
    if not isinstance(value, Call) or not isinstance(value.function, Attribute):
        return None
    base, frame = without_narrowing(value.function.base), linker.activations.of_method(owner, method).frame
    is_own = chain(base) == (method.parameters[0].name, attribute)
    if not is_own and base is not without_narrowing(manager):
        return None
    made = Call(value.span, Attribute(value.function.span, manager, value.function.name), value.arguments)
    values = [traced.value for traced in linker.evaluate(made, frame)]
    return Site(frame.module, value.span) if values and all(map(is_proxy, values)) else None


def _asked(kept: _Kept, ended: Span, root: RootFrame, owner: ClassValue, linker: Linker) -> Iterator[DeadProxy]:
    """Where a proxy is asked when the method of a root frame has ended its manager, also by what calls that method."""
    ends, asking = Site(root.frame.module, ended), dict(_methods_asking(kept, root, owner))
    own = asking.pop(root.function.name, [])
    is_used = any(each.start < ended.start for each in own)
    for span in own:
        if root.frame.paths.precedes(ended.start, span.start):
            yield DeadProxy(Site(owner.module, span), kept.made, ends, is_used, False, is_shut_down=True)
    for closing in closings(root, kept.by.name, linker):
        of_methods = ((asking.get(name, []), place) for name, place in methods_called(closing, root, linker))
        asked = [(Site(owner.module, each), place) for found, place in of_methods for each in found[:1]]
        asked += [(each, each.span) for each in _asked_directly(kept, closing, root, linker)]
        is_used_before = is_used or not all(is_behind_closing(closing, place) for _, place in asked)
        for site, place in asked:
            if is_behind_closing(closing, place):
                called = closing.called
                yield DeadProxy(site, kept.made, ends, is_used_before, False, is_shut_down=True, called=called)


def _methods_asking(kept: _Kept, root: RootFrame, owner: ClassValue) -> Iterator[tuple[str, list[Span]]]:
    """The methods that ask an attribute, and do not call the one that stores it, with the places."""
    source = source_tree(owner.module.code)
    for method in owner.facts.methods.values() if source is not None else ():
        if method is kept.by or not method.parameters or method.decorated_by("staticmethod") or source is None:
            continue
        called = (event.call.function for event in method.events if isinstance(event, Called))
        if not any(isinstance(each, Attribute) and each.name == kept.by.name for each in called):
            key = f"{method.parameters[0].name}.{kept.attribute}"
            yield method.name, [span for _, span in uses_of_proxies({key}, method, source)]


def _asked_directly(kept: _Kept, closing: Closing, root: RootFrame, linker: Linker) -> Iterator[Site]:
    """Where a function that closes objects itself asks a proxy of theirs: `len(board.scores)`."""
    module = closing.caller.frame.module
    source = source_tree(module.code)
    keys = {f"{each}.{kept.attribute}" for each in variables_closed(closing, root, linker)}
    for _, span in uses_of_proxies(keys, closing.caller.function, source) if source is not None and keys else ():
        yield Site(module, span)
