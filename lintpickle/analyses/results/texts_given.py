"""Texts that are written out where tasks are made, and given to them: `submit(load, name)` for names of a list; also
tables of fields in such a text."""

from __future__ import annotations

import ast
import csv
from collections.abc import Iterator

from lintpickle.analyses.results.errors_of_values import written_keys
from lintpickle.analyses.results.numbers_written import NUMBERS, is_written_number
from lintpickle.interpreter.abstract_values import ConstantValue
from lintpickle.parsing.names_read import within
from lintpickle.parsing.syntax import dotted
from lintpickle.payload.entry_arguments import place_given
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction


def texts_given(name: str, function: WorkerFunction, code: WorkerCode, linker: Linker) -> tuple[str, ...]:
    """The texts that a parameter of the function of a task may be, if all that it is given is written out as such; none
    of any other variable, or of a parameter that the function gives another value."""
    names = [each.name for each in function.facts.parameters]
    if code.boundary is None or not function.entry or name not in names or names[0] in ("self", "cls"):
        return ()
    stores = (each for each in within(function.frame.paths.tree) if isinstance(each, ast.Name) and each.id == name)
    if any(isinstance(each.ctx, ast.Store) for each in stores):
        return ()
    crossings = linker.shipped_by(code.boundary)
    values = [each.value for each in crossings if place_given(each) == names.index(name)]
    texts = [each.value for each in values if isinstance(each, ConstantValue) and isinstance(each.value, str)]
    return tuple(texts) if len(texts) == len(values) else ()


def is_fine(node: ast.expr, function: WorkerFunction, code: WorkerCode, linker: Linker) -> bool:
    """Whether `int` or `float` is called with a field of a table that is written out in what the task is given, and all
    such fields are numbers; or such fields are looked up, and all are keys of a dict that is written out."""
    match node:
        case ast.Call(func=ast.Name(id=name), args=[field]) if name in NUMBERS:
            fields = _written(field, function, code, linker)
            return bool(fields) and all(isinstance(each, str) and is_written_number(name, each) for each in fields)
        case ast.Subscript(value=ast.Name() as table, slice=ast.Subscript() as field):
            fields = _written(field, function, code, linker)
            return bool(fields) and set(fields) <= written_keys(table, function.frame.paths)
        case _:
            return False


def _written(field: ast.expr, function: WorkerFunction, code: WorkerCode, linker: Linker) -> list[str | None]:
    """What a field of a row of such a table may be; nothing if that is not known."""
    match field:
        case ast.Subscript(value=ast.Name(id=row), slice=ast.Constant(value=key)):
            readers = list(_readers(row, function))
        case _:
            return []
    texts = texts_given(readers[0][1], function, code, linker) if len(readers) == 1 else ()
    return [each for text in texts for each in _fields(readers[0][0], text, key)]


def _readers(row: str, function: WorkerFunction) -> Iterator[tuple[str, str]]:
    """The kinds of the readers of csv rows of which a variable holds one after the other, each with the variable whose
    text it reads: `for row in csv.reader(io.StringIO(text))`."""
    for node in within(function.frame.paths.tree):
        match node:
            case (
                ast.For(target=ast.Name(id=target), iter=rows)
                | ast.comprehension(target=ast.Name(id=target), iter=rows)
            ) if target == row:
                pass
            case _:
                continue
        match function.frame.paths.without_name(rows):
            case ast.Call(func=kind, args=[ast.Call(func=made, args=[ast.Name(id=text)])], keywords=[]):
                is_text = dotted(made) in ("io.StringIO", "StringIO")
                yield dotted(kind), text if is_text else ""
            case ast.Call(func=kind, args=[ast.Call(func=ast.Attribute(value=ast.Name(id=text), attr="splitlines"))]):
                yield dotted(kind), text
            case _:
                yield "", ""


def _fields(reader: str, text: str, key: object) -> list[str | None]:
    """What stands at a place of the rows of a table; None for a row without it."""
    rows = text.splitlines(keepends=True)
    match reader.rpartition(".")[2]:
        case "DictReader":
            return [row.get(str(key)) for row in csv.DictReader(rows)]
        case "reader" if isinstance(key, int):
            return [row[key] if -len(row) <= key < len(row) else None for row in csv.reader(rows)]
        case _:
            return [None]
