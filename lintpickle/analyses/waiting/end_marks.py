"""Loops that take items out of a queue until a certain item says that this is the end: `if item is None: break`."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from msgspec import Struct

from lintpickle.analyses.waiting.fed_queues import QUEUE_PUTS
from lintpickle.analyses.waiting.items_taken import GETS
from lintpickle.parsing.names_read import within
from lintpickle.parsing.syntax import INNER_SCOPES, expression_in
from lintpickle.program.module import Module

_PUTS_BACK = QUEUE_PUTS | {"get_nowait"}


class EndMark(Struct, frozen=True):
    """The call that takes items, and what the one is equal to that ends the loop; the place of that in the item, if
    this is a tuple."""

    taken: ast.expr
    value: str
    place: int | None = None

    def is_in(self, item: ast.expr, module: Module) -> bool:
        """Whether an item that is put into the queue is the mark."""
        if self.place is not None:
            elements = item.elts if isinstance(item, ast.Tuple | ast.List) else []
            return len(elements) > self.place and written_value(elements[self.place], module) == self.value
        return written_value(item, module) == self.value


def end_mark(function: ast.FunctionDef, queue: str, module: Module) -> EndMark | None:
    """The same as `mark_of_loop`, if the function only calls methods of the queue."""
    bases = {id(each.value) for each in _uses(function, queue)}
    named = [each for each in within(function) if isinstance(each, ast.Name | ast.Attribute)]
    if any(ast.unparse(each) == queue and id(each) not in bases for each in named):
        return None
    return mark_of_loop(function, queue, module)


def mark_of_loop(function: ast.FunctionDef, queue: str, module: Module) -> EndMark | None:
    """The mark that alone ends the one loop in which a function takes items from a queue, as that is written there, and
    waits for each as long as it takes; None where it may be left otherwise, or puts anything into that queue."""
    uses = [*_uses(function, queue)]
    if len([each for each in uses if each.attr in GETS]) != 1 or any(each.attr in _PUTS_BACK for each in uses):
        return None
    get = next(each for each in uses if each.attr in GETS)
    loops = [each for each in within(function) if isinstance(each, ast.While | ast.For) and get in within(each)]
    if not loops:
        return _mark_of_collection(function, get, module)
    if len(loops) != 1 or any(isinstance(each, INNER_SCOPES) for each in within(loops[0])):
        return None
    found = _mark_of(loops[0], get, module)
    if found is None:
        return None
    mark, ending = found
    return mark if _is_left_by(loops[0], ending) else None


def _uses(function: ast.FunctionDef, queue: str) -> Iterator[ast.Attribute]:
    return (each for each in within(function) if isinstance(each, ast.Attribute) and ast.unparse(each.value) == queue)


def written_value(value: ast.expr, module: Module) -> str:
    """How a value is written, if it is a name of a constant of the module: how that is."""
    if isinstance(value, ast.Name):
        binding = module.outline.binding(value.id)
        text = module.facts.text(binding[0]) if len(binding) == 1 else ""
        name, _, made = text.partition("=")
        constant = expression_in(made.strip()) if name.strip() == value.id else None
        return ast.unparse(constant if isinstance(constant, ast.Constant) else value)
    return ast.unparse(value)


def _mark_of(loop: ast.While | ast.For, get: ast.Attribute, module: Module) -> tuple[EndMark, ast.If | None] | None:
    """What ends a loop, and the statement that does so; none if that is the loop itself."""
    match loop:
        case ast.For(iter=ast.Call(func=ast.Name(id="iter"), args=[taken, last])) if taken is get:
            return EndMark(get, written_value(last, module)), None
        case ast.While(
            test=ast.Compare(left=ast.NamedExpr(value=taken), ops=[ast.IsNot() | ast.NotEq()], comparators=[last])
        ) if _is_get(taken, get):
            return EndMark(get, written_value(last, module)), None
        case ast.While(test=ast.Constant(value=always)) if always:
            pass
        case _:
            return None
    items = [each for each in within(loop) if isinstance(each, ast.Assign) and _is_get(each.value, get)]
    if len(items) != 1 or len(items[0].targets) != 1:
        return None
    target = items[0].targets[0]
    names = target.elts if isinstance(target, ast.Tuple) else [target]
    for statement in within(loop):
        if isinstance(statement, ast.If) and isinstance(statement.body[-1], ast.Break | ast.Return):
            for place, name in enumerate(names):
                value = _asked(statement.test, name) if isinstance(name, ast.Name) else None
                if value is not None:
                    mark = EndMark(get, written_value(value, module), place if names != [target] else None)
                    return mark, statement
    return None


def _mark_of_collection(function: ast.FunctionDef, get: ast.Attribute, module: Module) -> EndMark | None:
    """The mark of what takes all items at once: `list(iter(queue.get, None))`, or a comprehension."""
    for node in within(function):
        match node:
            case (
                ast.Call(func=ast.Name(id="list" | "tuple" | "set" | "sorted" | "sum"), args=[items, *_])
                | ast.ListComp(generators=[ast.comprehension(iter=items), *_])
                | ast.SetComp(generators=[ast.comprehension(iter=items), *_])
                | ast.DictComp(generators=[ast.comprehension(iter=items), *_])
            ):
                match items:
                    case ast.Call(func=ast.Name(id="iter"), args=[taken, last]) if taken is get:
                        return EndMark(get, written_value(last, module))
                    case _:
                        pass
            case _:
                pass
    return None


def _is_get(call: ast.expr, get: ast.Attribute) -> bool:
    """Whether a call waits for an item without a limit."""
    if not isinstance(call, ast.Call) or call.func is not get or get.attr != "get":
        return False
    return not call.keywords and all(isinstance(each, ast.Constant) and each.value is True for each in call.args)


def _asked(test: ast.expr, name: ast.Name) -> ast.expr | None:
    """With what a test compares an item."""
    match test:
        case ast.Compare(left=ast.Name(id=left), ops=[ast.Is() | ast.Eq()], comparators=[right]) if left == name.id:
            return right
        case ast.UnaryOp(op=ast.Not(), operand=ast.Name(id=asked)) if asked == name.id:
            return ast.Constant(value=None)
        case _:
            return None


def _is_left_by(loop: ast.While | ast.For, ending: ast.If | None) -> bool:
    """Whether nothing else leaves a loop but a certain statement, and errors that are caught."""
    handlers = (each for each in within(loop) if isinstance(each, ast.ExceptHandler))
    spared = {id(node) for each in handlers for node in ast.walk(each)}
    spared |= {id(node) for node in ast.walk(ending)} if ending is not None else set()
    return not any(id(each) not in spared for each in _leaving(loop))


def _leaving(loop: ast.While | ast.For) -> Iterator[ast.stmt]:
    waiting: list[tuple[ast.AST, bool]] = [(each, True) for each in loop.body]
    while waiting:
        node, is_own = waiting.pop()
        if isinstance(node, ast.Return) or (isinstance(node, ast.Break) and is_own):
            yield node
        is_inner = isinstance(node, ast.While | ast.For)
        waiting += [(each, is_own and not is_inner) for each in ast.iter_child_nodes(node)]
