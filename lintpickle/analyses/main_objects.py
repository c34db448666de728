"""Module-level objects that only the main process changes: containers, instances, classes, functions.

`main_globals` and `main_attributes` handle values that are constant, empty or missing at import.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial

from msgspec import Struct
from msgspec.structs import replace

from lintpickle.analyses.import_time import functions_of, outside_comments, runs_on_import
from lintpickle.analyses.main_attributes import attributes_set
from lintpickle.analyses.main_globals import (
    TELLS_PROCESSES_APART,
    asks,
    changing,
    may_set_any,
    setters_of,
    setting_of,
    stored_globals,
)
from lintpickle.analyses.main_setters import Met, Setter, Setting, constant_in, is_called, of_the_program, set_by
from lintpickle.control_flow.paths import Paths
from lintpickle.diagnostics import Span
from lintpickle.facts.records import Called, FunctionFacts, ItemStore, Store
from lintpickle.facts.values import Attribute, Call, Constant, Expr, Item, Name, Parameter, chain, without_narrowing
from lintpickle.interpreter.abstract_values import (
    AbstractValue,
    ClassValue,
    ConstantValue,
    ContainerValue,
    ExternalResult,
    FunctionValue,
    InstanceValue,
    ProductValue,
    Site,
)
from lintpickle.interpreter.root_frames import RootFrame
from lintpickle.parsing.names_read import names_read
from lintpickle.parsing.outline import Block
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction, imported_with
from lintpickle.prefilter.words import Words
from lintpickle.program.module import Module

_ASSIGNMENT = re.compile(r"\w+\s*(?::[^=\n]+)?=\s*(.*)", re.DOTALL)
_LONGEST = 30
_PASSED = "{},"
"""How the module whose attribute is set is passed to `setattr`, as a rule."""
_VARIABLE = "contextvars.ContextVar"
_LOCAL = "threading.local"
_OF_THE_CONTEXT = frozenset({_VARIABLE, _LOCAL})
_CHANGING = re.compile(r"=(?!=)|\.\w+\(|\bsetattr\(|\bglobals\(")


class Owner(Struct, frozen=True):
    """An object that a block of a first-party module binds to a name: its value, and the value's text."""

    module: Module
    block: Block
    name: str
    value: AbstractValue
    text: str

    @property
    def still(self) -> Met:
        """What a worker has instead."""
        if isinstance(self.value, FunctionValue):
            return Met("there it is the function that the module defines", "replaced")
        shown = self.text if self.text and len(self.text) <= _LONGEST else ""
        if path_of(self.value) in _OF_THE_CONTEXT:
            return Met("there it has no value of its own, or its default", "set")
        return Met(f"there it is still `{shown}`" if shown else "there it is as at import", "changed")


class Reading(Struct, frozen=True):
    """A place where a worker's function reads an object, as written there (`settings.NAMES`), and whether it checks the
    contents first."""

    written: str
    span: Span
    is_asked: bool


def objects_changed(code: WorkerCode, linker: Linker) -> Iterator[tuple[WorkerFunction, Reading, Setting]]:
    """The objects that the workers of a boundary read, each once, with how the main process changes them."""
    told: set[tuple[str, str]] = set()
    for function in code.functions:
        if not function.module.first_party or function.module.document.cells is not None:
            continue
        for owner, reading in things_read(function, linker):
            key = (owner.module.path, owner.name)
            if key in told or not _is_followed(owner.value) or TELLS_PROCESSES_APART.search(owner.name):
                continue
            setting = _setting(owner, reading, function, code, linker)
            if setting is not None and not _is_told_by_name(owner, reading, function, code, linker):
                told.add(key)
                yield function, setting[0], setting[1]


