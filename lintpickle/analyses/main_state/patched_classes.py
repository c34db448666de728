"""Classes whose objects cross to workers, and whose methods or containers the main process replaces or fills, or which
it gives methods that they lack."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lintpickle.analyses.at_import.import_time import outside_comments
from lintpickle.analyses.calls_and_values.object_changes import changes_in
from lintpickle.analyses.main_state.attribute_setters import AttributeOwner, is_stored_on_objects
from lintpickle.analyses.main_state.main_setters import Met, Setter, Setting, of_the_program, set_by, setter_at
from lintpickle.analyses.main_state.read_objects import Owner, Reading, owner_of
from lintpickle.analyses.main_state.sure_failures import only_raised
from lintpickle.diagnostics import Span
from lintpickle.facts.records import Called, ItemStore
from lintpickle.facts.values import (
    Attribute,
    Call,
    Collection,
    Constant,
    Expr,
    Parameter,
    holder_of,
    without_narrowing,
)
from lintpickle.interpreter.abstract_values import AbstractValue, ClassValue, ContainerValue, InstanceValue
from lintpickle.interpreter.root_frames import RootFrame
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction
from lintpickle.prefilter.words import Words

_AS_DEFINED = Met("there it is as the class defines it", "replaced")
_CHANGED = Met("there it is as the class defines it", "changed")


def classes_patched(code: WorkerCode, linker: Linker) -> Iterator[tuple[WorkerFunction, Reading, Setting]]:
    """The methods and other attributes of objects that cross which code of the workers reads, each once, with how the
    main process replaces or changes them in the class; for `check`, only methods that workers call on such an object.
    Classes that a function of the workers names are the concern of `main_objects`."""
    asker, is_checked = code.root.site.module.path, linker.moving_to is None
    for owner in _owners(code, linker):
        setters: dict[str, list[Setter]] = {}
        for attribute, setter in _replaced(owner, linker, asker):
            setters.setdefault(attribute, []).append(setter)
        for attribute, found in setters.items():
            called = (
                next(_called_on(attribute, owner, code, linker), None)
                if is_checked
                else _called(attribute, owner, code)
            )
            met = _met(attribute, owner, linker)
            setting = set_by(of_the_program(found, code, linker), met, linker, asker) if called else None
            if called is not None and setting is not None:
                yield called[0], Reading(f"{owner.name}.{attribute}", called[1], False), setting


def _met(attribute: str, owner: Owner, linker: Linker) -> Met:
    """What a worker meets of a method that main replaces: perhaps nothing but an error."""
    found = linker.classes.find_method(owner.value, attribute) if isinstance(owner.value, ClassValue) else None
    if found is None and isinstance(owner.value, ClassValue):
        if attribute in owner.value.facts.body:
            return _CHANGED
        missing = f"AttributeError: '{owner.name}' object has no attribute '{attribute}'"
        return Met(missing, "set", missing)
    error = only_raised(found[1], found[0].module) if found is not None else None
    return Met(_AS_DEFINED.outcome, _AS_DEFINED.how, error)


def _owners(code: WorkerCode, linker: Linker) -> Iterator[Owner]:
    """The classes of the objects that cross, and their bases, each once."""
    shipped = linker.shipped_by(code.boundary) if code.boundary is not None else ()
    seen: set[int] = set()
    for crossing in shipped:
        bases = linker.classes.mro(crossing.value.class_) if isinstance(crossing.value, InstanceValue) else ()
        for class_ in bases:
            if not isinstance(class_, ClassValue) or id(class_.facts) in seen or class_.facts.is_local:
                continue
            seen.add(id(class_.facts))
            if class_.module.first_party and not _is_named(class_, code):
                owner = owner_of(class_.facts.name, class_.module, linker)
                if owner is not None and isinstance(owner.value, ClassValue):
                    yield owner


def _is_named(class_: ClassValue, code: WorkerCode) -> bool:
    return any(class_.facts.name in each.facts.reads for each in code.functions)


def _replaced(owner: Owner, linker: Linker, asker: str) -> Iterator[tuple[str, Setter]]:
    name = re.escape(owner.name)
    stored = re.compile(rf"\b{name}(?:\.\w+\s*(?:[-+*/|&]?=(?!=)|[.\[\"'])|\s*,)")
    for root in linker.activations_with({owner.name}, stored, asker):
        for span, changed in changes_in(root, owner, linker):
            attribute = changed.partition(".")[0] if changed is not None else None
            if attribute is not None and _is_of_class(attribute, owner, linker, asker):
                yield attribute, setter_at(root.frame.module, root.function, span, linker, asker)
    if linker.moving_to is None:
        return
    containers = {
        attribute for attribute in _containers(owner, linker) if _is_of_class(attribute, owner, linker, asker)
    }
    if not containers:
        return
    filled = re.compile(rf"\.({'|'.join(map(re.escape, sorted(containers)))})\s*(?:[.\[]|[-+|&]=)")
    for root in linker.activations_with(containers, filled, asker):
        for event in root.function.events:
            if isinstance(event, ItemStore):
                target = holder_of(event.target)
                is_one = isinstance(target, Attribute) and target.name in containers
                if is_one and isinstance(target, Attribute) and _is_object(target.base, owner, root, linker):
                    yield target.name, setter_at(root.frame.module, root.function, event.span, linker, asker)


def _containers(owner: Owner, linker: Linker) -> Iterator[str]:
    """The attributes of a class that its body binds to a list, dict or set."""
    class_ = owner.value
    if not isinstance(class_, ClassValue):
        return
    for attribute, value in class_.facts.body.items():
        if isinstance(value, (Collection, Call)):
            made = linker.evaluate(value, linker.classes.body_frame(class_))
            if len(made) == 1 and isinstance(made[0].value, ContainerValue) and made[0].value.kind != "iterator":
                yield attribute


def _is_object(target: Expr, owner: Owner, root: RootFrame, linker: Linker) -> bool:
    """Whether an expression, other than in a method of it, is an object of the class."""
    if isinstance(without_narrowing(target), Parameter):
        return False
    values = [traced.value for traced in linker.evaluate(target, root.frame)]
    class_ = owner.value
    return (
        len(values) == 1
        and isinstance(class_, ClassValue)
        and isinstance(values[0], InstanceValue)
        and linker.classes.derives(values[0], class_)
    )


def _is_of_class(attribute: str, owner: Owner, linker: Linker, asker: str) -> bool:
    """Whether objects get an attribute from the class: it is a method or in the body, or they would lack it."""
    class_ = owner.value
    if not isinstance(class_, ClassValue):
        return False
    if attribute in class_.facts.methods:
        return True
    if is_stored_on_objects(attribute, AttributeOwner(owner.module, owner.block)):
        return False
    on_others = re.compile(rf"(?<!\b{re.escape(owner.name)})\.{re.escape(attribute)}\s*(?::[^=\n]+)?=(?!=)")
    if class_.facts.decorators or linker.first_party.is_anywhere(Words({attribute}), asker, on_others):
        return False
    if attribute in class_.facts.body:
        return not isinstance(class_.facts.body[attribute], Constant)
    known = [each for each in linker.classes.mro(class_) if isinstance(each, ClassValue)]
    is_known = len(known) == len(list(linker.classes.mro(class_)))
    return is_known and not any(
        attribute in each.facts.methods or attribute in each.facts.body or "__getattr__" in each.facts.methods
        for each in known
    )


def _called(attribute: str, owner: Owner, code: WorkerCode) -> tuple[WorkerFunction, Span] | None:
    """Where code of the workers reads an attribute of that name: of a method, of anything; else, of the object itself
    or what a function is given."""
    class_ = owner.value
    is_method = isinstance(class_, ClassValue) and attribute in class_.facts.methods
    for function in code.functions:
        facts, block = function.facts, function.module.outline.block_at(function.facts.span.start)
        of = ""
        if not is_method:
            given = [each.name for each in facts.parameters]
            is_own = function.module is owner.module and block is owner.block
            if block is not None and block.is_class:
                given = given[:1] if is_own else given[1:]
            if not given:
                continue
            of = rf"\b(?:{'|'.join(map(re.escape, given))})"
        reading = re.compile(rf"{of}\.\s*{re.escape(attribute)}\b(?!\s*=[^=])")
        found = outside_comments(reading, function.module.code, facts.header.end, facts.span.end)
        if found is not None and function.module.first_party:
            return function, found
    return None


def _called_on(method: str, owner: Owner, code: WorkerCode, linker: Linker) -> Iterator[tuple[WorkerFunction, Span]]:
    """Where code of the workers calls a method on what is an object that gets it from the class."""
    class_ = owner.value
    for function in code.functions if isinstance(class_, ClassValue) and method in class_.facts.methods else ():
        for event in function.facts.events if function.module.first_party else ():
            match event:
                case Called(call=Call(function=Attribute(base=base, name=name) as called)) if name == method:
                    values = [each.value for each in linker.evaluate(base, function.frame)]
                case _:
                    continue
            if values and all(_gets_it(method, each, owner, linker) for each in values):
                yield function, called.span


def _gets_it(method: str, value: AbstractValue, owner: Owner, linker: Linker) -> bool:
    found = linker.classes.find_method(value, method) if isinstance(value, InstanceValue) else None
    class_ = owner.value
    return found is not None and isinstance(class_, ClassValue) and found[1] is class_.facts.methods.get(method)
