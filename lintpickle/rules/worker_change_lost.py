from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator

from lintpickle.analyses.main_globals import at_import, changing
from lintpickle.analyses.main_setters import guard_of
from lintpickle.diagnostics import Confidence, Span
from lintpickle.rules.authoring import (
    ALL_START_METHODS,
    BoundaryCall,
    FunctionFacts,
    Hazard,
    Hop,
    Linker,
    Module,
    Paths,
    Rule,
    Site,
    Words,
    WorkerCode,
    WorkerFunction,
    within,
)

_ADDING = "add|append|appendleft|clear|discard|extend|insert|remove|setdefault|sort|update"
"""Methods that change a container, and do not read it if their result is not used."""


class WorkerChangeLost(Rule):
    """A global that a function changes in a worker, and that the code which starts the workers reads afterwards."""

    code = "LP207"
    name = "worker-change-lost"
    start_methods = ALL_START_METHODS
    message = (
        "`{function}` runs in workers and changes the global `{name}`, which {reader} reads: the change is lost "
        "with the worker, and {reader} still sees {value}"
    )
    help = "return the result, or send it through a `Queue` or a `Manager` object"

    def worker(self, code: WorkerCode, linker: Linker) -> Iterable[Hazard]:
        boundary = code.boundary
        if boundary is None:
            return
        home = boundary.frame.module
        for function in code.functions if home.first_party else ():
            for name in _changed(function, boundary.frame.function) if function.module is home else ():
                reader, value = _reader(name, boundary), at_import(name, home)
                if reader is None or value is None or not _is_only_changed_by(function, name, home, linker):
                    continue
                yield Hazard(
                    site=_place(name, function),
                    noun="changed in the worker",
                    error=None,
                    data={"function": function.facts.name, "name": name, "reader": reader, "value": value},
                    hops=(*function.hops, Hop(f"{reader} starts the workers, and reads `{name}` later", boundary.site)),
                    confidence=Confidence.LIKELY,
                )


def _changed(function: WorkerFunction, starter: FunctionFacts) -> Iterator[str]:
    """The globals that a function changes before reading them, and that the code which starts the workers reads."""
    facts = function.facts
    names = starter.reads.keys() & {*facts.globals_declared, *facts.reads} if not facts.is_local else set()
    tree = Paths(function.module, facts.span).tree if names else ast.Module([], [])
    for name in sorted(names):
        if any(is_change for _, is_change in sorted(_uses(name, tree))[:1]):
            yield name


def _uses(name: str, tree: ast.AST) -> Iterator[tuple[tuple[int, int], bool]]:
    """The uses of a name (row, column), each with whether it is rebound, or its value is changed, there."""
    changed: set[int] = set()
    for node in within(tree):
        match node:
            case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name() as root, attr=method))):
                if re.fullmatch(_ADDING, method):
                    changed.add(id(root))
            case ast.Subscript(value=ast.Name() as root, ctx=ast.Store() | ast.Del()):
                changed.add(id(root))
            case ast.Name(id=found, ctx=context) if found == name:
                is_change = id(node) in changed or not isinstance(context, ast.Load)
                yield (node.lineno, node.col_offset), is_change
            case _:
                pass


def _place(name: str, function: WorkerFunction) -> Site:
    """The first place at which the function changes the global."""
    facts, code = function.facts, function.module.code
    change = re.compile(rf"(?<![\w.])({name})\b\s*(?:[-+*/%|&^@<>]*=(?!=)|[.\[])")
    found = change.search(code, facts.header.end, facts.span.end)
    return Site(function.module, Span(*found.span(1)) if found is not None else facts.header)


def _reader(name: str, boundary: BoundaryCall) -> str | None:
    """The code that starts the workers, if it reads the global after the call that starts them."""
    module, starter, behind = boundary.frame.module, boundary.frame.function, boundary.call.span.end
    read = re.compile(rf"(?<![\w.'\"]){name}\b(?!\s*(?:[-+*/|&]?=(?!=)|\.\s*(?:{_ADDING})\(|['\"]))")
    if not starter.is_module_body:
        return f"`{starter.name}()`" if read.search(module.code, behind, starter.span.end) else None
    guard = guard_of(boundary.call.span.start, module)
    return "the main guard" if guard is not None and read.search(module.code, behind, guard.span.end) else None


def _is_only_changed_by(function: WorkerFunction, name: str, home: Module, linker: Linker) -> bool:
    """Whether no other code changes the global or reads it in a worker that `home` starts, and only those workers call
    the function."""
    codes = (code for code in linker.worker_codes() if code.root.site.module is home)
    running = [each for code in codes for each in code.functions]
    others = (each.facts for each in running if each.facts is not function.facts)
    if any(name in each.reads or name in each.globals_declared for each in others):
        return False
    if any(facts is not function.facts for facts in changing(name, function.module)):
        return False
    called_as = function.facts.name
    if called_as.startswith("__"):
        return True  # Python calls it.
    called = re.compile(rf"(?<!def )\b{re.escape(called_as)}\s*\(")
    naming = linker.first_party.naming_in_text(Words({called_as}), home.path, called)
    places = ((module, found.start()) for module in naming for found in called.finditer(module.code))
    return all(any(_is_in(place, module, each) for each in running) for module, place in places)


def _is_in(offset: int, module: Module, function: WorkerFunction) -> bool:
    return module is function.module and function.facts.span.start <= offset < function.facts.span.end
