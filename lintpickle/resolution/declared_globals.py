"""Names that functions of a module declare global: what they store there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain

from lintpickle.facts.methods import methods_holding
from lintpickle.facts.records import FunctionFacts
from lintpickle.facts.values import Constant
from lintpickle.program.module import Module
from lintpickle.resolution.module_bindings import ModuleBinding


def is_set_by_functions(name: str, module: Module) -> bool:
    """Whether a function of the module may rebind the name."""
    return "global " in module.code and declared_global(name).search(module.code) is not None


def set_by_functions(name: str, module: Module) -> Iterator[ModuleBinding]:
    """What functions of the module store under the name."""
    pattern = declared_global(name)
    for block in module.outline.blocks:
        facts = module.facts_of(block) if pattern.search(module.code, block.span.start, block.span.end) else None
        if facts is None:
            continue
        methods = (methods_holding(each.methods, pattern, module.code) for each in facts.body.classes)
        for function in (*facts.body.functions, *chain.from_iterable(methods)):
            value = function.variables.get(name) if name in function.globals_declared else None
            if value is not None and not isinstance(value, Constant):
                yield ModuleBinding(module, value=value, block=facts, set_by=function)


def declared_together(name: str, function: FunctionFacts, module: Module) -> int | None:
    """Where a function of the module declares a name global in one statement with others."""
    found = declared_global(name).search(module.code, function.span.start, function.span.end)
    end = module.code.find("\n", found.end()) if found is not None else -1
    is_one_of_many = found is not None and "," in module.code[found.start() : end if end >= 0 else found.end()]
    return found.start() if found is not None and is_one_of_many else None


def declared_global(name: str) -> re.Pattern[str]:
    """A pattern that matches where functions declare a name of the module global."""
    return re.compile(rf"\bglobal\b[^\n]*\b{re.escape(name)}\b")
