"""Where code changes an object of a module: its attributes, what it holds, or what its name stands for."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from lintpickle.analyses.at_import.import_time import guard_of
from lintpickle.analyses.calls_and_values.handed_out import handing_out
from lintpickle.analyses.calls_and_values.method_aliases import method_aliases
from lintpickle.analyses.calls_and_values.object_changes import aliases_of, changes_in
from lintpickle.analyses.calls_and_values.own_containers import has_own_items
from lintpickle.analyses.calls_and_values.stored_by_methods import is_read_for_others
from lintpickle.analyses.main_state.calls_of_main import calls_by_main
from lintpickle.analyses.main_state.library_state import is_namespace, state_of
from lintpickle.analyses.main_state.main_setters import (
    Setter,
    is_before_workers,
    is_mentioned,
    setter_at,
)
from lintpickle.analyses.main_state.named_by_workers import is_stored_by_name_in_workers
from lintpickle.analyses.main_state.read_objects import Owner
from lintpickle.analyses.main_state.reset_at_fork import attributes_reset_at_fork
from lintpickle.analyses.workers.done_by_workers import is_done_by_workers
from lintpickle.analyses.workers.runs_elsewhere import runs_beside_main
from lintpickle.boundaries.mocks import SET_UP
from lintpickle.diagnostics import Span
from lintpickle.facts.records import FunctionFacts
from lintpickle.facts.values import UNNAMED
from lintpickle.interpreter.abstract_values import ClassValue, ConstantValue, FunctionValue, InstanceValue
from lintpickle.interpreter.root_frames import RootFrame
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode
from lintpickle.prefilter.words import Words, alone

_LAMBDA = "<lambda>"


def object_setters(owner: Owner, code: WorkerCode, linker: Linker, asker: str) -> Iterator[Setter]:
    """Where code changes an object; of a namespace, and for `migrate` of any object, not where it sets an attribute
    that workers set, too."""
    if isinstance(owner.value, ClassValue) and is_stored_by_name_in_workers(
        UNNAMED, owner.block, owner.module, code, linker
    ):
        return
    reset = attributes_reset_at_fork(owner.module)
    places = (each for each in _places_changed(owner, code, linker, asker) if each[1] not in reset)
    is_object = isinstance(owner.value, InstanceValue) and linker.moving_to is not None
    if not is_namespace(owner.value) and not is_object:
        yield from (setter for setter, _ in places)
        return
    found = list(places)
    own = {each for setter, each in found if each and runs_beside_main(setter.facts, setter.module, code, linker)}
    yield from (setter for setter, attribute in found if attribute not in own)


def _places_changed(owner: Owner, code: WorkerCode, linker: Linker, asker: str) -> Iterator[tuple[Setter, str | None]]:
    """The same places, each with the attribute that is changed there, if it is one."""
    if isinstance(owner.value, ConstantValue):
        return  # the concern of `main_globals` and `main_attributes`
    handing = (*handing_out(owner, linker), *(each.name for each in method_aliases(owner, linker)))
    form = _form_of_changes(owner, aliases_of(owner, linker, asker), handing, linker)
    state = state_of(owner.value, linker)
    if state is not None and state.own and _gets_its_own(owner, state.own, code):
        return
    shared = {id(each.facts) for each in code.functions} if state is not None and state.shared else frozenset()
    for function in code.functions if shared else ():
        if function.facts.name == _LAMBDA and function.module is owner.module and owner.name in function.facts.reads:
            yield from ((each, None) for each in _called_by_main(function.facts, code, linker, asker))
    changes = linker.remembered(("changes of", owner.module.path, owner.block.span, owner.name), dict)
    for root in linker.activations_with({owner.name, *handing}, form, asker):
        key = id(root.function)
        if key in shared:  # Workers do so as they use it.
            yield from ((each, None) for each in _called_by_main(root.function, code, linker, asker))
            continue
        if key not in changes:
            changes[key] = tuple(changes_in(root, owner, linker))
        for span, attribute in changes[key]:
            is_first = isinstance(owner.value, FunctionValue) and _is_own_import(root, span, owner)
            is_read = attribute is None or _is_mentioned(attribute, code, linker, asker)
            if attribute is not None and not is_read:
                is_read = is_read_for_others(attribute.partition(".")[0], owner, code, linker)
            if not is_first and is_read and not is_done_by_workers(root, span, owner, code, linker):
                yield setter_at(root.frame.module, root.function, span, linker, asker), attribute


def _called_by_main(function: FunctionFacts, code: WorkerCode, linker: Linker, asker: str) -> Iterator[Setter]:
    """Where the main process calls, before it starts workers, what these call, too."""
    for other, span in calls_by_main(function, code, linker, asker):
        if not other.function.is_module_body and is_before_workers(span, other.function, linker):
            yield setter_at(other.frame.module, other.function, span, linker, asker)


def _is_mentioned(attribute: str, code: WorkerCode, linker: Linker, asker: str) -> bool:
    """Whether code of the workers reads an attribute; of one of a part of the object (`current.level`) also that one,
    if an object of the program has it: what objects of libraries do with it is not seen. A part that is looked up by a
    computed name may be any that they read."""
    first, *others = attribute.split(".")
    own = _form_of_attribute(others[-1]) if others else None
    is_any = first == UNNAMED and bool(others)
    return (is_any or is_mentioned(first, code, linker)) and (
        own is None
        or is_mentioned(others[-1], code, linker)
        or not linker.first_party.is_anywhere(Words({others[-1]}), asker, own)
    )


def _form_of_attribute(name: str) -> re.Pattern[str]:
    """How a class of the program gives its objects an attribute: in a method, or as a field in its body."""
    return re.compile(rf"\b(?:self|cls)\.{re.escape(name)}\b|^[ \t]+{re.escape(name)}[ \t]*:[^=\n]", re.MULTILINE)


def _is_own_import(root: RootFrame, span: Span, owner: Owner) -> bool:
    """Whether the import of the module that defines a thing runs a place."""
    module = root.frame.module
    return module is owner.module and root.function.is_module_body and guard_of(span.start, module) is None


def _gets_its_own(owner: Owner, methods: tuple[str, ...], code: WorkerCode) -> bool:
    """Whether code of the workers gives an object a state of its own: `generator.seed(number)`."""
    giving = re.compile(rf"\b{re.escape(owner.name)}\s*\.\s*(?:{'|'.join(methods)})\s*\(")
    return any(giving.search(each.module.code, each.facts.span.start, each.facts.span.end) for each in code.functions)


def _form_of_changes(
    owner: Owner, aliases: Collection[str], handing: Collection[str], linker: Linker
) -> re.Pattern[str]:
    """What stands where a thing is changed or bound anew: of functions, classes and instances, most code only calls
    them, and passes or imports their names. `aliases` are its other names, `handing` the functions that give it."""
    name, *others = map(re.escape, (owner.name, *sorted(aliases)))
    called = [rf"{alone(re.escape(each))}[\s\\]*\(" for each in handing]
    if not isinstance(owner.value, (FunctionValue, ClassValue, InstanceValue)):
        return re.compile("|".join((*map(alone, (name, *others)), *called)))
    if linker.moving_to is not None:
        called += [rf"\b(?:getattr|vars|setattr|object)\([\s\\]*(?:\w+\.)*{each}\b" for each in (name, *others)]
        called += [rf"\bnamespace[ \t]*=[ \t]*(?:\w+\.)*{each}\b" for each in (name, *others)]
        called += [rf"\w[ \t]*=[ \t]*(?:\w+\.)*{each}[ \t]*(?=[\r\n#])" for each in (name, *others)]
    if linker.moving_to is not None and isinstance(owner.value, InstanceValue):
        called += [rf"[(,=][\s\\]*(?:\w+\.)*{each}[\s\\]*[,)]" for each in (name, *others)]
        if has_own_items(owner.value, linker) or linker.classes.find_method(owner.value, "__setitem__") is not None:
            called += [rf"{alone(each)}[\s\\]*\[" for each in (name, *others)]
    if linker.moving_to is not None and isinstance(owner.value, ClassValue):
        called.append(rf"\bdef[ \t]+(?:{'|'.join(sorted(SET_UP))})\b")
    stored = rf"\.[\s\\]*{name}\b(?![\s\\]*\()"
    of_it = [rf"{alone(each)}[\s\\]*\.[\s\\]*[^\W\d]" for each in (name, *others)]
    return re.compile("|".join((*of_it, stored, rf"global\b[\w\s,\\]*\b{name}\b", rf"[\"']{name}[\"']", *called)))
