"""How attribute lookups on an object without state fail: what rules ask of `EmptyLookup`."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping

from msgspec import Struct

from lintpickle.analyses.calls_and_values.hierarchies import node_of
from lintpickle.analyses.pickle_hooks.empty_lookup import EmptyLookup, End
from lintpickle.analyses.pickle_hooks.filled_before_state import FindMethod
from lintpickle.facts.records import FunctionFacts
from lintpickle.program.module import Module


class FailingLookup(Struct, frozen=True):
    """A certain failure: the attribute that is read, the error, and where the statement that reads it begins (None in
    a `try`, whose handlers could catch another error)."""

    attribute: str
    error: str
    statement: int | None


def failing_lookup(
    module: Module,
    method: FunctionFacts,
    is_missing: Callable[[str], bool],
    own: FindMethod,
    texts: Mapping[str, str],
) -> FailingLookup | None:
    """How a `__getattr__` or `__getattribute__` without decorators fails on an object without attributes; None if it
    may not fail. `is_missing(name)` says whether the class lacks a name; `texts` are its attributes that are texts."""
    found = node_of(module, method)
    if found is None or found[1].decorator_list:
        return None
    source, node = found
    lookup = EmptyLookup(node, is_missing, own, texts)
    failure = lookup.failure if lookup.run() is End.FAILS else None
    if failure is None:
        return None
    statement = _statement(node.body, failure.node)
    return FailingLookup(
        failure.attribute, failure.error, source.span(statement).start if statement is not None else None
    )


def lookup_error(
    module: Module, method: FunctionFacts, is_missing: Callable[[str], bool], asked: str, class_: str
) -> str | None:
    """The error of reading an attribute of an object of a class that has no attributes, and this `__getattr__`; None if
    it may give something."""
    found = node_of(module, method)
    if found is None or found[1].decorator_list:
        return None
    lookup = EmptyLookup(found[1], is_missing)
    end = lookup.run(asked)
    if end is End.FAILS and lookup.failure is not None:
        return lookup.failure.error
    return f"AttributeError: '{class_}' object has no attribute '{asked}'" if end is End.REFUSES else None


def _statement(body: list[ast.stmt], node: ast.expr) -> ast.stmt | None:
    """The innermost statement around a node; None in a `try`, whose handlers could catch the new error."""
    for statement in body:
        if not any(each is node for each in ast.walk(statement)):
            continue
        if isinstance(statement, ast.Try):
            return None
        if isinstance(statement, ast.If) and not any(each is node for each in ast.walk(statement.test)):
            in_body = _statement(statement.body, node)
            is_elif = len(statement.orelse) == 1 and isinstance(statement.orelse[0], ast.If)
            return in_body or (None if is_elif else _statement(statement.orelse, node))
        return statement
    return None
