"""The folder in which workers start: that of the process which starts them, as it is by then. Under spawn and
forkserver, a worker goes there before it imports anything.

Measured with CPython 3.11 and 3.13: what counts is the folder at `start()` of a process, at the making of a pool, and
at the first task of an executor (`multiprocessing.spawn.get_preparation_data`).
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from msgspec import Struct

from lintpickle.analyses.at_import.import_time import functions_of
from lintpickle.analyses.calls_and_values.given_on_ways import traced_back
from lintpickle.analyses.calls_and_values.values import resolves_to
from lintpickle.analyses.calls_and_values.ways_of_programs import (
    Link,
    Order,
    ProgramWay,
    is_of_one_program,
    order,
    program_ways,
    surely_comes_first,
)
from lintpickle.analyses.process_state.contexts_around import entered_at
from lintpickle.analyses.workers.ways_to_workers import surely_begins, ways_to_workers
from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.diagnostics import Span
from lintpickle.facts.methods import owns
from lintpickle.facts.records import Called, FunctionFacts
from lintpickle.facts.values import Expr, Parameter, without_narrowing
from lintpickle.interpreter.abstract_values import Frame, Site
from lintpickle.parsing.syntax import dotted, expression_in
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode
from lintpickle.prefilter.words import Words
from lintpickle.program.module import Module

CHDIR = "os.chdir"
CHDIR_CONTEXTS = frozenset({CHDIR, "contextlib.chdir"})
NAMES_CHDIR = re.compile(r"\bchdir\b")
_WORDS = Words({"chdir"})
_OF_CONTEXTS = frozenset({"__enter__", "__aenter__", "__exit__", "__aexit__"})
_POOL, _POOL_MADE = "pool", ".Pool"
_EXECUTOR, _EXECUTOR_MADE = "executor", "Executor"
_HERE = frozenset({"os.getcwd", "getcwd", "Path.cwd", "pathlib.Path.cwd"})
_OF_SCRIPT = frozenset({"sys.argv", "sys.path"})
_KEEPING = frozenset(
    {"dirname", "abspath", "realpath", "normpath", "fspath", "str", "Path", "resolve", "absolute", "parent", "as_posix"}
)
"""What of the path of a script, or of a folder, tells the folder."""
_ABOVE = re.compile(r"(?:\.{1,2}/?)+")
_STEPS = 6


class FolderChange(Struct, frozen=True):
    """Where the process that starts workers has gone to another folder than that in which it began. `is_sure` if every
    run that starts them does so before."""

    site: Site
    is_sure: bool


class _Going(Struct, frozen=True, eq=False):
    """A call of `os.chdir`: by which way a program comes to it, and the folder that it is given."""

    way: ProgramWay
    folder: Expr | None


def changes_folder(module: Module) -> bool:
    """Whether code of a module may go to another folder."""
    return module.has(NAMES_CHDIR)


def changes_folder_anywhere(asker: str, linker: Linker) -> bool:
    """Whether any code of the program may do that; `asker` is as for `FirstPartyModules.search`."""
    return linker.first_party.is_anywhere(_WORDS, asker, NAMES_CHDIR)


def folder_change(code: WorkerCode, linker: Linker) -> FolderChange | None:
    """The change of the folder that holds when the workers of a boundary start, if there is one that is not undone."""
    boundary, asker = code.boundary, code.root.site.module.path
    if boundary is None or not changes_folder_anywhere(asker, linker):
        return None
    return linker.remembered(("folder change", code), lambda: _change(boundary, asker, linker))


def _change(boundary: BoundaryCall, asker: str, linker: Linker) -> FolderChange | None:
    starts = _starts(boundary, linker)
    for way in starts:
        for link in way:
            for entered in entered_at(Site(link.module, link.span), linker):
                if entered.path in CHDIR_CONTEXTS and entered.around is not None and not is_given_home(entered.around):
                    return FolderChange(entered.around, is_sure=True)
    goings = linker.remembered(("goes to folders", asker), lambda: tuple(_goings(asker, linker)))
    for start in starts if goings else ():
        last = _last_before(start, goings)
        if last is not None and not _is_back(last):
            site = last.way[-1]
            return FolderChange(Site(site.module, site.span), surely_comes_first(last.way, start))
    return None


def _goings(asker: str, linker: Linker) -> Iterator[_Going]:
    for module in linker.first_party.naming_in_text(_WORDS, asker, NAMES_CHDIR):
        for facts in functions_of(module, NAMES_CHDIR, lambda each: each.name not in _OF_CONTEXTS):
            for event in facts.events:
                if isinstance(event, Called) and _is_going(event, facts, module, linker):
                    given = event.call.positional() or ()
                    folder = given[0] if given else None
                    ways = program_ways(event.span, facts, module, linker)
                    yield from (_Going(way, folder) for way in ways or ())
                    yield _Going((Link(module, facts, event.span),), folder)


def _is_going(event: Called, facts: FunctionFacts, module: Module, linker: Linker) -> bool:
    if NAMES_CHDIR.search(module.code, event.span.start, event.span.end) is None or not owns(facts, event.span.start):
        return False
    return resolves_to(event.call.function, Frame(module, facts), linker, {CHDIR})


def _starts(boundary: BoundaryCall, linker: Linker) -> list[ProgramWay]:
    """The ways to where the workers start; if these are not seen, the place in its function alone."""
    if boundary.spec.kind == _EXECUTOR and boundary.spec.path.endswith(_EXECUTOR_MADE):
        alike = (each for each in linker.boundary_calls() if each.spec.kind == _EXECUTOR and each is not boundary)
        tasks = [each for each in alike if any(maker.call is boundary.call for maker in linker.makers_of(each))]
        begun = [way for each in tasks for way in ways_to_workers(each, linker) or [_way_here(each, each.site.span)]]
        return [way for way in begun if not any(_is_before(other, way) for other in begun if other is not way)]
    ways = ways_to_workers(boundary, linker)
    if ways:
        return ways
    made = [each for each in linker.boundaries.starting.with_its_maker(boundary) if each is not boundary]
    is_task = boundary.spec.kind == _POOL and not boundary.spec.path.endswith(_POOL_MADE)
    starting = made[0] if is_task and made else boundary
    spans = surely_begins(starting) or (starting.site.span,)
    return [_way_here(starting, span) for span in spans]


def _way_here(boundary: BoundaryCall, span: Span) -> ProgramWay:
    return (Link(boundary.site.module, boundary.frame.function, span),)


def _last_before(start: ProgramWay, goings: tuple[_Going, ...]) -> _Going | None:
    """The change of the folder that a program comes to last before it is at a start."""
    last: _Going | None = None
    for each in goings:
        if is_of_one_program(each.way, start) and _is_before(each.way, start):
            last = each if last is None or _is_before(last.way, each.way) else last
    return last


def _is_before(one: ProgramWay, other: ProgramWay) -> bool:
    return order(one, other) is Order.BEFORE or surely_comes_first(one, other)


def _is_back(going: _Going) -> bool:
    """Whether a change leads to where the program has been before, or to the folder of its script, as far as it is
    seen."""
    if going.folder is None:
        return True
    value, way = traced_back(going.folder, going.way)
    if isinstance(without_narrowing(value), Parameter) and len(way) > 1:
        return True
    module = way[-1].module
    return _is_written_home(module.code[value.span.start : value.span.end], module)


def is_given_home(call: Site) -> bool:
    """Whether a call is given only the folder in which a program has begun, or that of a script or module."""
    written = call.module.code[call.span.start : call.span.end]
    return _is_written_home(written.partition("(")[2].rpartition(")")[0], call.module)


def _is_written_home(written: str, module: Module) -> bool:
    tree = expression_in(written.strip())
    return tree is not None and _is_home(tree, module, _STEPS)


def _is_home(node: ast.expr, module: Module, steps: int) -> bool:
    match node:
        case ast.Constant(value=str(text)):
            return _ABOVE.fullmatch(text) is not None
        case ast.Name(id="__file__"):
            return True
        case ast.Subscript(value=ast.Attribute(attr="parents") as base):
            return _is_home(base.value, module, steps)
        case ast.Subscript(value=base, slice=ast.Constant(value=0)):
            return dotted(base) in _OF_SCRIPT
        case ast.Call(func=function) if dotted(function) in _HERE:
            return True
        case ast.Call(func=ast.Attribute(attr=name) | ast.Name(id=name) as function, args=given) if name in _KEEPING:
            owner = function.value if isinstance(function, ast.Attribute) else None
            inner = given[0] if given else owner
            return inner is not None and _is_home(inner, module, steps)
        case ast.Attribute(value=base, attr=name) if name in _KEEPING:
            return _is_home(base, module, steps)
        case ast.Name(id=name) | ast.Attribute(attr=name) if steps:
            stored = re.compile(
                rf"(?:^|[ \t.;]){re.escape(name)}[ \t]*(?::[^=\n]+)?=(?!=)[ \t]*([^\n#]+)", re.MULTILINE
            )
            values = [expression_in(found[1].strip()) for found in stored.finditer(module.code)]
            values = [each for each in values if not (isinstance(each, ast.Constant) and each.value is None)]
            return bool(values) and all(each is not None and _is_home(each, module, steps - 1) for each in values)
        case _:
            return False
