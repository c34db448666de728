"""Ways through the statements that handle one item: what has become of the item where each of them ends."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from msgspec import Struct
from msgspec.structs import replace

from lintpickle.control_flow.steps import EXITS
from lintpickle.parsing.syntax import INNER_SCOPES, dotted

NOTHING, TAKEN, MARKED = "nothing", "taken", "marked"
FALLS, FAILS = "falls", "fails"
GOES_ON, LEAVES, RETURNS = "goes on", "leaves", "returns"
_EMPTY, _ALL = "Empty", frozenset({"Exception", "BaseException"})
_ENDINGS = frozenset({"KeyboardInterrupt", "SystemExit", "EOFError", "BrokenPipeError", "GeneratorExit"})
"""Errors with which the whole program ends."""
_EXIT = "SystemExit"
_OF_EXITS = frozenset({_EXIT, "BaseException"})
"""What catches `sys.exit()`."""


class Way(Struct, frozen=True):
    """A way through statements: how it ends, what has become of the item, and where it has turned off. `sentinel` is
    what the item is compared with, if only such items go this way; `is_caught` says that an error leads here."""

    end: str
    item: str
    turn: ast.stmt | ast.ExceptHandler | None = None
    sentinel: str | None = None
    is_caught: bool = False


class ItemWays:
    """Reads statements that take an item (by the expression `taken`, or at their beginning) and mark it: by one of the
    methods `marks`, as they are written. `names` are those of the item; calls of methods of `ours` do not fail."""

    def __init__(self, taken: ast.expr | None, names: set[str], marks: frozenset[str], ours: frozenset[str]) -> None:
        self._taken, self._marks, self._ours = taken, marks, ours
        self._names = names
        self.marks_twice = False

    def learn(self, within: ast.AST) -> None:
        """Also know the names that parts of the item get."""
        for each in ast.walk(within):
            if isinstance(each, ast.Assign) and self.is_of_item(each.value) and not _calls(each.value):
                self._names.update(node.id for target in each.targets for node in names_within(target))

    def through(self, body: list[ast.stmt], start: Way) -> list[Way]:
        """All ways through some statements; those that are no different are one."""
        ways, ended = [start], list[Way]()
        for statement in body:
            found = [after for way in ways for after in self._step(statement, way)]
            ended += [each for each in found if each.end != FALLS]
            ways = _distinct(each for each in found if each.end == FALLS)
        return _distinct([*ended, *ways])

    def _step(self, node: ast.stmt, way: Way) -> list[Way]:
        match node:
            case ast.Continue():
                return [replace(way, end=GOES_ON, turn=way.turn or node)]
            case ast.Break():
                return [replace(way, end=LEAVES, turn=way.turn or node)]
            case ast.Return():
                return [replace(self._after(node, way), end=RETURNS, turn=way.turn or node)]
            case _ if _ends_process(node):
                return [replace(way, end=RETURNS, turn=way.turn or node)]
            case ast.Raise():
                return [replace(way, end=FAILS)]
            case ast.If():
                return self._if(node, way)
            case ast.Try():
                return self._try(node, way)
            case ast.With():
                entered = way
                for item in node.items:
                    entered = self._after(item.context_expr, entered)
                return [*self._expressions(node.items, way), *self.through(node.body, entered)]
            case ast.While() | ast.For():
                return [*self._inner_loop(node, way)]
            case ast.Match() | ast.AsyncFor() | ast.AsyncWith():
                return [replace(way, item=MARKED)]  # Not understood: nothing is said of these.
            case _ if type(node).__name__ == "TryStar":
                return [replace(way, item=MARKED)]
            case _:
                return [*self._expressions([node], way), self._after(node, way)]

    def _expressions(self, nodes: Iterable[ast.AST], way: Way) -> list[Way]:
        """The way that ends here with an error, if anything is done that may fail."""
        may_fail = any(self._may_fail(each) for node in nodes for each in ast.walk(node))
        return [replace(way, end=FAILS)] if may_fail else []

    def _may_fail(self, node: ast.AST) -> bool:
        match node:
            case ast.Call(func=ast.Attribute(value=base)):
                return ast.unparse(base) not in self._ours
            case ast.Subscript(ctx=ast.Load()) | ast.BinOp(op=ast.Div() | ast.FloorDiv() | ast.Mod()):
                return True
            case _:
                return isinstance(node, ast.Call)

    def _after(self, node: ast.AST, way: Way) -> Way:
        if self._takes(node):
            return replace(way, item=TAKEN)
        if not any(isinstance(each, ast.Attribute) and ast.unparse(each) in self._marks for each in ast.walk(node)):
            return way
        self.marks_twice |= way.item == MARKED
        return replace(way, item=MARKED) if way.item == TAKEN else way

    def _if(self, node: ast.If, way: Way) -> list[Way]:
        failed = self._expressions([node.test], way)
        way = self._after(node.test, way)
        is_if_true, sentinel = self.sentinel_of(node.test)
        special = replace(way, sentinel=sentinel) if way.item == TAKEN and sentinel is not None else way
        first = self.through(node.body, special if is_if_true else way)
        second = self.through(node.orelse, way if is_if_true else special)
        found = [*first, *second]
        is_marked = any(each.end == FALLS and each.item == MARKED for each in found)
        if is_marked and not self.is_of_item(node.test):
            found = [each for each in found if each.end != FALLS or each.item != TAKEN]
        return [*failed, *found]

    def _try(self, node: ast.Try, way: Way) -> list[Way]:
        tried = self.through(node.body, way)
        if any(not _names_of(each) or _names_of(each) & _OF_EXITS for each in node.handlers):
            tried = [replace(each, end=FAILS) if _ends_process(each.turn) else each for each in tried]
        failed = [each for each in tried if each.end == FAILS]
        found = [each for each in tried if each.end not in (FAILS, FALLS)]
        found += [after for each in tried if each.end == FALLS for after in self.through(node.orelse, each)]
        for handler in node.handlers:
            named = _names_of(handler)
            caught = [] if named & _ENDINGS else failed
            if named and all(each.rpartition(".")[2] == _EMPTY for each in named):
                caught = [replace(way, item=NOTHING)]
            for each in caught:
                turned = replace(each, end=FALLS, turn=handler, is_caught=True)
                found += self.through(handler.body, turned)
        if not any(not _names_of(each) or _names_of(each) & _ALL for each in node.handlers):
            found += failed
        return [
            after if after.end != FALLS else replace(after, end=each.end)
            for each in found
            for after in self.through(node.finalbody, replace(each, end=FALLS))
        ]

    def _inner_loop(self, node: ast.While | ast.For, way: Way) -> Iterator[Way]:
        yield from self._expressions([node.test if isinstance(node, ast.While) else node.iter], way)
        found = self.through(node.body, way)
        is_marked = any(each.item == MARKED for each in found)
        yield replace(way, item=MARKED) if is_marked else way
        yield from (each for each in found if each.end in (FAILS, RETURNS))

    def sentinel_of(self, test: ast.expr) -> tuple[bool, str | None]:
        """With what an item is compared, and whether it is that where the test holds."""
        match test:
            case ast.Compare(
                left=left, ops=[ast.Is() | ast.Eq() | ast.IsNot() | ast.NotEq() as how], comparators=[right]
            ):
                is_same = isinstance(how, ast.Is | ast.Eq)
                for item, other in ((left, right), (right, left)):
                    if self.is_of_item(item) and not self.is_of_item(other):
                        return is_same, ast.unparse(other)
                return True, None
            case ast.UnaryOp(op=ast.Not(), operand=ast.Name(id=name)) if name in self._names:
                return True, "None"
            case ast.Name(id=name) if name in self._names:
                return False, "None"
            case ast.BoolOp(op=ast.Or(), values=values):
                found = [self.sentinel_of(each) for each in values]
                return next((each for each in found if each == (True, each[1]) and each[1] is not None), (True, None))
            case ast.Call(func=ast.Name(id="isinstance"), args=[item, class_]) if self.is_of_item(item):
                return True, ast.unparse(class_)
            case _:
                return True, None

    def is_of_item(self, node: ast.AST) -> bool:
        """Whether an expression is made of the item."""
        return self._takes(node) or any(each.id in self._names for each in names_within(node))

    def _takes(self, node: ast.AST) -> bool:
        return self._taken is not None and holds(node, self._taken)


def names_within(node: ast.AST) -> Iterator[ast.Name]:
    """The names in an expression."""
    return (each for each in ast.walk(node) if isinstance(each, ast.Name))


def holds(node: ast.AST, inner: ast.AST) -> bool:
    """Whether a node is in another one, or that itself."""
    return any(each is inner for each in ast.walk(node))


def _names_of(handler: ast.ExceptHandler) -> set[str]:
    """The names of the errors that a handler catches; none if it catches all."""
    named = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    return {ast.unparse(each) for each in named if each is not None}


def _ends_process(node: ast.AST | None) -> bool:
    """Whether a statement ends the process on purpose: `sys.exit(1)`, `raise SystemExit`."""
    match node:
        case ast.Expr(value=ast.Call(func=function)):
            return dotted(function) in EXITS
        case ast.Raise(exc=ast.Call(func=error)) | ast.Raise(exc=ast.expr() as error):
            return dotted(error) == _EXIT
        case _:
            return False


def _calls(node: ast.AST) -> bool:
    return any(isinstance(each, ast.Call) for each in ast.walk(node))


def _distinct(ways: Iterable[Way]) -> list[Way]:
    return [*{(each.end, each.item, id(each.turn), each.sentinel, each.is_caught): each for each in ways}.values()]


def within_inner_scopes(function: ast.FunctionDef) -> frozenset[int]:
    """The ids of the nodes that stand in functions and classes which a function defines."""
    nested = [each for each in ast.walk(function) if isinstance(each, INNER_SCOPES) and each is not function]
    return frozenset(id(node) for each in nested for node in ast.walk(each))
