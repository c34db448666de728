"""Module-level objects that the functions of workers read."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial

from msgspec import Struct

from lintpickle.analyses.at_import.import_time import outside_comments
from lintpickle.analyses.at_import.local_imports import first_use, own_imports_of
from lintpickle.analyses.at_import.values_at_import import given_with_others
from lintpickle.analyses.main_state.asked_globals import asks
from lintpickle.analyses.main_state.main_setters import Met, constant_in
from lintpickle.control_flow.paths import Paths
from lintpickle.diagnostics import Span
from lintpickle.facts.values import Attribute, Call, Constant, chain
from lintpickle.interpreter.abstract_values import (
    AbstractValue,
    ClassValue,
    ConstantValue,
    ContainerValue,
    ExternalResult,
    ExternalValue,
    Frame,
    FunctionValue,
    InstanceValue,
    PlainValue,
    ProductValue,
    Site,
    is_none,
)
from lintpickle.interpreter.fields import value_on_class
from lintpickle.interpreter.own_items import kind_of_items
from lintpickle.interpreter.stores import SETTINGS
from lintpickle.parsing.imports import ImportedName
from lintpickle.parsing.names_read import names_read
from lintpickle.parsing.outline import Block
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerFunction
from lintpickle.program.module import Module

_ASSIGNMENT = re.compile(r"\w+\s*(?::[^=\n]+)?=\s*(.*)", re.DOTALL)
_LONGEST = 30
CONTEXT_VARIABLE = "contextvars.ContextVar"
THREAD_LOCAL = "threading.local"
_DISPATCHES = "singledispatch"
OF_THE_CONTEXT = frozenset({CONTEXT_VARIABLE, THREAD_LOCAL})


class Owner(Struct, frozen=True):
    """An object that a block of a first-party module binds to a name: its value, and the value's text."""

    module: Module
    block: Block
    name: str
    value: AbstractValue
    text: str

    @property
    def place(self) -> Site:
        """The statement that binds it."""
        return Site(self.module, self.block.span)

    @property
    def still(self) -> Met:
        """What a worker has instead."""
        if isinstance(self.value, FunctionValue):
            return Met("there it is as the module defines it", "changed")
        shown = self.text if self.text and len(self.text) <= _LONGEST else ""
        if path_of(self.value) in OF_THE_CONTEXT:
            return Met("there it has no value of its own, or its default", "set")
        return Met(f"there it is still `{shown}`" if shown else "there it is as at import", "changed")


class Reading(Struct, frozen=True):
    """A place where a worker's function reads an object, as written there (`settings.NAMES`), and whether it checks the
    contents first."""

    written: str
    span: Span
    is_asked: bool


def things_read(function: WorkerFunction, linker: Linker) -> Iterator[tuple[Owner, Reading]]:
    """The objects of first-party modules that a function reads, by a name of its module or as an attribute of one."""
    module, span = function.module, function.facts.span
    key = ("objects read", module.path, span)
    return iter(linker.remembered(key, lambda: tuple(_things_read(function, linker))))


def _things_read(function: WorkerFunction, linker: Linker) -> Iterator[tuple[Owner, Reading]]:
    module, here = function.module, own_imports_of(function.facts)
    if function.facts.decorated_by(_DISPATCHES):
        yield from _itself(function, linker)
    if not function.facts.reads and not here:
        return
    for written in names_read_by(function, linker):
        head, *rest = written.split(".")
        own = here[head].target if head in here else None
        if head not in function.facts.reads and own is None:
            continue
        for dotted in (head, f"{head}.{rest[0]}") if rest else (head,):
            key = ("object", module.path, dotted, own)
            owner = linker.remembered(key, partial(owner_of, dotted, module, linker, own))
            place = place_read(dotted, function)
            if owner is not None and place is not None:
                yield owner, Reading(dotted, place, asks(dotted, function))
                break


def _itself(function: WorkerFunction, linker: Linker) -> Iterator[tuple[Owner, Reading]]:
    """A function that chooses what to call by what has been registered with it, as it is called."""
    name, module = function.facts.name, function.module
    owner = linker.remembered(("object", module.path, name, None), partial(owner_of, name, module, linker))
    if owner is not None and isinstance(owner.value, FunctionValue) and owner.value.facts is function.facts:
        yield owner, Reading(name, function.facts.header, False)


def class_objects_read(function: WorkerFunction, linker: Linker) -> Iterator[tuple[Owner, Reading]]:
    """The objects in bodies of classes that a function reads: by a class of its module (`Counter.lock`), or in a method
    by its first parameter, if no code of the class gives its objects an attribute of that name."""
    key = ("class objects read", function.module.path, function.facts.span)
    return iter(linker.remembered(key, lambda: tuple(_class_objects_read(function, linker))))


