"""Registries: what decorators of a module, `__init_subclass__` and metaclasses put into the tables of that module.

Only the registry's own module is read: for what others register there, see `registered_in_modules`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

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
    ending_name,
    uncalled,
    without_narrowing,
)
from lintpickle.parsing.outline import Block
from lintpickle.parsing.syntax import PUTTING_METHODS
from lintpickle.program.module import Module
from lintpickle.resolution.kept_values import holds_given, is_parameter, kept_of

_NAMED = r"(?:\(\s*(?:\w+\s*=\s*)?(?:'(\w+)'|\"(\w+)\"))?"
"""What a decorator may be given first: the name under which it registers."""
_PUTS = rf"\s*(?:\[|\.\s*(?:{'|'.join(PUTTING_METHODS)})\s*\()"
"""What stands behind the name of a container into which something is put."""
_DECORATOR = re.compile(r"(?<![^\n])@")
ON_SUBCLASSING = "__init_subclass__"
_NOTES_SUBCLASSES = re.compile(rf"{ON_SUBCLASSING}|\bmetaclass\s*=")
_MAKING = ("__init__", "__new__")
"""Methods of a metaclass that run for each class."""


class MadeInFunction(Expr, frozen=True, eq=False):
    """A value that a function of the module makes, whoever calls it."""

    value: Expr
    function: FunctionFacts


class Undecorated(Expr, frozen=True, eq=False):
    """What the innermost decorator of a function gets, which has a name after that."""

    name: Name


class Registrar(Struct, frozen=True):
    """A function of a module that puts what it is given into a container of the module, or makes a decorator that does
    (`makes_it`): the place of that parameter, of the function or of the decorator, and of the function's one that is
    the key. A list has no keys. `kept` is the value that holds what is given, if it is put in so."""

    name: str
    is_list: bool
    place: int | None
    key_place: int | None
    makes_it: bool = False
    kept: Expr | None = None


def registered(name: str, module: Module) -> tuple[Expr, ...]:
    """What functions of the module put into the container of that name, as further containers: what they get where they
    are called at module level or decorate something (`KNOWN[name] = cls`, `KNOWN.append(cls)`), and what they make."""
    form = _puts_into(name)
    if form.search(module.code) is None:
        return ()
    found: list[Expr] = []
    for registrar in registrars_of(name, module):
        found += _decorated(registrar, module)
        found += _given(registrar, module)
    return (*found, *_made(name, form, module), *_subclasses(name, form, module))


def _puts_into(name: str) -> re.Pattern[str]:
    return re.compile(rf"\n[ \t]+{re.escape(name)}{_PUTS}")


def registrars_of(name: str, module: Module) -> tuple[Registrar, ...]:
    """The functions of the module that put what they are given into the container of that name."""

    def find() -> tuple[Registrar, ...]:
        form = _puts_into(name)
        return tuple(dict.fromkeys(_registrars(name, form, module))) if form.search(module.code) else ()

    return module.remembered(("registrars", name), find)


def decorated_by(name: str) -> re.Pattern[str]:
    """How a decorator of a name stands in the text, with the text that it is given first."""
    return re.compile(rf"(?<![^\n])@\s*(?:\w+\.)*{re.escape(name)}\b{_NAMED}")


def _made(name: str, form: re.Pattern[str], module: Module) -> Iterator[Expr]:
    """What functions of the module make themselves and put into the container: `CACHE[key] = load(key)`."""
    for function in _filling(form, module):
        for event in function.events:
            match event:
                case ItemStore(target=Name(name=filled), value=value) if filled == name:
                    if not is_parameter(value):
                        made = MadeInFunction(value.span, value, function)
                        key = event.key if isinstance(event.key, Constant) else None
                        yield _entry(key, made, event.key is None)
                case _:
                    pass


def _subclasses(name: str, form: re.Pattern[str], module: Module) -> Iterator[Expr]:
    """The classes of the module that one from which they derive puts into the container."""
    for how in subclassing_into(name, module):
        derived = deriving_from(how.owner, module)
        for key, found in derived_in(module, how):
            if found.name in derived:
                yield _entry(key, found, how.key is None)


def subclassing_into(name: str, module: Module) -> tuple[Subclassing, ...]:
    """How classes of the module, or their metaclasses, put each class that derives from them into its container of that
    name."""

    def find() -> Iterator[Subclassing]:
        form = _puts_into(name)
        for block in module.outline.blocks if form.search(module.code) and module.has(_NOTES_SUBCLASSES) else ():
            is_one = block.is_class and form.search(module.code, block.span.start, block.span.end)
            facts = module.facts_of(block) if is_one else None
            for class_ in facts.classes.values() if facts is not None else ():
                yield from _subclassing(class_, form, module.code, lambda target: _is_named(target, name))
                yield from _by_metaclass(class_, form, module.code, name)

    return module.remembered(("subclassing into", name), lambda: tuple(find()))


def _by_metaclass(class_: ClassFacts, form: re.Pattern[str], code: str, name: str) -> Iterator[Subclassing]:
    """How a metaclass puts the classes into a container of its module that derive from one that it makes there."""
    made = re.compile(rf"^class\s+(\w+)\s*\([^()]*\bmetaclass\s*=\s*{re.escape(class_.name)}\b", re.MULTILINE)
    owners: list[str] = made.findall(code)
    for method in methods_holding(class_.methods, form, code) if owners else ():
        for event in method.events if method.name in _MAKING else ():
            match event:
                case ItemStore(target=target, key=key, value=value) if _is_named(target, name):
                    if _is_new_class(value, method):
                        me = method.parameters[0].name
                        yield from (Subclassing(each, me, _of_new_class(key, me, method)) for each in owners)
                case _:
                    pass


def _is_new_class(value: Expr, method: FunctionFacts) -> bool:
    """Whether a value is the class for which a metaclass runs: what its `__init__` is given first, or its `__new__`
    makes."""
    match without_narrowing(value):
        case Parameter(name=name):
            return method.name == "__init__" and [each.name for each in method.parameters[:1]] == [name]
        case Call(function=Attribute(name=name)):
            return method.name == name == "__new__"
        case _:
            return False


def _of_new_class(key: Expr | None, me: str, method: FunctionFacts) -> Expr | None:
    """A key that a metaclass gives a class, as an attribute of that class: what it gets second is its name."""
    named = [each.name for each in method.parameters[1:2]]
    match key:
        case Parameter(name=name) if [name] == named:
            return Attribute(key.span, Parameter(key.span, me, method.qualname), "__name__")
        case Attribute(base=base, name=attribute) if _is_new_class(base, method):
            return Attribute(key.span, Parameter(key.span, me, method.qualname), attribute)
        case _:
            return key


def _is_named(value: Expr, name: str) -> bool:
    return isinstance(value, Name) and value.name == name


def deriving_from(name: str, module: Module) -> set[str]:
    """The names of the classes of a module that derive from a class of a name, its own or one that it imports."""
    found = {name}
    for header in (each for block in module.outline.blocks for each in block.classes):
        if any(base.rpartition(".")[2] in found for base in header.bases):
            found.add(header.name)
    return found - {name}


def _filling(form: re.Pattern[str], module: Module) -> Iterator[FunctionFacts]:
    """The functions of the module in which the form stands."""
    for block in module.outline.blocks:
        is_named = block.defines_function and form.search(module.code, block.span.start, block.span.end)
        facts = module.facts_of(block) if is_named else None
        yield from facts.body.functions if facts is not None else ()


def _decorated(registrar: Registrar, module: Module) -> Iterator[Expr]:
    pattern = decorated_by(registrar.name)
    for block in module.outline.blocks:
        found = pattern.search(module.code, block.span.start, block.span.end) if _defines(block) else None
        if found is not None:
            key, name = found.group(1) or found.group(2), Name(block.span, block.names[0])
            is_followed = _DECORATOR.search(module.code, found.end(), block.span.end) is not None
            value = name if is_followed or not block.defines_function else Undecorated(block.span, name)
            for put in _put(value, registrar, block, module):
                yield _entry(None if key is None else Constant(block.span, key), put, registrar.is_list)


def _put(value: Expr, registrar: Registrar, block: Block, module: Module) -> Iterator[Expr]:
    """What a registrar that decorates a statement's definition puts in: what it gets, or the value that holds that."""
    facts = module.facts_of(block) if registrar.kept is not None else None
    if registrar.kept is None:
        yield value
    definitions: list[FunctionFacts | ClassFacts] = (
        [*facts.functions.values(), *facts.classes.values()] if facts is not None else []
    )
    for defined in definitions:
        for decorator in defined.decorators:
            if ending_name(uncalled(decorator)) == registrar.name:
                yield kept_of(value, decorator, registrar.kept)


