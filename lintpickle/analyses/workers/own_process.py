"""What functions of workers ask about their process, and that only a forked one has as the main process expects: its
parent, and the ids of objects."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from lintpickle.analyses.at_import.import_statements import path_called
from lintpickle.analyses.main_state.keys_of_scripts import keys_of_scripts
from lintpickle.analyses.main_state.main_setters import Met, Setting
from lintpickle.analyses.workers.numbers_of_processes import taken_by_main
from lintpickle.analyses.workers.tables_by_id import looked_up_by_id
from lintpickle.diagnostics import Span, StartMethod
from lintpickle.interpreter.abstract_values import Site
from lintpickle.parsing.main_guard import has_guard
from lintpickle.parsing.names_read import within
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction

_NAMES_MODULE = re.compile(r"\.\s*__module__\b(?!\s*=[^=])")
_OTHER_SCRIPT = Met("there the script is called `__mp_main__`", "set")
_ASKING = re.compile(r"\bgetppid\s*\(")
_PARENT = "os.getppid"
_OTHER_PARENT = Met("there it is the child of the server", "set")
_MAIN = "the main process as parent"
_BY_ITSELF = "if it forks or spawns the worker itself"
_ASK_FOR_PARENT = "ask `multiprocessing.parent_process()`, which is the main process under every start method"
_NAME_OTHERWISE = "use keys without the name of the module, or move what is registered out of the script"
_USE_OTHER_KEYS = "use keys that cross with the objects: a number or name of their own, their place in a list"
_TABLE_FILLED = "the main process fills it here"
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
    setting: str = "the main process takes its number here"
    """What the main process does where it sets that."""


def process_asked(code: WorkerCode, linker: Linker) -> Iterator[tuple[AskedOfProcess, Setting]]:
    """The functions of workers that compare the number of their parent with another one, or ask for the module of
    something in a script. It is doubted unless that number is one that the main process has taken. For `migrate`."""
    if linker.moving_to is None:
        return
    yield from _by_key_of_script(code, linker)
    for function in code.functions:
        facts, module = function.facts, function.module
        yield from _script_named(function)
        yield from _by_id(function, code, linker)
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
                case _:
                    pass


def _by_id(function: WorkerFunction, code: WorkerCode, linker: Linker) -> Iterator[tuple[AskedOfProcess, Setting]]:
    """Where a function looks something up by its id: it is known that it finds nothing, if the table crosses, too."""
    found = looked_up_by_id(function, code, linker) if function.module.first_party else None
    if found is None:
        return
    site = Site(function.module, found.span)
    is_known = found.filled is not None
    asked = AskedOfProcess(function, "id", "a table by ids", found.span, None, is_known, _USE_OTHER_KEYS, _TABLE_FILLED)
    met = replace(_OTHER_IDS, error="KeyError") if found.fails and is_known else _OTHER_IDS
    yield asked, Setting(met, "before", found.filled or site, not is_known)


def _by_key_of_script(code: WorkerCode, linker: Linker) -> Iterator[tuple[AskedOfProcess, Setting]]:
    """Where a function looks up, by the name of a module that main gives it, what a script registers."""
    for found in keys_of_scripts(code, linker):
        met = replace(_OTHER_SCRIPT, error="KeyError") if found.fails else _OTHER_SCRIPT
        asked = AskedOfProcess(
            found.function,
            found.written,
            f"`__main__` in keys of `{found.written}`",
            found.span,
            is_known=True,
            help=_NAME_OTHERWISE,
            setting="the key is made here",
        )
        yield asked, Setting(met, "in the main process", found.made)


def _script_named(function: WorkerFunction) -> Iterator[tuple[AskedOfProcess, Setting]]:
    """Where a function of a script asks for the module of a class or function, which may be the script: `__main__` is
    `__mp_main__` in workers that are not forked (CPython 3.10 to 3.14, `multiprocessing.spawn`)."""
    facts, module = function.facts, function.module
    found = _NAMES_MODULE.search(module.code, facts.header.end, facts.span.end) if module.first_party else None
    if found is not None and has_guard(module.code):
        span = Span(*found.span())
        asked = AskedOfProcess(function, "__module__", "the name of the script as a module", span)
        yield asked, Setting(_OTHER_SCRIPT, "in the main process", Site(module, span), True)


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
