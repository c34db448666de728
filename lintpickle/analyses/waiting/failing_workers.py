"""Errors that end a worker before it has put a result for an item: what its code raises itself, and what it makes of
texts that may not be numbers. Nothing catches them on the way.

Measured with CPython 3.11, under fork, spawn and forkserver: the process prints the error and ends with exit code 1;
who waits for its result by `get()` waits for ever.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from msgspec import Struct

from lintpickle.analyses.calls_and_values.hierarchies import node_of
from lintpickle.analyses.results.uncaught import leaves_worker
from lintpickle.analyses.waiting.fed_queues import QUEUE_PUTS
from lintpickle.diagnostics import Span
from lintpickle.facts.records import Called, Raised
from lintpickle.facts.values import Attribute, Call, Expr, Item, Name, Parameter, ending_name, without_narrowing
from lintpickle.fixes.syntax import SourceTree, source_tree
from lintpickle.interpreter.abstract_values import ClassValue, ConstantValue, ExternalValue, Site
from lintpickle.interpreter.protocols import Ancestor
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction

_LOOKS_AFTER = re.compile(r"\b(?:is_alive|exitcode|sentinel|terminate|excepthook)\b|\.\s*kill\(")
"""What stands in code that looks after its processes."""
_NO_ERRORS = frozenset({"NotImplementedError", "SystemExit", "KeyboardInterrupt", "StopIteration", "AssertionError"})
_PARSING = {
    "builtins.int": "ValueError",
    "builtins.float": "ValueError",
    "decimal.Decimal": "ArithmeticError",
    "json.loads": "ValueError",
}
"""Functions that read a text, with the errors that they raise for another one."""
_OF_TEXTS = frozenset({"strip", "lstrip", "rstrip", "group", "pop", "replace", "read", "readline", "decode"})


class Failure(Struct, frozen=True):
    """Where a worker ends by an error, its name, and whether the code says itself that there is one."""

    site: Site
    error: str
    is_raised: bool


def failures_before_put(
    worker: WorkerFunction, results: str, jobs: str | None, code: WorkerCode, linker: Linker
) -> Iterator[Failure]:
    """The errors that leave a worker before the function that it begins with has put a result for an item: one that it
    takes from `jobs` in a loop, if it takes any. First those that are raised by a statement."""
    part = _before_put(worker, results, jobs) if worker.entry else None
    boundary = code.boundary
    if part is None or boundary is None or boundary.frame.module.has(_LOOKS_AFTER) or worker.module.has(_LOOKS_AFTER):
        return
    raised, parsed = list[Failure](), list[Failure]()
    for function in code.functions:
        if not function.module.first_party or not _is_run_in(part, function, worker):
            continue
        for event in function.facts.events:
            if function is worker and not part.start <= event.span.start < part.end:
                continue
            if isinstance(event, Raised):
                line = _line(event.value, function, linker)
                name = ending_name(_made(event.value)) or ""
                is_error = bool(line) and name not in _NO_ERRORS and _is_under_a_test(event.span, function)
                if is_error and leaves_worker(event, function, line, code, linker):
                    raised.append(Failure(Site(function.module, event.span), name, True))
            elif isinstance(event, Called) and (error := _parsing(event.call, function, linker)) is not None:
                fails = Raised(event.span, event.conditional, event.guards, event.call)
                if leaves_worker(fails, function, (ExternalValue(f"builtins.{error}"),), code, linker):
                    parsed.append(Failure(Site(function.module, event.span), error, False))
    yield from (*raised, *parsed)


def _before_put(worker: WorkerFunction, results: str, jobs: str | None) -> Span | None:
    """The part of a function from where it gets an item to where it puts the result."""
    found = node_of(worker.module, worker.facts)
    if found is None:
        return None
    source, node = found
    puts = [each for each in ast.walk(node) if _is_call_of(each, results, QUEUE_PUTS)]
    finals = (inner for each in ast.walk(node) if isinstance(each, ast.Try) for inner in each.finalbody)
    if not puts or any(each in ast.walk(final) for final in finals for each in puts):
        return None
    begin = source.span(node).start
    if jobs is not None:
        loops = [each for each in ast.walk(node) if isinstance(each, ast.While | ast.For)]
        loops = [each for each in loops if any(_is_named(inner, jobs) for inner in ast.walk(each))]
        if not loops or not all(any(put in ast.walk(loop) for loop in loops) for put in puts):
            return None
        begin = source.span(loops[0]).start
    return Span(begin, max(source.span(each).end for each in puts if isinstance(each, ast.Call)))


def _is_call_of(node: ast.AST, owner: str, methods: frozenset[str]) -> bool:
    match node:
        case ast.Call(func=ast.Attribute(value=base, attr=name)):
            return name in methods and ast.unparse(base) == owner
        case _:
            return False


def _is_named(node: ast.AST, written: str) -> bool:
    return isinstance(node, ast.Name | ast.Attribute) and ast.unparse(node) == written


def _is_run_in(part: Span, function: WorkerFunction, worker: WorkerFunction) -> bool:
    """Whether a function is the worker's own, or is called from a part of that."""
    if function is worker:
        return True
    sites = [hop.site for hop in function.hops if hop.site.module is worker.module]
    return any(part.start <= each.span.start < part.end for each in sites)


def _made(value: Expr) -> Expr:
    value = without_narrowing(value)
    return value.function if isinstance(value, Call) else value


def _line(value: Expr, function: WorkerFunction, linker: Linker) -> tuple[Ancestor, ...]:
    """The hierarchy of the error that a statement raises."""
    found = [each.value for each in linker.evaluate(_made(value), function.frame)]
    if len(found) != 1 or not isinstance(found[0], ClassValue | ExternalValue):
        return ()
    return linker.classes.mro(found[0]) if isinstance(found[0], ClassValue) else (found[0],)


def _is_under_a_test(place: Span, function: WorkerFunction) -> bool:
    """Whether a statement is run if something holds, and is not what is left when all that is expected does not."""
    source = source_tree(function.module.code)
    tests = source.nodes_within(function.facts.span) if source is not None else ()
    return any(
        source.span(statement) == place
        for node in tests
        if source is not None and isinstance(node, ast.If) and not _is_branch(node, source)
        for statement in node.body
    )


def _is_branch(node: ast.If, source: SourceTree) -> bool:
    """Whether an `if` is the `elif` of another one."""
    return source.text.startswith("elif", source.span(node).start)


def _parsing(call: Call, function: WorkerFunction, linker: Linker) -> str | None:
    """The error that a call raises for some texts, if it may be given any."""
    given = call.positional() or ()
    if len(given) != 1 or (ending_name(call.function) or "") not in {each.rpartition(".")[2] for each in _PARSING}:
        return None
    value = without_narrowing(given[0])
    is_method = isinstance(value, Call) and isinstance(value.function, Attribute) and value.function.name in _OF_TEXTS
    if not is_method and not isinstance(value, Parameter | Name | Item):
        return None
    known = [each.value for each in linker.evaluate(value, function.frame)]
    if any(isinstance(each, ConstantValue) and not isinstance(each.value, str) for each in known):
        return None
    for each in linker.evaluate(call.function, function.frame):
        if isinstance(each.value, ExternalValue) and each.value.path in _PARSING:
            return _PARSING[each.value.path]
    return None
