"""Places that a loop of a function gets to again and again."""

from __future__ import annotations

import ast

from lintpickle.diagnostics import Span
from lintpickle.facts.records import FunctionFacts
from lintpickle.fixes.syntax import SourceTree, source_tree
from lintpickle.program.module import Module

_ADDS_ONE = "append"
"""The method of a list that adds one thing."""


def is_repeated(place: Span, facts: FunctionFacts, module: Module, given: frozenset[str] = frozenset()) -> bool:
    """Whether a loop of a function gets to a place as often as something decides that is not written out: there, or for
    the parameters of some names where they are given."""
    source = source_tree(module.code)
    around = list(source.nodes_within(facts.span)) if source is not None else []
    loops = [each for each in around if isinstance(each, (ast.For, ast.While)) and not _is_written_out(each, given)]
    return source is not None and any(
        _holding(loop.body, place, source) is not None
        and not any(_is_left_behind(node, place, source) for node in ast.walk(loop))
        for loop in loops
    )


def grows_without_bound(made: Span, facts: FunctionFacts, module: Module, given: frozenset[str] = frozenset()) -> bool:
    """Whether a function adds more to a list that it makes at a place than one thing at each of some places that are
    not repeated (see `is_repeated`)."""
    source = source_tree(module.code)
    around = list(source.nodes_within(facts.span)) if source is not None else []
    names = {
        target.id
        for node in around
        if isinstance(node, ast.Assign) and source is not None and source.span(node.value).start == made.start
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    uses = [node for node in around if isinstance(node, ast.Attribute) and _is_named(node.value, names)]
    changes = [node for node in around if isinstance(node, ast.AugAssign) and _is_named(node.target, names)]
    if source is None or len(names) != 1 or changes or any(each.attr != _ADDS_ONE for each in uses):
        return True
    return any(is_repeated(source.span(each), facts, module, given) for each in uses)


def _is_named(node: ast.expr, names: set[str]) -> bool:
    return isinstance(node, ast.Name) and node.id in names


def _holding(block: list[ast.stmt], place: Span, source: SourceTree) -> int | None:
    """Which statement of a block a place is in."""
    spans = enumerate(source.span(each) for each in block)
    return next((at for at, span in spans if span.contains(place)), None)


def _is_left_behind(node: ast.AST, place: Span, source: SourceTree) -> bool:
    """Whether a statement behind a place, in the same block of a node, leaves the loop or the function."""
    for name in ("body", "orelse", "finalbody"):
        block = getattr(node, name, None)
        if not isinstance(block, list):
            continue
        at = _holding(block, place, source)
        if at is not None and any(isinstance(each, (ast.Break, ast.Return, ast.Raise)) for each in block[at:]):
            return True
    return False


def _is_written_out(loop: ast.For | ast.While, given: frozenset[str]) -> bool:
    """Whether it is written out how often a loop runs: `range(3)`, `("a", "b")`."""
    match loop:
        case ast.For(iter=ast.Name(id=name)):
            return name in given
        case ast.For(iter=ast.Call(func=ast.Name(id="range"), args=bounds)):
            return all(isinstance(each, ast.Constant) for each in bounds)
        case ast.For(iter=ast.Tuple() | ast.List() | ast.Set() | ast.Dict() | ast.Constant()):
            return True
        case _:
            return False
