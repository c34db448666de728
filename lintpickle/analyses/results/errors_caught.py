"""Whether workers catch an error that one of their functions meets, there or where they call it: then it ends no task,
but the results differ."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterator

from lintpickle.control_flow.steps import is_around
from lintpickle.interpreter.abstract_values import Site
from lintpickle.parsing.names_read import within
from lintpickle.parsing.syntax import last_name
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction
from lintpickle.prefilter.words import Words

_NAMED = re.compile(r"(?:\w+\.)*([A-Z]\w*)(?=:|$)")
"""How an error begins that an exception is: with its name. (`the worker waits for ever` is none.)"""
_CATCHING_ALL = frozenset({"Exception", "BaseException"})
_SUPPRESSING = "suppress"
_ENDING = frozenset({"exit", "_exit", "abort", "quit"})
_MAKING = "__init__"
_MOST_CALLS = 4
_MOST_BASES = 8


def is_caught(error: str, site: Site, code: WorkerCode, linker: Linker) -> bool:
    """Whether all ways by which workers get to a place have a handler for the error, which goes on without it."""
    named = _NAMED.match(error)
    function = code.function_around(site)
    if named is None or function is None:
        return False
    kinds = names_of_error(named[1], code.root.site.module.path, linker)
    return _is_caught_at(site.span.start, function, kinds, code, _MOST_CALLS)


def handlers_for(error: str, code: WorkerCode, linker: Linker) -> Iterator[tuple[WorkerFunction, ast.ExceptHandler]]:
    """The handlers in functions of workers that have the error and go on without it, each with its function."""
    named = _NAMED.match(error)
    kinds = names_of_error(named[1], code.root.site.module.path, linker) if named is not None else frozenset[str]()
    for function in code.functions if kinds else ():
        for node in within(function.frame.paths.tree):
            handler = _going_on(node.handlers, kinds) if isinstance(node, ast.Try) else None
            if handler is not None:
                yield function, handler


def is_swallowed(error: str, place: int, function: WorkerFunction) -> bool:
    """Whether the innermost handler for an error around a place of a function, of those that have one for a builtin
    error, does nothing: `except: pass`."""
    named = _NAMED.match(error)
    kind = getattr(builtins, named[1], None) if named is not None else None
    kinds = frozenset(each.__name__ for each in kind.__mro__) if isinstance(kind, type) else frozenset[str]()
    position, inner = function.frame.paths.position(place), None
    for node in within(function.frame.paths.tree):
        if isinstance(node, ast.Try) and any(is_around(each, position) for each in node.body):
            inner = next((each for each in node.handlers if _catches(each.type, kinds)), inner)
    return inner is not None and all(isinstance(each, ast.Pass | ast.Continue) for each in inner.body)


def _is_caught_at(place: int, function: WorkerFunction, kinds: frozenset[str], code: WorkerCode, calls: int) -> bool:
    if _is_protected(function.frame.paths.position(place), function, kinds):
        return True
    if function.entry or not calls:
        return False
    calling = [(at, caller) for caller in code.functions for at in _calls_of(function, caller)]
    return bool(calling) and all(_is_caught_at(at, caller, kinds, code, calls - 1) for at, caller in calling)


def names_of_error(name: str, asker: str, linker: Linker) -> frozenset[str]:
    """The names of an exception and of those from which it derives: as Python has them, or classes of the program."""
    found = [name]
    for each in found[:_MOST_BASES]:
        known = getattr(builtins, each, None)
        if isinstance(known, type):
            return frozenset({*found, *(base.__name__ for base in known.__mro__)})
        header = re.compile(rf"^[ \t]*class[ \t]+{each}[ \t]*\(([^)]*)\)", re.MULTILINE)
        for module in linker.first_party.naming_in_text(Words({each}), asker, header):
            bases = header.search(module.code)
            found += (base.strip().rpartition(".")[2] for base in (bases[1].split(",") if bases is not None else ()))
    return frozenset({*found, *_CATCHING_ALL})


def _is_protected(place: tuple[int, int], function: WorkerFunction, kinds: frozenset[str]) -> bool:
    for node in within(function.frame.paths.tree):
        match node:
            case ast.Try(body=tried, handlers=handlers) if any(is_around(each, place) for each in tried):
                if _going_on(handlers, kinds) is not None:
                    return True
            case ast.With(items=items, body=body) if any(is_around(each, place) for each in body):
                for item in items:
                    match item.context_expr:
                        case ast.Call(func=called, args=given) if last_name(called) == _SUPPRESSING:
                            if any(_catches(each, kinds) for each in given):
                                return True
                        case _:
                            pass
            case _:
                pass
    return False


def _going_on(handlers: list[ast.ExceptHandler], kinds: frozenset[str]) -> ast.ExceptHandler | None:
    """The handler that has an error of these kinds, if the code goes on behind it."""
    catching = next((each for each in handlers if _catches(each.type, kinds)), None)
    return catching if catching is not None and not _ends(catching) else None


def _catches(caught: ast.expr | None, kinds: frozenset[str]) -> bool:
    if isinstance(caught, ast.Tuple):
        return any(_catches(each, kinds) for each in caught.elts)
    return caught is None or last_name(caught) in kinds


def _ends(handler: ast.ExceptHandler) -> bool:
    """Whether a handler may raise an error itself, or end the process."""
    for statement in handler.body:
        for node in within(statement):
            if isinstance(node, ast.Raise) or (isinstance(node, ast.Call) and last_name(node.func) in _ENDING):
                return True
    return False


def _calls_of(function: WorkerFunction, caller: WorkerFunction) -> Iterator[int]:
    """Where a function of workers calls another one, as far as names tell; a class by its own name."""
    name = function.facts.name
    if name == _MAKING:
        name = function.facts.qualname.split(".")[-2]
    for node in within(caller.frame.paths.tree) if name in caller.module.code else ():
        if isinstance(node, ast.Call) and last_name(node.func) == name:
            yield caller.frame.paths.offset((node.lineno, node.col_offset))
