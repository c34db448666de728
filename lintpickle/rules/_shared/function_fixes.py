"""Fixes that give a lambda or a local function a name at module level."""

from __future__ import annotations

from lintpickle.diagnostics import Applicability, Fix, Span
from lintpickle.rules.authoring import (
    FunctionValue,
    Hazard,
    bind_function,
    define_lambda,
    hoist_function,
    hoist_lambda,
    replace_lambda,
)


def lambda_fix(hazard: Hazard, hint: str, span: Span | None = None, is_named: bool = False) -> Fix | None:
    """The fix for a lambda at the hazard's site, or at `span` in its file; the new function is named after `hint`. If
    it is `is_named`, other code calls it with the names of its parameters, so that it must keep them."""
    text = hazard.site.module.document.text
    span = span or hazard.site.span
    exact = replace_lambda(text, span) if not is_named else None
    if exact is not None:
        return Fix("Replace the lambda by a function that pickles", Applicability.SAFE, exact)
    defined = define_lambda(text, span)
    if defined is not None:
        return Fix(f"Define `{defined[1]}` with `def`", Applicability.SAFE, (defined[0],))
    hoisted = hoist_lambda(text, span, hint=hint)
    if hoisted is None:
        return None
    insertion, replacement, name = hoisted
    return Fix(f"Move the lambda to a module-level function `{name}`", Applicability.SAFE, (insertion, replacement))


def local_function_fix(hazard: Hazard, value: FunctionValue) -> Fix | None:
    """Move a nested function of the hazard's file to module level. Variables that it captures are bound by
    `functools.partial`. None if it is decorated: its decorators would then run once, at import."""
    if value.module is not hazard.site.module or value.facts.decorators:
        return None
    if value.facts.captures:
        return _bound_fix(hazard, value)
    hoisted = hoist_function(hazard.site.module.document.text, value.facts.span)
    if hoisted is None:
        return None
    message = f"Move the local function to module level as `{hoisted.name}`"
    return Fix(message, Applicability.SAFE, hoisted.edits)


def _bound_fix(hazard: Hazard, value: FunctionValue) -> Fix | None:
    """Move a nested function to module level, and bind what it captures. Unsafe: the values travel with it."""
    bound = bind_function(hazard.site.module.document.text, value.facts.span)
    if bound is None:
        return None
    message = f"Move the local function to module level as `{bound.name}` and bind what it captures"
    return Fix(message, Applicability.UNSAFE, bound.edits)
