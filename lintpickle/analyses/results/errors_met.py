"""Errors that what workers read decides: text that is no JSON, an answer that says 500, a field that is no number, is
not there, or is no key of a table.

Such a call raises its error sooner or later; a function that has no `raise` of its own and catches nothing passes it
on. Sources: the documentation of `json`, of `int`, of `decimal.Decimal` and of
`requests.Response.raise_for_status`.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from msgspec import Struct

from lintpickle.analyses.results.errors_of_values import error_of_lookup, error_of_number, is_beside_number, is_foreign
from lintpickle.analyses.results.errors_raised import is_open_file
from lintpickle.analyses.results.numbers_written import is_written_number
from lintpickle.analyses.results.texts_from_outside import is_asked_before
from lintpickle.analyses.results.texts_given import is_fine, texts_given
from lintpickle.facts.records import Called
from lintpickle.facts.values import Call
from lintpickle.interpreter.abstract_values import ConstantValue, ExternalValue, Site, is_indefinite
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
    "datetime.datetime.strptime": "ValueError",
    "datetime.datetime.fromisoformat": "ValueError",
    "datetime.date.fromisoformat": "ValueError",
    "ast.literal_eval": "ValueError",
}
_DECIMAL, _NO_DECIMAL = "decimal.Decimal", "InvalidOperation"
_LAST_NAMES = frozenset(each.rpartition(".")[2] for each in (*_PARSES, _DECIMAL))
_NUMBER = re.compile(r"[+-]?(?:\d[\d_]*\.?\d*|\.\d+)(?:[eE][+-]?\d+)?|[+-]?(?:nan|inf|infinity)", re.IGNORECASE)
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
    return next((found for each in own for found in _met(each, code, linker)), None)


def _met(function: WorkerFunction, code: WorkerCode, linker: Linker) -> Iterator[ErrorMet]:
    paths = function.frame.paths
    node = next((each for each in within(paths.tree) if isinstance(each, FUNCTIONS)), None)
    for each in _expressions(node.body) if node is not None else ():
        if is_fine(each, function, code, linker):
            continue
        if isinstance(each, ast.Call):
            name = _error_of(each, function, linker) or _error_of_given(each, function, code, linker)
        else:
            name = error_of_lookup(each, paths)
        if name is not None:
            yield ErrorMet(name, function, Site(function.module, paths.span(each)))


def _error_of(call: ast.Call, function: WorkerFunction, linker: Linker) -> str | None:
    if isinstance(call.func, ast.Attribute) and call.func.attr == _ASKS_STATUS and not call.args:
        return "HTTPError"
    paths = function.frame.paths
    error = error_of_number(call, paths)
    if error is not None or last_name(call.func) not in _LAST_NAMES:
        return error
    if not call.args or isinstance(call.args[0], ast.Constant):
        return None
    span = paths.span(call)
    made = next((each.call for each in function.facts.events if isinstance(each, Called) and each.span == span), None)
    values = [each.value for each in linker.evaluate(made.function, function.frame)] if made is not None else []
    known = {each.path if isinstance(each, ExternalValue) else "" for each in values}
    path = known.pop() if len(known) == 1 else ""
    if path == _DECIMAL and made is not None:
        if is_foreign(call.args[0], paths):
            return _NO_DECIMAL
        is_text = is_beside_number(call, paths) and _may_be_no_number(made, function, linker)
        return _NO_DECIMAL if is_text else None
    return _PARSES.get(path)


def _error_of_given(call: ast.Call, function: WorkerFunction, code: WorkerCode, linker: Linker) -> str | None:
    """The error of a call of `int` or `float` with what a task is given, if a text for it that is written out is no
    number, and the function asks nothing of it before."""
    match call:
        case ast.Call(func=ast.Name(id="int" | "float" as name), args=[ast.Name() as given], keywords=[]):
            texts = texts_given(given.id, function, code, linker)
            is_broken = not all(is_written_number(name, each) for each in texts)
            return "ValueError" if is_broken and not is_asked_before(given, function.frame.paths) else None
        case _:
            return None


def _may_be_no_number(made: Call, function: WorkerFunction, linker: Linker) -> bool:
    """Whether the one argument of a call may be a text that is no number, as far as it is known."""
    for traced in linker.evaluate(made.arguments[0].value, function.frame):
        match traced.value:
            case ConstantValue(value=str(text)):
                if not _NUMBER.fullmatch(text.strip()):
                    return True
            case ConstantValue():
                pass
            case value if is_indefinite(value):
                return True
            case _:
                pass
    return False


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
