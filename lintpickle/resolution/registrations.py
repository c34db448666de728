"""Registries: what decorators of a module, and `__init_subclass__`, put into the tables of that module.

Only the registry's own module is read: what others register there is not known."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from msgspec import Struct

from lintpickle.facts.methods import methods_holding
from lintpickle.facts.records import Called, ClassFacts, FunctionFacts, ItemStore
from lintpickle.facts.values import (
    Attribute,
    Call,
    Captured,
    Collection,
    Constant,
    Expr,
    Mapping,
    Name,
    Parameter,
    without_narrowing,
)
from lintpickle.parsing.outline import Block
from lintpickle.parsing.syntax import PUTTING_METHODS
from lintpickle.program.module import Module

_NAMED = r"(?:\(\s*(?:\w+\s*=\s*)?(?:'(\w+)'|\"(\w+)\"))?"
"""What a decorator may be given first: the name under which it registers."""
_PUTS = rf"\s*(?:\[|\.\s*(?:{'|'.join(PUTTING_METHODS)})\s*\()"
"""What stands behind the name of a container into which something is put."""
_ON_SUBCLASSING = "__init_subclass__"


class MadeInFunction(Expr, frozen=True, eq=False):
    """A value that a function of the module makes, whoever calls it."""

    value: Expr
    function: FunctionFacts


class _Registrar(Struct, frozen=True):
    """A function of a module that puts what it is given into a container of the module, or makes a decorator that does
    (`makes_it`): the place of that parameter, of the function or of the decorator, and of the function's one that is
    the key. A list has no keys."""

    name: str
    is_list: bool
    place: int | None
    key_place: int | None
    makes_it: bool = False


def registered(name: str, module: Module) -> tuple[Expr, ...]:
    """What functions of the module put into the container of that name, as further containers: what they get where they
    are called at module level or decorate something (`KNOWN[name] = cls`, `KNOWN.append(cls)`), and what they make."""
    form = re.compile(rf"\n[ \t]+{re.escape(name)}{_PUTS}")
    if form.search(module.code) is None:
        return ()
    found: list[Expr] = []
    for registrar in dict.fromkeys(_registrars(name, form, module)):
        found += _decorated(registrar, module)
        found += _given(registrar, module)
    return (*found, *_made(name, form, module))


def _made(name: str, form: re.Pattern[str], module: Module) -> Iterator[Expr]:
    """What functions of the module make themselves and put into the container: `CACHE[key] = load(key)`."""
    for function in _filling(form, module):
        for event in function.events:
            match event:
                case ItemStore(target=Name(name=filled), value=value) if filled == name:
                    if not isinstance(without_narrowing(value), (Parameter, Captured)):
                        made = MadeInFunction(value.span, value, function)
                        yield _entry(None, made, event.key is None)
                case _:
                    pass


def _filling(form: re.Pattern[str], module: Module) -> Iterator[FunctionFacts]:
    """The functions of the module in which the form stands."""
    for block in module.outline.blocks:
        is_named = block.defines_function and form.search(module.code, block.span.start, block.span.end)
        facts = module.facts_of(block) if is_named else None
        yield from facts.body.functions if facts is not None else ()


def _decorated(registrar: _Registrar, module: Module) -> Iterator[Expr]:
    pattern = re.compile(rf"(?<![^\n])@\s*(?:\w+\.)*{re.escape(registrar.name)}\b{_NAMED}")
    for block in module.outline.blocks:
        found = pattern.search(module.code, block.span.start, block.span.end) if _defines(block) else None
        if found is not None:
            key, value = found.group(1) or found.group(2), Name(block.span, block.names[0])
            yield _entry(None if key is None else Constant(block.span, key), value, registrar.is_list)


def _given(registrar: _Registrar, module: Module) -> Iterator[Expr]:
    """What statements at module level call the function, or the decorator that it makes, with."""
    place = registrar.place
    pattern = re.compile(rf"(?<!def )\b{re.escape(registrar.name)}\s*\(")
    for block in module.outline.blocks if place is not None else ():
        is_called = not _defines(block) and pattern.search(module.code, block.span.start, block.span.end)
        facts = module.facts_of(block) if is_called else None
        for event in facts.body.events if facts is not None else ():
            match event:
                case Called(call=call) if (outer := _call_of(registrar, call)) is not None:
                    given, keys = call.positional() or (), outer.positional() or ()
                    if place is not None and place < len(given):
                        at = registrar.key_place
                        key = keys[at] if at is not None and at < len(keys) else None
                        yield _entry(key, given[place], registrar.is_list)
                case _:
                    pass


def _call_of(registrar: _Registrar, call: Call) -> Call | None:
    """The call of the function by which a call registers something: itself, or `register("name")` of
    `register("name")(value)`."""
    match call.function:
        case Name(name=name) if name == registrar.name and not registrar.makes_it:
            return call
        case Call(function=Name(name=name)) as maker if name == registrar.name and registrar.makes_it:
            return maker
        case _:
            return None


def _registrars(name: str, form: re.Pattern[str], module: Module) -> Iterator[_Registrar]:
    """The functions that put what they are given, or what a function in them is given, into the container."""
    for function in _filling(form, module):
        names = [parameter.name for parameter in function.parameters]
        for event in _puts(name, function):
            yield _Registrar(function.name, event.key is None, _place(event.value, names), _place(event.key, names))
        for inner in function.functions:
            taken = [parameter.name for parameter in inner.parameters]
            for event in _puts(name, inner):
                place, key_place = _place(event.value, taken), _place(event.key, names)
                yield _Registrar(function.name, event.key is None, place, key_place, makes_it=True)


def _puts(name: str, function: FunctionFacts) -> Iterator[ItemStore]:
    for event in function.events:
        match event:
            case ItemStore(target=Name(name=filled), value=value) if filled == name:
                if isinstance(without_narrowing(value), (Parameter, Captured)):
                    yield event
            case _:
                pass


def _place(value: Expr | None, names: Sequence[str]) -> int | None:
    given = without_narrowing(value) if value is not None else None
    return names.index(given.name) if isinstance(given, (Parameter, Captured)) and given.name in names else None


def _defines(block: Block) -> bool:
    return len(block.names) == 1 and (block.is_class or block.defines_function)


def _entry(key: Expr | None, value: Expr, is_list: bool) -> Expr:
    if is_list:
        return Collection(value.span, "list", (value,))
    return Mapping(value.span, ((Expr(value.span) if key is None else key, value),))


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
            name = block.names[0]
            yield Constant(block.span, name) if is_name else Expr(block.span), Name(block.span, name)
