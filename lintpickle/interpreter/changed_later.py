"""Which attributes do not keep what the constructor stores: values that a program changes decide no test."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import lru_cache

from lintpickle.control_flow.claims import Claim, claims
from lintpickle.control_flow.paths import Paths
from lintpickle.facts.methods import Methods, methods_holding, names_holding
from lintpickle.facts.records import FunctionFacts, Store
from lintpickle.facts.values import UNNAMED
from lintpickle.interpreter.abstract_values import ClassValue
from lintpickle.program.remembering import Remembering

_TAKING = "clear|discard|pop|popitem|popleft|remove"
_PUTTING = "add|append|appendleft|extend|extendleft|insert|setdefault|update"
_BY_ANY_NAME = re.compile(r"\bsetattr\(|\b__dict__\b|\bvars\(")
"""How methods store attributes whose names are not written."""


class AttributeChanges(Remembering):
    """Answers for one run, remembered for each class and attribute: they depend on nothing else."""

    def claims_of_stores(self, name: str, class_: ClassValue) -> tuple[tuple[Claim, ...], ...]:
        """What the tests on the way to each store by a method of a class but the constructor say of the attribute
        itself: of `if self.jobs == -1: self.jobs = 8`, that it is -1. Nothing of a store that is done whatever it
        holds."""
        return self.remembered(("claims", name, *class_.key), lambda: tuple(_claims_of_stores(name, class_)))

    def is_replaced(self, name: str, class_: ClassValue) -> bool:
        """Whether a method of a class gives an attribute values that are not known: `self.heat += 2`, the variable of a
        loop or of `with`, what a setter or a function inside the method stores."""
        return self.remembered(("replaced", name, *class_.key), lambda: _is_replaced(name, class_))

    def is_resized(self, name: str, class_: ClassValue, shrinks: bool = False) -> bool:
        """Whether a method of a class but the constructor puts elements into what an attribute holds, or takes some
        out; if `shrinks`, only the latter."""
        form = (_shrunk if shrinks else _resized)(name)
        return self.remembered((form, *class_.key), lambda: _is_resized(form, class_))


def _is_resized(form: re.Pattern[str], class_: ClassValue) -> bool:
    holding = names_holding(class_.facts.methods, form, class_.module.code)
    return any(method != "__init__" for method in holding)


def _stores_by_methods(name: str, class_: ClassValue) -> Iterator[tuple[FunctionFacts, Store]]:
    """The stores of an attribute, and those under names that are not written, by methods of a class but the
    constructor."""
    methods, code = class_.facts.methods, class_.module.code
    for form, attribute in ((_word(name), name), (_BY_ANY_NAME, UNNAMED)):
        for method in methods_holding(methods, form, code):
            if method.name != "__init__":
                yield from ((method, event) for event in _stores_in(method, attribute))


def _stores_in(method: FunctionFacts, name: str) -> Iterator[Store]:
    return (event for event in method.events if isinstance(event, Store) and event.attribute == name)


def _stores(method: FunctionFacts, name: str) -> bool:
    return next(_stores_in(method, name), None) is not None


def _claims_of_stores(name: str, class_: ClassValue) -> Iterator[tuple[Claim, ...]]:
    for method, event in _stores_by_methods(name, class_):
        me = method.parameters[0].name if method.parameters else ""
        own = f"{me}.{name}"
        target = class_.module.code[event.span.start : event.span.end].partition("=")[0].strip()
        tests = Paths(class_.module, method.span).conditions_around(event.span.start) if target == own else ()
        subject = ast.dump(ast.parse(own, mode="eval").body) if tests else ""
        yield tuple(claim for test in tests for claim in claims(*test) if claim.subject == subject)


def _is_replaced(name: str, class_: ClassValue) -> bool:
    methods, code = class_.facts.methods, class_.module.code
    spans = methods.spans if isinstance(methods, Methods) else (each.span for each in methods.values())
    changed = _changed(name)
    if any(changed.search(code, span.start, span.end) for span in spans):
        return True
    setters = methods.setters_holding(_word(name), code) if isinstance(methods, Methods) else ()
    if any(_stores(setter, name) for setter in setters):
        return True
    holding = methods_holding(methods, _word(name), code)
    return any(_stores(inner, name) for method in holding for inner in _within(method))


def _within(function: FunctionFacts) -> Iterator[FunctionFacts]:
    for inner in function.functions:
        yield inner
        yield from _within(inner)


@lru_cache(maxsize=1024)
def _word(name: str) -> re.Pattern[str]:
    return re.compile(rf"\b{re.escape(name)}\b")


@lru_cache(maxsize=1024)
def _changed(name: str) -> re.Pattern[str]:
    """Where an attribute is the target of something else than a plain assignment."""
    target = rf"\.{re.escape(name)}\b"
    return re.compile(
        rf"{target}\s*(?:[-+*/|&@%^]|//|\*\*|<<|>>)=(?!=)"
        rf"|\bfor\b[^\n:]*?{target}[^\n:]*?\bin\b"
        rf"|\bas\s+\w+{target}\s*[,:)]"
    )


@lru_cache(maxsize=1024)
def _shrunk(name: str) -> re.Pattern[str]:
    return re.compile(rf"\.{re.escape(name)}\.(?:{_TAKING})\(|\bdel\b[^\n]*\.{re.escape(name)}\[")


@lru_cache(maxsize=1024)
def _resized(name: str) -> re.Pattern[str]:
    item = rf"\.{re.escape(name)}\[[^\n]*\]\s*=(?!=)"
    return re.compile(rf"\.{re.escape(name)}\.(?:{_PUTTING})\(|{item}|{_shrunk(name).pattern}")
