"""Objects that a function keeps to itself: it does nothing with them that may call a certain method of theirs."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator

from msgspec import Struct

from lintpickle.facts.records import Called, ClassFacts, FunctionFacts, Implied, NestedFunction, Store
from lintpickle.facts.values import Attribute, Call, Captured, Expr, Parameter, options_of, without_narrowing
from lintpickle.parsing.outline import Block
from lintpickle.program.module import Module

_FIXTURE = "fixture"
_SHARED_FIXTURES = "conftest.py"
_BY_TEXT = "getfixturevalue"


def _never(_: object) -> bool:
    return False


class Scrutiny(Struct, frozen=True):
    """What is asked about an object: which values are it (`is_it`), which of its attributes may be or call the method
    in question (`may_call`), which calls leave what they get alone (`ignores`), and which stores of it on something
    else are no way for others to get it (`keeps`)."""

    is_it: Callable[[Expr], bool]
    may_call: Callable[[str], bool]
    ignores: Callable[[Call], bool] = _never
    keeps: Callable[[Store], bool] = _never


def is_kept(function: FunctionFacts, watched: Scrutiny, given: Iterable[Expr]) -> bool:
    """Whether a function does nothing with an object but bind it, store on it, and call methods of it that do not call
    the one in question. `given` is what the function gives back."""
    parameters = (Parameter(function.header, each.name, function.qualname) for each in function.parameters)
    names = {name for name, value in function.variables.items() if watched.is_it(value)}
    names.update(each.name for each in parameters if watched.is_it(each))
    if not all(_keeps_captured(inner, names, watched) for inner in function.functions):
        return False
    return not _give_away((*given, *_used(function, watched)), watched)


def _keeps_captured(inner: FunctionFacts, names: set[str], watched: Scrutiny) -> bool:
    """Whether a function within another one keeps what it has of that one's variables to itself, too."""
    if any(each.default is not None and watched.is_it(each.default) for each in inner.parameters):
        return False
    held = names.difference(inner.variables, (each.name for each in inner.parameters))

    def is_it(value: Expr) -> bool:
        found = without_narrowing(value)
        return isinstance(found, Captured) and found.name in held

    asked = Scrutiny(is_it, watched.may_call)
    is_used = not held.isdisjoint(inner.captures)
    if is_used and not is_kept(inner, asked, (*inner.returns, *inner.yields)):
        return False
    return all(_keeps_captured(each, held, asked) for each in inner.functions)


def _used(function: FunctionFacts, watched: Scrutiny) -> Iterator[object]:
    """All that a function does with values, but for binding the object and giving it back."""
    yield from (value for value in function.variables.values() if not watched.is_it(value))
    for event in function.events:
        match event:
            case Store(target=target, value=value) if watched.is_it(target):
                yield None if watched.is_it(value) else value
            case Store(target=target, value=value) if watched.is_it(value) and watched.keeps(event):
                yield target
            case Implied(target=target, call=call, method=method) if watched.is_it(target):
                yield Attribute(target.span, target, method) if watched.may_call(method) else call.arguments
            case Called(call=call) if watched.is_it(call):
                yield () if watched.ignores(call) else (call.function, call.arguments)
            case _:
                yield from (getattr(event, name) for name in event.__struct_fields__)


def _give_away(values: Iterable[object], watched: Scrutiny) -> bool:
    """Whether the object is a part of one of these values, or a method of it that may call the one in question is.
    What is a part of several values, as a variable is that many read, is gone through once."""
    waiting, seen = [*values], set[int]()
    while waiting:
        value = waiting.pop()
        match value:
            case tuple():
                waiting += value
            case Struct() if id(value) not in seen:
                seen.add(id(value))
                if _is_given_away(value, watched):
                    return True
                waiting += _parts_looked_at(value, watched)
            case _:
                pass
    return False


def _is_given_away(value: Struct, watched: Scrutiny) -> bool:
    match value:
        case Attribute(base=base, name=name) if watched.is_it(base) and not watched.is_it(value):
            return watched.may_call(name)
        case Expr():
            return watched.is_it(value)
        case _:
            return False


def _parts_looked_at(value: Struct, watched: Scrutiny) -> Iterable[object]:
    match value:
        case Attribute(base=base) if watched.is_it(base):
            return ()
        case Call(function=function, arguments=arguments) if watched.ignores(value):
            return (function, *(each for each in arguments if not watched.is_it(each.value)))
        case FunctionFacts() | ClassFacts():
            return ()  # which may capture it: see there
        case _:
            return (getattr(value, name) for name in value.__struct_fields__)


def is_left_alone_where_made(function: FunctionFacts, watched: Scrutiny, module: Module) -> bool:
    """Whether the function that makes an object keeps it to itself. A test's fixture may give it to the tests of its
    module, or a function that makes it."""
    given = (*function.returns, *function.yields)
    if is_fixture(function, module):
        is_given = any(map(watched.is_it, given))
        return is_kept(function, watched, ()) and not (is_given and not tests_leave(function, module, watched))
    if is_kept(function, watched, given):
        return True
    rest = [each for each in given if not watched.is_it(each)]
    return len(rest) < len(given) and is_kept(function, watched, rest) and fixture_leaves(function, module, watched)


