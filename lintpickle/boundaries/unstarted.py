"""Processes that are made but never started, as in tests that call their methods directly."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from lintpickle.facts.records import Called, ClassFacts, FunctionFacts, Implied, Store
from lintpickle.facts.values import Attribute, Call, Expr, Parameter, may_be
from lintpickle.interpreter.abstract_values import ClassValue, ExternalValue, InstanceValue
from lintpickle.interpreter.classes import Classes
from lintpickle.interpreter.frames import Frame

_START = "start"
_STARTING = re.compile(r"\b(?:self|super\(\))\s*\.\s*start\b")
_TEST_CASE = "TestCase"


def is_never_started(process: Call, class_: ClassValue, frame: Frame, classes: Classes) -> bool:
    """Whether a process that a function makes is started neither there nor by one of its own methods, and is not passed
    on. An attribute of a test case counts as not passed on, if its module starts nothing of that name."""
    function = frame.function
    if function.is_module_body or any(_STARTING.search(text) for text in _texts(class_, classes)):
        return False
    if any(_gives_away(value, process) for value in _used(function, process)):
        return False
    names = {name for name, value in function.variables.items() if may_be(value, process)}
    if any(not names.isdisjoint(inner.captures) for inner in function.functions):
        return False
    kept = (event for event in function.events if isinstance(event, Store) and may_be(event.value, process))
    return all(_is_own(event, frame, classes) for event in kept)


def _texts(class_: ClassValue, classes: Classes) -> Iterator[str]:
    """The sources of a class and of those of the program that it derives from."""
    for base in classes.mro(class_):
        if isinstance(base, ClassValue):
            yield base.module.code[base.facts.span.start : base.facts.span.end]


def _is_own(event: Store, frame: Frame, classes: Classes) -> bool:
    bound = frame.bindings.get(event.target.name) if isinstance(event.target, Parameter) else None
    if bound is None or not isinstance(bound.value, InstanceValue):
        return False
    bases = (base.path for base in classes.mro(bound.value.class_) if isinstance(base, ExternalValue))
    starting = rf"\.\s*{re.escape(event.attribute)}\s*\.\s*{_START}\b"
    return any(path.endswith(_TEST_CASE) for path in bases) and not re.search(starting, frame.module.code)


def _used(function: FunctionFacts, process: Call) -> Iterator[object]:
    """All that a function does with values, but for binding and storing the process."""
    yield from (*function.returns, *function.yields)
    yield from (value for value in function.variables.values() if not may_be(value, process))
    for event in function.events:
        match event:
            case Store(value=value):
                yield None if may_be(value, process) else value
            case Called(call=call) if call is process:
                yield call.arguments
            case Implied(call=call):
                yield call.arguments
            case _:
                yield from (getattr(event, name) for name in event.__struct_fields__)


def _gives_away(value: object, process: Call) -> bool:
    """Whether the process is a part of a value, or the way to start it is; calls of its other methods are not."""
    match value:
        case Call(function=Attribute(base=base, name=name), arguments=arguments) if may_be(base, process):
            return name == _START or _gives_away(arguments, process)
        case Attribute(base=base, name=name) if may_be(base, process):
            return name == _START
        case Expr() if value is process:
            return True
        case FunctionFacts() | ClassFacts():
            return False  # which may capture it: see there
        case Struct():
            return any(_gives_away(getattr(value, name), process) for name in value.__struct_fields__)
        case tuple():
            return any(_gives_away(each, process) for each in value)
        case _:
            return False
