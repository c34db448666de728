"""The loops and comprehensions around a place of a function, which run it again in each round."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from lintpickle.diagnostics import Span
from lintpickle.facts.contexts import MANAGER_DECORATORS
from lintpickle.facts.records import FunctionFacts
from lintpickle.fixes.syntax import SourceTree, source_tree
from lintpickle.interpreter.abstract_values import Site

LOOPS = (ast.For, ast.AsyncFor, ast.While, ast.ListComp, ast.SetComp, ast.GeneratorExp, ast.DictComp)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


def rounds_around(site: Site) -> tuple[Span, ...]:
    """The loops and comprehensions of its function that run a place again and again, as a whole; outer ones first."""
    return site.module.remembered(("rounds around", site.span.start), lambda: tuple(_find(site)))


def share_rounds(one: Site, other: Site) -> bool:
    """Whether one loop or comprehension runs both of two places of a function in each round: each may come before the
    other."""
    return not set(rounds_around(one)).isdisjoint(rounds_around(other))


def runs_as_iterated(function: FunctionFacts) -> bool:
    """Whether a function runs bit by bit, as what it yields is asked for: not where it is called."""
    return function.is_generator and not function.decorated_by(*MANAGER_DECORATORS)


def _find(site: Site) -> Iterator[Span]:
    source = source_tree(site.module.code)
    found: list[Span] = []
    for node in source.nodes_within(_statement_around(site)) if source is not None else ():
        if source is None or not isinstance(node, (*LOOPS, *_FUNCTIONS)):
            continue
        span = source.span(node)
        if span.start <= site.span.start < span.end:
            if not isinstance(node, LOOPS):
                found = []
            elif not _is_begun_with(node, site, source):
                found.append(span)
    yield from found


def _is_begun_with(node: ast.AST, site: Site, source: SourceTree) -> bool:
    """Whether a place stands in what a loop goes through, which is evaluated once."""
    iterable = node.iter if isinstance(node, ast.For | ast.AsyncFor) else None
    if isinstance(node, ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp):
        iterable = node.generators[0].iter
    span = source.span(iterable) if iterable is not None else None
    return span is not None and span.start <= site.span.start < span.end


def _statement_around(site: Site) -> Span:
    block = site.module.outline.block_at(site.span.start)
    return block.span if block is not None else Span(0, len(site.module.code))