def _given(registrar: Registrar, module: Module) -> Iterator[Expr]:
    """What statements at module level call the function, or the decorator that it makes, with."""
    place = registrar.place if registrar.kept is None else None
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


def _call_of(registrar: Registrar, call: Call) -> Call | None:
    """The call of the function by which a call registers something: itself, or `register("name")` of
    `register("name")(value)`."""
    match call.function:
        case Name(name=name) if name == registrar.name and not registrar.makes_it:
            return call
        case Call(function=Name(name=name)) as maker if name == registrar.name and registrar.makes_it:
            return maker
        case _:
            return None


def _registrars(name: str, form: re.Pattern[str], module: Module) -> Iterator[Registrar]:
    """The functions that put what they are given, or what a function in them is given, into the container."""
    for function in _filling(form, module):
        names = [parameter.name for parameter in function.parameters]
        for event in _puts(name, function):
            places = (_place(event.value, names), _place(event.key, names))
            yield Registrar(function.name, event.key is None, *places, kept=_keeping(event.value))
        for inner in function.functions:
            taken = [parameter.name for parameter in inner.parameters]
            for event in _puts(name, inner):
                place, key_place = _place(event.value, taken), _place(event.key, names)
                kept = _keeping(event.value)
                yield Registrar(function.name, event.key is None, place, key_place, makes_it=True, kept=kept)


