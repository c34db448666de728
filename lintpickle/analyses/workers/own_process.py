"""What functions of workers ask about their process, and that only a forked one has as the main process expects: its
parent, and the ids of objects."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from msgspec import Struct

from lintpickle.analyses.at_import.import_statements import path_called
from lintpickle.analyses.at_import.import_time import functions_of
from lintpickle.analyses.main_state.main_setters import Met, Setting
from lintpickle.analyses.workers.numbers_of_processes import taken_by_main
from lintpickle.diagnostics import Span, StartMethod
from lintpickle.interpreter.abstract_values import Site
from lintpickle.parsing.main_guard import has_guard
from lintpickle.parsing.names_read import within
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction

_NAMES_MODULE = re.compile(r"\.\s*__module__\b(?!\s*=[^=])")
_OTHER_SCRIPT = Met("there the script is called `__mp_main__`", "set")
_ASKING = re.compile(r"\b(?:getppid|id)\s*\(")
_TAKING_ID = re.compile(r"\bid\s*\(")
_PARENT = "os.getppid"
_OTHER_PARENT = Met("there it is the child of the server", "set")
_MAIN = "the main process as parent"
_BY_ITSELF = "if it forks or spawns the worker itself"
_ASK_FOR_PARENT = "ask `multiprocessing.parent_process()`, which is the main process under every start method"
_ID = "builtins.id"
_OTHER_IDS = Met("there the objects that it is given have other ids", "set")


class AskedOfProcess(Struct, frozen=True):
    """A call in a function of workers, as written, what it depends on, in words, and the only start method under which
    it differs, if it is one."""

    function: WorkerFunction
    written: str
    what: str
    span: Span
    only: StartMethod | None = None
    is_known: bool = False
    """Whether it surely differs there."""
    help: str | None = None


def process_asked(code: WorkerCode, linker: Linker) -> Iterator[tuple[AskedOfProcess, Setting]]:
    """The functions of workers that compare the number of their parent with another one, or ask for the module of
    something in a script. It is doubted unless that number is one that the main process has taken. For `migrate`."""
    for function in code.functions if linker.moving_to is not None else ():
        facts, module = function.facts, function.module
        yield from _script_named(function)
        found = _ASKING.search(module.code, facts.header.end, facts.span.end) if module.first_party else None
        if found is None:
            continue
        span = Span(found.start(), found.end() - 1)
        site = Site(module, span)
        for node in within(function.frame.paths.tree):
            match node:
                case ast.Compare(left=left, ops=[ast.Eq() | ast.NotEq()], comparators=[right]):
                    sides = [_path(side, function) for side in (left, right)]
                    other = right if sides[0] == _PARENT else left
                    is_known = isinstance(other, ast.Constant) or _is_own(other, function)
                    if sides.count(_PARENT) == 1 and not is_known:
                        taken = taken_by_main(other, function, code, linker)
                        asked = AskedOfProcess(
                            function, _PARENT, _MAIN, span, StartMethod.FORKSERVER, taken is not None, _ASK_FOR_PARENT
                        )
                        yield asked, Setting(_OTHER_PARENT, _BY_ITSELF, taken or site, taken is None)
                        break
                case (
                    ast.Subscript(value=table, slice=ast.Call() as key)
                    | ast.Call(func=ast.Attribute(value=table, attr="get"), args=[ast.Call() as key, *_])
                ) if _path(key, function) == _ID and _is_from_outside(table, function) and _takes_ids(function, code):
                    yield (
                        AskedOfProcess(function, "id", "a table by ids", span),
                        Setting(_OTHER_IDS, "before", site, True),
                    )
                    break
                case _:
                    pass


def _script_named(function: WorkerFunction) -> Iterator[tuple[AskedOfProcess, Setting]]:
    """Where a function of a script asks for the module of a class or function, which may be the script: `__main__` is
    `__mp_main__` in workers that are not forked (CPython 3.10 to 3.14, `multiprocessing.spawn`)."""
    facts, module = function.facts, function.module
    found = _NAMES_MODULE.search(module.code, facts.header.end, facts.span.end) if module.first_party else None
    if found is not None and has_guard(module.code):
        span = Span(*found.span())
        asked = AskedOfProcess(function, "__module__", "the name of the script as a module", span)
        yield asked, Setting(_OTHER_SCRIPT, "in the main process", Site(module, span), True)


def _is_from_outside(table: ast.expr, function: WorkerFunction) -> bool:
    """Whether a function has not made a table itself, as far as names tell."""
    while isinstance(table, ast.Attribute):
        table = table.value
    return isinstance(table, ast.Name) and table.id not in function.facts.variables


def _takes_ids(function: WorkerFunction, code: WorkerCode) -> bool:
    """Whether code of its module that no worker runs takes ids, too."""
    running = {id(each.facts) for each in code.functions}
    others = functions_of(function.module, _TAKING_ID, lambda facts: id(facts) not in running)
    text = function.module.code
    return any(_TAKING_ID.search(text, each.header.end, each.span.end) for each in others if not each.is_module_body)


def _path(node: ast.expr, function: WorkerFunction) -> str:
    return path_called(node.func, function.module) if isinstance(node, ast.Call) else ""


def _is_own(other: ast.expr, function: WorkerFunction) -> bool:
    """Whether a worker compares with the number that it had itself at first."""
    if not isinstance(other, ast.Name):
        return False
    for node in within(function.frame.paths.tree):
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call() as value) if name == other.id:
                return _path(value, function) == _PARENT
            case _:
                pass
    return False
