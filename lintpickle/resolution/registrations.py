"""Registries: what decorators of a module, and `__init_subclass__`, put into the tables of that module.

Only the registry's own module is read: what others register there is not known."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lintpickle.diagnostics import Span
from lintpickle.facts.methods import methods_holding
from lintpickle.facts.records import ClassFacts, FunctionFacts, ItemStore
from lintpickle.facts.values import Attribute, Captured, Constant, Expr, Mapping, Name, Parameter, without_narrowing
from lintpickle.parsing.outline import Block
from lintpickle.program.module import Module

_NAMED = r"(?:\(\s*(?:\w+\s*=\s*)?(?:'(\w+)'|\"(\w+)\"))?"
"""What a decorator may be given first: the name under which it registers."""
_ON_SUBCLASSING = "__init_subclass__"


def registered(name: str, module: Module) -> Mapping | None:
    """What decorators put into the table of that name: `KNOWN[name] = cls`, in a function that decorates classes or
    functions of the module."""
    form = re.compile(rf"\n[ \t]+{re.escape(name)}\s*\[")
    items: list[tuple[Expr | None, Expr]] = []
    for registrar in dict.fromkeys(_registrars(name, form, module)):
        pattern = re.compile(rf"(?<![^\n])@\s*(?:\w+\.)*{re.escape(registrar)}\b{_NAMED}")
        for block in module.outline.blocks:
            found = pattern.search(module.code, block.span.start, block.span.end) if _defines(block) else None
            if found is not None:
                key = found.group(1) or found.group(2)
                items.append(_entry(key, block.names[0], block.span))
    return Mapping(items[0][1].span, tuple(items)) if items else None


def _registrars(name: str, form: re.Pattern[str], module: Module) -> Iterator[str]:
    """The functions that put what they are given, or what a function in them is given, into the table."""
    if form.search(module.code) is None:
        return
    for block in module.outline.blocks:
        is_named = block.defines_function and form.search(module.code, block.span.start, block.span.end)
        facts = module.facts_of(block) if is_named else None
        for function in facts.body.functions if facts is not None else ():
            if any(_puts(name, each) for each in (function, *function.functions)):
                yield function.name


def _puts(name: str, function: FunctionFacts) -> bool:
    return any(
        isinstance(event, ItemStore)
        and isinstance(event.target, Name)
        and event.target.name == name
        and isinstance(without_narrowing(event.value), (Parameter, Captured))
        for event in function.events
    )


def _defines(block: Block) -> bool:
    return len(block.names) == 1 and (block.is_class or block.defines_function)


def _entry(key: str | None, name: str, span: Span) -> tuple[Expr, Expr]:
    return (Expr(span) if key is None else Constant(span, key), Name(span, name))


def subclasses_key(class_: ClassFacts, table: str, code: str) -> Expr | None:
    """Under which key the `__init_subclass__` of a class puts each class that derives from it into a table that the
    class has (`cls.known[cls.__name__] = cls`); None if it does not."""
    form = re.compile(rf"\.{re.escape(table)}\s*\[")
    for method in methods_holding(class_.methods, form, code):
        me = method.parameters[0].name if method.name == _ON_SUBCLASSING and method.parameters else None
        for event in method.events if me is not None else ():
            match event:
                case ItemStore(target=Attribute(name=filled), key=key, value=Parameter(name=given)):
                    if (filled, given) == (table, me):
                        return key
                case _:
                    pass
    return None


def derived_in(module: Module, key: Expr) -> Iterator[tuple[Expr, Expr]]:
    """The classes of a module, each under its name if the key is that."""
    is_name = isinstance(key, Attribute) and key.name == "__name__"
    for block in module.outline.blocks:
        if block.is_class and len(block.names) == 1:
            yield _entry(block.names[0] if is_name else None, block.names[0], block.span)
