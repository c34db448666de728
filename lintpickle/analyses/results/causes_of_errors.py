"""Errors of a worker that come back to the main process, and that are asked there for what caused them.

Measured with CPython 3.11 and 3.13, for `multiprocessing.Pool` and `ProcessPoolExecutor`, under every start method: an
error is pickled without its `__cause__` and `__context__`. The `__cause__` of what arrives is an exception that holds
the worker's traceback as text, whatever the error was raised from, and the `__context__` is None. What the error has in
`__dict__` comes along, such as its notes. An error that a task returns has neither.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from lintpickle.analyses.results.errors_caught import names_of_error
from lintpickle.analyses.results.forms_made import IN_EACH
from lintpickle.analyses.results.methods_of_errors import errors_raised_at, methods_asked
from lintpickle.analyses.results.result_forms import HANDLE, ResultForms
from lintpickle.analyses.results.results_received import Reader, ResultReaders
from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.diagnostics import Span
from lintpickle.facts.records import Called
from lintpickle.fixes.syntax import SourceTree, source_tree
from lintpickle.interpreter.abstract_values import Frame, FunctionValue, Site
from lintpickle.parsing.names_read import within
from lintpickle.parsing.syntax import arguments_of, last_name
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction
from lintpickle.prefilter.words import Words
from lintpickle.program.module import Module

CAUSE, CONTEXT = "__cause__", "__context__"
_ATTRIBUTES = Words({CAUSE, CONTEXT})
_POOLS = ("mp-pool.", "multiprocess-pool.")
_EXECUTORS = ("process-executor.", "event-loop.", "asyncio.")
_WAITING = frozenset({"map", "starmap", "apply"})
"""Methods of pools that raise the error of a task themselves."""
_ASKING = frozenset({"result", "get"})
_GIVES = "exception"
_CALLBACK = "error_callback"
_ANY = frozenset({"Exception", "BaseException", "object"})
_IN_THREE = 3
"""Through how many functions an error is followed that is handed on."""
_TEXT_CLASS = "RemoteTraceback"


class CauseAsked(Struct, frozen=True):
    """Where an error of a worker is asked for what caused it, as that is written, and where the worker raises it;
    `attribute` is the one of the two that is asked. The `error` is that of an attribute which the cause lacks."""

    site: Site
    written: str
    attribute: str
    raised: Site
    error: str | None = None


class _Raised(Struct, frozen=True):
    """Where a worker raises an error that has a cause or a context, in which function, and the names of its classes."""

    site: Site
    kinds: frozenset[str]
    lost: frozenset[str]
    function: WorkerFunction


class _Caught(Struct, frozen=True, eq=False):
    """The code of a function in which a name is an error of a worker."""

    name: str
    nodes: Sequence[ast.AST]
    frame: Frame
    source: SourceTree


def causes_asked(code: WorkerCode, linker: Linker) -> Iterator[CauseAsked]:
    """The first place at which the main process asks an error of a boundary's workers for what caused it."""
    boundary = code.boundary
    if boundary is None or not boundary.is_stock or not boundary.spec.path.startswith((*_POOLS, *_EXECUTORS)):
        return
    if not linker.first_party.is_anywhere(_ATTRIBUTES, code.root.site.module.path):
        return
    raised = [*_raised(code, linker)]
    for reader in ResultReaders(boundary, "", linker).readers() if raised else ():
        for each in raised:
            for caught in _caught(reader, each, boundary):
                yield from _asked(caught, each, boundary, linker, _IN_THREE)
    for each in raised:
        for caught in _given_to_callback(boundary, linker):
            yield from _asked(caught, each, boundary, linker, _IN_THREE)


def _raised(code: WorkerCode, linker: Linker) -> Iterator[_Raised]:
    asker = code.root.site.module.path
    for function in code.functions:
        for span, name, lost in _raising(function.module, function.facts.span) if function.module.first_party else ():
            yield _Raised(Site(function.module, span), names_of_error(name, asker, linker), lost, function)


def _raising(module: Module, function: Span) -> tuple[tuple[Span, str, frozenset[str]], ...]:
    """Where a function raises an error that has a cause or a context, with the name of its class, and what it has of
    these. It is read once: many workers may run the function."""
    return module.remembered(("errors with a cause", function), lambda: tuple(_find_raising(module, function)))


def _find_raising(module: Module, function: Span) -> Iterator[tuple[Span, str, frozenset[str]]]:
    source = source_tree(module.code)
    nodes = [*source.nodes_within(function)] if source is not None else []
    handlers = [each for each in nodes if isinstance(each, ast.ExceptHandler)]
    handling = {id(inner) for each in handlers for statement in each.body for inner in within(statement)}
    for node in nodes:
        if isinstance(node, ast.Raise) and node.exc is not None and source is not None:
            lost = frozenset(_lost(node, id(node) in handling))
            name = last_name(node.exc.func if isinstance(node.exc, ast.Call) else node.exc)
            if lost and name:
                yield source.span(node), name, lost


