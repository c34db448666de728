"""Moving a lambda that reads variables of the function around it to module level, with the variables bound."""

from __future__ import annotations

import ast

from lintpickle.diagnostics import Span
from lintpickle.fixes.hoist import Hoisted, hoist_lambda
from lintpickle.fixes.imports import import_edit
from lintpickle.fixes.names import NameUses, analyse, captured_names
from lintpickle.fixes.scopes import Use
from lintpickle.fixes.syntax import FunctionOrClass, SourceTree

_UNSURE = ast.For | ast.AsyncFor | ast.While | ast.comprehension | ast.withitem | ast.Lambda | FunctionOrClass
_INSTANCES = frozenset({"self", "cls", "__class__"})


def bind_lambda(text: str, span: Span, *, hint: str) -> Hoisted | None:
    """Turn `lambda x: f(x, scale)` into `partial(_hint, scale=scale)` of a new module-level function.

    Early binding replaces late binding, so every captured name must be a parameter or a variable that is bound
    once, before the lambda and in no loop. Returns None where that is not so, where the lambda captures its
    instance (all of which would travel along), or where it cannot be moved for other reasons.
    """
    names = analyse(text)
    node = names.source.find_lambda(span) if names else None
    captured = sorted(captured_names(text, span))
    if names is None or node is None or not captured or _INSTANCES & set(captured):
        return None
    if node.args.vararg or node.args.kwarg or node.args.kwonlyargs:
        return None
    if not all(_is_bound_before(names, node, name) for name in captured):
        return None
    point, addition = _new_parameters(names.source, node, captured)
    longer = text[:point] + addition + text[point:]
    moved = hoist_lambda(longer, Span(span.start, span.end + len(addition)), hint=hint)
    imported = import_edit(text, "functools", "partial")
    if moved is None or imported is None:
        return None
    insertion, _, name = moved
    arguments = ", ".join(f"{each}={each}" for each in captured)
    call = names.source.replacement(names.source.span(node), f"{imported[1]}({name}, {arguments})")
    edits = [each for each in (imported[0], insertion, call) if each is not None]
    return Hoisted(tuple(sorted(edits)), name)


def _new_parameters(source: SourceTree, node: ast.Lambda, names: list[str]) -> tuple[int, str]:
    """Where keyword-only parameters go in a lambda, and their text."""
    addition = f"*, {', '.join(names)}"
    ends = [source.span(each).end for each in (*node.args.posonlyargs, *node.args.args)]
    ends += [source.span(each).end for each in node.args.defaults]
    return (max(ends), f", {addition}") if ends else (source.span(node).start + len("lambda"), f" {addition}")


def _is_bound_before(names: NameUses, node: ast.Lambda, name: str) -> bool:
    """Whether the variable that the lambda reads has one value from before the lambda on."""
    inside = set(ast.walk(node))
    read = next((use for use in names.uses if use.name == name and use.node in inside and not use.binds), None)
    if read is None:
        return False
    home = read.scope.resolve(name)
    bindings = [use for use in names.bindings(name) if use.scope.resolve(name) is home]
    if len(bindings) != 1 or home.kind != "function" or isinstance(home.node, ast.Lambda):
        return False
    return isinstance(bindings[0].node, ast.arg) or _is_plain(names.source, bindings[0], home.node, node)


def _is_plain(source: SourceTree, binding: Use, function: ast.AST, node: ast.Lambda) -> bool:
    """Whether a variable is bound before the lambda by an assignment that is in no loop of the function."""
    target = binding.node
    if not isinstance(target, ast.Name) or source.span(target).start > source.span(node).start:
        return False
    stack: list[ast.AST] = list(ast.iter_child_nodes(function))
    while stack:
        each = stack.pop()
        if each is target:
            return True
        if not isinstance(each, _UNSURE):
            stack.extend(ast.iter_child_nodes(each))
    return False
