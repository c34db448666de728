"""The order in which a module's code runs: which bindings of a name are in force at a place at module level."""

from __future__ import annotations

import re
from collections.abc import Sequence

from lintpickle.control_flow.paths import Paths
from lintpickle.control_flow.steps import BranchStep
from lintpickle.diagnostics import Span
from lintpickle.facts.values import Choice, Expr, options_of
from lintpickle.program.module import Module
from lintpickle.resolution.module_bindings import ModuleBinding


def in_force(definitions: tuple[ModuleBinding, ...], module: Module, place: Span) -> tuple[ModuleBinding, ...]:
    """Those definitions of a name that can be in force at a place at module level. A binding before that place replaces
    earlier ones, including imports; later bindings have not happened yet. An assignment reads its value before it binds
    its name (`loaders = [iter(each) for each in loaders]`). What a function binds (`global name`) counts where the
    function is called in between, as far as its name shows that."""
    bindings = [each.bound if each.bound is not None and each.bound.module is module else None for each in definitions]
    spans = [binding.span if binding is not None else None for binding in bindings]
    certain = [
        binding.span
        for each, binding in zip(definitions, bindings, strict=True)
        if binding is not None and (binding.always or _is_on_the_way(each, module, place))
    ]
    last = max((span.start for span in certain if span.end <= place.start), default=None)
    reading = [span for span in certain if span.start <= place.start < span.end]
    if last is None and not reading:
        return definitions
    first = -1 if last is None else last
    return tuple(
        each
        for each, span in zip(definitions, spans, strict=True)
        if (span is None and (last is None or _may_have_set(each, module, first, place)))
        or (span is not None and first <= span.start < place.start and span not in reading)
    )


def _may_have_set(definition: ModuleBinding, module: Module, after: int, place: Span) -> bool:
    """Whether a function that binds the name may have been called at module level between two places."""
    setter = definition.set_by
    if setter is None or definition.module is not module:
        return False
    called = re.compile(rf"(?<!def )\b{re.escape(setter.name)}\(")
    return called.search(module.code, max(after, setter.span.end), place.start) is not None


def in_the_end(definitions: tuple[ModuleBinding, ...]) -> tuple[ModuleBinding, ...]:
    """Those definitions of a name that can be in force when the whole module has run."""
    home = next((each.bound.module for each in definitions if each.bound is not None), None)
    if home is None or len(definitions) < 2:
        return definitions
    end = Span(len(home.code), len(home.code))
    left = in_force(definitions, home, end)
    return tuple(each for each in definitions if each.bound is None or any(each is other for other in left))


def is_never_read(definition: ModuleBinding, others: tuple[ModuleBinding, ...]) -> bool:
    """Whether a binding is replaced before any function of the module is called. (The cells of a notebook can run in
    any order.)"""
    bound = definition.bound
    if bound is None or bound.module.path.endswith(".ipynb"):
        return False
    blocks, home = bound.module.outline.blocks, bound.module.outline.block_at(bound.span.start)
    start = home.span.end if home is not None else bound.span.end
    later = [each.bound.span.start for each in others if each.bound is not None and each.bound.always]
    end = min((place for place in later if place >= start), default=None)
    return end is not None and not any(
        start <= block.span.start and block.span.end <= end
        for block in blocks
        if not (block.bare or block.is_class or block.defines_function)
    )


def _is_on_the_way(definition: ModuleBinding, module: Module, place: Span) -> bool:
    """Whether execution that reaches the place has passed the binding, which is in the same statement."""
    block = module.outline.block_at(place.start)
    if block is None or definition.bound is None:
        return False
    spans = [each.span for each in options_of(definition.value)] if definition.value else [definition.bound.span]
    earlier = [span for span in spans if block.span.start <= span.start < span.end <= place.start]
    paths = Paths(module, block.span)
    way = paths.steps(place.start) if earlier else ()
    return any(_leads(paths.steps(span.start), way) for span in earlier)


def still_bound(value: Expr, module: Module, place: Span) -> Expr:
    """Of the values that one statement at module level (a loop, say, or the main guard) binds to a name, those that the
    name can have at a place in that statement. Each assignment on the way to the place replaces earlier ones."""
    block = module.outline.block_at(place.start)
    if not isinstance(value, Choice) or block is None:
        return value
    within = [each for each in value.options if block.span.start <= each.span.start < block.span.end]
    earlier = [each for each in within if each.span.end <= place.start]
    if len(within) < len(value.options) or len(within) < 2 or not earlier:
        return value
    paths = Paths(module, block.span)
    way = paths.steps(place.start)
    passed = [each.span.start for each in earlier if _leads(paths.steps(each.span.start), way)]
    if not passed:
        return value
    left = tuple(
        each for each in within if max(passed) <= each.span.start < place.start and each.span.end <= place.start
    )
    return left[0] if len(left) == 1 else Choice(left[0].span, left)


def _leads(first: Sequence[BranchStep], second: Sequence[BranchStep]) -> bool:
    """Whether execution on the second path has passed the end of the first one."""
    return len(first) <= len(second) and all(a is b for a, b in zip(first, second, strict=False))
