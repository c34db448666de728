"""Which statements of the main process a worker can repeat, with the same effect however often they run."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from msgspec import Struct

from lintpickle.fixes.statement_order import CALL_DEPTH, AnyFunction, StatementOrder
from lintpickle.parsing.imports import imported_names
from lintpickle.parsing.syntax import arguments_of

_KEYED = frozenset({"update", "add", "setdefault", "discard"})
"""Methods of containers that do nothing more when they are called again."""
_MAKERS = frozenset({"decimal.getcontext", "logging.getLogger", "torch.device"})
"""Functions that return the same for the same arguments in every process."""
_CHANGING = _KEYED | {
    "append",
    "extend",
    "insert",
    "remove",
    "pop",
    "popitem",
    "clear",
    "sort",
    "reverse",
    "appendleft",
}


class Repeatable(Struct, frozen=True):
    """What a statement needs where it is repeated: the names that it must declare global, and local variables of the
    function in which it stands, whose values must be sent."""

    global_names: tuple[str, ...]
    sent: tuple[str, ...]


class Repeating:
    """Finds out whether a statement does the same wherever and however often it runs. `sets` says of the path of a call
    or an attribute ("decimal.getcontext().prec"; of a method of whatever, its name after a dot) whether it makes a
    setting of a library that can be made again; `alike`, whether it makes the one that is asked for."""

    def __init__(self, places: StatementOrder, sets: Callable[[str], bool], alike: Callable[[str], bool]) -> None:
        self._places = places
        self._names = places.names
        self._sets = sets
        self._alike = alike

    def of(self, statement: ast.stmt) -> Repeatable | None:
        """What repeating a statement takes; None if it cannot be repeated."""
        function = self._places.function_of(statement)
        local = self._local(function)
        if not self._is_plain(statement, local, 0):
            return None
        read = [
            use.name
            for node in ast.walk(statement)
            for use in self._names.of(node)
            if not use.binds and use.name in local
        ]
        if not all(self._is_sendable(name, function) for name in read):
            return None
        return Repeatable(tuple(self._stored(statement)), tuple(dict.fromkeys(read)))

    def all_alike(self, statement: ast.stmt) -> list[ast.stmt]:
        """The statements, not of the import, that make the same setting or change the same object, in order."""
        root, is_setting = self._root(statement), self._alike(self._set_path(statement))
        return [
            each
            for each in self._names.source.nodes
            if isinstance(each, ast.stmt) and not self._places.runs_on_import(each)
            if each is statement
            or (is_setting and self._alike(self._set_path(each)))
            or (root is not None and self._root(each) == root)
        ]

    def _set_path(self, statement: ast.stmt) -> str:
        """The path of what a statement calls or stores."""
        match statement:
            case ast.Expr(value=ast.Call(func=changed)):
                pass
            case ast.Assign(targets=[changed, *_]) | ast.AugAssign(target=changed):
                pass
            case _:
                return ""
        is_method = isinstance(changed, ast.Attribute) and not self._path(changed)
        return f".{changed.attr}" if is_method and isinstance(changed, ast.Attribute) else self._path(changed)

    def _root(self, statement: ast.stmt) -> str | None:
        """The name of what a statement sets or changes."""
        match statement:
            case ast.Expr(value=ast.Call(func=ast.Attribute(value=changed, attr=name))) if name in _CHANGING:
                pass
            case ast.Assign(targets=[changed, *_]) | ast.AugAssign(target=changed) | ast.AnnAssign(target=changed):
                pass
            case ast.Delete(targets=[changed, *_]):
                pass
            case _:
                return None
        while isinstance(changed, ast.Attribute | ast.Subscript):
            changed = changed.value
        if not isinstance(changed, ast.Name) or changed.id in self._local(self._places.function_of(statement)):
            return None
        return changed.id

    def called(self, statement: ast.stmt) -> ast.FunctionDef | None:
        """The module's own function that a statement calls and does nothing else."""
        match statement:
            case ast.Expr(value=ast.Call(func=ast.Name(id=name))):
                found = self._names.bound_once(name, len(self._names.source.text))
                return found if isinstance(found, ast.FunctionDef) and not found.decorator_list else None
            case _:
                return None

    def _is_plain(self, statement: ast.stmt, local: frozenset[str], depth: int) -> bool:
        match statement:
            case ast.Pass() | ast.Global() | ast.Expr(value=ast.Constant()):
                return depth > 0
            case ast.Assign(targets=[target], value=value):
                return self._is_target(target, local) and self._is_fixed(value, local)
            case ast.Expr(value=ast.Call() as call):
                return self._is_plain_call(call, local, depth)
            case _:
                return False

    def _is_plain_call(self, call: ast.Call, local: frozenset[str], depth: int) -> bool:
        if not all(self._is_fixed(each, local) for each in arguments_of(call)):
            return False
        if any(each.arg is None or each.arg == "filemode" for each in call.keywords):
            return False
        inner = (each for each in ast.walk(call.func) if isinstance(each, ast.Call))
        if self._sets(self._path(call.func)) and all(
            self._is_fixed(given, local) for each in inner for given in each.args
        ):
            return True
        match call.func:
            case ast.Attribute(value=owner, attr=name) if name in _KEYED or self._sets(f".{name}"):
                return self._is_shared(owner, local)
            case ast.Name(id=name) if depth < CALL_DEPTH and name not in local:
                found = self._names.bound_once(name, len(self._names.source.text))
                if not isinstance(found, ast.FunctionDef) or found.decorator_list:
                    return False
                return all(self._is_plain(each, self._local(found), depth + 1) for each in found.body)
            case _:
                return False

    def _is_target(self, target: ast.expr, local: frozenset[str]) -> bool:
        match target:
            case ast.Name(id=name):
                return name not in local
            case ast.Attribute(value=owner):
                return self._is_shared(owner, local) or self._sets(self._path(target))
            case ast.Subscript(value=owner, slice=index):
                return self._is_shared(owner, local) and self._is_fixed(index, local)
            case _:
                return False

    def _is_shared(self, owner: ast.expr, local: frozenset[str]) -> bool:
        """Whether it is a name at module level, or what one has as an attribute."""
        while isinstance(owner, ast.Attribute):
            owner = owner.value
        if not isinstance(owner, ast.Name) or owner.id in local:
            return False
        return self._names.bound_once(owner.id, len(self._names.source.text)) is not None

    def _is_fixed(self, value: ast.expr, local: frozenset[str]) -> bool:
        """Whether an expression has the same value in every process."""
        match value:
            case ast.Constant():
                return True
            case ast.Name(id=name):
                return name in local or self._is_constant(name)
            case ast.Attribute(value=owner):
                return self._is_fixed(owner, local) and not self._is_stored(value)
            case ast.Tuple(elts=parts) | ast.List(elts=parts) | ast.Set(elts=parts):
                return all(self._is_fixed(each, local) for each in parts)
            case ast.Dict(keys=keys, values=values):
                return all(each is not None and self._is_fixed(each, local) for each in (*keys, *values))
            case ast.UnaryOp(operand=operand):
                return self._is_fixed(operand, local)
            case ast.BinOp(left=left, right=right):
                return self._is_fixed(left, local) and self._is_fixed(right, local)
            case ast.Call(func=function, args=given, keywords=[]):
                return self._path(function) in _MAKERS and all(self._is_fixed(each, local) for each in given)
            case _:
                return False

    def _is_constant(self, name: str) -> bool:
        if self._names.is_builtin(name):
            return not name.startswith("__")
        match self._names.bound_once(name, len(self._names.source.text)):
            case ast.Import() | ast.ImportFrom() | ast.FunctionDef() | ast.ClassDef():
                return True
            case ast.Assign(value=value):
                return isinstance(value, ast.Constant)
            case _:
                return False

    def _is_stored(self, attribute: ast.Attribute) -> bool:
        """Whether code stores an attribute of that name in what has that name."""
        written = ast.unparse(attribute)
        return any(
            isinstance(each, ast.Attribute) and not isinstance(each.ctx, ast.Load) and ast.unparse(each) == written
            for each in self._names.source.nodes
        )

    def _is_sendable(self, name: str, function: AnyFunction | None) -> bool:
        """Whether a local variable surely has a simple value, and no other one later."""
        bindings = [each for each in self._names.bindings(name) if each.scope.node is function]
        if len(bindings) != 1 or not isinstance(function, ast.FunctionDef):
            return False
        defaults = dict(zip(reversed(function.args.args), reversed(function.args.defaults), strict=False))
        match bindings[0].node:
            case ast.arg(annotation=ast.Name(id="int" | "str" | "float" | "bool")):
                return True
            case ast.arg() as parameter:
                default = defaults.get(parameter)
                return isinstance(default, ast.Constant) and default.value is not None
            case node:
                return _is_simple(next((each for each in self._places.above(node) if isinstance(each, ast.stmt)), None))

    def _local(self, function: AnyFunction | None) -> frozenset[str]:
        found = next((each for each in self._names.scopes if each.node is function), None)
        if function is None or found is None:
            return frozenset()
        return frozenset(use.name for use in found.uses if use.binds) - found.global_names

    def _stored(self, statement: ast.stmt) -> Iterator[str]:
        if isinstance(statement, ast.Assign):
            yield from (target.id for target in statement.targets if isinstance(target, ast.Name))

    def _path(self, value: ast.expr) -> str:
        """The dotted path of what imports at module level bind, with "()" after what is called; "" if there is none."""
        match value:
            case ast.Call(func=function):
                inner = self._path(function)
                return f"{inner}()" if inner else ""
            case ast.Attribute(value=owner, attr=name):
                inner = self._path(owner)
                return f"{inner}.{name}" if inner else ""
            case ast.Name(id=name):
                return _imported(self._names.bound_once(name, len(self._names.source.text)), name)
            case _:
                return ""


def _imported(statement: ast.stmt | None, name: str) -> str:
    if not isinstance(statement, ast.Import | ast.ImportFrom):
        return ""
    return next((each.path() for alias, each in imported_names(statement) if alias == name and not each.level), "")


def _is_simple(statement: ast.stmt | None) -> bool:
    """Whether a statement assigns a constant, or the parsed command line."""
    match statement:
        case ast.Assign(targets=[ast.Name()], value=ast.Constant()):
            return True
        case ast.Assign(targets=[ast.Name()], value=ast.Call(func=ast.Attribute(attr="parse_args"))):
            return True
        case _:
            return False
