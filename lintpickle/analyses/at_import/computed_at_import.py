"""Values that the import of a module computes and that come out the same in every process: `ROOT =
os.path.join(os.path.dirname(__file__), "data")`."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Collection

from lintpickle.analyses.at_import.values_at_import import value_at_import
from lintpickle.parsing.outline import Block
from lintpickle.parsing.syntax import dotted, expression_in
from lintpickle.program.module import Module
from lintpickle.program.program import Program

_OF_PATHS = re.compile(
    r"os\.path\.(?:join|dirname|basename|abspath|realpath|normpath|expanduser|relpath|split\w*)|os\.fspath"
    r"|pathlib\.(?:Pure)?(?:Posix|Windows)?Path|datetime\.timedelta"
)
"""What computes paths and spans of time out of others."""
_ASKS_THE_DISK = re.compile(r"exists|is_\w+|read_\w+|stat|lstat|open|iterdir|r?glob|walk")
"""Methods of paths whose answers may have changed by the time that workers import the module."""
_OF_BUILTINS = frozenset(
    {"str", "int", "float", "bool", "len", "abs", "min", "max", "round", "sum", "tuple", "frozenset"}
)
_SET_FROM_OUTSIDE = frozenset({"argv", "environ", "environb", "getenv", "path", "modules", "stdin", "stdout", "stderr"})
"""What the main process may have changed before workers start, which these find changed as well, or not."""
_PARTS = (
    *(ast.Constant, ast.JoinedStr, ast.FormattedValue, ast.BinOp, ast.UnaryOp, ast.BoolOp, ast.Compare, ast.IfExp),
    *(ast.Tuple, ast.List, ast.Set, ast.Dict, ast.Subscript, ast.Slice, ast.keyword),
    *(ast.operator, ast.unaryop, ast.boolop, ast.cmpop, ast.expr_context),
)


def computed_at_import(name: str, bound: Collection[Block], module: Module, program: Program) -> str | None:
    """The expression, as written, that these blocks give a global, if it is no constant and every process that imports
    the module computes the same of it."""
    written = value_at_import(name, bound, module)
    if written is None:
        return None
    question = ("computed at import", name, written)
    return module.remembered(question, lambda: written if _is_same_everywhere(name, written, module, program) else None)


def _is_same_everywhere(name: str, written: str, module: Module, program: Program) -> bool:
    value = expression_in(f"({written})")
    if value is None:
        return False
    if isinstance(value, (ast.Constant, ast.List, ast.Set, ast.Dict)):
        return False  # The constants are told as such, and of containers it is told what is put in.
    return _is_settled(value, module, program, frozenset({(module.path, name)}))


def _is_settled(value: ast.AST, module: Module, program: Program, seen: frozenset[tuple[str, str]]) -> bool:
    match value:
        case ast.Name(id=name):
            return _is_settled_name(name, module, program, seen)
        case ast.Attribute() if (path := dotted(value)) and path.partition(".")[0] in module.outline.imports:
            if _is_of_library(path, module):
                return _SET_FROM_OUTSIDE.isdisjoint(path.split("."))
            return _is_settled_in_module(path, module, program, seen)
        case ast.Attribute(value=base):
            return _is_settled(base, module, program, seen)
        case ast.Call(func=function, args=arguments, keywords=keywords):
            given = (*arguments, *(each.value for each in keywords))
            return _gives_the_same(function, module, program, seen) and all(
                _is_settled(each, module, program, seen) for each in given
            )
        case _ if isinstance(value, _PARTS):
            return all(_is_settled(each, module, program, seen) for each in ast.iter_child_nodes(value))
        case _:
            return False


def _gives_the_same(function: ast.expr, module: Module, program: Program, seen: frozenset[tuple[str, str]]) -> bool:
    """Whether a function gives the same for the same arguments: one of paths, a builtin one, or a method of a text, a
    number or a path."""
    path = dotted(function)
    first, _, rest = path.partition(".")
    if path and first in module.outline.imports:
        imported = module.outline.imports[first]
        return not imported.level and _OF_PATHS.fullmatch(imported.path(rest)) is not None
    match function:
        case ast.Name(id=name):
            return name in _OF_BUILTINS and not module.outline.binding(name)
        case ast.Attribute(value=base, attr=method):
            return _ASKS_THE_DISK.fullmatch(method) is None and _is_settled(base, module, program, seen)
        case _:
            return False


def _is_of_library(path: str, module: Module) -> bool:
    """Whether a dotted path begins with what the module imports of the standard library."""
    imported = module.outline.imports[path.partition(".")[0]]
    return not imported.level and imported.module.partition(".")[0] in sys.stdlib_module_names


def _is_settled_in_module(path: str, module: Module, program: Program, seen: frozenset[tuple[str, str]]) -> bool:
    """Whether `settings.ROOT` is so, of a module of the program that is imported."""
    first, _, attribute = path.partition(".")
    source = module.absolute(module.outline.imports[first], program.finder)
    imported = module.outline.imports[first]
    home = program.find(f"{source}.{imported.name}" if imported.name else source, module) if source else None
    is_own = home is not None and home.first_party and attribute.isidentifier()
    return home is not None and is_own and _is_settled_name(attribute, home, program, seen)


def _is_settled_name(name: str, module: Module, program: Program, seen: frozenset[tuple[str, str]]) -> bool:
    if name in ("__file__", "__name__"):
        return True
    bound = module.outline.binding(name)
    if not bound or (module.path, name) in seen or name in module.outline.imports:
        return False
    written = value_at_import(name, bound, module)
    value = expression_in(f"({written})") if written is not None else None
    return value is not None and _is_settled(value, module, program, seen | {(module.path, name)})
