"""Attributes that a `__getstate__` leaves out of the state and nothing restores, and the methods that read them."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Set

from msgspec import Struct

from lintpickle.analyses.calls_and_values.hierarchies import REDUCERS, defines, is_me, plain_ancestors, stores_of
from lintpickle.analyses.workers.worker_reads import READ
from lintpickle.facts.records import Called, FunctionFacts, Store
from lintpickle.facts.values import (
    Attribute,
    Call,
    Collection,
    Constant,
    Expr,
    Item,
    Mapping,
    Name,
    Parameter,
    parts_of,
)
from lintpickle.interpreter.abstract_values import ClassValue, InstanceValue, Site, is_indefinite
from lintpickle.interpreter.hook_runs import Fate
from lintpickle.interpreter.pickling_hooks import Shipped
from lintpickle.payload.by_kind import SHIPPED_KINDS
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction
from lintpickle.prefilter.words import Words

_CONSTRUCTORS = frozenset({"__init__", "__post_init__", "__attrs_post_init__", "__new__", "__getstate__"})
_NOT_AFTER = frozenset({"__setstate__", "__del__", "__enter__", "__exit__", "__repr__", "close"})
"""Methods that say nothing of what workers use."""
_DEEPEST = 3
"""Methods within each other that a `__setstate__` calls on its object, and that are read."""
_ASKS = r"(?:has|get)attr\(\s*{me}\s*,\s*['\"]{name}['\"]|['\"]{name}['\"]\s+(?:not\s+)?in\b"
_HOOK = Words({"__getstate__"})
_DEFINES = re.compile(r"\bdef\s+__getstate__\b|\b__getstate__\s*=(?!=)")
_CAUGHT = re.compile(r"\bexcept\s+\(?[\w, ]*AttributeError|\bsuppress\([\w, ]*AttributeError")


class Dropped(Struct, frozen=True):
    """An attribute of a class that its `__getstate__`, which stands at `by`, leaves out."""

    class_: ClassValue
    attribute: str
    line: tuple[ClassValue, ...]
    by: Site


def dropped_attributes(class_: ClassValue, linker: Linker) -> Iterator[Dropped]:
    """The attributes that `__getstate__` leaves out and nothing restores."""
    classes = linker.classes
    line = tuple(each for each in classes.mro(class_) if isinstance(each, ClassValue))
    found = classes.find_method(class_, "__getstate__")
    if found is None or defines(line, *REDUCERS, "__getattr__", "__getattribute__", "__deepcopy__"):
        return
    if plain_ancestors(class_, classes) is None and classes.kind(class_) not in SHIPPED_KINDS:
        return
    instance = linker.activations.instance(class_)
    shipped = Shipped(instance, linker.evaluator)
    for held in classes.states.state(instance):
        attribute = held.attribute
        if shipped.fate(held.name) is not Fate.LEFT_OUT or not held.direct or _is_restored(attribute, line):
            continue
        if not any(attribute in each.facts.methods or attribute in each.facts.body for each in line):
            yield Dropped(class_, attribute, line, Site(found[0].module, found[1].header))


def may_drop_any(asker: str, linker: Linker) -> bool:
    """Whether any class in what is read has a `__getstate__`. `asker` is the path of the module that is judged."""
    if linker.first_party.is_anywhere(_HOOK, asker, _DEFINES):
        return True
    reads = linker.program.reads
    return linker.remembered(
        ("hooks of dependencies", len(reads)), lambda: any(_names_hook(each, linker) for each in reads)
    )


def _names_hook(path: str, linker: Linker) -> bool:
    is_dependency = path not in linker.first_party.order
    return is_dependency and "__getstate__" in linker.program.file_survey.standing(path)


def users_of(dropped: Dropped) -> dict[str, tuple[ClassValue, FunctionFacts]]:
    """The methods that read the attribute, by their names and those of the methods that call them."""
    found: dict[str, tuple[ClassValue, FunctionFacts]] = {}
    methods = [
        (owner, method)
        for owner in dropped.line
        for name, method in owner.facts.methods.items()
        if method.parameters and name not in {*_CONSTRUCTORS, *_NOT_AFTER}
    ]
    for owner, method in methods:
        read = re.compile(READ.format(me=re.escape(method.parameters[0].name), name=re.escape(dropped.attribute)))
        if read.search(owner.module.code, method.span.start, method.span.end):
            found.setdefault(method.name, (owner, method))
    for _, method in methods:
        for event in method.events:
            if isinstance(event, Called) and isinstance(event.call.function, Attribute):
                called = event.call.function
                if called.name in found and is_me(called.base, method):
                    found.setdefault(method.name, found[called.name])
    return found


def function_calling(code: WorkerCode, name: str, class_: ClassValue, linker: Linker) -> WorkerFunction | None:
    """The function in the workers that calls the method on such an object, got from wherever it is, or that is the
    object's method itself: `pool.map(source.rows, …)`. An object whose way there is not seen is what the worker was
    given."""
    method = linker.classes.find_method(class_, name)
    for function in code.functions:
        if method is not None and function.facts is method[1] and _is_method_of(function, class_):
            return function
        for event in function.facts.events:
            match event:
                case Called(call=Call(function=Attribute(base=base, name=called))) if called == name:
                    found = [each.value for each in linker.evaluate(base, function.frame)]
                    is_given = function.entry and isinstance(base, Parameter) and not _bound_to(function, base.name)
                    if any(isinstance(each, InstanceValue) and each.class_.facts is class_.facts for each in found):
                        return function
                    if is_given and all(map(is_indefinite, found)):
                        return function
                case _:
                    pass
    return None


def _bound_to(function: WorkerFunction, parameter: str) -> InstanceValue | None:
    """The object whose method a function is, if that is what the parameter is bound to."""
    bound = function.frame.bindings.get(parameter)
    return bound.value if bound is not None and isinstance(bound.value, InstanceValue) else None


def _is_method_of(function: WorkerFunction, class_: ClassValue) -> bool:
    """Whether a function is entered as a method of an object of a class, or called as such an object is."""
    parameters = function.facts.parameters
    is_given = function.entry or function.facts.name == "__call__"
    instance = _bound_to(function, parameters[0].name) if is_given and parameters else None
    return instance is not None and instance.class_.facts is class_.facts


def _is_restored(attribute: str, line: tuple[ClassValue, ...]) -> bool:
    """Whether code outside construction stores the attribute, or checks whether it exists."""
    setstate = [method for method in _methods(line) if method.name == "__setstate__"]
    return is_made_later(attribute, line) or any(_may_set(method, line) for method in setstate)


def _may_set(method: FunctionFacts, line: tuple[ClassValue, ...], depth: int = 0) -> bool:
    """Whether a `__setstate__` may restore attributes in a way that is not seen: it calls anything, other than methods
    of its own object, for what they do, that may not either. What these store is seen."""
    inner = {id(event): called for event, called in _own_calls(method, line)} if depth < _DEEPEST else {}
    if sets_anything(method, inner):
        return True
    return any(_may_set(each, line, depth + 1) for each in inner.values())


def _own_calls(method: FunctionFacts, line: tuple[ClassValue, ...]) -> Iterator[tuple[Called, FunctionFacts]]:
    """The calls of methods of its own object that a method makes for what they do, each with the method, as the class
    of the object has it."""
    code = next((each.module.code for each in line if each.facts.methods.get(method.name) is method), "")
    for event in method.events:
        match event:
            case Called(call=Call(function=Attribute(base=base, name=name), arguments=())) if is_me(base, method):
                called = next((each.facts.methods[name] for each in line if name in each.facts.methods), None)
                before, behind = code[: event.span.start].rpartition("\n")[2], code[event.span.end :].partition("\n")[0]
                if called is not None and not called.decorators and not (before + behind).strip():
                    yield event, called
            case _:
                pass


def is_made_later(attribute: str, line: tuple[ClassValue, ...], not_called: Set[str] = frozenset()) -> bool:
    """Whether methods outside construction, and other than those that are not called, store the attribute, or ask
    whether it exists."""
    constructing = _CONSTRUCTORS | not_called
    methods = _methods(line)
    makers = {function.name for function, _ in stores_of(line, attribute) if function in methods} - constructing
    private = {name for name in makers if name.startswith("_") and not name.endswith("__")}
    if makers - private:
        return True
    if private and any(_calls(method, private) for method in methods if method.name not in constructing | private):
        return True
    return asks_whether_it_is_there(attribute, line)


def asks_whether_it_is_there(attribute: str, line: tuple[ClassValue, ...]) -> bool:
    """Whether a class asks whether its object has an attribute, or catches the error if it has none."""
    for each in line:
        text = each.module.code[each.facts.span.start : each.facts.span.end]
        name = re.escape(attribute)
        if re.search(_ASKS.format(me="self", name=name), text) or _CAUGHT.search(text):
            return True
    return False


def _methods(line: tuple[ClassValue, ...]) -> list[FunctionFacts]:
    """The methods of the objects of a class: what it overrides is one only if it is called by `super()`, or by the name
    of its class."""
    found: dict[str, list[FunctionFacts]] = {}
    for each in line:
        for name, method in each.facts.methods.items():
            found.setdefault(name, []).append(method)
    named = {
        event.call.function.name
        for methods in found.values()
        for method in methods
        for event in method.events
        if isinstance(event, Called) and isinstance(event.call.function, Attribute)
        if not is_me(event.call.function.base, method)
    }
    return [method for name, methods in found.items() for method in (methods if name in named else methods[:1])]


def sets_anything(method: FunctionFacts, known: Container[int] = ()) -> bool:
    """Whether a `__setstate__` calls anything other than `self.__dict__.update` that could restore attributes, but for
    calls that are known by their `id`. A function or class of a module cannot that is not given the object."""
    for event in method.events:
        match event:
            case Called(call=call) if id(event) in known or _is_without_me(call, method):
                continue
            case Called(call=call) if not (
                isinstance(call.function, Attribute)
                and (call.function.name in ("update", "__setstate__", "copy", "pop", "get"))
            ):
                return True
            case Store(target=target, attribute="__dict__") if is_me(target, method):
                continue
            case _:
                pass
    return False


def _is_without_me(call: Call, method: FunctionFacts) -> bool:
    """Whether a call is of something that a module names, and gets nothing but values of attributes of the object."""
    named = call.function
    while isinstance(named, Attribute):
        named = named.base
    return isinstance(named, Name) and not any(_may_be_me(each.value, method) for each in call.arguments)


def _may_be_me(value: Expr, method: FunctionFacts) -> bool:
    """Whether a value may be the object of a method, or hold it, or what its attributes are kept in."""
    match value:
        case Constant() | Name():
            return False
        case Attribute(base=base, name=name) if is_me(base, method):
            return name == "__dict__"
        case Parameter():
            return is_me(value, method)
        case Attribute() | Item() | Call() | Collection() | Mapping():
            return any(_may_be_me(each, method) for each in parts_of(value))
        case _:
            return True


def _calls(method: FunctionFacts, names: set[str]) -> bool:
    return any(
        isinstance(event, Called) and isinstance(event.call.function, Attribute) and event.call.function.name in names
        for event in method.events
    )