def is_fixture(function: FunctionFacts, module: Module) -> bool:
    """Whether only the tests of a module can ask for what a function gives."""
    return function.decorated_by(_FIXTURE) and not module.path.endswith(_SHARED_FIXTURES)


def tests_leave(fixture: FunctionFacts, module: Module, asked: Scrutiny, is_maker: bool = False) -> bool:
    """Whether no test, and no other fixture, calls a method of what a fixture gives that may call the one in question
    (see `asked`), or gives it to somebody else. A fixture that `is_maker` gives a function which makes that."""
    if _BY_TEXT in module.code:
        return False
    scope = fixture.qualname.removesuffix(fixture.name)  # A fixture of a class is for the tests of that.
    first = {_asked_as(fixture)}
    objects, makers, known = (set[str](), first, -1) if is_maker else (first, set[str](), -1)
    while known != len(objects) + len(makers):
        known = len(objects) + len(makers)
        for each in functions_with(objects | makers, module):
            if each.qualname.startswith(scope) and not _leaves_parameters(each, module, objects, makers, asked):
                return False
    return True


def _leaves_parameters(
    test: FunctionFacts, module: Module, objects: set[str], makers: set[str], asked: Scrutiny
) -> bool:
    """Whether a test, or a fixture, leaves alone what it is given under the names of `objects`, and of `makers`, which
    are functions that give them. What it gives on is added to these."""
    names = {each.name for each in test.parameters} & (objects | makers)

    def is_named(value: Expr) -> bool:
        found = without_narrowing(value)
        return isinstance(found, Parameter | Captured) and found.owner == test.qualname and found.name in names

    def is_maker(value: Expr) -> bool:
        found = without_narrowing(value)
        return isinstance(found, Parameter | Captured) and is_named(found) and found.name in makers

    def is_one(value: Expr) -> bool:
        found = without_narrowing(value)
        return is_named(found) or (isinstance(found, Call) and is_maker(found.function))

    def is_it(value: Expr) -> bool:
        return any(map(is_one, options_of(without_narrowing(value))))

    watched = Scrutiny(is_it, asked.may_call, lambda call: is_maker(call.function) or asked.ignores(call))
    given = (*test.returns, *test.yields)
    gives_on = is_fixture(test, module)
    capturing = [each for each in test.functions if not names.isdisjoint(each.captures)]
    for inner in capturing:
        back = (*inner.returns, *inner.yields)
        is_given_on = gives_on and any(_names(each, inner) for each in given)
        if not is_kept(inner, watched, [each for each in back if not (is_given_on and is_it(each))]):
            return False
        if is_given_on and any(map(is_it, back)):
            makers.add(_asked_as(test))
    if gives_on and any(map(is_it, given)):
        objects.add(_asked_as(test))
        given = tuple(each for each in given if not is_it(each))
    return not _give_away((*given, *_used(test, watched)), watched)


def _asked_as(fixture: FunctionFacts) -> str:
    """The name by which tests ask for what a fixture gives."""
    for decorator in fixture.decorators:
        name = decorator.keyword("name") if isinstance(decorator, Call) else None
        if name is not None:
            return str(getattr(name, "value", fixture.name))
    return fixture.name


def functions_with(names: Collection[str], module: Module) -> Iterator[FunctionFacts]:
    """The functions of a module, and the methods of its classes, that have a parameter of one of these names."""
    named = re.compile(rf"\b(?:{'|'.join(map(re.escape, sorted(names)))})\b")
    blocks = (each for each in module.outline.blocks if named.search(module.code, each.span.start, each.span.end))
    for each in _functions(module, blocks):
        if any(parameter.name in names for parameter in each.parameters):
            yield each


def _functions(module: Module, blocks: Iterable[Block]) -> Iterator[FunctionFacts]:
    for block in module.facts_of_blocks(blocks):
        stack: list[FunctionFacts | ClassFacts] = [*block.body.functions, *block.body.classes]
        while stack:
            each = stack.pop()
            stack += each.classes
            if isinstance(each, ClassFacts):
                stack += each.methods.values()
            else:
                stack += each.functions
                yield each


def function_around(inner: FunctionFacts, module: Module) -> FunctionFacts | None:
    """The function in which another is defined."""
    block = module.outline.block_at(inner.span.start)
    around = _functions(module, (block,)) if inner.is_local and block is not None else ()
    return next((each for each in around if any(one.span == inner.span for one in each.functions)), None)


def fixture_leaves(inner: FunctionFacts, module: Module, asked: Scrutiny) -> bool:
    """Whether a function that gives an object stands in a fixture, which gives the function to tests, and whether these
    leave the object alone."""
    around = function_around(inner, module)
    if around is None or not is_fixture(around, module):
        return False

    def is_made(value: Expr) -> bool:
        return isinstance(value, Call) and _names(value.function, inner)

    def is_it(value: Expr) -> bool:
        found = without_narrowing(value)
        return is_made(found) or _names(found, inner)

    given = [each for each in (*around.returns, *around.yields) if not _names(each, inner)]
    watched = Scrutiny(is_it, asked.may_call, ignores=is_made)
    return is_kept(around, watched, given) and tests_leave(around, module, asked, is_maker=True)


def _names(value: Expr, function: FunctionFacts) -> bool:
    return isinstance(value, NestedFunction) and value.function.span == function.span