def _is_told_by_name(
    owner: Owner, reading: Reading, function: WorkerFunction, code: WorkerCode, linker: Linker
) -> bool:
    """Whether `main_globals` names the global that is changed, or `main_attributes` the attribute of a class."""
    asker = code.root.site.module.path
    if not isinstance(owner.value, ClassValue):
        return not may_set_any(function.module) and setting_of(reading.written, function, linker, asker) is not None
    return any(mention.name == reading.written for mention, _ in attributes_set(function, linker, asker))


def _setting(
    owner: Owner, reading: Reading, function: WorkerFunction, code: WorkerCode, linker: Linker
) -> tuple[Reading, Setting] | None:
    """How the main process changes a thing; where it only may, the reading is one that asks."""
    asker = code.root.site.module.path
    doubted = replace(reading, is_asked=True)
    is_empty = isinstance(owner.value, ContainerValue) and not owner.value.slots
    setters = [*_setters(owner, code, linker, asker), *_rebound_where_imported(owner, reading, function, linker, asker)]
    setting = set_by(of_the_program(setters, code, linker), owner.still, linker, asker)
    if setting is not None:
        is_flag = isinstance(owner.value, ConstantValue) and owner.text != "None"  # which code asks for what it says
        return doubted if is_empty else replace(reading, is_asked=reading.is_asked and not is_flag), setting
    setting = set_by(
        of_the_program(_setters_by_any_name(owner, linker, asker), code, linker), owner.still, linker, asker
    )
    if setting is None and isinstance(owner.value, ContainerValue):
        setting = _filled_by_imports(owner, function, code, linker)
    return (doubted, setting) if setting is not None else None


def things_read(function: WorkerFunction, linker: Linker) -> Iterator[tuple[Owner, Reading]]:
    """The objects of first-party modules that a function reads, by a name of its module or as an attribute of one."""
    module, span = function.module, function.facts.span
    key = ("objects read", module.path, span)
    return iter(linker.remembered(key, lambda: tuple(_things_read(function, linker))))


def _things_read(function: WorkerFunction, linker: Linker) -> Iterator[tuple[Owner, Reading]]:
    module, span = function.module, function.facts.span
    if not function.facts.reads:
        return
    names = names_read(Paths(module, span).tree)
    for written in sorted(names):
        head, *rest = written.split(".")
        if head not in function.facts.reads:
            continue
        for dotted in (head, f"{head}.{rest[0]}") if rest else (head,):
            key = ("object", module.path, dotted)
            owner = linker.remembered(key, partial(owner_of, dotted, module, linker))
            place = _place(dotted, function)
            if owner is not None and place is not None:
                yield owner, Reading(dotted, place, asks(dotted, function))
                break


def _place(dotted: str, function: WorkerFunction) -> Span | None:
    """Where a function reads a name, as a rule for the first time."""
    if "." not in dotted:
        return function.facts.reads.get(dotted)
    written = re.compile(rf"(?<![\w.]){re.escape(dotted)}\b")
    return outside_comments(written, function.module.code, function.facts.header.end, function.facts.span.end)


def owner_of(dotted: str, module: Module, linker: Linker) -> Owner | None:
    """The object that a dotted name stands for in a module; None if it is a module, or if not exactly one statement of
    a first-party module binds it."""
    name = dotted.rpartition(".")[2]
    places = linker.own_places.of_name(module, dotted) or _constant(dotted, module, linker)
    bound = [(home, block) for home, block in places if name in block.names]
    if len(bound) != 1 or not bound[0][0].first_party:
        return None
    home, block = bound[0]
    assigned = _ASSIGNMENT.fullmatch(home.facts.text(block).strip())
    text = " ".join(assigned[1].split()) if assigned is not None else ""
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
    values = linker.evaluate(expression, linker.evaluator.module_frame(home, facts.body)) if expression else ()
    return Owner(home, block, name, values[0].value, text) if len(values) == 1 else None


