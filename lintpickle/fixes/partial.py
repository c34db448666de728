"""Moving a lambda or a nested function that reads variables of the function around it to module level, with the
variables bound."""

from __future__ import annotations

import ast

from lintpickle.diagnostics import Edit, Span
from lintpickle.fixes.definitions import block_of
from lintpickle.fixes.hoist import Hoisted, hoist_lambda, moved_definition
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
    edits = [*_below_import(imported[0], insertion), call]
    return Hoisted(tuple(sorted(edits)), name)


def bind_function(text: str, span: Span) -> Hoisted | None:
    """Move the nested function at `span` to module level with the variables that it captures as keyword-only
    parameters; in its place, its name is bound to a `partial` with their values.

    As for `bind_lambda`, every captured name must have one value from before the function on; None otherwise, and
    where the function cannot be moved for other reasons.
    """
    names = analyse(text)
    node = _nested(names.source, span) if names else None
    if names is None or node is None or node.decorator_list or node.args.vararg or node.args.kwarg:
        return None
    captured = sorted(captured_names(text, names.source.span(node)))
    if not captured or node.args.kwonlyargs or {*_INSTANCES, node.name} & set(captured):
        return None
    if not all(_is_bound_before(names, node, name) for name in captured):
        return None
    point, addition = _new_parameters(names.source, node, captured)
    longer = text[:point] + addition + text[point:]
    imported = import_edit(text, "functools", "partial")
    longer_names = analyse(longer)
    home = next((use.scope for use in names.of(node) if use.binds and use.name == node.name), None)
    if imported is None or longer_names is None or home is None or home.kind != "function":
        return None
    name = names.free_name(node.name)
    moved = moved_definition(longer_names, Span(span.start, span.end + len(addition)), name)
    if moved is None:
        return None
    source = names.source
    block = block_of(source, node)
    white = source.indentation(source.first_row(node))
    arguments = ", ".join(f"{each}={each}" for each in captured)
    replacement = Edit(block, f"{white}{node.name} = {imported[1]}({name}, {arguments}){source.newline}")
    edits = [*_below_import(imported[0], moved), replacement]
    return Hoisted(tuple(sorted(edits)), name)


def _below_import(imported: Edit | None, insertion: Edit) -> tuple[Edit, ...]:
    """The import and the function, in this order if both are inserted at the same place."""
    if imported is None:
        return (insertion,)
    if imported.span == insertion.span:
        return (Edit(insertion.span, imported.content + insertion.content),)
    return imported, insertion


def _nested(source: SourceTree, span: Span) -> ast.FunctionDef | None:
    return next((each for each in source.nodes_within(span) if isinstance(each, ast.FunctionDef)), None)


def _new_parameters(source: SourceTree, node: ast.Lambda | ast.FunctionDef, names: list[str]) -> tuple[int, str]:
    """Where keyword-only parameters go in a function, and their text."""
    addition = f"*, {', '.join(names)}"
    ends = [source.span(each).end for each in (*node.args.posonlyargs, *node.args.args)]
    ends += [source.span(each).end for each in node.args.defaults]
    if ends:
        return max(ends), f", {addition}"
    start = source.span(node).start
    if isinstance(node, ast.Lambda):
        return start + len("lambda"), f" {addition}"
    return source.text.index("(", start) + 1, addition


def _is_bound_before(names: NameUses, node: ast.Lambda | ast.FunctionDef, name: str) -> bool:
    """Whether the variable that a function reads has one value from before the function on."""
    inside = set(ast.walk(node))
    read = next((use for use in names.uses if use.name == name and use.node in inside and not use.binds), None)
    if read is None:
        return False
    home = read.scope.resolve(name)
    bindings = [use for use in names.bindings(name) if use.scope.resolve(name) is home]
    if len(bindings) != 1 or home.kind != "function" or isinstance(home.node, ast.Lambda):
        return False
    return isinstance(bindings[0].node, ast.arg) or _is_plain(names.source, bindings[0], home.node, node)


def _is_plain(source: SourceTree, binding: Use, function: ast.AST, node: ast.Lambda | ast.FunctionDef) -> bool:
    """Whether a variable is bound before a function by an assignment that is in no loop of the function."""
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
