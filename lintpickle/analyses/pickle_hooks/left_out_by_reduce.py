"""Attributes that `__reduce__` leaves out, that only the main process has stored once the object was made, and that
workers read: they find what the constructor stores.

Measured with CPython 3.11: what `__reduce__` returns as (callable, arguments) is all that arrives; the object's
`__dict__` is sent only as a third element."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lintpickle.analyses.calls_and_values.hierarchies import defines, is_me, plain_ancestors
from lintpickle.analyses.main_state.main_setters import Met, Setter, changes_written, of_the_program, set_by, setter_at
from lintpickle.analyses.pickle_hooks.left_out_of_state import (
    LeftOut,
    OwnStores,
    first_worker_read,
    is_tested_by_class,
    stored_on_self,
)
from lintpickle.analyses.pickle_hooks.own_state import CONSTRUCTION
from lintpickle.analyses.workers.given_at_start import methods_of_given
from lintpickle.facts.records import FunctionFacts, Store
from lintpickle.facts.values import Collection, Constant, Expr, without_narrowing
from lintpickle.interpreter.abstract_values import Bound, ClassValue, Frame, FunctionValue, InstanceValue, Site
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode

_HOOKS = ("__reduce_ex__", "__reduce__")
_OTHER_HOOKS = ("__getattr__", "__getattribute__", "__setattr__")
_WHOLE = r"(?<![\w.]){me}\b(?!\s*\.\s*(?!__dict__)\w+\b(?!\s*\())"
"""How arguments may hold more of the object than attributes that they name."""
_LONGEST = 30
_TRUTH = ("True", "False")


def left_out_by_reduce(class_: ClassValue, code: WorkerCode, linker: Linker) -> Iterator[LeftOut]:
    """The attributes of a class that workers read, and that its `__reduce__` does not send though they were changed."""
    classes = linker.classes
    found = next((found for name in _HOOKS if (found := classes.find_method(class_, name)) is not None), None)
    line = tuple(each for each in classes.mro(class_) if isinstance(each, ClassValue))
    if found is None or plain_ancestors(class_, classes) is None or defines(line, *_OTHER_HOOKS):
        return
    owner, hook = found
    makers = _makers(owner, hook, class_, linker)
    if makers is None:
        return
    given = methods_of_given(class_, code, linker)
    running = {id(each.facts): each for each in (*given, *code.functions, *code.by_value)}
    asker = code.root.site.module.path
    constructing = {
        id(each.facts.methods[name]) for each in line for name in CONSTRUCTION if name in each.facts.methods
    }
    of_methods = stored_on_self(line)
    for attribute in dict.fromkeys((*of_methods, *(field.name for each in line for field in each.facts.fields))):
        stores = of_methods.get(attribute, [])
        later = [method for _, method, _ in stores if id(method) not in constructing]
        word = re.compile(rf"\b{re.escape(attribute)}\b")
        if word.search(owner.module.code, hook.span.start, hook.span.end) or _is_member(attribute, line):
            continue
        read = first_worker_read(attribute, line, running)
        if read is None or any(id(method) in running for method in later):
            continue
        if _restores(makers, attribute, {method.name for method in later}, constructing):
            continue
        default = _first_value(attribute, stores, line)
        if is_tested_by_class(attribute, line) and default not in _TRUTH:
            continue
        changes = [
            *_from_outside(attribute, class_, default, linker, asker),
            *_by_methods(stores, default, linker, asker),
        ]
        shown = default if default is not None and len(default) <= _LONGEST else None
        outcome = (
            "there it is as its constructor makes it" if shown is None else f"there it is the `{shown}` of a new one"
        )
        surely_first = sorted(of_the_program(changes, code, linker), key=lambda each: not each.certain)
        setting = set_by(surely_first, Met(outcome), linker, asker)
        if setting is not None:
            yield LeftOut(class_, attribute, Site(owner.module, hook.header), *read, default, setting, True)


def _makers(
    owner: ClassValue, hook: FunctionFacts, class_: ClassValue, linker: Linker
) -> list[tuple[str, FunctionFacts]] | None:
    """The functions that make the object anew, each with the code of its module, if a hook sends no state and no more
    of the object than attributes that it names; None if that is not so, or not known."""
    if len(hook.returns) != 1 or hook.may_give_none or not hook.parameters or hook.decorators:
        return None
    returned = without_narrowing(hook.returns[0])
    if not isinstance(returned, Collection) or not _has_no_state(returned.elements[2:]):
        return None
    called, given = returned.elements[0], returned.elements[1]
    whole = re.compile(_WHOLE.format(me=re.escape(hook.parameters[0].name)))
    if not isinstance(given, Collection) or whole.search(owner.module.code, given.span.start, given.span.end):
        return None
    instance = linker.activations.instance(class_)
    frame = Frame(owner.module, hook, {hook.parameters[0].name: Bound(value=instance)}, owner.frame, 1, open=True)
    values = [each.value for each in linker.evaluate(called, frame)]
    constructors = [
        (each.module.code, each.facts.methods[name])
        for each in linker.classes.mro(class_)
        if isinstance(each, ClassValue)
        for name in ("__init__", "__post_init__", "__new__")
        if name in each.facts.methods
    ]
    match values:
        case [ClassValue(facts=facts)] if facts is class_.facts:
            return constructors
        case [FunctionValue() as function] if _makes(function, class_, linker):
            return [*constructors, (function.module.code, function.facts)]
        case _:
            return None


def _has_no_state(rest: tuple[Expr, ...]) -> bool:
    return all(isinstance(each, Constant) and each.value is None for each in rest)


def _makes(function: FunctionValue, class_: ClassValue, linker: Linker) -> bool:
    """Whether all that a function returns are new objects of a class, as it has called it."""
    frame = Frame(function.module, function.facts, {}, function.frame, 1, open=True)
    made = [each.value for value in function.facts.returns for each in linker.evaluate(value, frame)]
    is_it = (isinstance(each, InstanceValue) and each.class_.facts is class_.facts for each in made)
    return bool(made) and not function.facts.decorators and all(is_it)


def _restores(makers: list[tuple[str, FunctionFacts]], attribute: str, setters: set[str], owned: set[int]) -> bool:
    """Whether what makes the object anew may store an attribute as its methods do: it calls one that does, or names the
    attribute, other than in a plain store of the constructor."""
    names = setters if not setters else {rf"\.\s*{re.escape(name)}\s*\(" for name in setters}
    for code, maker in makers:
        span = maker.span
        if any(re.search(name, code[span.start : span.end]) for name in names):
            return True
        if id(maker) not in owned and re.search(
            rf"\b{re.escape(attribute)}\b|setattr|__dict__", code[span.start : span.end]
        ):
            return True
    return False


def _is_member(attribute: str, line: tuple[ClassValue, ...]) -> bool:
    return attribute.startswith("__") or any(attribute in each.facts.methods for each in line)


def _first_value(attribute: str, stores: OwnStores, line: tuple[ClassValue, ...]) -> str | None:
    """What the object has under the name of an attribute once it is made, as that is written; None if it has none."""
    for owner, method, store in stores:
        if method.name in CONSTRUCTION:
            return owner.module.code[store.value.span.start : store.value.span.end]
    for each in line:
        value = each.facts.body.get(attribute) or next(
            (f.default for f in each.facts.fields if f.name == attribute), None
        )
        if value is not None:
            return each.module.code[value.span.start : value.span.end]
    return None


def _by_methods(stores: OwnStores, default: str | None, linker: Linker, asker: str) -> Iterator[Setter]:
    """The methods that store something else than the constructor does."""
    for owner, method, store in stores:
        is_same = default is not None and not changes_written(store.value, default, owner.module)
        if method.name not in CONSTRUCTION and not is_same:
            yield setter_at(owner.module, method, store.span, linker, asker)


def _from_outside(
    attribute: str, class_: ClassValue, default: str | None, linker: Linker, asker: str
) -> Iterator[Setter]:
    """The functions that store the attribute of an object of the class: `model.threshold = 0.7`."""
    form = re.compile(rf"\.\s*{re.escape(attribute)}\s*=(?!=)")
    for root in linker.activations_with({attribute}, form, asker):
        for event in root.function.events:
            if not isinstance(event, Store) or event.attribute != attribute or is_me(event.target, root.function):
                continue
            module = root.frame.module
            found = (each.value for each in linker.evaluate(event.target, root.frame))
            is_of_class = any(isinstance(each, InstanceValue) and each.class_.facts is class_.facts for each in found)
            if is_of_class and (default is None or changes_written(event.value, default, module)):
                yield setter_at(module, root.function, event.span, linker, asker)
