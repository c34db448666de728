"""Functions as objects with attributes: what they begin with, and which are one and the same."""

from __future__ import annotations

import re

from lintpickle.facts.records import Store
from lintpickle.facts.values import Name
from lintpickle.interpreter.abstract_values import Frame, FunctionValue, TracedValue
from lintpickle.interpreter.attributes import put_on
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerFunction


def first_values(function: FunctionValue, attribute: str, linker: Linker) -> list[TracedValue]:
    """What an attribute of a function is given where the function is defined: by the decorator that makes it
    (`wrapper.calls = 0`), or by its module (`work.calls = 0`)."""
    if function.facts.is_local:
        home = function.frame
        stores = put_on(function, attribute)
        return [each for store in stores for each in linker.evaluate(store.value, home)] if home is not None else []
    module, name = function.module, function.facts.qualname
    written = re.compile(rf"^{re.escape(name)}\.{re.escape(attribute)}\b", re.MULTILINE)
    found: list[TracedValue] = []
    for block in module.outline.blocks:
        facts = module.facts_of(block) if written.search(module.code, block.span.start, block.span.end) else None
        for event in facts.body.events if facts is not None else ():
            match event:
                case Store(target=Name(name=stored), attribute=to, value=value) if stored == name and to == attribute:
                    found += linker.evaluate(value, Frame(module, facts.body)) if facts is not None else ()
                case _:
                    pass
    return found


def is_same_function(first: FunctionValue, second: FunctionValue, linker: Linker) -> bool:
    """Whether two values are one function: defined at the same place, and around the same one; or the second is what
    decorators have put the first around."""
    if first.facts is second.facts:
        return not is_for_another(first.frame, second.frame, linker)
    around = linker.evaluator.decorators.around(second, second.frame or Frame(second.module, second.facts))
    return any(each.facts is first.facts and not is_for_another(first.frame, each.frame, linker) for each in around)


def is_for_another(first: Frame | None, second: Frame | None, linker: Linker) -> bool:
    """Whether two calls of a function that makes something are given other functions: a decorator makes an object or a
    function for each one that it decorates."""
    if first is None or second is None or first is second:
        return False
    one, other = functions_given(first, linker), functions_given(second, linker)
    return bool(one) and bool(other) and not {id(each.facts) for each in one} & {id(each.facts) for each in other}


def functions_given(frame: Frame, linker: Linker) -> list[FunctionValue]:
    """The functions with names that a call, and those around it, are given."""
    found: list[FunctionValue] = []
    around: Frame | None = frame
    while around is not None:
        for bound in around.bindings.values():
            values = [bound.value] if bound.value is not None else []
            if bound.expr is not None and bound.frame is not None:
                values += (each.value for each in linker.evaluate(bound.expr, bound.frame))
            found += (each for each in values if isinstance(each, FunctionValue) and not each.facts.is_local)
        around = around.parent
    return found


def names_called(function: WorkerFunction, linker: Linker) -> list[str]:
    """The names by which code calls a function: of one that a decorator puts around others, theirs."""
    around = function.frame.parent if function.facts.is_local else None
    given = functions_given(around, linker) if around is not None else []
    return [function.facts.name, *dict.fromkeys(each.facts.name for each in given if each.facts.decorators)]