def _constant(dotted: str, module: Module, linker: Linker) -> tuple[tuple[Module, Block], ...]:
    """Where a name gets a constant, which outlines leave out."""
    head, _, attribute = dotted.partition(".")
    imported = module.outline.imports.get(head)
    source = module.absolute(imported, linker.program.finder) if imported is not None else None
    if imported is None or not source:
        return () if attribute else tuple((module, block) for block in module.outline.binding(head))
    path = f"{source}.{imported.name}" if imported.name and attribute else source
    home = linker.program.find(path, module) if attribute or imported.name == head else None
    return tuple((home, block) for block in home.outline.binding(attribute or head)) if home is not None else ()


def _is_followed(value: AbstractValue) -> bool:
    return isinstance(value, (InstanceValue, ClassValue, FunctionValue, ContainerValue, ConstantValue)) or (
        path_of(value) in _OF_THE_CONTEXT
    )


def path_of(value: AbstractValue) -> str | None:
    """The path of the library function or class that made an object, if one did."""
    return value.path if isinstance(value, (ExternalResult, ProductValue)) else None


def _rebound_where_imported(
    owner: Owner, reading: Reading, function: WorkerFunction, linker: Linker, asker: str
) -> Iterator[Setter]:
    """Where the module of a function gives a name that it has imported another value."""
    module = function.module
    if module is not owner.module and reading.written in module.outline.imports:
        for facts in setters_of(reading.written, module):
            for span in _rebound(reading.written, facts, module):
                yield Setter(module, facts, span, is_called(facts, linker, asker))


def _setters_by_any_name(owner: Owner, linker: Linker, asker: str) -> Iterator[Setter]:
    """Where a module, or the object, gets attributes whose names are not written out."""
    if isinstance(owner.value, (InstanceValue, ClassValue)):
        yield from _setters_of_any_attribute(owner, linker, asker)
    own_name = owner.module.name.rpartition(".")[2]
    module = re.escape(own_name)
    form = re.compile(rf"\bsetattr\(\s*(?:\w+\.)*{module},|\bglobals\(\)\s*(?:\.update\(|\[)")
    words, passed = Words({"setattr", "globals"}), re.compile(re.escape(_PASSED.format(own_name)))
    is_own = owner.module.path in linker.first_party.which(words, asker)
    if not is_own and not linker.first_party.is_anywhere(words, asker, passed):
        return
    for root in linker.activations_with(words.words, form, asker):
        home, span = root.frame.module, root.function.span
        found = form.search(home.code, span.start, span.end)
        inner = root.function.functions
        if found is None or any(each.span.start <= found.start() < each.span.end for each in inner):
            continue  # another root has it
        if home is owner.module or found.group().startswith("setattr"):
            yield Setter(home, root.function, Span(*found.span()), True)


def _setters_of_any_attribute(owner: Owner, linker: Linker, asker: str) -> Iterator[Setter]:
    """Where code stores attributes on an object whose names are not written out: `setattr(settings, name, value)`,
    `vars(settings).update(values)`, or a method of it that does so."""
    name = re.escape(owner.name)
    form = re.compile(rf"(?<!\w){name}[\s\\]*\.[\s\\]*[^\W\d]|\b(?:setattr|vars)[\s\\]*\([\w\s.\\]*\b{name}\b")
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
        stores = target is not None and _within(target, owner, module, linker) == ()
        function = event.call.function
        if not stores and isinstance(function, Attribute):
            is_method = _within(function.base, owner, module, linker) == ()
            stores = is_method and _stores_any(function.name, owner, linker)
        if stores:
            yield event.span


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
    facts = _changing_method(method, owner, linker)
    if facts is None:
        return False
    targets = [_gets_any_attribute(event.call) for event in facts.events if isinstance(event, Called)]
    return any(isinstance(each, Parameter) and each.name == facts.parameters[0].name for each in targets)


