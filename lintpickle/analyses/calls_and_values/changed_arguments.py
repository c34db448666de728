"""Functions that change in place what they are given: a list, a dict, an array."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from lintpickle.analyses.at_import.import_time import outside_comments
from lintpickle.facts.methods import owns
from lintpickle.facts.records import Called, FunctionFacts, ItemStore
from lintpickle.facts.values import (
    Attribute,
    Call,
    Collection,
    Expr,
    Parameter,
    ending_name,
    whole_of,
    without_narrowing,
)
from lintpickle.interpreter.abstract_values import ExternalValue, Frame, FunctionValue
from lintpickle.payload.linker import Linker
from lintpickle.program.module import Module

IsIt = Callable[[Expr], bool]
"""Whether an expression is the object that is asked about."""

_ARRAY = "<array>"
"""Under which name the catalog says what changes arrays."""
_WRITTEN_TO = "out"
"""By which keyword functions of numpy and torch are given what they write their result to."""
_DEPTH = 3


def changes_in_place(call: Call, frame: Frame, is_it: IsIt, is_array: bool, linker: Linker, depth: int = 0) -> bool:
    """Whether a call changes an object that it is given, or whose method it is."""
    if is_array and _writes_to_array(call, frame, is_it, linker):
        return True
    if depth == _DEPTH or not any(is_it(each.value) for each in call.arguments):
        return False
    called = (traced.value for traced in linker.evaluate(call.function, frame))
    return any(
        _fills(name, each, call, frame, is_array, linker, depth)
        for each in called
        if isinstance(each, FunctionValue)
        for name in parameters_given(call, each, is_it)
    )


def parameters_given(call: Call, function: FunctionValue, is_it: IsIt) -> Iterator[str]:
    """The parameters of a function, or keywords, for which a call gives it the object that is asked about."""
    places = [place for place, value in enumerate(call.positional() or ()) if is_it(value)]
    named = [each.name for each in function.facts.parameters if each.kind.startswith("positional")]
    first = 0 if function.bound is None else 1
    yield from (named[first + place] for place in places if first + place < len(named))
    yield from (each.keyword for each in call.arguments if each.keyword is not None and is_it(each.value))


def _fills(
    name: str, function: FunctionValue, call: Call, frame: Frame, is_array: bool, linker: Linker, depth: int
) -> bool:
    """Whether a function changes what one of its parameters holds, itself or by what it calls."""

    def is_it(value: Expr) -> bool:
        inner = whole_of(value) if is_array else without_narrowing(value)
        return isinstance(inner, Parameter) and inner.name == name

    facts = function.facts
    if facts.parameter(name) is None:
        return False
    if any(isinstance(each, ItemStore) and is_it(each.target) for each in facts.events):
        return True
    if _is_augmented(name, facts, function.module):
        return True
    calls = [each.call for each in facts.events if isinstance(each, Called)]
    inner = linker.evaluator.enter(function, call, frame) if calls else None
    return inner is not None and any(
        changes_in_place(each, inner, is_it, is_array, linker, depth + 1) for each in calls
    )


def _is_augmented(name: str, facts: FunctionFacts, module: Module) -> bool:
    """Whether a function says `name += …` of a parameter that it gives no other value."""
    word = rf"(?<![\w.]){re.escape(name)}\s*"
    span = facts.span
    augmented = re.compile(rf"^[ \t]*{word}(?:[-+*/|&@%^]|//|\*\*|<<|>>)=(?!=)", re.MULTILINE)
    found = outside_comments(augmented, module.code, span.start, span.end)
    bound = re.compile(rf"^[ \t]*{word}(?::[^=\n]+)?=(?!=)", re.MULTILINE)
    return found is not None and owns(facts, found.end - 1) and bound.search(module.code, span.start, span.end) is None


def _writes_to_array(call: Call, frame: Frame, is_it: IsIt, linker: Linker) -> bool:
    """Whether a function or method of a library writes to an array."""
    if any(is_it(whole_of(each)) for each in results_given(call)):
        return True
    known = linker.catalog.state(_ARRAY)
    if known is None:
        return False
    function, given = call.function, call.positional() or ()
    if isinstance(function, Attribute) and function.name in known.methods and is_it(whole_of(function.base)):
        return True
    last_names = {each.rpartition(".")[2] for each in known.functions}
    if not given or not is_it(whole_of(given[0])) or ending_name(function) not in last_names:
        return False
    called = (traced.value for traced in linker.evaluate(function, frame))
    return any(isinstance(each, ExternalValue) and each.path in known.functions for each in called)


def results_given(call: Call) -> tuple[Expr, ...]:
    """The arrays to which a call is told to write its result: what `out=` is given, one, or a tuple of some."""
    written = call.keyword(_WRITTEN_TO)
    if written is None:
        return ()
    inner = without_narrowing(written)
    return inner.elements if isinstance(inner, Collection) else (inner,)
