"""Globals that a module takes from the environment or from a file at import, where the main process changes that
before workers import the module."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct

from lintpickle.analyses.at_import.fresh_reads import read_of
from lintpickle.analyses.at_import.import_statements import Placing, names_given, path_called, statements_at_import
from lintpickle.analyses.at_import.import_time import functions_of, guard_of, outside_comments
from lintpickle.analyses.at_import.run_statements import block_read, written_as
from lintpickle.analyses.at_import.variables_given import calls_setting
from lintpickle.analyses.main_state.main_setters import Met, Setter, Setting, of_the_program, set_by, setter_at
from lintpickle.analyses.process_state.had_by_server import Had, had_by_server
from lintpickle.diagnostics import Span, StartMethod
from lintpickle.facts.methods import owns
from lintpickle.facts.records import FunctionFacts
from lintpickle.parsing.names_read import within
from lintpickle.payload.imported_modules import import_places, imported_with, names_imported
from lintpickle.payload.linker import PICKLED_ON_START, Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction
from lintpickle.prefilter.words import Words
from lintpickle.program.module import Module

_READS = re.compile(r"\benviron\b|\bgetenv\b|\bopen\(|\bread_(?:text|bytes)\(")
_IN_CLASSES = re.compile(r"(?!)")
_BY_THEN = Met("there it is as it is by then")
_ENVIRONMENT = "os.environ"
_READING = frozenset({"os.getenv", "os.environ.get", "os.environ.setdefault"})
_TEXT = frozenset({"read_text", "read_bytes"})


class Taken(Struct, frozen=True):
    """What a global is taken from: a variable of the environment, or a file (by the name of the global that holds its
    path, or by the path itself); and the call, as it is written, with its place."""

    key: str
    is_file: bool
    written: str
    span: Span
    is_named: bool = False
    """Whether the key is the name of a global."""


class TakenRead(Struct, frozen=True):
    """A place where a worker's function reads such a value, and how the main process changes its source."""

    function: WorkerFunction
    home: Module
    taken: Taken
    written: str
    span: Span
    setting: Setting
    only: tuple[StartMethod, ...] = PICKLED_ON_START
    """The start methods under which workers have it differently."""


def taken_read(code: WorkerCode, linker: Linker) -> Iterator[TakenRead]:
    """The values taken from outside that the workers of a boundary read, each once, and have differently."""
    told: set[tuple[str, Span]] = set()
    for function in code.functions if linker.moving_to is not None else ():
        module = function.module
        if not module.first_party or module.document.cells is not None:
            continue
        if guard_of(function.facts.span.start, module) is not None:
            continue
        for home, taken, written, place in (*_read_by_name(function, linker), *_read_as_default(function, linker)):
            if (home.path, taken.span) in told:
                continue
            told.add((home.path, taken.span))
            setters = of_the_program(_changes(taken, home, code, linker), code, linker)
            setting = set_by(setters, _BY_THEN, linker, code.root.site.module.path)
            only = _differing(taken, home, setters, setting, code, linker) if setting is not None else ()
            if setting is not None and only:
                yield TakenRead(function, home, taken, written, place, setting, only)


def _differing(
    taken: Taken, home: Module, setters: Sequence[Setter], setting: Setting, code: WorkerCode, linker: Linker
) -> tuple[StartMethod, ...]:
    """The start methods under which workers take something else at import than the main process has. That has taken it
    before the change where it imports the module at its beginning, or in the function that makes the change, else
    after. A fork server that runs by the time of the change has the environment of before. (Measured with CPython
    3.11.)"""
    is_early = home in imported_with([site.module for site in code.way], linker)
    is_early = is_early or _is_imported_before(home, setting, linker)
    if taken.is_file:
        return PICKLED_ON_START if is_early else ()
    is_served_before = had_by_server(setters, setting.site.span, code, linker) is Had.EARLIER
    if is_early:
        return (StartMethod.SPAWN,) if is_served_before else PICKLED_ON_START
    return (StartMethod.FORKSERVER,) if is_served_before else ()


def _is_imported_before(home: Module, setting: Setting, linker: Linker) -> bool:
    """Whether the function that changes something imports a module before that, itself or by way of others."""
    module, function = setting.site.module, setting.setter
    for place, targets in import_places(module) if function is not None else ():
        if function is None or not function.span.start <= place.start < setting.site.span.start:
            continue
        found = (
            linker.program.find(name, module) for name in names_imported(targets or (), module, linker.program.finder)
        )
        if home in imported_with([each for each in found if each is not None and each.first_party], linker):
            return True
    return False


def _read_by_name(function: WorkerFunction, linker: Linker) -> Iterator[tuple[Module, Taken, str, Span]]:
    """The globals taken from outside that a function reads, each with its module, and how and where it is read."""
    for home, name, written, place in read_of(function, taken_at_import, linker) if function.facts.reads else ():
        yield home, taken_at_import(home, linker)[name], written, place


def _read_as_default(function: WorkerFunction, linker: Linker) -> Iterator[tuple[Module, Taken, str, Span]]:
    """The same of the defaults of the parameters that it is not given: they are taken when the function is defined."""
    module, facts = function.module, function.facts
    block = module.outline.block_at(facts.span.start)
    has_defaults = any(each.default is not None for each in facts.parameters)
    if block is None or facts.is_local or not has_defaults or not module.has(_READS):
        return
    read, known = block_read(block, module), taken_at_import(module, linker)
    for defined in within(read.tree):
        if (
            not isinstance(defined, ast.FunctionDef)
            or not facts.header.start <= read.span(defined).start < facts.header.end
        ):
            continue
        for parameter, default in _defaults(defined.args):
            taken = _source(default, read.span, module, known)
            if taken is not None and parameter not in function.frame.bindings:
                yield module, taken, parameter, read.span(default)


