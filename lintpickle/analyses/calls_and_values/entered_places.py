"""Calls that make a context where it is entered: `with Stage("in"):`."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from lintpickle.diagnostics import Span
from lintpickle.facts.contexts import ENTERED_BY_STACKS
from lintpickle.fixes.syntax import source_tree
from lintpickle.interpreter.abstract_values import Site
from lintpickle.program.module import Module


def is_entered_at(site: Site) -> bool:
    """Whether what the call at a place makes is entered there, and nowhere else."""
    module, block = site.module, site.module.outline.block_at(site.span.start)
    if block is None:
        return False
    entered = module.remembered(("entered in", block.span), lambda: frozenset(_entered_in(block.span, module)))
    return site.span.end - 1 in entered


def _entered_in(span: Span, module: Module) -> Iterator[int]:
    """Where the names end of what is called there for a context that is entered."""
    source = source_tree(module.code)
    for node in source.nodes_within(span) if source is not None else ():
        assert source is not None
        made: list[ast.expr] = []
        match node:
            case ast.With(items=items) | ast.AsyncWith(items=items):
                made = [item.context_expr for item in items]
            case ast.Call(func=ast.Attribute(attr=method), args=[entered]) if method in ENTERED_BY_STACKS:
                made = [entered]
            case _:
                pass
        yield from (source.span(each.func).end for each in made if isinstance(each, ast.Call))