def _lost(node: ast.Raise, is_handling: bool) -> Iterator[str]:
    """What an error has that is raised so, and that does not come along."""
    if node.cause is not None and not _is_none(node.cause):
        yield CAUSE
    if is_handling:
        yield CONTEXT


def _caught(reader: Reader, raised: _Raised, boundary: BoundaryCall) -> Iterator[_Caught]:
    """Where a function has an error of a task: it catches that, or is given it by `exception()`."""
    forms, frame = reader.forms, reader.frame

    def may_raise(node: ast.AST) -> bool:
        match node:
            case ast.Call(func=ast.Attribute(value=held, attr=name)) if name in _ASKING:
                return forms.is_first(HANDLE, held) or _is_given_any(node, reader)
            case ast.Call():
                waits = boundary.spec.path.startswith(_POOLS) and boundary.spec.name in _WAITING
                is_made = frame is boundary.frame and forms.source.span(node) == boundary.call.span
                return (is_made and waits) or _is_given_any(node, reader)
            case ast.For(iter=held) | ast.comprehension(iter=held):
                return forms.is_first(IN_EACH, held)
            case ast.Await(value=held):
                return forms.is_first(HANDLE, held)
            case _:
                return False

    for node in forms.nodes:
        match node:
            case ast.Try(body=body, handlers=handlers) if any(
                may_raise(each) for statement in body for each in within(statement)
            ):
                catching = next((each for each in handlers if _catches(each.type, raised.kinds)), None)
                if catching is not None and catching.name is not None:
                    inner = [each for statement in catching.body for each in within(statement)]
                    yield _Caught(catching.name, inner, frame, forms.source)
            case (
                ast.Assign(targets=[ast.Name(id=name)], value=value)
                | ast.NamedExpr(target=ast.Name(id=name), value=value)
            ):
                if _is_error_of_task(value, forms):
                    yield _Caught(name, forms.nodes, frame, forms.source)
            case _:
                pass


def _is_given_any(node: ast.Call, reader: Reader) -> bool:
    """Whether a call gets something that still has to be asked for results."""
    forms = reader.forms
    return any(HANDLE in (forms.of(each) or ()) or _goes_on(each, forms) for each in arguments_of(node))


def _goes_on(value: ast.expr, forms: ResultForms) -> bool:
    """Whether going through a value takes one result after the other."""
    return isinstance(value, ast.Call) and forms.is_first(IN_EACH, value)


def _is_error_of_task(value: ast.expr, forms: ResultForms) -> bool:
    """Whether an expression is what `exception()` of a task gives."""
    match value:
        case ast.Call(func=ast.Attribute(value=held, attr=name)):
            return name == _GIVES and forms.is_first(HANDLE, held)
        case _:
            return False


def _catches(caught: ast.expr | None, kinds: frozenset[str]) -> bool:
    if isinstance(caught, ast.Tuple):
        return any(_catches(each, kinds) for each in caught.elts)
    return caught is None or last_name(caught) in kinds


def _given_to_callback(boundary: BoundaryCall, linker: Linker) -> Iterator[_Caught]:
    given = boundary.call.keyword(_CALLBACK)
    for traced in linker.evaluate(given, boundary.frame) if given is not None else ():
        callback = traced.value
        source = source_tree(callback.module.code) if isinstance(callback, FunctionValue) else None
        if isinstance(callback, FunctionValue) and callback.module.first_party and source is not None:
            frame = Frame(callback.module, callback.facts, parent=callback.frame)
            nodes = [*source.nodes_within(callback.facts.span)]
            yield from (_Caught(name, nodes, frame, source) for name in callback.names_to_give[:1])


def _asked(caught: _Caught, raised: _Raised, boundary: BoundaryCall, linker: Linker, deep: int) -> Iterator[CauseAsked]:
    """The first place at which code asks an error for what caused it, or a function does that it gives the error, or a
    property or method of the error."""
    module = caught.frame.module
    if _TEXT_CLASS in module.code:
        return
    causes = _Causes(caught, raised.lost)
    found = next(causes.asked(boundary.spec.path.startswith(_POOLS)), None)
    if found is not None:
        node, attribute, error = found
        site = Site(module, caught.source.span(node))
        yield CauseAsked(site, ast.unparse(node), attribute, raised.site, error)
        return
    for inner in (*_handed_on(caught, linker), *_own_methods(caught, raised, linker)) if deep else ():
        yield from _asked(inner, raised, boundary, linker, deep - 1)