def _defaults(given: ast.arguments) -> Iterator[tuple[str, ast.expr]]:
    """The defaults of parameters, with the names of these."""
    places = [*given.posonlyargs, *given.args]
    for parameter, default in zip(places[len(places) - len(given.defaults) :], given.defaults, strict=True):
        yield parameter.arg, default
    for parameter, value in zip(given.kwonlyargs, given.kw_defaults, strict=True):
        if value is not None:
            yield parameter.arg, value


def taken_at_import(module: Module, linker: Linker) -> Mapping[str, Taken]:
    """The globals of a module that it takes from outside, by their names."""
    return linker.remembered(("taken at import", module.path), lambda: _taken(module))


def _taken(module: Module) -> Mapping[str, Taken]:
    found: dict[str, Taken] = {}
    for statement, place in statements_at_import(module, _IN_CLASSES) if module.has(_READS) else ():
        for names, value in names_given(statement):
            _bind(names, value, place, module, found)
    return found


def _bind(names: Iterable[str], value: ast.expr, place: Placing, module: Module, found: dict[str, Taken]) -> None:
    source = _source(value, place, module, found)
    for name in names:
        found.pop(name, None)
        if source is not None:
            found[name] = source


def _source(value: ast.expr, place: Placing, module: Module, found: Mapping[str, Taken]) -> Taken | None:
    for node in within(value):
        match node:
            case ast.Call(func=function, args=[ast.Constant(value=str(key)), *_]) if (
                path_called(function, module) in _READING
            ):
                return Taken(key, False, written_as(node), place(node))
            case ast.Subscript(value=base, slice=ast.Constant(value=str(key))) if (
                path_called(base, module) == _ENVIRONMENT
            ):
                return Taken(key, False, written_as(node), place(node))
            case ast.Call(func=ast.Name(id="open"), args=[path, *mode]) if not mode or _is_reading(mode[0]):
                return _of_file(path, node, place)
            case ast.Call(func=ast.Attribute(value=path, attr=method)) if method in _TEXT:
                return _of_file(path, node, place)
            case ast.Name(id=name) if name in found:
                return found[name]
            case _:
                pass
    return None


def _is_reading(mode: ast.expr) -> bool:
    return isinstance(mode, ast.Constant) and isinstance(mode.value, str) and mode.value.startswith("r")


def _of_file(path: ast.expr, call: ast.Call, place: Placing) -> Taken | None:
    match path:
        case ast.Name(id=name):
            return Taken(name, True, written_as(call), place(call), True)
        case ast.Constant(value=str(text)) | ast.Call(args=[ast.Constant(value=str(text))]):
            return Taken(text, True, written_as(call), place(call))
        case _:
            return None


def _changes(taken: Taken, home: Module, code: WorkerCode, linker: Linker) -> Iterator[Setter]:
    """Where code sets the variable, or writes the file."""
    asker = code.root.site.module.path
    form = _form(taken)
    for module, facts, place in calls_setting(taken.key, asker, linker) if not taken.is_file else ():
        yield setter_at(module, facts, place, linker, asker)

    def changes(module: Module, facts: FunctionFacts) -> Span | None:
        found = outside_comments(form, module.code, facts.span.start, facts.span.end)
        return found if found is not None and owns(facts, found.start) else None

    word = taken.key if taken.is_named or not taken.is_file else "open"
    for module in linker.first_party.naming_in_text(Words({word}), asker, form):
        if taken.is_named and not _is_same(taken.key, home, module, form, linker):
            continue
        for facts in functions_of(module, form, lambda facts: True):
            span = changes(module, facts)
            if span is not None:
                yield setter_at(module, facts, span, linker, asker)


def _form(taken: Taken) -> re.Pattern[str]:
    key = re.escape(taken.key)
    if not taken.is_file:
        text = rf"[\"']{key}[\"']"
        stored = rf"\benviron\[\s*{text}\s*\]\s*=(?!=)|\benviron\.(?:setdefault|pop)\(\s*{text}|\bputenv\(\s*{text}"
        return re.compile(
            rf"{stored}|\benviron\.update\([^)]*(?:{text}\s*:|\b{key}\s*=)|\bdel\s[\w.]*environ\[\s*{text}"
        )
    path = rf"(?:\w+\.)*{key}" if taken.is_named else rf"[\"']{key}[\"']"
    opened = rf"\bopen\(\s*{path}\s*,\s*(?:mode\s*=\s*)?[\"'][wax]"
    written = r"\s*\)?\.(?:write_text|write_bytes)\("
    return re.compile(rf"{opened}|{path}{written}")


def _is_same(name: str, home: Module, module: Module, form: re.Pattern[str], linker: Linker) -> bool:
    """Whether the name by which a module writes a file leads to the global of that module."""
    if module is home:
        return True
    found = form.search(module.code)
    dotted = re.search(rf"(?:\w+\.)*{re.escape(name)}\b", found[0]) if found is not None else None
    if dotted is None:
        return False
    head, _, last = dotted[0].rpartition(".")
    imported = module.outline.imports.get(head or last)
    source = module.absolute(imported, linker.program.finder) if imported is not None else None
    if imported is None or source is None:
        return False
    path = f"{source}.{imported.name}" if imported.name and head else source
    return linker.program.find(path, module) is home
