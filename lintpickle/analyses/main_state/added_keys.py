"""Lookups that fail in a worker because only the main process adds keys to a dict of a module, or fills an attribute of
an object of which each process has one."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from lintpickle.analyses.main_state.asked_globals import asks
from lintpickle.analyses.main_state.main_setters import Met, Setter
from lintpickle.analyses.main_state.sure_failures import failing_empty
from lintpickle.control_flow.attempts import is_ready_for
from lintpickle.facts.records import Store
from lintpickle.facts.values import Parameter
from lintpickle.interpreter.abstract_values import ClassValue
from lintpickle.parsing.syntax import BrokenSyntax, dotted, parse
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction

_ERRORS = ("KeyError", "LookupError", "Exception", "BaseException")


def failing_without_added(
    met: Met, written: str, text: str, setters: Iterable[Setter], function: WorkerFunction, linker: Linker
) -> Met:
    """The same with the KeyError that the function meets, if main only adds keys to a dict (`text` makes it), and the
    function does nothing but look up keys: then it meets what it does in main, or that error. For `migrate`."""
    present = _keys_of(_expression(text)) if linker.moving_to is not None and met.error is None else None
    if not present:
        return met
    added: set[object] = set()
    for setter in setters:
        keys = keys_added(setter.module.code[setter.span.start : setter.span.end])
        if not keys or not keys.isdisjoint(present):
            return met
        added |= keys
    error = _error_of(written, added, function) if added else None
    return Met(met.outcome, met.how, error) if error is not None else met


def keys_added(text: str) -> set[object] | None:
    """The keys that a statement or call puts into a dict, if all are written out: `TABLE["eu"] = 1`,
    `TABLE.update(eu=1)`, `patch.dict(TABLE, {"eu": 1})`."""
    try:
        body = parse(text.strip()).body
    except BrokenSyntax:
        return None
    match body:
        case [ast.Assign(targets=[ast.Subscript(slice=ast.Constant(value=key))])]:
            return {key}
        case [ast.Expr(value=ast.Call(func=ast.Attribute(attr="setdefault"), args=[ast.Constant(value=key), *_]))]:
            return {key}
        case [ast.Expr(value=ast.Call(func=ast.Attribute(attr="update"), args=given, keywords=named))]:
            return _given(given, named)
        case [ast.Expr(value=ast.Call(func=ast.Attribute() as patch, args=[_, *given], keywords=named))] if dotted(
            patch
        ).endswith("patch.dict"):
            others = [each for each in named if each.arg not in ("values", "clear")]
            values = [each.value for each in named if each.arg == "values"]
            return _given([*given, *values], others) if not any(each.arg == "clear" for each in named) else None
        case _:
            return None


def _given(given: list[ast.expr], named: list[ast.keyword]) -> set[object] | None:
    keys: set[object] = {each.arg for each in named}
    if None in keys or len(given) > 1:
        return None
    others = _keys_of(given[0]) if given else set()
    return keys | others if others is not None else None


def _keys_of(display: ast.expr | None) -> set[object] | None:
    """The keys of the display of a dict, if all are written out."""
    if not isinstance(display, ast.Dict) or not all(isinstance(each, ast.Constant) for each in display.keys):
        return None
    return {each.value for each in display.keys if isinstance(each, ast.Constant)}


def _expression(text: str) -> ast.expr | None:
    try:
        body = parse(f"({text.strip()}\n)").body
    except BrokenSyntax:
        return None
    match body:
        case [ast.Expr(value=value)]:
            return value
        case _:
            return None


def _error_of(written: str, added: set[object], function: WorkerFunction) -> str | None:
    """The error of the lookup of a key that may be an added one, if all uses are lookups, and none is ready for it."""
    tree = function.frame.paths.tree
    taken = [each for each in ast.walk(tree) if isinstance(each, ast.Subscript) and _is(each.value, written)]
    used = [each for each in ast.walk(tree) if _is(each, written)]
    if len(taken) < len(used) or asks(written, function):
        return None
    if not all(isinstance(each.ctx, ast.Load) for each in taken):
        return None
    for each in taken:
        if any(is_ready_for(error, tree, each.lineno) for error in _ERRORS):
            return None
    for key in (each.slice for each in taken):
        if not isinstance(key, ast.Constant):
            return "KeyError"
        if key.value in added:
            return f"KeyError: {key.value!r}"
    return None


def _is(node: ast.AST, written: str) -> bool:
    return isinstance(node, (ast.Name, ast.Attribute)) and dotted(node) == written


def failing_in_filled(met: Met, attribute: str, home: ClassValue, code: WorkerCode, linker: Linker) -> Met:
    """The same with the error that a method of a class meets in workers, if it takes an item of an attribute that is an
    empty container as `__init__` makes it, and only main fills it. For `migrate`."""
    texts = {*_texts_made(attribute, home)}
    if linker.moving_to is None or len(texts) != 1:
        return met
    methods = {id(each) for each in home.facts.methods.values()}
    for function in code.functions:
        if id(function.facts) in methods and function.facts.name != "__init__" and function.facts.parameters:
            found = failing_empty(
                met, f"{function.facts.parameters[0].name}.{attribute}", next(iter(texts)), function, linker
            )
            if found.error is not None:
                return found
    return met


def _texts_made(attribute: str, home: ClassValue) -> Iterator[str]:
    """What `__init__` of a class gives an attribute, as written."""
    made = home.facts.methods.get("__init__")
    for event in made.events if made is not None else ():
        match event:
            case Store(target=Parameter(name=name), attribute=stored, value=value) if (
                stored == attribute and made is not None and name == made.parameters[0].name and value is not None
            ):
                yield home.module.code[value.span.start : value.span.end]
            case _:
                pass
