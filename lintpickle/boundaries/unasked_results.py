"""What becomes of the result of a task: whether it is only kept and waited for, or perhaps asked for an error.

Measured with CPython 3.11: `concurrent.futures.wait` and `as_completed` raise no error of a task, nor do `wait()`,
`ready()`, `done()` and `running()` of a result; what goes through `imap` or the `map` of an executor does.
"""

from __future__ import annotations

import ast

from msgspec import Struct

from lintpickle.boundaries.attribute_uses import is_used_outside
from lintpickle.diagnostics import Span
from lintpickle.facts.records import FunctionFacts
from lintpickle.fixes.syntax import SourceTree, source_tree
from lintpickle.parsing.main_guard import is_main_guard
from lintpickle.parsing.names_read import children, within
from lintpickle.parsing.syntax import FUNCTIONS, last_name
from lintpickle.program.first_party import FirstPartyModules
from lintpickle.program.module import Module

_TELLS_NO_ERROR = frozenset({"wait", "ready", "done", "running"})
"""What is asked of a result, and raises no error of the task."""
_KEEPS = frozenset({"append", "add", "appendleft", "insert", "extend", "update", "clear", "remove", "discard"})
_TAKES_OUT = frozenset({"pop", "popleft", "copy"})
_SETS_OF_FUTURES = frozenset({"done", "not_done"})
"""The fields of what `concurrent.futures.wait` returns."""
_WAITS = frozenset({"concurrent.futures.wait", "concurrent.futures.as_completed"})
_SAME_ITEMS = frozenset({"list", "tuple", "set", "sorted", "reversed", "iter", "deque", "tqdm", "track", "next"})
_NO_ITEMS = frozenset({"len", "isinstance"})
_ITSELF, _KEYS, _VALUES = "", "keys", "values"
"""Which part of a thing is a result: itself, or all that it has; the keys of a dict; its values. A digit says which
part of all tuples that it has."""


class _Holder(Struct, frozen=True):
    """A variable of a scope, or an attribute of `self` of a class, and which part of it is a result."""

    scope: int
    name: str
    part: str


def is_never_asked(
    call: Span, function: FunctionFacts, module: Module, first_party: FirstPartyModules, raises_in_turn: bool
) -> bool:
    """Whether a function drops the result of a call, or it is kept where it is seen that nothing is done with it but
    wait. `raises_in_turn` says that going through the result raises the error."""
    source = source_tree(module.code)
    made = source.call_at(call) if source is not None else None
    if source is None or made is None:
        return False
    scope = source.tree if function.is_module_body else _scope(function, source)
    if scope is None:
        return False
    may_be_kept = not function.is_module_body or _is_below_guard(call, source)
    return _Uses(scope, module, source, first_party, raises_in_turn).is_unasked(made, may_be_kept)


def _scope(function: FunctionFacts, source: SourceTree) -> ast.AST | None:
    inner = (each for each in source.nodes_within(function.span) if isinstance(each, FUNCTIONS))
    return next((each for each in inner if each.name == function.name), None)


def _is_below_guard(call: Span, source: SourceTree) -> bool:
    """Whether a call at module level runs in a script alone, whose names nobody imports."""
    guards = (each for each in source.tree.body if isinstance(each, ast.If) and is_main_guard(each.test))
    return any(span.start <= call.start < span.end for span in map(source.span, guards))


