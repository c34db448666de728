"""Loops of a function: over epochs, and around the changes of a dataset."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from msgspec import Struct

from lintpickle.diagnostics import Span
from lintpickle.facts.records import FunctionFacts
from lintpickle.facts.values import Call
from lintpickle.fixes.syntax import source_tree
from lintpickle.program.module import Module

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
