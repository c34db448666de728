"""Context managers that are made and never entered, so that nothing of their function runs."""

from __future__ import annotations

import re

from lintpickle.facts.contexts import MANAGER_DECORATORS
from lintpickle.facts.records import FunctionFacts
from lintpickle.facts.values import Call
from lintpickle.interpreter.root_frames import RootFrame
from lintpickle.parsing.assigned import variable_of


def is_never_entered(call: Call, function: FunctionFacts, caller: RootFrame) -> bool:
    """Whether a call of a generator function that is made a context manager (`@contextmanager`) is kept in a variable
    of which only attributes are read: no `with` enters it, and nobody else gets it."""
    if not function.decorated_by(*MANAGER_DECORATORS):
        return False
    code, body = caller.frame.module.code, caller.function.span
    name = variable_of(code, call.span, body.start)
    if name is None:
        return False
    end = len(code) if caller.function.is_module_body else body.end
    otherwise = re.compile(rf"(?<![\w.]){name}\b(?!\s*\.\s*(?!__a?enter__)\w)(?!\s*=[^=])")
    return otherwise.search(code, call.span.end, end) is None
