"""Calls in a context of `contextvars` that is entered for them: `context.run(REQUEST.set, "r1")`."""

from __future__ import annotations

import re

from lintpickle.facts.values import Attribute, Call, without_narrowing
from lintpickle.program.module import Module

_RUN = "run"


def method_run(call: Call, module: Module) -> Attribute | None:
    """The method that a context is told to run, if it runs something else later on in the same code: what a variable is
    given there, code outside of the context does not see."""
    function = call.function
    if not isinstance(function, Attribute) or function.name != _RUN or not call.arguments:
        return None
    method = without_narrowing(call.arguments[0].value)
    context = module.code[function.span.start : function.span.end].rpartition(".")[0]
    if not isinstance(method, Attribute) or not context.isidentifier():
        return None
    others = re.compile(rf"\b{re.escape(context)}\.{_RUN}\((?!\s*[\w.]+\.{re.escape(method.name)}\b)")
    block = module.outline.block_at(call.span.start)
    is_entered = block is not None and others.search(module.code, call.span.end, block.span.end) is not None
    return method if is_entered else None
