"""The keys under which a dict surely gets something, so that nothing of what it held there before is left."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from lintpickle.facts.values import Call, Choice, Collection, Expr, Item, Mapping, Name, Sum, without_narrowing
from lintpickle.interpreter.abstract_values import Frame
from lintpickle.interpreter.items import keys_of
from lintpickle.interpreter.protocols import Interpreter

_DEPTH = 4
"""How deep what is put in is looked into; what stands deeper is taken to replace nothing."""


def with_keys_put_later(
    parts: Iterable[Expr], frame: Frame, evaluator: Interpreter, gone: frozenset[str]
) -> list[tuple[Expr, frozenset[str]]]:
    """The dicts of which one is put together, each with the keys that it does not give to the whole: those that others
    behind it have as well, and those that are `gone` anyway."""
    found: list[tuple[Expr, frozenset[str]]] = []
    for part in reversed(list(parts)):
        found.append((part, gone))
        gone |= keys_put(part, frame, evaluator)
    return found[::-1]


def keys_put(added: Expr, frame: Frame, evaluator: Interpreter, depth: int = 0) -> frozenset[str]:
    """The keys that a dict has in any case, as it is written out."""
    if depth == _DEPTH:
        return frozenset()
    match without_narrowing(added):
        case Mapping(items=items):
            inner = (keys_put(each, frame, evaluator, depth + 1) for key, each in items if key is None)
            named = (keys_named(key, frame, evaluator) for key, _ in items if key is not None)
            return frozenset().union(*inner, *named)
        case Call(function=Name(name="dict"), arguments=arguments):
            given = (keys_put(each.value, frame, evaluator, depth + 1) for each in arguments if not each.keyword)
            return frozenset(each.keyword for each in arguments if each.keyword).union(*given)
        case Sum(parts=parts):
            return frozenset().union(*(keys_put(each, frame, evaluator, depth + 1) for each in parts))
        case Choice(options=options):
            return frozenset.intersection(*(keys_put(each, frame, evaluator, depth + 1) for each in options))
        case _:
            return frozenset()


def keys_named(key: Expr, frame: Frame, evaluator: Interpreter) -> frozenset[str]:
    """The texts that a key is: of the element of a loop over a display, all of them; none if it may be one of
    several, or is not known."""
    keys = keys_of(key, frame, evaluator)
    return frozenset(_texts(each.item for each in keys)) if len(keys) == 1 or _is_each(key) else frozenset()


def _is_each(key: Expr) -> bool:
    return isinstance(key, Item) and key.key is None and isinstance(key.base, Collection)


def _texts(keys: Iterable[object]) -> Iterator[str]:
    return (key for key in keys if isinstance(key, str))
