"""Calls that make a context where it is entered: `with Stage("in"):`."""

from __future__ import annotations

import ast

from lintpickle.facts.contexts import ENTERED_BY_STACKS
from lintpickle.fixes.syntax import source_tree
from lintpickle.interpreter.abstract_values import Site


def is_entered_at(site: Site) -> bool:
    """Whether what the call at a place makes is entered there, and nowhere else."""
    return site.module.remembered(("entered at", site.span.start), lambda: _is_entered(site))


def _is_entered(site: Site) -> bool:
    source = source_tree(site.module.code)
    block = site.module.outline.block_at(site.span.start)
    if source is None or block is None:
        return False
    for node in source.nodes_within(block.span):
        made: list[ast.expr] = []
        match node:
            case ast.With(items=items) | ast.AsyncWith(items=items):
                made = [item.context_expr for item in items]
            case ast.Call(func=ast.Attribute(attr=method), args=[entered]) if method in ENTERED_BY_STACKS:
                made = [entered]
            case _:
                pass
        for each in made:
            if isinstance(each, ast.Call) and source.span(each.func).end == site.span.end - 1:
                return True
    return False