def _filled_by_imports(owner: Owner, function: WorkerFunction, code: WorkerCode, linker: Linker) -> Setting | None:
    """Whether modules fill a container when they are imported, and none of them is one that workers import."""
    fillers = [facts for facts in changing(owner.name, owner.module) if not facts.is_module_body]
    if any(each.facts in fillers for each in code.functions):
        return None  # Workers fill it themselves.
    filling: list[Module] = []
    for facts in fillers:
        named = _outermost(facts, owner.module)
        for module in linker.first_party.naming_in_text(Words({named.name}), code.root.site.module.path):
            if module is not owner.module and runs_on_import(named, module):
                filling.append(module)
    there = imported_with((function.module, code.root.site.module), linker) if filling else ()
    if not filling or any(module in there for module in filling):
        return None
    met = Met("there it is as the modules left it that workers import", "filled")
    return Setting(met, f"by the import of `{filling[0].name}`, which no worker makes", Site(filling[0], Span(0, 0)))


def _outermost(function: FunctionFacts, module: Module) -> FunctionFacts:
    """The function that is called by name, of one that may stand in another: the maker of a decorator."""
    if not function.is_local:
        return function
    name = function.qualname.partition(".<locals>")[0].rpartition(".")[2]
    holding = functions_of(
        module,
        re.compile(rf"\b{re.escape(name)}\b"),
        lambda each: each.name == name and each.span.start <= function.span.start < each.span.end,
    )
    return next(holding, function)


def _setters(owner: Owner, code: WorkerCode, linker: Linker, asker: str) -> Iterator[Setter]:
    form = _form_of_changes(owner)
    if isinstance(owner.value, ConstantValue):
        return  # the concern of `main_globals` and `main_attributes`
    changes = linker.remembered(("changes of", owner.module.path, owner.block.span, owner.name), dict)
    for root in linker.activations_with({owner.name}, form, asker):
        key = id(root.function)
        if key not in changes:
            changes[key] = tuple(_changes_in(root, owner, linker))
        for span, attribute in changes[key]:
            if attribute is None or _is_mentioned(attribute, code):
                is_sure = _is_before_workers(span, root.function, linker) and is_called(root.function, linker, asker)
                yield Setter(root.frame.module, root.function, span, is_sure)


def _form_of_changes(owner: Owner) -> re.Pattern[str]:
    """What stands where a thing is changed or bound anew: of functions, classes and instances, most code only calls
    them, and passes or imports their names."""
    name = re.escape(owner.name)
    if not isinstance(owner.value, (FunctionValue, ClassValue, InstanceValue)):
        return re.compile(rf"(?<!\w){name}\b")
    stored = rf"\.[\s\\]*{name}\b(?![\s\\]*\()"
    return re.compile(rf"(?<!\w){name}[\s\\]*\.[\s\\]*[^\W\d]|{stored}|\bglobal\b[\w\s,\\]*\b{name}\b|[\"']{name}[\"']")


def _is_before_workers(span: Span, function: FunctionFacts, linker: Linker) -> bool:
    """Whether a place of a function comes before the last start of workers there, if it starts any."""
    started = [each.site.span.start for each in linker.boundary_calls() if each.frame.function is function]
    return not started or span.start < max(started)


def _changes_in(root: RootFrame, owner: Owner, linker: Linker) -> Iterator[tuple[Span, str | None]]:
    """Where a function changes the thing, and which attribute of it; None for the thing itself."""
    module, facts = root.frame.module, root.function
    text = module.code[facts.span.start : facts.span.end]
    if _CHANGING.search(text) is None:
        return
    if module is owner.module and not facts.is_module_body:
        yield from ((span, None) for span in _rebound(owner.name, facts, module))
    for event in facts.events:
        match event:
            case Store(target=target, attribute=attribute, span=span):
                rest = _within(target, owner, module, linker)
                if rest is not None and path_of(owner.value) == _LOCAL:
                    yield span, None
                elif rest is not None and _is_changed_by_store(owner.value, rest, attribute):
                    yield span, rest[0] if rest else attribute
                elif rest is None and attribute == owner.name and _is_module(target, owner, module, linker):
                    yield span, None
            case ItemStore(target=target, span=span):
                inner = without_narrowing(target)
                rest = _within(inner.base if isinstance(inner, Item) else inner, owner, module, linker)
                if rest is not None and (rest or isinstance(owner.value, ContainerValue)):
                    yield span, rest[0] if rest else None
            case Called(call=call) if isinstance(call.function, Attribute):
                rest = _within(call.function.base, owner, module, linker)
                if rest == () and path_of(owner.value) == _VARIABLE and call.function.name == "set":
                    yield event.span, None
                elif rest == ():
                    yield from ((event.span, each) for each in _stored_by(call.function.name, owner, linker))
            case _:
                pass


