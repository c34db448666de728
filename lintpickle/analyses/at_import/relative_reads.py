"""Files that a module reads at import by a path which begins in the current folder: a worker that imports the module
again looks for them in the folder in which it starts."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from lintpickle.analyses.at_import.import_statements import (
    CallAtImport,
    calls_at_import,
    names_given,
    path_called,
    receiver_of,
)
from lintpickle.analyses.at_import.run_statements import block_read, statements_run
from lintpickle.analyses.calls_and_values.leading_modules import leading_modules
from lintpickle.analyses.calls_and_values.relative_paths import begins_in_current_folder
from lintpickle.analyses.process_state.folder_at_start import (
    CHDIR,
    FolderChange,
    changes_folder,
    changes_folder_anywhere,
    folder_change,
    is_given_home,
)
from lintpickle.interpreter.abstract_values import Site
from lintpickle.parsing.names_read import within
from lintpickle.parsing.syntax import FUNCTIONS, Function
from lintpickle.payload.imported_modules import imported_with
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode
from lintpickle.program.module import Module

_CURRENT = frozenset({"os.getcwd", "pathlib.Path.cwd"})
_KEEPING = ("os.path.", "builtins.str", "os.fspath", "pathlib.Path", "pathlib.PurePath")
"""How the paths of functions begin whose results begin in the folder in which their first arguments do."""
_FIRST = ("self", "cls")
_STEPS = 6


def read_before_leaving(
    call: CallAtImport, module: Module, code: WorkerCode, linker: Linker
) -> tuple[str, FolderChange] | None:
    """The path in the current folder that a call at import of a module reads ("" if it is not written out), and where
    the process that starts workers goes to another folder after that; None if it is not seen to."""
    if not changes_folder(module) and not changes_folder_anywhere(code.root.site.module.path, linker):
        return None
    path = _path_in_current_folder(call, linker)
    left = _folder_left_since(call, module, code, linker) if path is not None else None
    return (path, left) if path is not None and left is not None else None


def _path_in_current_folder(call: CallAtImport, linker: Linker) -> str | None:
    """The path that a call at import reads, if it begins in the current folder; "" if it is not written out."""
    path = receiver_of(call.call.func, call.path) or next(iter(call.call.args), None)
    if path is None or not _is_relative(path, call, linker, _STEPS):
        return None
    return path.value if isinstance(path, ast.Constant) and isinstance(path.value, str) else ""


def _folder_left_since(call: CallAtImport, module: Module, code: WorkerCode, linker: Linker) -> FolderChange | None:
    """Where the process that starts workers goes to another folder after a module has made a call at import; None if it
    is not seen to, or if the import itself goes to a folder before."""
    left = folder_change(code, linker)
    if left is None and not changes_folder(module):
        return None
    imported = imported_with(leading_modules(code, linker), linker)
    others = (each for each in imported if each is not module and each.first_party and changes_folder(each))
    if any(each.path == CHDIR for other in others for each in calls_at_import(other, linker)):
        return None
    going = [each for each in calls_at_import(module, linker) if each.path == CHDIR and not each.around]
    if any(each.span.start < (call.around[0] if call.around else call).span.start for each in going):
        return None
    for each in going if left is None else ():
        site = Site(each.module, each.span)
        if not is_given_home(site):
            return FolderChange(site, is_sure=True)
    return left


def _is_relative(node: ast.expr, call: CallAtImport, linker: Linker, steps: int) -> bool:
    match node:
        case ast.Constant(value=str(text)):
            return begins_in_current_folder(text)
        case ast.JoinedStr(values=[ast.Constant() as first, *_]) | ast.BinOp(left=first):
            return _is_relative(first, call, linker, steps)
        case ast.Attribute(value=base, attr="parent"):
            return _is_relative(base, call, linker, steps)
        case ast.Call(func=function, args=given):
            path = path_called(function, call.module)
            if path in _CURRENT:
                return True
            owner = receiver_of(function, path)
            if owner is None and isinstance(function, ast.Attribute) and function.attr == "format":
                owner = function.value
            if owner is not None:
                return _is_relative(owner, call, linker, steps)
            return path.startswith(_KEEPING) and bool(given) and _is_relative(given[0], call, linker, steps)
        case ast.Name(id=name) if steps:
            values = list(_values(name, call, linker))
            return bool(values) and all(_is_relative(value, at, linker, steps - 1) for value, at in values)
        case _:
            return False


def _values(name: str, call: CallAtImport, linker: Linker) -> Iterator[tuple[ast.expr, CallAtImport]]:
    """What a name may stand for where a call at import is made, each with the call at which that is worked out."""
    function = _function_around(call)
    if function is not None:
        assigned = [value for names, value in _assigned(within(function)) if name in names]
        yield from ((value, call) for value in assigned)
        given = _given(name, function, call) if not assigned else None
        if given is not None:
            yield given
        if assigned or name in _parameters(function):
            return
    home, own = _home_of(name, call.module, linker)
    if home is None:
        return
    for block in home.outline.binding(own):
        if not (block.defines_function or block.is_class):
            at = CallAtImport(call.call, "", home, block.span, ())
            body = (statement for statement, _ in statements_run(block_read(block, home).tree.body))
            yield from ((value, at) for names, value in _assigned(body) if own in names)


def _home_of(name: str, module: Module, linker: Linker) -> tuple[Module | None, str]:
    """The module that gives a name its value which another one has, and the name there."""
    imported = module.outline.imports.get(name)
    if imported is None:
        return module, name
    source = module.absolute(imported, linker.program.finder)
    found = linker.program.find(source, module) if source is not None and imported.name else None
    return (found if found is not None and found.first_party else None), imported.name or name


def _assigned(nodes: Iterable[ast.AST]) -> Iterator[tuple[list[str], ast.expr]]:
    return (each for node in nodes if isinstance(node, (ast.Assign, ast.AnnAssign)) for each in names_given(node))


def _function_around(call: CallAtImport) -> Function | None:
    """The function in which a call at import stands."""
    block = call.module.outline.block_at(call.span.start) if call.around else None
    functions = within(block_read(block, call.module).tree) if block is not None else ()
    holding = (each for each in functions if isinstance(each, FUNCTIONS))
    return next((each for each in holding if any(node is call.call for node in ast.walk(each))), None)


def _parameters(function: Function) -> list[str]:
    return [each.arg for each in (*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs)]


def _given(name: str, function: Function, call: CallAtImport) -> tuple[ast.expr, CallAtImport] | None:
    """What a parameter of a function gets that the import calls."""
    places = _parameters(function)
    *around, site = call.around
    block = site.module.outline.block_at(site.span.start)
    if name not in places or block is None:
        return None
    read = block_read(block, site.module)
    calls = (each for each in ast.walk(read.tree) if isinstance(each, ast.Call) and read.span(each) == site.span)
    made = next(calls, None)
    if made is None:
        return None
    at = CallAtImport(made, "", site.module, site.span, (), around=tuple(around))
    place = places.index(name) - (places[0] in _FIRST)
    named = {each.arg: each.value for each in made.keywords}
    if name in named:
        return named[name], at
    if place < len(made.args):
        return made.args[place], at
    defaults = function.args.defaults
    behind = len(function.args.posonlyargs) + len(function.args.args) - len(defaults)
    at_default = places.index(name) - behind
    return (defaults[at_default], at) if 0 <= at_default < len(defaults) else None