def _keeping(value: Expr) -> Expr | None:
    return None if is_parameter(value) else value


def _puts(name: str, function: FunctionFacts) -> Iterator[ItemStore]:
    for event in function.events:
        match event:
            case ItemStore(target=Name(name=filled), value=value) if filled == name:
                if holds_given(value):
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


class Subclassing(Struct, frozen=True):
    """The `__init_subclass__` or metaclass of a class that puts each one that derives from it, its parameter `me`, into
    a table under a key."""

    owner: str
    me: str
    key: Expr | None


def table_of_subclasses(class_: ClassFacts, table: str, code: str) -> Subclassing | None:
    """How the `__init_subclass__` of a class puts each class that derives from it into a table that the class has
    (`cls.known[cls.__name__] = cls`); None if it does not."""
    form = re.compile(rf"\.{re.escape(table)}\s*\[")
    return next(_subclassing(class_, form, code, lambda target: getattr(target, "name", None) == table), None)


def _subclassing(
    class_: ClassFacts, form: re.Pattern[str], code: str, is_table: Callable[[Expr], bool]
) -> Iterator[Subclassing]:
    for method in methods_holding(class_.methods, form, code):
        me = method.parameters[0].name if method.name == ON_SUBCLASSING and method.parameters else None
        for event in method.events if me is not None else ():
            match event:
                case ItemStore(target=target, key=key, value=Parameter(name=given)) if given == me and is_table(target):
                    yield Subclassing(class_.name, given, key)
                case _:
                    pass


def derived_in(module: Module, how: Subclassing) -> Iterator[tuple[Expr, Name]]:
    """The classes of a module, each under the key by which it is put into the table, if it derives from the one that
    does that."""
    for block in module.outline.blocks:
        if block.is_class and len(block.names) == 1:
            yield _key_of(block, how, module), Name(block.span, block.names[0])


def _key_of(block: Block, how: Subclassing, module: Module) -> Expr:
    """The key of one class, as an expression of its module: its name, an attribute of it, a keyword of its header."""
    name = block.names[0]
    match how.key:
        case Attribute(base=Parameter(name=me), name="__name__") if me == how.me:
            return Constant(block.span, name)
        case Attribute(base=Parameter(name=me), name=attribute) if me == how.me:
            return Attribute(block.span, Name(block.span, name), attribute)
        case Parameter(name=keyword) if keyword in module.facts.text(block):
            facts = module.facts_of(block)
            keywords = dict(facts.classes[name].keywords) if facts is not None and name in facts.classes else {}
            return keywords.get(keyword, Expr(block.span))
        case _:
            return Expr(block.span)