def _class_objects_read(function: WorkerFunction, linker: Linker) -> Iterator[tuple[Owner, Reading]]:
    module, facts = function.module, function.facts
    block = module.outline.block_at(facts.span.start)
    is_method = block is not None and block.is_class and facts.parameters and not facts.decorated_by("staticmethod")
    me = facts.parameters[0].name if is_method else None
    for written in names_read_by(function, linker):
        head, _, rest = written.partition(".")
        if rest.count(".") and head in facts.reads and head in module.outline.imports:
            yield from _read_by_module(written, function, linker)
        attribute = rest.partition(".")[0]
        place = place_read(f"{head}.{attribute}", function) if attribute else None
        if place is None or (head != me and head not in facts.reads):
            continue
        name = block.names[0] if head == me and block is not None else head
        owner = linker.remembered(("object", module.path, name), partial(owner_of, name, module, linker))
        found = _in_body(owner, attribute, linker) if owner is not None else None
        if found is not None:
            yield found, Reading(f"{head}.{attribute}", place, False)


def _read_by_module(written: str, function: WorkerFunction, linker: Linker) -> Iterator[tuple[Owner, Reading]]:
    """An object in the body of a class that a function reads by the module of the class (`base.Plugin.known`)."""
    module = function.module
    head, name, attribute = written.split(".")[:3]
    dotted = f"{head}.{name}"
    owner = linker.remembered(("object", module.path, dotted), partial(owner_of, dotted, module, linker))
    found = _in_body(owner, attribute, linker) if owner is not None else None
    place = place_read(f"{dotted}.{attribute}", function)
    if found is not None and place is not None:
        yield found, Reading(f"{dotted}.{attribute}", place, False)


def names_read_by(function: WorkerFunction, linker: Linker) -> list[str]:
    """The dotted names that a function reads, sorted."""
    module, span = function.module, function.facts.span
    key = ("names read", module.path, span)
    return linker.remembered(key, lambda: sorted(names_read(Paths(module, span).tree)))


def object_of_class(dotted: str, module: Module, linker: Linker) -> Owner | None:
    """The object that a class has in its body under a dotted name of a module: `Channel.END`, `wire.Channel.END`."""
    named, _, attribute = dotted.rpartition(".")
    owner = owner_of(named, module, linker) if named else None
    return _in_body(owner, attribute, linker) if owner is not None else None


def _in_body(owner: Owner, attribute: str, linker: Linker) -> Owner | None:
    """The one object that the body of a class binds to a name; None if objects may have another one."""
    class_ = owner.value
    if not isinstance(class_, ClassValue) or not class_.module.first_party:
        return None
    expression = value_on_class(attribute, class_, linker.classes)
    stored = re.compile(rf"\bself\s*\.\s*{re.escape(attribute)}\s*(?::[^=\n]+)?=(?!=)")
    if expression is None or stored.search(owner.module.facts.text(owner.block)):
        return None
    value = _only([traced.value for traced in linker.evaluate(expression, linker.classes.body_frame(class_))])
    return Owner(owner.module, owner.block, attribute, value, "") if value is not None else None


def place_read(dotted: str, function: WorkerFunction) -> Span | None:
    """Where a function reads a name, as a rule for the first time; not where it only gives an attribute a value."""
    if "." not in dotted:
        own = own_imports_of(function.facts).get(dotted)
        return first_use(dotted, own, function.facts, function.module) if own else function.facts.reads.get(dotted)
    written = re.compile(rf"(?<![\w.]){re.escape(dotted)}\b(?!\s*=(?!=))")
    return outside_comments(written, function.module.code, function.facts.header.end, function.facts.span.end)


def owner_of(dotted: str, module: Module, linker: Linker, own: ImportedName | None = None) -> Owner | None:
    """The object that a dotted name stands for in a module; None if it is a module, or if not exactly one statement of
    a first-party module binds it. `own` is what a function that uses the name has imported by it itself."""
    rest = dotted.partition(".")[2]
    if own is not None:
        name = rest.rpartition(".")[2] or own.name or ""
        places = tuple(linker.own_places.imported(module, own, rest)) or _constant(dotted, module, linker, own)
    else:
        name = name_at_home(dotted, module)
        imported = module.outline.imports.get(dotted.partition(".")[0])
        places = linker.own_places.of_name(module, dotted) or _constant(dotted, module, linker, imported)
    bound = [(home, block) for home, block in places if name in block.names]
    if len(bound) != 1 or not bound[0][0].first_party:
        return None
    home, block = bound[0]
    assigned = _ASSIGNMENT.fullmatch(home.facts.text(block).strip())
    text = " ".join(assigned[1].split()) if assigned is not None else ""
    if constant_in(text) is not None and own is None and name != dotted.rpartition(".")[2]:
        return None  # The name that an import gives it stays as it is, whatever becomes of the other one.
    if constant_in(text) is not None:
        return Owner(home, block, name, ConstantValue(text), text)
    facts = home.facts_of(block) if len(home.outline.binding(name)) == 1 else None
    if facts is None:
        return None
    if name in facts.classes:
        return Owner(home, block, name, linker.classes.module_level(home, facts.classes[name]), "")
    if name in facts.functions:
        return Owner(home, block, name, FunctionValue(home, facts.functions[name]), "")
    expression = facts.values.get(name)
    if linker.moving_to is not None and isinstance(expression, Attribute):
        whole = _object_of_method(expression, home, linker)
        if whole is not None:
            return whole
    if ";" in text or len(block.names) > 1:  # More stands there than one assignment.
        text = " ".join((given_with_others(name, block, home) or "").split())
    values = linker.evaluate(expression, linker.evaluator.module_frame(home, facts.body)) if expression else ()
    value = _only([traced.value for traced in values])
    if isinstance(value, PlainValue) and isinstance(expression, Call) and linker.moving_to is not None:
        value = _with_state(expression, linker.evaluator.module_frame(home, facts.body), linker) or value
    return Owner(home, block, name, value, text) if value is not None else None


