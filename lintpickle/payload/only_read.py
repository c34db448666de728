"""Objects that the program itself reads, and gives to nobody else: it iterates a dataset, takes items and attributes of
it, calls its methods, and hands it to functions of its own that do nothing else either."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeAlias

from msgspec import Struct

from lintpickle.facts.records import Called, Event, FunctionFacts, Implied, ItemStore, Raised, Store
from lintpickle.facts.values import Attribute, Call, Expr, Item, Parameter, may_be, without_narrowing
from lintpickle.interpreter.abstract_values import ExternalValue, Frame, FunctionValue, InstanceValue
from lintpickle.interpreter.evaluator import Evaluator
from lintpickle.limits import LEVELS
from lintpickle.parsing.assigned import variable_of
from lintpickle.parsing.main_guard import is_lone_guard
from lintpickle.payload.iterated_loaders import PROGRESS_BARS
from lintpickle.program.module import Module

_Is: TypeAlias = Callable[[Expr], bool]
_GIVES_ITSELF = re.compile(r"(?:\b(?:return|yield)\s+|[\[,=]\s*|(?<!super)\(\s*)self\s*(?=[,)\]\n])")
"""What stands in a method that may give its object away."""
_NO_CODE = re.compile(r"(\"{3}|'{3})[\s\S]*?\1|#[^\n]*")
"""Long texts and comments."""
_HEADER = re.compile(r"\bdef\s+\w+\s*\(\s*self\b|\bsuper\(\s*\w+\s*,\s*self\b|\b__init__\(\s*self\b")
_PLAIN_BASES = ("builtins.", "torch.utils.data.", "abc.", "typing.")


def is_only_read(made: InstanceValue, evaluator: Evaluator, is_alone: bool = False) -> bool:
    """Whether the function that makes an object, and those of the program that it is handed to, only read it. What a
    module makes at its top level other modules may get, unless it `is_alone`."""
    call, frame = made.call, made.frame
    if call is None or frame is None or not _keeps_to_itself(made, evaluator):
        return False
    if frame.function.is_module_body:
        return _is_only_read_at_top(call, frame.module, is_alone)
    return _Reading(evaluator).is_all(frame, lambda value: may_be(value, call), 0)


def _is_only_read_at_top(call: Call, module: Module, is_alone: bool) -> bool:
    """Whether an object is made where no other module gets at it, as under the main guard, and the whole text does
    nothing with its variable but take items, attributes and the length, and go through it."""
    block = module.outline.block_at(call.span.start)
    if block is None or not (is_alone or is_lone_guard(module.code[block.span.start : block.span.end])):
        return False
    name = variable_of(module.code, call.span, max(block.span.start - 1, 0))  # from the end of the row before
    if name is None:
        return False
    reads = rf"(?<![\w.]){name}\s*(?:=(?!=)|\[|\.)|\blen\(\s*{name}\s*\)|\bin\s+(?:\w+\(\s*)*{name}\b"
    used = rf"(?<![\w.'\"]){name}\b"
    code = _NO_CODE.sub("", module.code)
    return len(re.findall(reads, code)) == len(re.findall(used, code))


def _keeps_to_itself(made: InstanceValue, evaluator: Evaluator) -> bool:
    """Whether no method of a class gives its object to anything else."""
    for each in evaluator.classes.mro(made):
        if isinstance(each, ExternalValue):
            if not each.path.startswith(_PLAIN_BASES):
                return False
        elif _GIVES_ITSELF.search(_HEADER.sub("", each.module.code[each.facts.span.start : each.facts.span.end])):
            return False
    return True


class _Reading:
    """One search, from where an object is made."""

    def __init__(self, evaluator: Evaluator) -> None:
        self._evaluator = evaluator
        self._asked: set[tuple[int, str]] = set()

    def is_all(self, frame: Frame, is_it: _Is, level: int) -> bool:
        """Whether a function does nothing with an object but read it."""
        function = frame.function
        variables = function.variables.items()
        names = {name for name, value in variables if is_it(value)}
        names.update(each.name for each in function.parameters if is_it(_as_value(each.name, function)))
        if any(not names.isdisjoint(inner.captures) for inner in function.functions):
            return False
        kept = (*function.returns, *function.yields, *(value for _, value in variables if not is_it(value)))
        if any(_holds(value, is_it) for value in kept):
            return False
        return all(self._is_reading(event, frame, is_it, level) for event in function.events)

    def _is_reading(self, event: Event, frame: Frame, is_it: _Is, level: int) -> bool:
        match event:
            case Store(value=value) | ItemStore(value=value) | Raised(value=value):
                return not _holds(value, is_it)
            case Called(call=call) if any(_holds(each.value, is_it) for each in call.arguments):
                return self._is_read_by(call, frame, is_it, level)
            case Implied(call=call):
                return not any(_holds(each.value, is_it) for each in call.arguments)
            case _:
                return True

    def _is_read_by(self, call: Call, frame: Frame, is_it: _Is, level: int) -> bool:
        """Whether what is called only reads an object that it is given."""
        for traced in self._evaluator.evaluate(call.function, frame):
            match traced.value:
                case FunctionValue(module=module, opaque=False) as callee if module.first_party:
                    if not self._is_read_in(callee, call, frame, is_it, level):
                        return False
                case ExternalValue(path="builtins.setattr"):
                    return False
                case ExternalValue(path=path):
                    if not path.startswith("builtins.") and path.rpartition(".")[2] not in PROGRESS_BARS:
                        return False
                case _:
                    return False
        return True

    def _is_read_in(self, callee: FunctionValue, call: Call, frame: Frame, is_it: _Is, level: int) -> bool:
        if level >= LEVELS.most:
            self._evaluator.cuts.note(LEVELS)
            return False
        inner = self._evaluator.enter(callee, call, frame)
        given = inner.given(frame, is_it) if inner is not None else []
        if inner is None or len(given) < sum(_holds(each.value, is_it) for each in call.arguments):
            return False
        return all(self._is_parameter_read(name, inner, level) for name in given)

    def _is_parameter_read(self, name: str, frame: Frame, level: int) -> bool:
        function = frame.function
        key = (id(function), name)
        if key in self._asked:
            return True
        self._asked.add(key)

        def is_it(value: Expr) -> bool:
            found = without_narrowing(value)
            return isinstance(found, Parameter) and (found.name, found.owner) == (name, function.qualname)

        return self.is_all(frame, is_it, level + 1)


def _as_value(name: str, function: FunctionFacts) -> Parameter:
    return Parameter(function.header, name, function.qualname)


def _holds(value: object, is_it: _Is) -> bool:
    """Whether a value is the object, or something made of it without a call: calls are events themselves."""
    match value:
        case Expr() if is_it(value):
            return True
        case Call():
            return False
        case Attribute(base=base) | Item(base=base) if is_it(base):
            return False
        case FunctionFacts():
            return False
        case Struct():
            return any(_holds(getattr(value, name), is_it) for name in value.__struct_fields__)
        case tuple():
            return any(_holds(each, is_it) for each in value)
        case _:
            return False
