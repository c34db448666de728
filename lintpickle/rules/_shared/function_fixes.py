"""Fixes that give a lambda or a local function a name at module level."""

from __future__ import annotations

from lintpickle.diagnostics import Applicability, Fix
from lintpickle.rules.authoring import (
    FunctionValue,
    Hazard,
    hoist_function,
    hoist_lambda,
    replace_lambda,
)


def lambda_fix(hazard: Hazard, hint: str) -> Fix | None:
    """The fix for a lambda at the hazard's site; the new function is named after `hint`."""
    text = hazard.site.module.document.text
    exact = replace_lambda(text, hazard.site.span)
    if exact is not None:
        return Fix("Replace the lambda by a function that pickles", Applicability.SAFE, exact)
    hoisted = hoist_lambda(text, hazard.site.span, hint=hint)
    if hoisted is None:
        return None
    insertion, replacement, name = hoisted
    return Fix(f"Move the lambda to a module-level function `{name}`", Applicability.SAFE, (insertion, replacement))


def local_function_fix(hazard: Hazard, value: FunctionValue) -> Fix | None:
    """Move a nested function of the hazard's file to module level. None if it captures variables, if it is decorated
    (its decorators would then run once, at import), or if a factory function returns it."""
    if value.module is not hazard.site.module or value.facts.captures or value.facts.decorators:
        return None
    hoisted = hoist_function(hazard.site.module.document.text, value.facts.span)
    if hoisted is None:
        return None
    message = f"Move the local function to module level as `{hoisted.name}`"
    return Fix(message, Applicability.SAFE, hoisted.edits)