def _object_of_method(value: Attribute, module: Module, linker: Linker) -> Owner | None:
    """The object of a module a method of which an expression is: of `_places.get`, `_places`."""
    parts = chain(value)
    owner = owner_of(".".join(parts[:-1]), module, linker) if parts is not None and len(parts) in (2, 3) else None
    if owner is None:
        return None
    match owner.value:
        case ContainerValue(kind=kind) if kind not in SETTINGS:
            return owner
        case InstanceValue() as instance:
            is_method = linker.classes.find_method(instance, value.name) is not None
            is_own = is_method or hasattr(dict, value.name) or hasattr(list, value.name) or hasattr(set, value.name)
            return owner if is_method or (is_own and kind_of_items(instance, linker.classes) is not None) else None
        case _:
            return None


def name_at_home(dotted: str, module: Module) -> str:
    """What the module that defines it calls what a dotted name stands for: `ACTIVE`, after `from rules import ACTIVE as
    enabled`."""
    imported = module.outline.imports.get(dotted)
    return imported.name if imported is not None and imported.name else dotted.rpartition(".")[2]


def _with_state(call: Call, frame: Frame, linker: Linker) -> ExternalResult | None:
    """What a call makes that gives data, if the catalog says that it has a state in memory: `default_rng(5)`."""
    for traced in linker.evaluate(call.function, frame):
        if isinstance(traced.value, ExternalValue):
            made = linker.catalog.returns(traced.value.path)
            if made is not None and linker.catalog.state(made) is not None:
                return ExternalResult(made, call, frame)
    return None


def _only(values: list[AbstractValue]) -> AbstractValue | None:
    """The one value; of what one call gives on several Pythons (`itertools.count`), the first; of an object that is not
    made without its library (`mp.Lock() if mp else None`), that object."""
    made = [value for value in values if not is_none(value)]
    if len(made) == 1 and isinstance(made[0], ProductValue):
        return made[0]
    made_by = {id(value.call) for value in values if isinstance(value, (ContainerValue, ProductValue)) and value.call}
    is_one = len(values) == 1 or (len(made_by) == 1 and all(getattr(value, "call", None) for value in values))
    return values[0] if values and is_one else None


def _constant(
    dotted: str, module: Module, linker: Linker, imported: ImportedName | None
) -> tuple[tuple[Module, Block], ...]:
    """Where a name gets a constant, which outlines leave out."""
    head, _, attribute = dotted.partition(".")
    source = module.absolute(imported, linker.program.finder) if imported is not None else None
    if imported is None or not source:
        return () if attribute else tuple((module, block) for block in module.outline.binding(head))
    path = f"{source}.{imported.name}" if imported.name and attribute else source
    home = linker.program.find(path, module) if attribute or imported.name == head else None
    return tuple((home, block) for block in home.outline.binding(attribute or head)) if home is not None else ()


def is_without_default(value: AbstractValue) -> bool:
    """Whether an object is a context variable that has no value before it is given one."""
    if path_of(value) != CONTEXT_VARIABLE or not isinstance(value, (ExternalResult, ProductValue)):
        return False
    call = value.call
    return call is not None and call.keyword("default") is None and not call.has_unknown_arguments()


def name_of_variable(variable: AbstractValue) -> str | None:
    """The name by which a context variable calls itself, if it is written out: that with which it was made."""
    call = variable.call if isinstance(variable, (ExternalResult, ProductValue)) else None
    name = call.argument("name", 0) if call is not None else None
    return name.value if isinstance(name, Constant) and isinstance(name.value, str) else None


def path_of(value: AbstractValue) -> str | None:
    """The path of the library function or class that made an object, if one did."""
    return value.path if isinstance(value, (ExternalResult, ProductValue)) else None
