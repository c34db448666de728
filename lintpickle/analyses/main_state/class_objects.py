"""Containers in bodies of classes that methods fill by way of an object: `self.seen.add(url)`."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from msgspec.structs import replace

from lintpickle.analyses.at_import.import_fillings import bases_noting, deriving, filled_by_import
from lintpickle.analyses.at_import.import_time import functions_of, guard_of
from lintpickle.analyses.at_import.imports_by_text import imports
from lintpickle.analyses.calls_and_values.hierarchies import is_class_of_me, is_me, names_own_class
from lintpickle.analyses.main_state.attribute_setters import AttributeOwner, is_owner
from lintpickle.analyses.main_state.main_setters import Met, Setter, Setting, of_the_program, set_by, setter_at
from lintpickle.analyses.main_state.read_objects import Owner, Reading, names_read_by, owner_of, place_read
from lintpickle.analyses.workers.runs_elsewhere import runs_in_workers
from lintpickle.diagnostics import Span
from lintpickle.facts.methods import owns
from lintpickle.facts.records import FunctionFacts, ItemStore, Store
from lintpickle.facts.values import Attribute, Expr, Name, Parameter, holder_of, without_narrowing
from lintpickle.interpreter.abstract_values import ClassValue
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction
from lintpickle.prefilter.words import Words

_SUBCLASSES = "__subclasses__"
_AS_IMPORTED = Met("there it lacks the class", "filled")


def fillers(owner: Owner, linker: Linker, asker: str) -> Iterator[Setter]:
    """Where methods of the class put something into a container that the class has, not its objects, or give the class
    another one; before they start workers, if they start any."""
    form = re.compile(rf"\.\s*{re.escape(owner.name)}\s*(?:[.\[]|=(?!=))")
    for facts in functions_of(owner.module, form, lambda facts: not facts.is_module_body):
        if _is_in(owner, facts):
            for span in _fillings(owner, facts):
                yield setter_at(owner.module, facts, span, linker, asker)


def is_given_by_workers(owner: Owner, linker: Linker, asker: str) -> bool:
    """Whether code that workers run gives the class another container, as an initializer does with a shared one."""
    class_ = AttributeOwner(owner.module, owner.block)
    form = re.compile(rf"\.\s*{re.escape(owner.name)}\s*=(?!=)")
    return any(
        runs_in_workers(root.function, root.frame.module, linker, asker)
        for root in linker.activations_with({owner.name}, form, asker)
        for event in root.function.events
        if isinstance(event, Store) and event.attribute == owner.name
        if is_owner(event.target, root.frame, class_, linker)
    )


def filled_by_subclasses(owner: Owner, function: WorkerFunction, code: WorkerCode, linker: Linker) -> Setting | None:
    """How a container gets what it has in the main process alone, in which a class notes its subclasses: only modules
    define one that workers do not import, or only functions that they do not run. Doubted if it is not seen that main
    imports such a module."""
    form = re.compile(rf"\b{re.escape(owner.name)}\b")
    asker = code.root.site.module.path
    for notes in functions_of(owner.module, form, lambda facts: _is_in(owner, facts)):
        bases = bases_noting(notes, owner.module, linker, asker)
        if bases:
            made = set_by(
                of_the_program(_defined_later(bases, linker, asker), code, linker), _AS_IMPORTED, linker, asker
            )
            return made or _by_subclasses(bases, function, code, linker)
    return None


def _defined_later(bases: Collection[str], linker: Linker, asker: str) -> Iterator[Setter]:
    """Where functions, and main guards, define a class derived from one of some classes, or make one by `type()`."""
    derived = rf"[^()]*\b(?:{'|'.join(map(re.escape, bases))})\b"
    form = re.compile(rf"\bclass\s+\w+\s*\({derived}|\btype\(\s*[\w.\"']+\s*,\s*\({derived}")
    for module in linker.first_party.naming_in_text(Words(set(bases)), asker, form):
        for facts in functions_of(module, form, lambda facts: True):
            for found in form.finditer(module.code, facts.span.start, facts.span.end):
                is_at_import = facts.is_module_body and guard_of(found.start(), module) is None
                if owns(facts, found.start()) and not is_at_import:
                    yield setter_at(module, facts, Span(*found.span()), linker, asker)


def subclasses_asked(function: WorkerFunction, code: WorkerCode, linker: Linker) -> Iterator[tuple[Reading, Setting]]:
    """The classes of which a function asks for the subclasses (`Check.__subclasses__()`), where only modules define one
    that workers do not import."""
    for written in names_read_by(function, linker):
        dotted, _, asked = written.rpartition(".")
        if asked == _SUBCLASSES and dotted.count(".") <= 1 and dotted.partition(".")[0] in function.facts.reads:
            owner, place = owner_of(dotted, function.module, linker), place_read(written, function)
            if owner is not None and isinstance(owner.value, ClassValue) and place is not None:
                setting = _by_subclasses((owner.block.names[0],), function, code, linker)
                if setting is not None:
                    yield Reading(f"{written}()", place, False), setting


def _by_subclasses(
    bases: Collection[str], function: WorkerFunction, code: WorkerCode, linker: Linker
) -> Setting | None:
    asker = code.root.site.module
    defining = [*deriving(bases, linker, asker.path)]
    setting = filled_by_import(defining, function, code, linker)
    return replace(setting, is_doubted=not imports(asker, setting.site.module)) if setting is not None else None


def _is_in(owner: Owner, facts: FunctionFacts) -> bool:
    return owner.module.outline.block_at(facts.span.start) is owner.block


def _fillings(owner: Owner, facts: FunctionFacts) -> Iterator[Span]:
    for event in facts.events:
        if isinstance(event, Store) and event.attribute == owner.name and _is_class(event.target, owner, facts):
            yield event.span
        elif isinstance(event, ItemStore):
            match holder_of(event.target):
                case Attribute(base=base, name=name) if name == owner.name and _is_object_or_class(base, owner, facts):
                    yield event.span
                case _:
                    pass


def _is_class(target: Expr, owner: Owner, facts: FunctionFacts) -> bool:
    inner = without_narrowing(target)
    return (isinstance(inner, Name) and inner.name in owner.block.names) or names_own_class(inner, facts)


def _is_object_or_class(base: Expr, owner: Owner, facts: FunctionFacts) -> bool:
    match without_narrowing(base):
        case Parameter() as value:
            return is_me(value, facts)
        case Name(name=name):
            return name in owner.block.names
        case value:
            return is_class_of_me(value, facts)
