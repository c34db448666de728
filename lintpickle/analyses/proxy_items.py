"""Changes of what is in a manager's dictionary or list: `shared["rows"].append(row)`. The item is a copy that was sent
for, so the change is lost. (CPython 3.11 to 3.14, `multiprocessing.managers`: "if standard containers are contained in
a referent, modifications to those will not be propagated"; an item that is a proxy itself changes what is shared.)"""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from lintpickle.diagnostics import Span
from lintpickle.facts.records import FunctionFacts, ItemStore
from lintpickle.facts.values import Call, Expr, Item, Mapping, without_narrowing
from lintpickle.interpreter.abstract_values import ExternalResult, Frame
from lintpickle.payload.linker import Linker
from lintpickle.program.module import Module

CHANGES_ITEM = re.compile(r"\]\s*(?:\.\s*(?:append|extend|insert|add|update|setdefault|pop|remove)\s*\(|\[)")
"""What stands where an item of something is changed."""
_PROXIES = frozenset(f"multiprocessing.managers.{name}Proxy" for name in ("Dict", "List"))
_MAKES_PROXY = re.compile(r"\.\s*(?:dict|list|Namespace|Value|Array)\s*\(")


class ItemChanged(Struct, frozen=True):
    """Where a function changes an item of a proxy, and what the proxy is called there."""

    proxy: str
    span: Span


def items_changed(function: FunctionFacts, frame: Frame, linker: Linker) -> Iterator[ItemChanged]:
    """The changes of items that are no proxies themselves, as far as that is seen."""
    module = frame.module
    if CHANGES_ITEM.search(module.code, function.span.start, function.span.end) is None:
        return
    for event in function.events:
        inner = without_narrowing(event.target) if isinstance(event, ItemStore) else None
        if not isinstance(inner, Item) or inner.key is None:
            continue
        made = [traced.value for traced in linker.evaluate(inner.base, frame)]
        proxies = [each for each in made if isinstance(each, ExternalResult) and each.path in _PROXIES]
        if proxies and len(proxies) == len(made) and not any(_holds_proxies(each, module, linker) for each in proxies):
            written = module.code[inner.span.start : inner.span.end].partition("[")[0].strip()
            yield ItemChanged(written or "the dictionary", event.span)


def _holds_proxies(proxy: ExternalResult, user: Module, linker: Linker) -> bool:
    """Whether a proxy may have others in it: it is made with some, or code puts what a manager makes under a key."""
    frame = proxy.frame
    given = [argument.value for argument in proxy.call.arguments]
    if any(_has_proxy(value, frame, linker) for value in given):
        return True
    modules = {id(each): each for each in (frame.module, user)}
    putting = re.compile(rf"(?:\]\s*=|setdefault\(.*,|append\()\s*[\w.]+{_MAKES_PROXY.pattern}")
    return any(putting.search(each.code) is not None for each in modules.values())


def _has_proxy(value: Expr, frame: Frame, linker: Linker) -> bool:
    text = frame.module.code[value.span.start : value.span.end]
    if isinstance(value, (Mapping, Call)) or text.startswith("{"):
        return _MAKES_PROXY.search(text) is not None
    return False
