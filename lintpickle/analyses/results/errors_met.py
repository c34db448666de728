"""Errors that what workers read decides: text that is no JSON, an answer that says 500, a field that is no number or is
not there.

Such a call raises its error sooner or later; a function that has no `raise` of its own and catches nothing passes it
on. Sources: the documentation of `json`, of `int` and of `requests.Response.raise_for_status`.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from msgspec import Struct

from lintpickle.analyses.results.errors_of_values import error_of_lookup, error_of_number
from lintpickle.analyses.results.errors_raised import is_open_file
from lintpickle.facts.records import Called
from lintpickle.interpreter.abstract_values import ExternalValue, Site
from lintpickle.parsing.names_read import children, within
from lintpickle.parsing.syntax import FUNCTIONS, last_name
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction

_PARSES = {
    "json.loads": "JSONDecodeError",
    "json.load": "JSONDecodeError",
    "tomllib.load": "TOMLDecodeError",
    "tomllib.loads": "TOMLDecodeError",
    "yaml.safe_load": "YAMLError",
    "xml.etree.ElementTree.parse": "ParseError",
    "xml.etree.ElementTree.fromstring": "ParseError",
}
_ASKS_STATUS = "raise_for_status"
_TELLS = re.compile(
    r"^[ \t]*except\b|\blog\w*\.(?:exception|error|warning|critical)\(|\bprint_exc\(|\bformat_exc\(", re.MULTILINE
)
"""A function that catches errors, or tells about them: what becomes of one is thought of."""
_OTHERS = (*FUNCTIONS, ast.ClassDef, ast.Lambda)


class ErrorMet(Struct, frozen=True):
    """The name of an error, and the expression or statement in a function of the worker that raises it."""

    name: str
    function: WorkerFunction
    site: Site


def error_met(code: WorkerCode, linker: Linker) -> ErrorMet | None:
    """The first expression of a task that raises an error by what it reads, if no function of the task catches or tells
    any error, and none is decorated."""
    own = [each for each in code.functions if each.module.first_party]
    for each in own:
        facts = each.facts
        if facts.decorators or facts.is_async or facts.is_generator:
            return None
        if _TELLS.search(each.module.code, facts.span.start, facts.span.end):
            return None
    return next((found for each in own for found in _met(each, linker)), None)


def _met(function: WorkerFunction, linker: Linker) -> Iterator[ErrorMet]:
    paths = function.frame.paths
    node = next((each for each in within(paths.tree) if isinstance(each, FUNCTIONS)), None)
    for each in _expressions(node.body) if node is not None else ():
        name = _error_of(each, function, linker) if isinstance(each, ast.Call) else error_of_lookup(each, paths)
        if name is not None:
            yield ErrorMet(name, function, Site(function.module, paths.span(each)))


def _error_of(call: ast.Call, function: WorkerFunction, linker: Linker) -> str | None:
    if isinstance(call.func, ast.Attribute) and call.func.attr == _ASKS_STATUS and not call.args:
        return "HTTPError"
    paths = function.frame.paths
    error = error_of_number(call, paths)
    if error is not None or last_name(call.func) not in {each.rpartition(".")[2] for each in _PARSES}:
        return error
    span = paths.span(call)
    made = next((each.call for each in function.facts.events if isinstance(each, Called) and each.span == span), None)
    values = [each.value for each in linker.evaluate(made.function, function.frame)] if made is not None else []
    names = {_PARSES.get(each.path) if isinstance(each, ExternalValue) else None for each in values}
    return next(iter(names)) if len(names) == 1 else None


def _expressions(body: list[ast.stmt]) -> Iterator[ast.Call | ast.Subscript]:
    """The calls and look-ups that a function makes where nothing can suppress an error: not in contexts other than open
    files."""
    waiting: list[ast.AST] = list(reversed(body))
    while waiting:
        node = waiting.pop()
        match node:
            case ast.With(items=items) if not all(is_open_file(each.context_expr) for each in items):
                continue
            case ast.AsyncWith():
                continue
            case ast.Call() | ast.Subscript():
                yield node
            case _ if isinstance(node, _OTHERS):
                continue
            case _:
                pass
        waiting += reversed(children(node))
