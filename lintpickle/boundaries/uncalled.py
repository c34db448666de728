"""Objects of which a method is never called: `start()`, which makes a process, of a runner that a test makes and whose
other methods it calls."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import TypeAlias

from msgspec import Struct

from lintpickle.facts.records import Called, ClassFacts, FunctionFacts, Implied, Store
from lintpickle.facts.values import Attribute, Call, Expr, Parameter, may_be, without_narrowing
from lintpickle.interpreter.abstract_values import ClassValue, ExternalValue, Frame
from lintpickle.interpreter.classes import Classes
from lintpickle.program.module import Module

_Is: TypeAlias = Callable[[Expr], bool]
_Calls: TypeAlias = Callable[[str], bool]
_FIXTURE = "fixture"
_SHARED_FIXTURES = "conftest.py"
_ON_ITSELF = re.compile(r"\b(?:self|cls|super\(\))\s*\.\s*(\w+)")


def is_uncalled(method: str, made: Call, class_: ClassValue, frame: Frame, classes: Classes) -> bool:
    """Whether a function keeps the object that a call makes to itself, and calls no method of it that may call this
    one. A test's fixture may give it to the tests of its module."""
    function = frame.function
    if function.is_module_body:
        return False

    def may_call(name: str) -> bool:
        return _leads_to(method, name, class_, classes)

    def is_made(value: Expr) -> bool:
        return may_be(value, made) or _is_given_back(value, is_made, class_, classes)

    is_fixture = function.decorated_by(_FIXTURE) and not frame.module.path.endswith(_SHARED_FIXTURES)
    given = (*function.returns, *function.yields)
    if not _is_kept(function, is_made, may_call, () if is_fixture else given):
        return False
    if not is_fixture or not any(map(is_made, given)):
        return True
    seen_by = function.qualname.removesuffix(function.name)  # A fixture of a class is for the tests of that.
    users = (each for each in _functions(frame.module, function.name) if each.qualname.startswith(seen_by))
    return all(_leaves_parameter(each, function.name, may_call) for each in users)


def _is_given_back(value: Expr, is_made: _Is, class_: ClassValue, classes: Classes) -> bool:
    """Whether a value is what a method of the object gives that gives the object back: `Made().with_rows(rows)`."""
    match without_narrowing(value):
        case Call(function=Attribute(base=base, name=name)) if is_made(base):
            found = classes.find_method(class_, name)
            returns = found[1].returns if found is not None else ()
            me = found[1].parameters[:1] if found is not None else ()
            return any(isinstance(each, Parameter) and each.name == given.name for each in returns for given in me)
        case _:
            return False


def _leads_to(method: str, name: str, class_: ClassValue, classes: Classes) -> bool:
    """Whether a method of a class, by way of others, may be or call a method, or may give its object to somebody who
    does; what a library's class has may."""
    is_of_library = any(
        isinstance(each, ExternalValue) and each.path != "builtins.object" for each in classes.mro(class_)
    )
    names, known = [name], set[str]()
    while names:
        current = names.pop()
        if current == method:
            return True
        if current in known:
            continue
        known.add(current)
        found = classes.find_method(class_, current)
        if found is not None:
            owner, facts = found
            if _gives_itself(owner, facts):
                return True
            names += _ON_ITSELF.findall(owner.module.code, facts.span.start, facts.span.end)
        elif is_of_library:
            return True
    return False


def _gives_itself(owner: ClassValue, method: FunctionFacts) -> bool:
    """Whether a method does anything with its object but read and store attributes of it, and give it back."""
    if not method.parameters:
        return True
    me, code = method.parameters[0].name, owner.module.code
    after_parameter = code.find(me, method.header.end) + len(me)
    alone = re.compile(rf"(?<![\w.]){me}\b(?!\s*\.)(?<!\breturn {me}(?=\s*(?:\n|#|\Z)))")
    return alone.search(code, after_parameter, method.span.end) is not None


def _functions(module: Module, name: str) -> Iterator[FunctionFacts]:
    """The functions of a module that have a parameter of a name."""
    named = re.compile(rf"\b{re.escape(name)}\b")
    blocks = (each for each in module.outline.blocks if named.search(module.code, each.span.start, each.span.end))
    for block in module.facts_of_blocks(blocks):
        stack: list[FunctionFacts | ClassFacts] = [*block.body.functions, *block.body.classes]
        while stack:
            each = stack.pop()
            stack += each.classes
            if isinstance(each, ClassFacts):
                stack += each.methods.values()
            else:
                stack += each.functions
                if each.parameter(name) is not None:
                    yield each


def _leaves_parameter(function: FunctionFacts, name: str, may_call: _Calls) -> bool:
    def is_it(value: Expr) -> bool:
        found = without_narrowing(value)
        return isinstance(found, Parameter) and found.name == name and found.owner == function.qualname

    return _is_kept(function, is_it, may_call, (*function.returns, *function.yields))


def _is_kept(function: FunctionFacts, is_it: _Is, may_call: _Calls, given: tuple[Expr, ...]) -> bool:
    """Whether a function does nothing with an object but bind it, store on it, and call methods of it that do not call
    the one in question. `given` is what the function gives back."""
    parameters = (Parameter(function.header, each.name, function.qualname) for each in function.parameters)
    names = {name for name, value in function.variables.items() if is_it(value)}
    names.update(each.name for each in parameters if is_it(each))
    if any(not names.isdisjoint(inner.captures) for inner in function.functions):
        return False
    return not any(_gives_away(value, is_it, may_call) for value in (*given, *_used(function, is_it, may_call)))


def _used(function: FunctionFacts, is_it: _Is, may_call: _Calls) -> Iterator[object]:
    """All that a function does with values, but for binding the object and giving it back."""
    yield from (value for value in function.variables.values() if not is_it(value))
    for event in function.events:
        match event:
            case Store(target=target, value=value) if is_it(target):
                yield value
            case Implied(target=target, call=call, method=method) if is_it(target):
                yield Attribute(target.span, target, method) if may_call(method) else call.arguments
            case Called(call=call) if is_it(call):
                yield from (call.function, call.arguments)
            case _:
                yield from (getattr(event, name) for name in event.__struct_fields__)


def _gives_away(value: object, is_it: _Is, may_call: _Calls) -> bool:
    """Whether the object is a part of a value, or a method of it that may call the one in question is."""
    match value:
        case Attribute(base=base, name=name) if is_it(base):
            return may_call(name)
        case Expr() if is_it(value):
            return True
        case FunctionFacts() | ClassFacts():
            return False  # which may capture it: see there
        case Struct():
            return any(_gives_away(getattr(value, name), is_it, may_call) for name in value.__struct_fields__)
        case tuple():
            return any(_gives_away(each, is_it, may_call) for each in value)
        case _:
            return False