class _Uses:
    """Follows a result from one place that keeps it to the next."""

    def __init__(
        self,
        scope: ast.AST,
        module: Module,
        source: SourceTree,
        first_party: FirstPartyModules,
        raises_in_turn: bool,
    ) -> None:
        self._scope, self._module, self._source = scope, module, source
        self._first_party, self._raises_in_turn = first_party, raises_in_turn
        self._around = dict[int, ast.AST]()
        self._scopes = dict[int, ast.AST]()
        self._holders = list[_Holder]()
        self._enter(scope)

    def is_unasked(self, made: ast.Call, may_be_kept: bool) -> bool:
        """Whether nothing asks the result of a call in the scope."""
        if not self._is_harmless(made, _ITSELF) or (self._holders and not may_be_kept):
            return False
        for holder in self._holders:  # It grows.
            scope = self._scopes[holder.scope]
            if isinstance(scope, ast.ClassDef) and is_used_outside(holder.name, scope, self._module, self._first_party):
                return False
            is_attribute = isinstance(scope, ast.ClassDef)
            for node in within(scope):
                match node:
                    case ast.Global(names=names) | ast.Nonlocal(names=names) if holder.name in names:
                        return False
                    case ast.Name(id=name, ctx=ast.Load()) if name == holder.name and not is_attribute:
                        is_used = True
                    case ast.Attribute(value=ast.Name(id="self"), attr=name, ctx=ast.Load()) if name == holder.name:
                        is_used = is_attribute
                    case _:
                        continue
                if is_used and not self._is_harmless(node, holder.part):
                    return False
        return True

    def _enter(self, scope: ast.AST) -> None:
        if id(scope) not in self._scopes:
            self._scopes[id(scope)] = scope
            self._around.update((id(child), node) for node in within(scope) for child in children(node))

    def _hold(self, scope: ast.AST, name: str, part: str) -> bool:
        self._enter(scope)
        holder = _Holder(id(scope), name, part)
        if holder not in self._holders:
            self._holders.append(holder)
        return True

    def _is_harmless(self, node: ast.expr, part: str) -> bool:
        """Whether an expression that holds a result does not ask it, as far as it is followed here."""
        around = self._around.get(id(node))
        match around:
            case ast.Expr() | ast.Compare() | ast.While() | ast.If() | ast.UnaryOp(op=ast.Not()):
                return True
            case ast.Assign(targets=targets) if node not in targets:
                return all(self._is_kept(each, part) for each in targets)
            case ast.AnnAssign(target=target) | ast.AugAssign(target=target) if target is not node:
                return self._is_kept(target, part)
            case ast.List() | ast.Set() | ast.ListComp() | ast.SetComp() | ast.GeneratorExp() | ast.Starred():
                return self._is_harmless(around, part)
            case ast.BoolOp() | ast.BinOp(op=ast.Add() | ast.BitOr()):
                return self._is_harmless(around, part)
            case ast.Tuple(elts=elements) if part == _ITSELF:
                return self._is_harmless(around, str(elements.index(node)))
            case ast.Dict(keys=keys) if part == _ITSELF:
                return self._is_harmless(around, _KEYS if node in keys else _VALUES)
            case ast.DictComp(key=key) if part == _ITSELF:
                return self._is_harmless(around, _KEYS if node is key else _VALUES)
            case ast.For(target=target, iter=items) | ast.comprehension(target=target, iter=items) if items is node:
                return not self._raises_in_turn and (part == _VALUES or self._is_kept(target, part.replace(_KEYS, "")))
            case ast.Subscript():
                return self._is_harmless_item(around, node, part)
            case ast.keyword(arg="fs") as given:
                call = self._around.get(id(given))
                return isinstance(call, ast.Call) and self._is_harmless_in(call, node, part)
            case ast.Call(args=given) if node in given:
                return self._is_harmless_in(around, node, part)
            case ast.Attribute():
                return self._is_harmless_part(around, part)
            case _:
                return False

    def _is_kept(self, target: ast.expr, part: str) -> bool:
        """Whether a target keeps a result where it can be followed."""
        match target:
            case ast.Name(id=name):
                return self._hold(self._scope_of(target), name, part)
            case ast.Attribute(value=ast.Name(id="self"), attr=name):
                class_ = self._class_around(target)
                return class_ is not None and self._hold(class_, name, part)
            case ast.Subscript(value=base) if part == _ITSELF:
                return self._is_kept(base, part)
            case ast.Tuple(elts=elements) | ast.List(elts=elements):
                if part.isdigit():
                    return int(part) < len(elements) and self._is_kept(elements[int(part)], _ITSELF)
                return part == _ITSELF and all(self._is_kept(each, part) for each in elements)
            case _:
                return False

    def _is_harmless_item(self, item: ast.Subscript, node: ast.expr, part: str) -> bool:
        """Of `held[key]`, whether a result is held, or the key."""
        if node is item.slice:
            is_stored = isinstance(item.ctx, ast.Store)
            return not is_stored or (part == _ITSELF and self._is_kept_by_key(item.value))
        if not isinstance(item.ctx, ast.Load) or part == _KEYS:
            return True
        return not part.isdigit() and self._is_harmless(item, part if isinstance(item.slice, ast.Slice) else _ITSELF)

    def _is_kept_by_key(self, base: ast.expr) -> bool:
        return isinstance(base, ast.Name) and self._hold(self._scope_of(base), base.id, _KEYS)

    def _is_harmless_in(self, call: ast.Call, node: ast.expr, part: str) -> bool:
        """Whether a call does not ask a result that it is given."""
        name = last_name(call.func)
        match call.func:
            case ast.Attribute(value=base, attr=method) if method in _KEEPS:
                return method in {"remove", "discard"} or self._is_kept(base, part)
            case _ if name in _NO_ITEMS:
                return True
            case _ if self._raises_in_turn:
                return False
            case _ if self._path(call.func) in _WAITS:
                return part in (_ITSELF, _KEYS) and self._is_harmless(call, _ITSELF)
            case _ if name in _SAME_ITEMS:
                return self._is_harmless(call, part)
            case ast.Name(id="enumerate") if part in (_ITSELF, _KEYS):
                return self._is_harmless(call, "1")
            case ast.Name(id="zip") if part in (_ITSELF, _KEYS):
                return self._is_harmless(call, str(call.args.index(node)))
            case ast.Name(id=function) if node in call.args:
                return self._is_given(function, call.args.index(node), part)
            case _:
                return False

    def _is_given(self, name: str, place: int, part: str) -> bool:
        """Whether a function of the module is given a result, which is followed there."""
        found = [each for each in self._source.tree.body if isinstance(each, ast.FunctionDef) and each.name == name]
        if len(found) != 1 or found[0].decorator_list or len(found[0].args.args) <= place:
            return False
        return self._hold(found[0], found[0].args.args[place].arg, part)

    def _is_harmless_part(self, attribute: ast.Attribute, part: str) -> bool:
        """Of `held.name`, whether it does not ask a result."""
        name, call = attribute.attr, self._around.get(id(attribute))
        if not isinstance(call, ast.Call) or call.func is not attribute:
            return name in _SETS_OF_FUTURES and part == _ITSELF and self._is_harmless(attribute, part)
        match name:
            case "items" if not part.isdigit():
                return self._is_harmless(call, "0" if part == _KEYS else "1")
            case "keys" | "values" if not part.isdigit():
                is_other = (part == _KEYS) != (name == "keys")
                return is_other or self._is_harmless(call, _ITSELF)
            case "get":
                return part == _KEYS
            case _ if name in _TAKES_OUT:
                return self._is_harmless(call, part)
            case _:
                return name in _TELLS_NO_ERROR or name in _KEEPS

    def _scope_of(self, node: ast.AST) -> ast.AST:
        """The function in which a node stands, or the scope that is followed from the beginning."""
        while id(node) in self._around and not isinstance(node, FUNCTIONS):
            node = self._around[id(node)]
        return node if isinstance(node, FUNCTIONS) else self._scope

    def _class_around(self, node: ast.Attribute) -> ast.ClassDef | None:
        places = (each for each in self._source.tree.body if isinstance(each, ast.ClassDef))
        return next((each for each in places if each.lineno <= node.lineno <= (each.end_lineno or 0)), None)

    def _path(self, function: ast.expr) -> str:
        """The dotted name of a function that is imported."""
        written = ast.unparse(function) if isinstance(function, ast.Name | ast.Attribute) else ""
        first, _, rest = written.partition(".")
        imported = self._module.outline.imports.get(first)
        return imported.path(rest) if imported is not None and not imported.level else ""
