"""Files that a function of workers reads and the main process has removed when it starts them: both name them by the
same expression, or the one removes a folder in which the other one reads."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from lintpickle.analyses.main_state.main_setters import Setting, is_before_workers
from lintpickle.analyses.workers.workers_started import is_after_workers
from lintpickle.control_flow.paths import Paths
from lintpickle.facts.records import Called, FunctionFacts
from lintpickle.facts.values import ending_name
from lintpickle.interpreter.abstract_values import Frame, FunctionValue
from lintpickle.parsing.names_read import within
from lintpickle.parsing.syntax import dotted
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerFunction
from lintpickle.program.module import Module

_REMOVING = frozenset({"os.remove", "os.unlink", "shutil.rmtree", "remove", "unlink", "rmtree"})
_WORDS = re.compile(r"\b(?:remove|unlink|rmtree)\s*\(")
_OPENING = frozenset({"open", "read_text", "read_bytes"})
_JOINING = "join"


def removes_file_read(setting: Setting, function: WorkerFunction, linker: Linker) -> bool:
    """Whether the function of the main process that makes a setting removes then what a function of workers reads,
    itself or by a function of the same module, before it starts them."""
    setter, site = setting.setter, setting.site
    module = site.module
    if setter is None or function.module is not module or not module.has(_WORDS):
        return False
    read = {text for each in _read(function.frame.paths) for text in _with_folders(each, function)}
    frame = Frame(module, setter)
    for event in setter.events if read else ():
        if not isinstance(event, Called) or event.span.start < site.span.end:
            continue
        called = [traced.value for traced in linker.evaluate(event.call.function, frame)]
        inside = [each.facts for each in called if isinstance(each, FunctionValue) and each.module is module]
        is_removal = (ending_name(event.call.function) or "") in _REMOVING
        does = any(_removes(read, facts, module) for facts in inside) or (
            is_removal and _is_removal(module.code[event.span.start : event.span.end], read)
        )
        is_before = does and is_before_workers(event.span, setter, linker)
        if is_before and not is_after_workers([event.span], setter, module, linker):
            return True
    return False


def _read(paths: Paths) -> Iterator[ast.expr]:
    """The paths of the files that a function opens or reads."""
    for node in within(paths.tree):
        match node:
            case ast.Call(func=ast.Name(id="open"), args=[path, *_]):
                yield paths.without_name(path)
            case ast.Call(func=ast.Attribute(value=path, attr=name)) if name in _OPENING:
                yield paths.without_name(path)
            case _:
                pass


def _with_folders(path: ast.expr, function: WorkerFunction) -> Iterator[str]:
    """The text of a path that only names of the module make up, and those of the folders in which it is seen to be."""
    given = {each.name for each in function.facts.parameters} | function.facts.variables.keys()
    if any(isinstance(each, ast.Name) and each.id in given for each in within(path)):
        return
    yield ast.unparse(path)
    match path:
        case ast.Call(func=ast.Attribute(attr=name), args=[folder, _, *_]) if name == _JOINING:
            yield from _with_folders(folder, function)
        case ast.BinOp(left=folder, op=ast.Div()):
            yield from _with_folders(folder, function)
        case _:
            pass


def _removes(read: set[str], facts: FunctionFacts, module: Module) -> bool:
    """Whether a function removes one of some paths."""
    tree = Paths(module, facts.span).tree
    return any(isinstance(node, ast.Call) and _is_of(node, read) for node in within(tree))


def _is_removal(text: str, read: set[str]) -> bool:
    try:
        return _is_of(ast.parse(text.strip(), mode="eval").body, read)
    except SyntaxError:
        return False


def _is_of(call: ast.expr, read: set[str]) -> bool:
    match call:
        case ast.Call(func=function, args=[path, *_]) if dotted(function) in _REMOVING:
            return ast.unparse(path) in read
        case ast.Call(func=ast.Attribute(value=path, attr="unlink")):
            return ast.unparse(path) in read
        case _:
            return False
