"""Containers in bodies of classes that methods fill by way of an object: `self.seen.add(url)`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lintpickle.analyses.hierarchies import is_me
from lintpickle.analyses.import_time import functions_of
from lintpickle.analyses.main_setters import Setter, setter_at
from lintpickle.analyses.read_objects import Owner
from lintpickle.diagnostics import Span
from lintpickle.facts.records import FunctionFacts, ItemStore
from lintpickle.facts.values import Argument, Attribute, Call, Expr, Item, Name, Parameter, without_narrowing
from lintpickle.payload.linker import Linker


def fillers(owner: Owner, linker: Linker, asker: str) -> Iterator[Setter]:
    """Where methods of the class put something into a container that the class has, not its objects; before they start
    workers, if they start any."""
    form = re.compile(rf"\.\s*{re.escape(owner.name)}\s*[.\[]")
    for facts in functions_of(owner.module, form, lambda facts: not facts.is_module_body):
        if owner.module.outline.block_at(facts.span.start) is owner.block:
            for span in _fillings(owner, facts):
                yield setter_at(owner.module, facts, span, linker, asker)


def _fillings(owner: Owner, facts: FunctionFacts) -> Iterator[Span]:
    for event in facts.events:
        if isinstance(event, ItemStore):
            inner = without_narrowing(event.target)
            match without_narrowing(inner.base) if isinstance(inner, Item) else inner:
                case Attribute(base=base, name=name) if name == owner.name and _is_object_or_class(base, owner, facts):
                    yield event.span
                case _:
                    pass


def _is_object_or_class(base: Expr, owner: Owner, facts: FunctionFacts) -> bool:
    match without_narrowing(base):
        case Parameter() as value:
            return is_me(value, facts)
        case Name(name=name):
            return name in owner.block.names
        case value:
            return is_class_of_me(value, facts)


def is_class_of_me(target: Expr, function: FunctionFacts) -> bool:
    """Whether a method names the class of its object: `self.__class__`, `type(self)`."""
    match without_narrowing(target):
        case Attribute(base=value, name="__class__"):
            return is_me(value, function)
        case Call(function=Name(name="type"), arguments=(Argument(value=value),)):
            return is_me(value, function)
        case _:
            return False
