"""Where a function waits for what somebody else does to an object, with no limit of time."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from msgspec import Struct

from lintpickle.catalog import WaitingSpec
from lintpickle.control_flow.attempts import is_ready_for
from lintpickle.parsing.names_read import children, within
from lintpickle.parsing.syntax import INNER_SCOPES, dotted, last_name

WORKER_WAITS = "the worker waits for ever"
WORKER_GOES_ON = "the worker never ends"
MAIN_WAITS = "the main process waits for ever"

_ENTERED = "<with>"
_PREDICATES = frozenset({"wait_for"})
"""The methods whose first argument is a function."""
_LOOPS = (ast.While, ast.For, ast.AsyncFor)
_ENDINGS = frozenset({"exit", "_exit", "abort", "kill"})


class Wait(Struct, frozen=True):
    """A place that waits: its row in the tree, and whether it is a loop, which may do other work."""

    row: int
    is_loop: bool


def waits_in(tree: ast.Module, spec: WaitingSpec, is_it: Callable[[str], bool]) -> Iterator[Wait]:
    """The places of a function that wait at an object, which `is_it` tells by the dotted name; not those behind a
    question whether there is anything to wait for."""
    for node in _in_order(tree, spec, is_it):
        if isinstance(node, ast.While) and never_ends(node, lambda test: _asks(test, spec, is_it)):
            yield Wait(node.lineno, is_loop=True)
        elif isinstance(node, (ast.Call, ast.With)) and _waits(node, spec, is_it):
            yield Wait(node.lineno, is_loop=False)


def _in_order(tree: ast.Module, spec: WaitingSpec, is_it: Callable[[str], bool]) -> Iterator[ast.AST]:
    """The nodes of a function, without those behind a question whether there is anything to wait for."""
    stack: list[ast.AST] = [statement for each in definitions_in(tree) for statement in each.body] or [*tree.body]
    while stack:
        node = stack.pop()
        if not isinstance(node, INNER_SCOPES) and not _is_guarded(node, spec, is_it):
            yield node
            stack += reversed([*children(node)])


def fails_at_once(tree: ast.Module, spec: WaitingSpec, is_it: Callable[[str], bool]) -> bool:
    """Whether a function takes something out of the object where it does not wait for it, or not for long, and nothing
    catches the error of that."""
    taking = (node for node in _in_order(tree, spec, is_it) if isinstance(node, ast.Call))
    return any(
        _does_not_wait(call, spec, is_it) and not any(is_ready_for(error, tree, call.lineno) for error in _caught(spec))
        for call in taking
    )


def asks_whether(tree: ast.Module, spec: WaitingSpec, is_it: Callable[[str], bool]) -> bool:
    """Whether a function asks anywhere whether there is anything to wait for."""
    asking = (each for each in ast.walk(tree) if isinstance(each, ast.Attribute) and each.attr in spec.guards)
    return any(_is_named(each.value, is_it) for each in asking)


def calls_caught(tree: ast.Module, spec: WaitingSpec, name: str) -> bool:
    """Whether a function catches the error of taking something out where it calls another one by its name."""
    calls = (node for node in within(tree) if isinstance(node, ast.Call) and last_name(node.func) == name)
    return any(is_ready_for(error, tree, call.lineno) for call in calls for error in _caught(spec))


def _does_not_wait(call: ast.Call, spec: WaitingSpec, is_it: Callable[[str], bool]) -> bool:
    match call.func:
        case ast.Attribute(value=base, attr=name) if name in spec.instead:
            return _is_named(base, is_it)
        case ast.Attribute(value=base, attr=name) if name in spec.waits:
            return _is_named(base, is_it) and not _has_no_limit(call)
        case _:
            return False


def _caught(spec: WaitingSpec) -> tuple[str, ...]:
    """The names by which a handler catches the error."""
    return ((spec.failing or "").rpartition(".")[2], "Exception", "BaseException")


def waits_first(tree: ast.Module, spec: WaitingSpec, is_it: Callable[[str], bool]) -> bool:
    """Whether a function waits at the object before it does itself what ends the wait: it takes something out of a
    queue, and puts it back."""
    ending = [
        node.lineno
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and node.attr in spec.until and _is_named(node.value, is_it)
    ]
    first = next(waits_in(tree, spec, is_it), None)
    return first is not None and all(first.row < row for row in ending)


def definitions_in(tree: ast.Module) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """The function of which this is the tree; that of a method stands in `if True:`."""
    for statement in tree.body:
        for each in statement.body if isinstance(statement, ast.If) else [statement]:
            if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef):
                yield each


def never_ends(loop: ast.While, holds: Callable[[ast.expr], bool]) -> bool:
    """Whether a loop goes on as long as a condition holds: that is its test, or it is left only where an `if` finds
    that the condition does not hold."""
    if holds(loop.test):
        return not any(_exits(loop.body))
    if not (isinstance(loop.test, ast.Constant) and loop.test.value):
        return False
    left = [*_exits(loop.body, lambda test: holds(ast.UnaryOp(ast.Not(), test)))]
    return not left and any(_exits(loop.body))


def is_left_nowhere(loop: ast.While) -> bool:
    """Whether a loop goes on for ever but for an error: `while True` that nothing leaves."""
    return isinstance(loop.test, ast.Constant) and bool(loop.test.value) and not any(_exits(loop.body))


def holds_while(asked: ast.Attribute | ast.Call, value: bool) -> Callable[[ast.expr], bool]:
    """Whether a condition surely holds while what it asks gives a truth value."""
    written = ast.dump(asked)

    def holds(test: ast.expr, wanted: bool = True) -> bool:
        match test:
            case ast.Call() | ast.Attribute() if ast.dump(test) == written:
                return value is wanted
            case ast.Call(func=ast.Name(id="any"), args=[ast.GeneratorExp(elt=part) | ast.ListComp(elt=part)]):
                return wanted and holds(part)
            case ast.UnaryOp(op=ast.Not(), operand=inner):
                return holds(inner, not wanted)
            case ast.BoolOp(op=operator, values=parts):
                is_any = isinstance(operator, ast.Or) is wanted
                return (any if is_any else all)(holds(each, wanted) for each in parts)
            case _:
                return False

    return holds


def _exits(body: list[ast.stmt], skips: Callable[[ast.expr], bool] | None = None) -> Iterator[ast.AST]:
    """What leaves a loop with that body, but not what stands in an `if` whose test is to be skipped."""
    stack: list[tuple[ast.AST, bool]] = [(each, True) for each in body]
    while stack:
        node, is_own = stack.pop()
        match node:
            case ast.Return() | ast.Raise() | ast.Yield() | ast.YieldFrom() | ast.Await():
                yield node
            case ast.Break() if is_own:
                yield node
            case ast.Call(func=ast.Attribute(attr=name) | ast.Name(id=name)) if name in _ENDINGS:
                yield node
            case _ if isinstance(node, INNER_SCOPES):
                continue
            case ast.If(test=test, orelse=orelse) if skips is not None and skips(test):
                stack += [(each, is_own) for each in orelse]
                continue
            case _:
                pass
        is_own = is_own and not isinstance(node, _LOOPS)
        stack += [(each, is_own) for each in ast.iter_child_nodes(node)]


def _asks(test: ast.expr, spec: WaitingSpec, is_it: Callable[[str], bool]) -> bool:
    """Whether a condition holds until the object is given what is waited for: `not STOP.is_set()`."""
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=ast.UnaryOp(op=ast.Not(), operand=inner)):
            return _asks(inner, spec, is_it)
        case ast.UnaryOp(op=ast.Not(), operand=ast.Call(func=ast.Attribute(value=base, attr=name))):
            pass
        case ast.UnaryOp(op=ast.Not(), operand=ast.Attribute(value=base, attr=name)):
            pass
        case ast.Compare(
            left=ast.Attribute(value=base, attr=name), ops=[ast.Eq()], comparators=[ast.Constant(value=value)]
        ) if not value:
            pass
        case _:
            return False
    return name in spec.asks and _is_named(base, is_it)


def _waits(node: ast.AST, spec: WaitingSpec, is_it: Callable[[str], bool]) -> bool:
    match node:
        case ast.Call(func=ast.Attribute(value=base, attr=name)) if name in spec.waits:
            return _is_named(base, is_it) and _has_no_limit(node)
        case ast.Call(func=ast.Name(id="iter"), args=[ast.Attribute(value=base, attr=name), _]) if name in spec.waits:
            return _is_named(base, is_it)
        case ast.With(items=items) if _ENTERED in spec.waits:
            return any(_is_named(item.context_expr, is_it) for item in items)
        case _:
            return False


def _has_no_limit(call: ast.Call) -> bool:
    """Whether a call that waits is told neither how long nor that it must not wait."""
    is_of_predicate = isinstance(call.func, ast.Attribute) and call.func.attr in _PREDICATES
    given = [*(call.args[1:] if is_of_predicate else call.args), *(keyword.value for keyword in call.keywords)]
    return all(isinstance(each, ast.Constant) and (each.value is True or each.value is None) for each in given)


def _is_guarded(node: ast.AST, spec: WaitingSpec, is_it: Callable[[str], bool]) -> bool:
    """Whether code asks here whether there is anything."""
    if not isinstance(node, (ast.If, ast.While, ast.IfExp)):
        return False
    asked = (each for each in ast.walk(node.test) if isinstance(each, ast.Attribute) and each.attr in spec.guards)
    return any(_is_named(each.value, is_it) for each in asked)


def _is_named(base: ast.expr, is_it: Callable[[str], bool]) -> bool:
    """Whether an expression is the object, or an item of a container of that name; of what a function gives, its call
    without arguments is the name."""
    if isinstance(base, ast.Call) and not base.args and not base.keywords:
        return is_it(f"{dotted(base.func)}()")
    if isinstance(base, ast.Subscript):
        base = base.value
    return isinstance(base, (ast.Name, ast.Attribute)) and is_it(dotted(base))
