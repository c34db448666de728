"""Where code sets attributes of modules and objects whose names are not written out."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lintpickle.analyses.library_state import is_namespace
from lintpickle.analyses.main_setters import Setter, is_called
from lintpickle.analyses.object_changes import path_within
from lintpickle.analyses.read_objects import Owner
from lintpickle.analyses.stored_by_methods import changing_method
from lintpickle.diagnostics import Span
from lintpickle.facts.methods import owns
from lintpickle.facts.records import Called
from lintpickle.facts.values import Attribute, Call, Constant, Expr, Name, Parameter
from lintpickle.interpreter.abstract_values import ClassValue, InstanceValue
from lintpickle.interpreter.root_frames import RootFrame
from lintpickle.payload.linker import Linker
from lintpickle.prefilter.words import Words, alone


def set_by_any_attribute(owner: Owner, linker: Linker, asker: str) -> Iterator[Setter]:
    """Where a module, or the object, gets attributes whose names are not written out."""
    if isinstance(owner.value, (InstanceValue, ClassValue)) or is_namespace(owner.value):
        yield from _setters_of_any_attribute(owner, linker, asker)
    module = re.escape(owner.module.name.rpartition(".")[2])
    form = re.compile(rf"\bsetattr\(\s*(?:\w+\.)*{module},|\bglobals\(\)\s*(?:\.update\(|\[)")
    words, passed = Words({"setattr", "globals"}), re.compile(f"{module},")  # as a module is given to `setattr`
    is_own = owner.module.path in linker.first_party.which(words, asker)
    if not is_own and not linker.first_party.is_anywhere(words, asker, passed):
        return
    for root in linker.activations_with(words.words, form, asker):
        home, span = root.frame.module, root.function.span
        found = form.search(home.code, span.start, span.end)
        if found is None or not owns(root.function, found.start()):
            continue  # another root has it
        if home is owner.module or found.group().startswith("setattr"):
            yield Setter(home, root.function, Span(*found.span()), True)


def _setters_of_any_attribute(owner: Owner, linker: Linker, asker: str) -> Iterator[Setter]:
    """Where code stores attributes on an object whose names are not written out: `setattr(settings, name, value)`,
    `vars(settings).update(values)`, or a method of it that does so."""
    name = re.escape(owner.name)
    form = re.compile(rf"{alone(name)}[\s\\]*\.[\s\\]*[^\W\d]|(?:setattr|vars)[\s\\]*\([\w\s.\\]*\b{name}\b")
    stores = linker.remembered(("stores on", owner.module.path, owner.block.span, owner.name), dict)
    for root in linker.activations_with({owner.name}, form, asker):
        key = id(root.function)
        if key not in stores:
            stores[key] = tuple(_stores_of_any_attribute(root, owner, linker))
        for span in stores[key]:
            yield Setter(root.frame.module, root.function, span, is_called(root.function, linker, asker))


def _stores_of_any_attribute(root: RootFrame, owner: Owner, linker: Linker) -> Iterator[Span]:
    module = root.frame.module
    for event in root.function.events:
        if not isinstance(event, Called):
            continue
        target = _gets_any_attribute(event.call)
        stores = target is not None and path_within(target, owner, module, linker) == ()
        function = event.call.function
        if not stores and isinstance(function, Attribute):
            is_method = path_within(function.base, owner, module, linker) == ()
            is_named = linker.moving_to is not None and _names_all(event.call)  # Those are known: see `stored_by_name`.
            stores = is_method and not is_named and _stores_any(function.name, owner, linker)
        if stores:
            yield event.span


def _names_all(call: Call) -> bool:
    """Whether a call names all that it gives: `update(rate=5)`."""
    return bool(call.arguments) and all(each.keyword for each in call.arguments)


def _gets_any_attribute(call: Call) -> Expr | None:
    """What a call gives attributes whose names are not written out."""
    match call.function:
        case Name(name="setattr") if len(call.arguments) == 3 and not isinstance(call.arguments[1].value, Constant):
            return call.arguments[0].value
        case Attribute(base=Attribute(base=owner, name="__dict__"), name="update"):
            return owner
        case Attribute(base=Call(function=Name(name="vars"), arguments=(given,)), name="update"):
            return given.value
        case _:
            return None


def _stores_any(method: str, owner: Owner, linker: Linker) -> bool:
    """Whether a method of an object stores attributes on it whose names are not written out."""
    facts = changing_method(method, owner, linker)
    if facts is None:
        return False
    targets = [_gets_any_attribute(event.call) for event in facts.events if isinstance(event, Called)]
    return any(isinstance(each, Parameter) and each.name == facts.parameters[0].name for each in targets)
