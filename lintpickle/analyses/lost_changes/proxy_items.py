"""Changes of what is in a manager's dictionary, list or namespace: `shared["rows"].append(row)`,
`board.rows.append(row)`, `teams[0].record(goals)`. The item, or attribute, is a copy that was sent for, so the change
is lost. (CPython 3.11 to 3.14, `multiprocessing.managers`: "if standard containers are contained in a referent,
modifications to those will not be propagated"; an item that is a proxy itself changes what is shared.)"""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from lintpickle.analyses.lost_changes.handed_to_helpers import handed_to_helpers
from lintpickle.analyses.lost_changes.proxied_objects import called_for_effect, changes_items
from lintpickle.diagnostics import Span
from lintpickle.facts.records import Called, FunctionFacts, ItemStore, Store
from lintpickle.facts.values import Attribute, Expr, Item, without_narrowing
from lintpickle.interpreter.abstract_values import ContainerValue, ExternalResult, Frame
from lintpickle.interpreter.proxies import CONTAINERS, NAMESPACES, is_proxy
from lintpickle.payload.linker import Linker
from lintpickle.program.module import Module

_CHANGES_ITEM = re.compile(
    r"(?:\]|\.\s*\w+)\s*(?:\.\s*(?:append|extend|insert|add|update|setdefault|pop|remove)\s*\(|\[)"
)
"""What stands where an item, or an attribute, of something is changed."""
_MAY_CHANGE = re.compile(
    rf"{_CHANGES_ITEM.pattern}|(?:\]|\.\s*\w+)\s*\.\s*\w+\s*[-+*/%@&|^<>]*=(?!=)"
    r"|=[ \t]*[\w.]+(?:\[[^\n]*\]|\.\w+)[ \t]*(?:#[^\n]*)?$",
    re.MULTILINE,
)
"""The same, also of its attributes, and by way of a variable."""
_CALLS_METHOD = re.compile(r"^[ \t]*[\w.]+(?:\[[^\n]*\])?\s*\.\s*\w+\(", re.MULTILINE)
"""What stands where a method is called for what it does, perhaps one of an item."""
_VARIABLE = re.compile(r"(\w+)\s*[\[.]")
_AUGMENTED = re.compile(r"\s*(?:[-+*/%@&|^]|//|\*\*|<<|>>)=")
"""What stands behind an item that is stored again as soon as it has been changed: `shared["rows"] += [row]`."""
_MAKES_PROXY = re.compile(r"\.\s*(?:dict|list|Namespace|Value|Array|Queue|JoinableQueue)\s*\(")
_PUTS_PROXY = re.compile(rf"(?:\]\s*=|setdefault\(.*,|append\()\s*[\w.]+{_MAKES_PROXY.pattern}")
"""What stands where one is put into a dictionary or list."""
_SETS_PROXY = re.compile(rf"\.\w+\s*=\s*[\w.]+{_MAKES_PROXY.pattern}")
"""The same of an attribute of a namespace."""


class ItemChanged(Struct, frozen=True):
    """Where a function changes an item of a proxy, or a part of it, and what the proxy is called there; of a namespace,
    the attribute that it changes."""

    proxy: str
    span: Span
    attribute: str | None


def items_changed(function: FunctionFacts, frame: Frame, linker: Linker) -> Iterator[ItemChanged]:
    """The changes of items that are no proxies themselves, as far as that is seen."""
    module = frame.module
    text = (module.code, function.span.start, function.span.end)
    if _MAY_CHANGE.search(*text) is None and _CALLS_METHOD.search(*text) is None:
        return
    for event in function.events:
        changed = _changed_by(event, module) if isinstance(event, ItemStore | Store) else None
        called = called_for_effect(event, module) if isinstance(event, Called) else None
        if called is not None:
            changed = without_narrowing(called.base)
        for item in _items_read(changed, event.span, frame, linker):
            made = [traced.value for traced in linker.evaluate(item.base, frame)]
            kinds, attribute = (NAMESPACES, item.name) if isinstance(item, Attribute) else (CONTAINERS, None)
            proxies = [each for each in made if isinstance(each, ExternalResult) and is_proxy(each, kinds)]
            if proxies and len(proxies) == len(made):
                is_changed = called is None or all(changes_items(called.name, each, linker) for each in proxies)
                if is_changed and not any(_holds_proxies(each, module, linker) for each in proxies):
                    yield ItemChanged(_name_of_proxy(item, module), event.span, attribute)
                break


