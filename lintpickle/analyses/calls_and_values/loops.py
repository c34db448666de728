"""Loops of a function: over epochs, around the changes of a dataset, and without an end."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from msgspec import Struct

from lintpickle.diagnostics import Span
from lintpickle.facts.records import FunctionFacts
from lintpickle.facts.values import Call
from lintpickle.fixes.syntax import source_tree
from lintpickle.parsing.syntax import in_scope
from lintpickle.program.module import Module

_LOOPS = (ast.For, ast.AsyncFor, ast.While)
_LOOKS_ONLY = frozenset({"enumerate", "len", "tqdm", "iter", "range", "zip", "print", "trange"})


class EpochLoop(Struct, frozen=True):
    """A loop in a loop over epochs that iterates a loader: the loader's variable, and what is iterated."""

    loader: str
    iterated: Span


def loop_bodies(function: FunctionFacts, module: Module) -> list[Span]:
    """The bodies of all loops of a function, outer ones before inner ones."""
    source = source_tree(module.code)
    if source is None:
        return []
    return [
        Span(source.span(node.body[0]).start, source.span(node.body[-1]).end)
        for node in source.nodes_within(function.span)
        if isinstance(node, ast.For | ast.While)
    ]


def have_no_end(span: Span, module: Module) -> bool:
    """Whether a part of a module may loop for ever (`while True:`), by none of the loops that end with what they read:
    at a StopIteration, or when nothing more comes (`if not line: break`)."""
    source = source_tree(module.code)
    if source is None:
        return True
    loops = (node for node in source.nodes_within(span) if isinstance(node, ast.While))
    return any(isinstance(loop.test, ast.Constant) and loop.test.value and not _ends(loop) for loop in loops)


def _ends(loop: ast.While) -> bool:
    statements = list(in_scope(loop.body))
    inner = {id(each) for node in statements if isinstance(node, _LOOPS) for each in in_scope(node.body)}
    read = {target.id for each in statements for target in _targets(each) if isinstance(target, ast.Name)}
    lasts = (body[-1] for each in statements for body in _at_the_end(each, read))
    return any(
        isinstance(last, ast.Return) or (isinstance(last, ast.Break) and id(last) not in inner) for last in lasts
    )


def _at_the_end(statement: ast.stmt, read: set[str]) -> Iterator[list[ast.stmt]]:
    """What a statement does when there is nothing more to read."""
    match statement:
        case ast.Try(handlers=handlers):
            for caught in handlers:
                if caught.type is not None and "StopIteration" in ast.dump(caught.type):
                    yield caught.body
        case ast.If(test=test, body=body) if _is_of_nothing(test, read):
            yield body
        case _:
            pass


def _targets(statement: ast.stmt) -> Sequence[ast.expr]:
    """The targets of an assignment, also of one within the test of an `if`."""
    match statement:
        case ast.Assign(targets=targets):
            return targets
        case ast.If(test=test):
            return [node.target for node in ast.walk(test) if isinstance(node, ast.NamedExpr)]
        case _:
            return ()


def _is_of_nothing(test: ast.expr, read: set[str]) -> bool:
    """Whether a test asks if a variable has nothing, or less than a whole part: `not line`, `row is None`,
    `len(block) < size`."""
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=asked):
            pass
        case ast.Compare(left=asked, ops=[ast.Is() | ast.Eq()], comparators=[ast.Constant(value=None | "" | b"")]):
            pass
        case ast.Compare(left=ast.Call(func=ast.Name(id="len"), args=[asked]), ops=[ast.Lt() | ast.NotEq() | ast.Eq()]):
            pass
        case _:
            return False
    asked = asked.target if isinstance(asked, ast.NamedExpr) else asked
    return isinstance(asked, ast.Name) and asked.id in read


def epoch_loop(loader: Call, function: FunctionFacts, module: Module) -> EpochLoop | None:
    """The loop over the batches of a loader, once per epoch, in the function that makes the loader. None if the loader
    has no variable of its own, or if other code may set its epoch."""
    source = source_tree(module.code)
    if source is None:
        return None
    nodes = list(source.nodes_within(function.span))
    name = next(
        (
            node.targets[0].id
            for node in nodes
            if isinstance(node, ast.Assign)
            and len(node.targets) == 1
            and isinstance(node.targets[0], ast.Name)
            and source.span(node.value) == loader.span
        ),
        None,
    )
    if name is None or _escapes(nodes, name):
        return None
    for node in nodes:
        if isinstance(node, ast.For) and _is_epoch(node.target):
            for inner in ast.walk(node):
                if isinstance(inner, ast.For) and inner is not node and _mentions(inner.iter, name):
                    return EpochLoop(name, source.span(inner.iter))
    return None


def _is_epoch(target: ast.expr) -> bool:
    return isinstance(target, ast.Name) and ("epoch" in target.id.lower() or target.id in ("_", "e", "ep"))


def _mentions(node: ast.expr, name: str) -> bool:
    return any(isinstance(inner, ast.Name) and inner.id == name for inner in ast.walk(node))


def _escapes(nodes: Sequence[object], name: str) -> bool:
    """Whether the loader is rebound, stored elsewhere, or passed to something that may set the epoch."""
    bound = 0
    for node in nodes:
        match node:
            case ast.Call(func=ast.Name(id=function), args=args) if function in _LOOKS_ONLY:
                continue
            case ast.Call(args=args, keywords=keywords):
                passed = [*args, *(keyword.value for keyword in keywords)]
                if any(isinstance(each, ast.Name) and each.id == name for each in passed):
                    return True
            case ast.Assign(targets=targets, value=value):
                bound += any(isinstance(t, ast.Name) and t.id == name for target in targets for t in ast.walk(target))
                if isinstance(value, ast.Name) and value.id == name:
                    return True
            case ast.Return(value=ast.expr() as value) | ast.Yield(value=ast.expr() as value):
                if _mentions(value, name):
                    return True
            case ast.Attribute(value=ast.Name(id=owner), attr=attr) if owner == name and attr != "dataset":
                return True
            case _:
                pass
    return bound != 1