class _Causes:
    """The expressions of some code that are the cause, or the context, of an error."""

    def __init__(self, caught: _Caught, lost: frozenset[str]) -> None:
        self._error, self._nodes, self._lost = caught.name, caught.nodes, lost
        self._named = dict[str, str]()
        for node in self._nodes:
            match node:
                case (
                    ast.Assign(targets=[ast.Name(id=name)], value=value)
                    | ast.NamedExpr(target=ast.Name(id=name), value=value)
                ):
                    attribute = self._of(value)
                    if attribute is not None:
                        self._named[name] = attribute
                case _:
                    pass

    def asked(self, is_of_pool: bool) -> Iterator[tuple[ast.expr | ast.stmt, str, str | None]]:
        """Where code asks what the cause is, by what attribute it has that, and the error if it is lacking one."""
        for node in self._nodes:
            match node:
                case ast.Call(func=ast.Name(id="isinstance"), args=[value, kinds]) if _is_certain(kinds):
                    place: ast.expr | ast.stmt = node
                case ast.Compare(
                    left=ast.Call(func=ast.Name(id="type"), args=[value]), ops=[_], comparators=[kinds]
                ) if _is_certain(kinds):
                    place = node
                case ast.Raise(exc=ast.expr() as value):
                    place = node
                case ast.Match(subject=value, cases=cases) if any(_is_of_class(each.pattern) for each in cases):
                    place = value
                case _:
                    continue
            attribute = self._of(value)
            if attribute is not None:
                yield place, attribute, None
        for node in self._nodes:
            match node:
                case ast.Attribute(value=value, attr=name) if not hasattr(Exception, name) and name != "tb":
                    attribute = self._of(value)
                    if attribute == CAUSE:
                        kind = _TEXT_CLASS if is_of_pool else f"_{_TEXT_CLASS}"
                        yield node, attribute, f"AttributeError: '{kind}' object has no attribute '{name}'"
                case _:
                    pass

    def _of(self, value: ast.expr) -> str | None:
        match value:
            case ast.Attribute(value=ast.Name(id=name), attr=attribute) if name == self._error:
                return attribute if attribute in self._lost else None
            case ast.Call(
                func=ast.Name(id="getattr"), args=[ast.Name(id=name), ast.Constant(value=str() as attribute), *_]
            ) if name == self._error:
                return attribute if attribute in self._lost else None
            case ast.BoolOp(values=values):
                found = [self._of(each) for each in values if not _is_none(each)]
                return found[0] if all(found) else None
            case ast.Name(id=name):
                return self._named.get(name)
            case _:
                return None


def _is_none(value: ast.expr) -> bool:
    return isinstance(value, ast.Constant) and value.value is None


def _is_certain(kinds: ast.expr) -> bool:
    """Whether no class that is asked for is that of every error."""
    named = kinds.elts if isinstance(kinds, ast.Tuple) else [kinds]
    return all(last_name(each) not in _ANY for each in named)


def _is_of_class(pattern: ast.pattern) -> bool:
    return isinstance(pattern, ast.MatchClass) and _is_certain(pattern.cls)


def _handed_on(caught: _Caught, linker: Linker) -> Iterator[_Caught]:
    """The functions of the program that code gives the error."""
    calls = {each.span: each.call for each in caught.frame.function.events if isinstance(each, Called)}
    for node in caught.nodes:
        if not isinstance(node, ast.Call) or not any(_is_name(each, caught.name) for each in arguments_of(node)):
            continue
        call = calls.get(caught.source.span(node))
        for traced in linker.evaluate(call.function, caught.frame) if call is not None else ():
            callee = traced.value
            source = source_tree(callee.module.code) if isinstance(callee, FunctionValue) else None
            if call is None or source is None or not isinstance(callee, FunctionValue) or not callee.module.first_party:
                continue
            inner = linker.evaluator.enter(callee, call, caught.frame)
            names = [*_parameters_given(node, caught.name, callee)]
            nodes = [*source.nodes_within(callee.facts.span)]
            yield from (_Caught(name, nodes, inner, source) for name in names if inner is not None)


def _own_methods(caught: _Caught, raised: _Raised, linker: Linker) -> Iterator[_Caught]:
    """The properties and methods of its own class for which code asks the error."""
    if not any(isinstance(each, ast.Attribute) and _is_name(each.value, caught.name) for each in caught.nodes):
        return
    for error in errors_raised_at(raised.site, raised.function, linker):
        for frame in methods_asked(caught.name, caught.nodes, error, linker):
            source = source_tree(frame.module.code)
            if source is not None:
                nodes = [*source.nodes_within(frame.function.span)]
                yield _Caught(frame.function.parameters[0].name, nodes, frame, source)


def _parameters_given(node: ast.Call, error: str, callee: FunctionValue) -> Iterable[str]:
    given = zip(callee.names_to_give, node.args, strict=False)
    yield from (name for name, each in given if _is_name(each, error))
    yield from (each.arg for each in node.keywords if each.arg is not None and _is_name(each.value, error))


def _is_name(value: ast.expr, name: str) -> bool:
    return isinstance(value, ast.Name) and value.id == name
