"""Functions of workers that tell from the name of their process what they are, by a text that only the names of forked
ones have: `current_process().name.startswith("ForkPoolWorker")`.

Measured with CPython 3.11: `ForkPoolWorker-1`, `SpawnPoolWorker-1` and `ForkServerPoolWorker-1` are workers of a pool;
`ForkProcess-1` and so on are those of an executor, and of a context. `multiprocessing.Process` is `Process-1` always.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from functools import partial

from msgspec import Struct

from lintpickle.analyses.at_import.import_statements import path_called
from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.catalog.linear import Linear, Refused
from lintpickle.diagnostics import Span, StartMethod
from lintpickle.facts.values import Call, Constant, Name
from lintpickle.fixes.syntax import source_tree
from lintpickle.interpreter.abstract_values import ConstantValue
from lintpickle.parsing.syntax import dotted
from lintpickle.payload.linker import PICKLED_ON_START, Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction
from lintpickle.program.module import Module

_NAME = "name"
_ASKING = re.compile(r"\bcurrent_process\(\s*\)")
_FORK = "Fork"
_PREFIXES = {StartMethod.FORK: _FORK, StartMethod.SPAWN: "Spawn", StartMethod.FORKSERVER: "ForkServer"}
_KINDS = {"pool": "PoolWorker", "executor": "Process", "process": "Process"}
_OF_CONTEXT = "context"
_GIVEN = "name"
_NOT_FOUND = "AttributeError: 'NoneType' object has no attribute 'group'"
_AROUND = {"match": ("^", ""), "search": ("", ""), "fullmatch": ("^", "$")}
"""What the methods that look for a pattern add to it."""
_OF_TEXTS = frozenset({"startswith", "removeprefix", "partition", "split", "replace", "find", "index", "count"})
_HEADS = frozenset({"split", "rsplit", "partition", "rpartition"})


class NameAsked(Struct, frozen=True):
    """A test of the name of a process, as it is written, with the name that a worker has and an error if it ends in
    one."""

    function: WorkerFunction
    text: str
    span: Span
    name: str
    methods: tuple[StartMethod, ...]
    error: str | None


class _Asking(Struct, frozen=True, eq=False):
    """A function that is read."""

    function: WorkerFunction
    linker: Linker


def forked_names_asked(code: WorkerCode, linker: Linker) -> Iterator[NameAsked]:
    """The tests in functions of workers that come out otherwise where these are not forked, the first in each."""
    kind = _kind_of_name(code.boundary)
    for function in code.functions if kind is not None else ():
        module, span = function.module, function.facts.span
        asking = module.first_party and _ASKING.search(module.code, span.start, span.end) and _FORK in module.code
        source = source_tree(module.code) if asking else None
        if source is None:
            continue
        found = _tests(list(source.nodes_within(span)), _Asking(function, linker))
        for node, text, outcome, error in found:
            names = {method: f"{prefix}{kind}-1" for method, prefix in _PREFIXES.items()}
            usual = outcome(names[StartMethod.FORK])
            methods = tuple(each for each in PICKLED_ON_START if outcome(names[each]) != usual)
            if methods:
                method = linker.moving_to if linker.moving_to in methods else methods[0]
                yield NameAsked(function, text, source.span(node), names[method], methods, error)
                break


def _kind_of_name(boundary: BoundaryCall | None) -> str | None:
    """How the names of workers go on; None if they do not tell how these were started."""
    if boundary is None or _GIVEN in boundary.arguments:
        return None
    is_plain = boundary.spec.kind == "process" and _OF_CONTEXT not in boundary.spec.path
    return None if is_plain else _KINDS.get(boundary.spec.kind)


_Test = tuple[ast.expr, str, Callable[[str], object], str | None]


def _tests(nodes: list[ast.AST], asking: _Asking) -> Iterator[_Test]:
    """The expressions that ask for the name of the process, with a text; what comes of them for a name; and the error
    that they end in if nothing is found."""
    module = asking.function.module
    named = frozenset(_bound_to_name(nodes, module))
    used = {id(each.value) for each in nodes if isinstance(each, ast.Attribute)}
    for node in nodes:
        match node:
            case ast.Compare(left=left, ops=[operator], comparators=[right]):
                yield from _compared(node, left, operator, right, named, asking)
            case ast.Call(func=ast.Attribute(value=owner, attr=method), args=[first, *_]) if method in _OF_TEXTS:
                for text in _texts(first, asking) if _is_name(owner, named, module) else ():
                    yield node, text, partial(_holds, text), None
            case ast.Call(func=ast.Attribute(value=owner, attr=method), args=[*_, last]) if method in _AROUND:
                pattern = _pattern(owner, node, asking) if _is_name(last, named, module) else None
                outcome = _search(pattern, method) if pattern is not None else None
                if pattern is not None and outcome is not None:
                    yield node, pattern, outcome, _NOT_FOUND if id(node) in used else None
            case _:
                pass


def _compared(
    node: ast.Compare, left: ast.expr, operator: ast.cmpop, right: ast.expr, named: frozenset[str], asking: _Asking
) -> Iterator[_Test]:
    module = asking.function.module
    name, other = (left, right) if _is_name(_headed(left), named, module) else (right, left)
    if not _is_name(_headed(name), named, module):
        return
    for text in _texts(other, asking):
        if isinstance(operator, (ast.In, ast.NotIn)) and name is right:
            yield node, text, partial(_holds, text), None
        elif isinstance(operator, (ast.Eq, ast.NotEq, ast.In, ast.NotIn)):
            yield node, text, partial(_has_head, text.rpartition("-")[0] or text), None


def _bound_to_name(nodes: list[ast.AST], module: Module) -> Iterator[str]:
    """The variables that are given the process, as "name.", or its name."""
    for node in nodes:
        match node:
            case ast.Assign(targets=[ast.Name(id=target)], value=value):
                if _is_name(value, frozenset(), module):
                    yield target
                elif _is_process(value, module):
                    yield f"{target}.{_NAME}"
            case ast.NamedExpr(target=ast.Name(id=target), value=value) if _is_name(value, frozenset(), module):
                yield target
            case _:
                pass


def _is_process(node: ast.expr, module: Module) -> bool:
    return isinstance(node, ast.Call) and path_called(node.func, module).endswith("multiprocessing.current_process")


def _is_name(node: ast.expr, named: frozenset[str], module: Module) -> bool:
    match node:
        case ast.Attribute(value=ast.Call() as call, attr="name"):
            return _is_process(call, module)
        case ast.Name() | ast.Attribute():
            return dotted(node) in named
        case _:
            return False


def _headed(node: ast.expr) -> ast.expr:
    """What a first part is taken of: `name.split("-")[0]`."""
    match node:
        case ast.Subscript(value=ast.Call(func=ast.Attribute(value=owner, attr=method))) if method in _HEADS:
            return owner
        case _:
            return node


def _texts(node: ast.expr, asking: _Asking) -> Iterator[str]:
    """The texts that an expression is, or one of which it may be, as far as these name fork."""
    match node:
        case ast.Tuple(elts=elements) | ast.List(elts=elements) | ast.Set(elts=elements):
            for each in elements:
                yield from _texts(each, asking)
        case ast.Constant(value=str(text)) if _FORK in text:
            yield text
        case ast.Name(id=name):
            for traced in asking.linker.evaluate(Name(asking.function.facts.header, name), asking.function.frame):
                value = traced.value
                if isinstance(value, ConstantValue) and isinstance(value.value, str) and _FORK in value.value:
                    yield value.value
        case _:
            pass


def _pattern(owner: ast.expr, call: ast.Call, asking: _Asking) -> str | None:
    """The pattern of a call: its first argument, or what a global was compiled of."""
    if len(call.args) > 1:
        return next(_texts(call.args[0], asking), None)
    compiled = asking.function.module.value_bound(owner.id) if isinstance(owner, ast.Name) else None
    match compiled.argument("pattern", 0) if isinstance(compiled, Call) else None:
        case Constant(value=str(text)) if _FORK in text:
            return text
        case _:
            return None


def _search(pattern: str, method: str) -> Callable[[str], object] | None:
    """Whether a pattern is found in a name; None if that cannot be told."""
    before, behind = _AROUND[method]
    try:
        sought = Linear(f"{before}(?:{pattern}){behind}", "")
    except Refused:
        return None
    return lambda name: sought.sub(name) != name


def _holds(text: str, name: str) -> bool:
    return text in name


def _has_head(head: str, name: str) -> bool:
    return head == name.rpartition("-")[0]
