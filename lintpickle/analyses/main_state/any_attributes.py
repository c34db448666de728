"""Where code sets attributes of modules and objects whose names are not written out."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from msgspec.structs import replace

from lintpickle.analyses.at_import.import_time import functions_of
from lintpickle.analyses.calls_and_values.object_changes import path_within
from lintpickle.analyses.calls_and_values.stored_by_methods import changing_method, held_at_import
from lintpickle.analyses.main_state.attribute_setters import is_option
from lintpickle.analyses.main_state.fields_set import gets_any_attribute, sets_own_fields
from lintpickle.analyses.main_state.globals_stored import UPDATED_BY_NAME
from lintpickle.analyses.main_state.keywords_told import names_told
from lintpickle.analyses.main_state.library_state import is_namespace
from lintpickle.analyses.main_state.main_setters import Setter, is_called, is_mentioned
from lintpickle.analyses.main_state.names_in_tables import names_spread, names_stored
from lintpickle.analyses.main_state.read_objects import Owner, names_read_by
from lintpickle.analyses.workers.done_by_workers import is_done_by_workers
from lintpickle.diagnostics import Span
from lintpickle.facts.methods import owns
from lintpickle.facts.records import Called
from lintpickle.facts.values import Attribute, Call, Constant, Expr, Mapping, Parameter, chain, mentions_parameter
from lintpickle.interpreter.abstract_values import ClassValue, InstanceValue
from lintpickle.interpreter.root_frames import RootFrame
from lintpickle.parsing.syntax import MERGING_METHODS, PUTTING_METHODS, dotted, with_owners
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction
from lintpickle.prefilter.words import Words, alone

_FILLING = "|".join(sorted({*PUTTING_METHODS, *MERGING_METHODS}))
_CHANGED = rf"\s*(?:\[[^\]\n]*\]+\s*)*(?:(?:[-+*/%@|&^]|//|\*\*|<<|>>)?=(?!=)|\.\s*(?:{_FILLING})\()"
"""What follows an item that is set, or to whose value something is added: what is only read has not changed."""
GLOBALS_OF_ANY_NAME = (
    rf"(?!{UPDATED_BY_NAME})\bglobals\(\)\s*"
    rf"""(?:\.update\(|\[(?!\s*["']\w+["']\s*\])[^\]\n]*\]+{_CHANGED})"""
)
"""What stands where a module gives its globals values by names that are not written out."""
_OPTIONS_ARE_DICT = Words({"vars", "__dict__", "_get_kwargs"})
_OPTIONS_AS_DICT = re.compile(r"\bvars\s*\(|\.__dict__\b|\._get_kwargs\(")


def set_by_any_attribute(owner: Owner, code: WorkerCode, linker: Linker, asker: str) -> Iterator[Setter]:
    """Where a module, or the object, gets attributes whose names are not written out; not where all callers name them,
    and workers read none of these."""
    if isinstance(owner.value, (InstanceValue, ClassValue)) or is_namespace(owner.value):
        for setter in _setters_of_any_attribute(owner, code, linker):
            told = _names_told(setter, linker, asker)
            if told is None or any(is_mentioned(each, code, linker) for each in sorted(told)):
                yield setter
    for setter, names in _stores_known(owner, linker, asker):
        if names is None or any(owner.name in each for each in names):
            yield setter


def set_by_table(owner: Owner, linker: Linker, asker: str) -> Iterator[Setter]:
    """Where a module gets attributes whose names are the keys of a table that is written out, which has that of the
    thing; of several tables, each that has any."""
    for setter, names in _stores_known(owner, linker, asker):
        filled = [each for each in names or () if each]
        if filled and all(owner.name in each for each in filled):
            yield replace(setter, certain=is_called(setter.facts, setter.module, linker, asker))


def _stores_known(owner: Owner, linker: Linker, asker: str) -> tuple[tuple[Setter, list[frozenset[str]] | None], ...]:
    key = ("stores by any name", owner.module.path, asker)
    return linker.remembered(key, lambda: tuple(_stores_in_module(owner, linker, asker)))


def _stores_in_module(owner: Owner, linker: Linker, asker: str) -> Iterator[tuple[Setter, list[frozenset[str]] | None]]:
    """Where the module of a thing gets attributes whose names are not written out, each with these, if seen."""
    module = re.escape(owner.module.name.rpartition(".")[2])
    form = re.compile(rf"\bsetattr\(\s*(?:\w+\.)*{module},|{GLOBALS_OF_ANY_NAME}")
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
            names = names_stored(root, found.start(), linker)
            yield Setter(home, root.function, Span(*found.span()), True), names


def globals_set_by_options(owner: Owner, linker: Linker, asker: str) -> Iterator[Setter]:
    """Where the module of a thing gives its globals the values of a dict (`globals().update(values)`), if the program
    turns its options into one (`vars(args)`), and one of these has the name of the thing."""
    form = re.compile(GLOBALS_OF_ANY_NAME)
    if not owner.module.has(form) or not is_option(owner.name, linker, asker):
        return
    if linker.first_party.is_anywhere(_OPTIONS_ARE_DICT, asker, _OPTIONS_AS_DICT):
        for facts in functions_of(owner.module, form, lambda facts: not facts.is_module_body):
            found = form.search(owner.module.code, facts.span.start, facts.span.end)
            if found is not None and owns(facts, found.start()):
                yield Setter(owner.module, facts, Span(*found.span()), is_called(facts, owner.module, linker, asker))


def set_as_told(
    owner: Owner, written: str, function: WorkerFunction, code: WorkerCode, linker: Linker, asker: str
) -> Iterator[Setter]:
    """Where the object or class gets attributes whose names are not written out, if a function reads one of it that its
    constructor makes, or that the body of the class has, and main is told the names: this one is that of an option of
    the program (`setattr(settings, self.dest, value)`), or a method takes whatever it is given
    (`settings.update(**values)`). Of a class that the function gives to others, any of the workers may read it."""
    if is_namespace(owner.value) and linker.moving_to is not None:
        for setter in _setters_of_any_attribute(owner, code, linker):
            told = _names_told(setter, linker, asker) or frozenset[str]()
            if any(is_mentioned(each, code, linker) for each in sorted(told)):
                yield setter
    if not isinstance(owner.value, (InstanceValue, ClassValue)):
        return
    owners = (written, *_other_names(written, function))
    read_by = [each.rpartition(".") for name in names_read_by(function, linker) for each in with_owners(name)]
    names = {attribute for name, _, attribute in read_by if name in owners}
    is_given = isinstance(owner.value, ClassValue) and any(chain(each) == (written,) for each in function.facts.returns)
    setters = tuple(_setters_of_any_attribute(owner, code, linker))
    held = held_at_import(owner.value, linker) if setters else frozenset[str]()
    read = names & held
    if is_given:
        read |= {each for each in held if is_mentioned(each, code, linker)}
    if any(is_option(each, linker, asker) for each in sorted(read)):
        yield from setters
        return
    if read:
        yield from (setter for setter in setters if setter.span in _told_to_methods(owner, setter, linker))
        if linker.moving_to is not None:
            yield from (setter for setter in setters if sets_own_fields(owner, setter, linker))
    yield from (setter for setter in setters if _is_told_what_is_read(setter, held, code, linker, asker))
    yield from (setter for setter in setters if _is_told_by_table(setter, held, code, linker))


def _is_told_by_table(setter: Setter, held: frozenset[str], code: WorkerCode, linker: Linker) -> bool:
    """Whether a method gets the attributes from a table that is written out, or from one of several, of which each has
    one that workers read, or none at all."""
    tables = [each for each in names_spread(setter.facts, setter.span, setter.module, linker) or () if each]
    return bool(tables) and all(
        any(is_mentioned(name, code, linker) for name in sorted(each & held)) for each in tables
    )


def _is_told_what_is_read(setter: Setter, held: frozenset[str], code: WorkerCode, linker: Linker, asker: str) -> bool:
    """Whether all callers of what stores attributes name them, among them one that the object has and workers read."""
    told = _names_told(setter, linker, asker) or frozenset[str]()
    return any(is_mentioned(each, code, linker) for each in sorted(told & held))


def _names_told(setter: Setter, linker: Linker, asker: str) -> frozenset[str] | None:
    """The attributes that all callers of what stores any name; None if they may be others."""
    given = (gets_any_attribute(event) for event in setter.facts.events)
    names = [names for each in given if each is not None for _, names in (each,)]
    return names_told(setter.facts, setter.module, linker, asker, names)


def _other_names(written: str, function: WorkerFunction) -> Iterator[str]:
    """The variables to which a function gives the object: `options = settings.current`."""
    for node in ast.walk(function.frame.paths.tree):
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Name() | ast.Attribute() as value):
                if dotted(value) == written:
                    yield name
            case _:
                pass


def _told_to_methods(owner: Owner, setter: Setter, linker: Linker) -> Iterator[Span]:
    """Where the function of a setter calls methods of an object that store attributes under names which they are
    given."""
    for event in setter.facts.events:
        if isinstance(event, Called) and isinstance(event.call.function, Attribute):
            stores = tuple(_stores_of(event.call.function.name, owner, linker))
            if any(mentions_parameter(names, me, linker.evaluator.cuts.note) for me, names in stores):
                yield event.span


def _setters_of_any_attribute(owner: Owner, code: WorkerCode, linker: Linker) -> Iterator[Setter]:
    """Where code stores attributes on an object whose names are not written out: `setattr(settings, name, value)`,
    `vars(settings).update(values)`, or a method of it that does so."""
    name, asker = re.escape(owner.name), code.root.site.module.path
    form = re.compile(rf"{alone(name)}[\s\\]*\.[\s\\]*[^\W\d]|(?:setattr|vars)[\s\\]*\([\w\s.\\]*\b{name}\b")
    stores = linker.remembered(("stores on", owner.module.path, owner.block.span, owner.name), dict)
    for root in linker.activations_with({owner.name}, form, asker):
        key = id(root.function)
        if key not in stores:
            stores[key] = tuple(dict.fromkeys(_stores_of_any_attribute(root, owner, linker)))
        for span in stores[key]:
            if not is_done_by_workers(root, span, owner, code, linker):
                yield Setter(
                    root.frame.module, root.function, span, is_called(root.function, root.frame.module, linker, asker)
                )


def _stores_of_any_attribute(root: RootFrame, owner: Owner, linker: Linker) -> Iterator[Span]:
    module = root.frame.module
    for event in root.function.events:
        given = gets_any_attribute(event)
        stores = given is not None and path_within(given[0], owner, module, linker) == ()
        function = event.call.function if isinstance(event, Called) else None
        if not stores and isinstance(event, Called) and isinstance(function, Attribute):
            is_method = path_within(function.base, owner, module, linker) == ()
            is_named = _names_all(event.call)  # Those are known: see `stored_by_name`.
            stores = is_method and not is_named and _stores_any(function.name, owner, linker)
        if stores:
            yield event.span


def _names_all(call: Call) -> bool:
    """Whether a call names all that it gives: `update(rate=5)`, `update({"rate": 5})`."""
    return bool(call.arguments) and all(each.keyword or _names_keys(each.value) for each in call.arguments)


def _names_keys(value: Expr) -> bool:
    return isinstance(value, Mapping) and all(isinstance(key, Constant) for key, _ in value.items)


def _stores_any(method: str, owner: Owner, linker: Linker) -> bool:
    """Whether a method of an object stores attributes on it whose names are not written out."""
    return any(True for _ in _stores_of(method, owner, linker))


def _stores_of(method: str, owner: Owner, linker: Linker, helped: bool = True) -> Iterator[tuple[str, Expr]]:
    """What the names come from of the attributes that a method of an object stores on it, each with the name that the
    method has for the object. What it gives another method of the object to store (`self._apply(values)`) counts as
    that."""
    facts = changing_method(method, owner, linker)
    if facts is None:
        return
    me = facts.parameters[0].name
    for event in facts.events:
        given = gets_any_attribute(event)
        if given is not None and _is_parameter(given[0], me):
            yield me, given[1]
        match event:
            case Called(call=Call(function=Attribute(base=base, name=other)) as call) if (
                helped and other != method and _is_parameter(base, me)
            ):
                if any(True for _ in _stores_of(other, owner, linker, helped=False)):
                    yield from ((me, argument.value) for argument in call.arguments)
            case _:
                pass


def _is_parameter(value: Expr, name: str) -> bool:
    return isinstance(value, Parameter) and value.name == name