def _name_of_proxy(item: Item | Attribute, module: Module) -> str:
    written = module.code[item.span.start : item.span.end]
    if isinstance(item, Attribute):
        return written.rpartition(".")[0].strip() or "the namespace"
    return written.partition("[")[0].strip() or "the dictionary"


def _changed_by(event: ItemStore | Store, module: Module) -> Expr | None:
    """The container in which an event puts something, or in which it changes an item: `rows` of `rows[key] += 1`; or
    the object of which it sets an attribute."""
    target = without_narrowing(event.target)
    if isinstance(event, ItemStore) and _AUGMENTED.match(module.code, target.span.end) is not None:
        return without_narrowing(target.base) if isinstance(target, Item | Attribute) else target
    return target


def _items_read(changed: Expr | None, place: Span, frame: Frame, linker: Linker) -> Iterator[Item | Attribute]:
    """The items and attributes that are read at a place on the way to what is changed there, the deepest first; also
    one that a variable has, if nothing is done with that behind the change."""
    while isinstance(changed, Attribute) or (isinstance(changed, Item) and changed.key is not None):
        if not place.start <= changed.span.start < changed.span.end <= place.end:
            if _is_of_a_variable(changed, place, frame, linker):
                yield changed
            return
        yield changed
        changed = without_narrowing(changed.base)


def _is_of_a_variable(item: Item | Attribute, place: Span, frame: Frame, linker: Linker) -> bool:
    """Whether what is changed at a place is a part that has been bound to a variable, which is read for nothing but its
    parts before that and for nothing afterwards, also by functions that get it: it is not stored again, sent or used up
    here."""
    function, module = frame.function, frame.module
    written = _VARIABLE.match(module.code, place.start, place.end)
    bound = function.variables.get(written[1]) if written is not None else None
    if written is None or bound is None or without_narrowing(bound).span != item.span:
        return False
    changes = {event.span.start for event in function.events if isinstance(event, ItemStore | Store)} | {place.start}
    uses = re.compile(rf"(?<![\w.'\"]){re.escape(written[1])}\b(?P<part>\s*[\[.])?")
    others = [
        use.start()
        for use in uses.finditer(module.code, item.span.end, function.span.end)
        if use.start() not in changes and (use.start() > place.start or use["part"] is None)
    ]
    return not others or set(others) <= set(
        handed_to_helpers(written[1], without_narrowing(bound), place, frame, linker)
    )


def _holds_proxies(proxy: ExternalResult, user: Module, linker: Linker) -> bool:
    """Whether a proxy may have others in it: it is made with some, or code puts what a manager makes under a key."""
    frame = proxy.frame
    if any(_has_proxy(argument.value, frame, linker) for argument in proxy.call.arguments):
        return True
    modules = {id(each): each for each in (frame.module, user)}
    form = _SETS_PROXY if is_proxy(proxy, NAMESPACES) else _PUTS_PROXY
    if any(form.search(each.code) is not None for each in modules.values()):
        return True
    events = frame.function.events
    return any(_is_put(event, proxy, linker) for event in events if isinstance(event, ItemStore | Store))


def _is_put(event: ItemStore | Store, proxy: ExternalResult, linker: Linker) -> bool:
    """Whether an event of the function that makes a proxy puts into it another one, or what has one in it."""
    if not _has_proxy(event.value, proxy.frame, linker):
        return False
    held = (traced.value for traced in linker.evaluate(event.target, proxy.frame))
    return any(isinstance(each, ExternalResult) and each.call is proxy.call for each in held)


def _has_proxy(value: Expr, frame: Frame, linker: Linker) -> bool:
    """Whether a value is a proxy, or has one in it, as far as that is written or seen."""
    if _MAKES_PROXY.search(frame.module.code, value.span.start, value.span.end) is not None:
        return True
    found = [traced.value for traced in linker.evaluate(value, frame)]
    inside = (slot for each in found if isinstance(each, ContainerValue) for slot in each.slots)
    return any(map(is_proxy, found)) or any(
        is_proxy(traced.value) for slot in inside for traced in linker.evaluator.held_in(slot)
    )