def _is_changed_by_store(value: AbstractValue, rest: tuple[str, ...], attribute: str) -> bool:
    """Whether to store an attribute changes a thing. Constants of classes are the concern of `main_attributes`."""
    if isinstance(value, ClassValue):
        return bool(rest) or not isinstance(value.facts.body.get(attribute), Constant)
    return isinstance(value, InstanceValue)


def _rebound(name: str, facts: FunctionFacts, module: Module) -> Iterator[Span]:
    if facts in tuple(setters_of(name, module)):
        found = stored_globals(name).search(module.code, facts.span.start, facts.span.end)
        yield Span(*found.span()) if found is not None else facts.header


def _within(target: Expr, owner: Owner, module: Module, linker: Linker) -> tuple[str, ...] | None:
    """What of a thing an expression is: () for itself, the attributes that lead on; None if it is something else."""
    parts = chain(target)
    if parts is None or isinstance(without_narrowing(target), Parameter):
        return None
    for length in (1, 2):
        if len(parts) >= length and parts[length - 1] == owner.name:
            places = linker.own_places.of_name(module, ".".join(parts[:length]))
            if any(home is owner.module and block is owner.block for home, block in places):
                return parts[length:]
    return None


def _is_module(target: Expr, owner: Owner, module: Module, linker: Linker) -> bool:
    """Whether an expression is the module that holds the thing."""
    parts = chain(target)
    if parts is None:
        return False
    places = linker.own_places.of_name(module, f"{'.'.join(parts)}.{owner.name}")
    return any(home is owner.module and block is owner.block for home, block in places)


def _stored_by(method: str, owner: Owner, linker: Linker) -> Iterator[str]:
    """The attributes that a method of the thing stores on it, or puts something into."""
    facts = _changing_method(method, owner, linker)
    if facts is None:
        return
    me = facts.parameters[0].name
    for event in facts.events:
        match event:
            case Store(target=Parameter(name=name), attribute=attribute, guards=()) if name == me:
                yield attribute
            case ItemStore(target=target):
                inner = without_narrowing(target)
                base = without_narrowing(inner.base) if isinstance(inner, Item) else inner
                match base:
                    case Attribute(base=Parameter(name=name), name=attribute) if name == me:
                        yield attribute
                    case _:
                        pass
            case _:
                pass


def _changing_method(method: str, owner: Owner, linker: Linker) -> FunctionFacts | None:
    """The method of that name that gets the thing itself as its first parameter."""
    if not isinstance(owner.value, (InstanceValue, ClassValue)):
        return None
    found = linker.classes.find_method(owner.value, method)
    facts = found[1] if found is not None else None
    if facts is None or not facts.parameters or facts.decorated_by("staticmethod"):
        return None
    is_of_class = facts.decorated_by("classmethod")
    return facts if is_of_class or isinstance(owner.value, InstanceValue) else None


def _is_mentioned(attribute: str, code: WorkerCode) -> bool:
    """Whether code of the workers reads an attribute of that name."""
    reading = re.compile(rf"\.\s*{re.escape(attribute)}\b(?!\s*=[^=])")
    return any(reading.search(each.module.code, each.facts.span.start, each.facts.span.end) for each in code.functions)
