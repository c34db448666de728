"""Attributes of modules and classes that only the main process sets."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from lintpickle.analyses.asked_globals import asks
from lintpickle.analyses.class_objects import is_class_of_me
from lintpickle.analyses.global_setters import setters_of, value_set
from lintpickle.analyses.import_time import functions_of, outside_comments
from lintpickle.analyses.main_globals import TELLS_PROCESSES_APART
from lintpickle.analyses.main_setters import Setter, Setting, changes, constant_in, is_called, set_by, still
from lintpickle.analyses.sure_failures import failing
from lintpickle.analyses.values_at_import import constant_at_import
from lintpickle.control_flow.paths import Paths
from lintpickle.diagnostics import Span
from lintpickle.facts.records import FunctionFacts, Store
from lintpickle.facts.values import Expr, Parameter
from lintpickle.imports.module_finder import ModuleFile
from lintpickle.interpreter.abstract_values import ClassValue, ModuleValue, is_indefinite
from lintpickle.interpreter.root_frames import RootFrame
from lintpickle.parsing.names_read import names_read
from lintpickle.parsing.outline import Block
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerFunction
from lintpickle.prefilter.words import Words
from lintpickle.program.module import Module

_ATTRIBUTE = re.compile(r"\b(\w+)\.(\w+)")
_BY_ANY_NAME = re.compile(r"\b(?:setattr|vars|globals)\s*\(|\.__dict__\b|\bdef __getattr__\b")
"""Ways to set attributes whose names are not literals."""


_BY_ANY_NAME_ON_CLASS = re.compile(r"\bsetattr\(\s*(?:\w+\.__class__|type\(\s*\w+\s*\)|cls)\s*,\s*(?![\"'])")
"""How a method sets attributes of its class whose names are not literals."""


class _Owner(Struct, frozen=True):
    """A module of the program, or the class that a block of it defines."""

    module: Module
    block: Block | None = None

    @property
    def name(self) -> str:
        return self.block.names[0] if self.block is not None else self.module.name.rpartition(".")[2]


class Mention(Struct, frozen=True):
    """The first occurrence of an attribute of a name (`settings.path`) in the text of a function."""

    name: str
    attribute: str
    span: Span

    @property
    def written(self) -> str:
        """The attribute as written in the code: `settings.path`."""
        return f"{self.name}.{self.attribute}"


def attributes_set(function: WorkerFunction, linker: Linker, asker: str) -> Iterator[tuple[Mention, Setting]]:
    """The attributes that a worker's function reads with their values at import, each with how the main process changes
    it. `asker` is as for `OwnModules.search`."""
    owned = {name: _owner(name, function.module, linker) for name in names_with_attributes(function)}
    if linker.moving_to is not None:
        owned.update(_own_class(function))
    of_instance = dict(_class_of_instance(function))
    owned.update(of_instance)
    for mention in mentions(function) if any(owned.values()) else ():
        owner = owned.get(mention.name)
        constant = _at_import(mention.attribute, owner, linker) if owner is not None else None
        if owner is None or constant is None:
            continue
        is_of_instance = mention.name in of_instance
        if is_of_instance and _is_stored_on_objects(mention.attribute, owner):
            continue
        if (constant != "None" or is_of_instance) and not _may_be_changed(mention.attribute, owner, linker, asker):
            continue
        if not is_read(mention, function) or (constant == "None" and asks(mention.written, function)):
            continue
        setting = _setting(mention.attribute, constant, owner, linker, asker)
        if setting is not None and constant == "None":
            setting = replace(setting, met=failing(setting.met, mention.written, function, linker))
        if setting is not None:
            yield mention, setting


def _own_class(function: WorkerFunction) -> Iterator[tuple[str, _Owner]]:
    """What the first parameter of a class method stands for: the class."""
    me = _class_parameter(function.facts)
    block = function.module.outline.block_at(function.facts.span.start)
    if me is not None and block is not None and block.is_class:
        yield me, _Owner(function.module, block)


def _class_of_instance(function: WorkerFunction) -> Iterator[tuple[str, _Owner]]:
    """What gives the first parameter of a method the attributes that it does not have itself: the class."""
    facts, module = function.facts, function.module
    block = module.outline.block_at(facts.span.start)
    is_method = facts.parameters and not facts.decorated_by("classmethod", "staticmethod")
    if block is not None and block.is_class and is_method and facts.qualname == f"{block.names[0]}.{facts.name}":
        yield facts.parameters[0].name, _Owner(module, block)


def _is_stored_on_objects(attribute: str, owner: _Owner) -> bool:
    """Whether code of the class may give its objects an attribute of that name."""
    assert owner.block is not None
    text, question = owner.module.facts.text(owner.block), ("stored on objects", attribute, owner.block.span)
    return owner.module.remembered(question, lambda: _stores_on_objects(attribute, owner.name, text))


def _stores_on_objects(attribute: str, class_name: str, text: str) -> bool:
    classes = (rf"(?<!\b{name}\.{attribute})" for name in ("cls", "__class__", class_name))
    stored = re.compile(rf"\.{attribute}\b{''.join(classes)}\s*(?::[^=\n]+)?(?:[-+*/|&]?=(?!=)|,)")
    return stored.search(text) is not None


def _class_parameter(facts: FunctionFacts) -> str | None:
    """The name of the parameter of a class method that is the class."""
    return facts.parameters[0].name if facts.parameters and facts.decorated_by("classmethod") else None


def names_with_attributes(function: WorkerFunction) -> Iterator[str]:
    """The names of the module's scope of which the function mentions attributes."""
    code, span = function.module.code, function.facts.span
    return (name for name in function.facts.reads if code.find(f"{name}.", span.start, span.end) >= 0)


def mentions(function: WorkerFunction) -> tuple[Mention, ...]:
    """The attributes that stand in the text of a function, each once. Many boundaries ask of one function."""
    module, span = function.module, function.facts.span
    return module.remembered(("attributes mentioned", span), lambda: tuple(_mentioned(module.code, span)))


def _mentioned(code: str, span: Span) -> Iterator[Mention]:
    seen: set[str] = set()
    for found in _ATTRIBUTE.finditer(code, span.start, span.end):
        if found.group() not in seen:
            seen.add(found.group())
            written = re.compile(rf"\b{re.escape(found.group())}\b")
            place = outside_comments(written, code, found.start(), span.end) or Span(*found.span())
            yield Mention(found.group(1), found.group(2), place)


def is_read(mention: Mention, function: WorkerFunction) -> bool:
    """Whether the function's code reads the attribute, rather than only naming it in a string or comment."""
    names = names_read(Paths(function.module, function.facts.span).tree)
    return any(name == mention.written or name.startswith(f"{mention.written}.") for name in names)


def _owner(name: str, module: Module, linker: Linker) -> _Owner | None:
    """The first-party module or class that a name stands for, seen over outlines alone."""
    program, imported = linker.program, module.outline.imports.get(name)
    if imported is not None:
        source = module.absolute(imported, program.finder)
        if not source:
            return None
        path = f"{source}.{imported.name}" if imported.name else source
        if _is_own(program.file_of(path, module)):
            found = program.find(path, module)
            if found is not None:
                return _Owner(found)
        if not _is_own(program.file_of(source, module)):
            return None
    elif not module.outline.binding(name):
        return None
    places = linker.own_places.of_name(module, name)
    match [place for place in places if place[1].is_class]:
        case [(home, block)] if home.first_party:
            return _Owner(home, block)
        case _:
            return None


def _is_own(file: ModuleFile | None) -> bool:
    return file is not None and file.first_party


def _at_import(attribute: str, owner: _Owner, linker: Linker) -> str | None:
    """The constant that the attribute has after the import, as written in the code."""
    question = ("constant at import", attribute, owner.block.span if owner.block is not None else None)
    return owner.module.remembered(question, lambda: _constant(attribute, owner, linker))


def _constant(attribute: str, owner: _Owner, linker: Linker) -> str | None:
    module = owner.module
    if owner.block is not None:
        if any(base.endswith("Enum") for header in owner.block.classes for base in header.bases):
            return None
        form = rf"^[ \t]+{attribute}[ \t]*(?::[^=\n]+)?=[ \t]*(.*?)[ \t]*(?:#.*)?$"
        values = re.findall(form, module.facts.text(owner.block), re.MULTILINE)
        return constant_in(values[0]) if len(values) == 1 else None
    blocks = module.outline.binding(attribute)
    if not blocks or attribute in module.outline.imports or linker.evaluator.names.may_come_by_star(module, attribute):
        return None
    return constant_at_import(attribute, blocks, module)


def _may_be_changed(attribute: str, owner: _Owner, linker: Linker, asker: str) -> bool:
    """Whether some code sets the attribute of that owner, by the owner's own name or as a global of the module. That is
    asked of constants, of which there are many."""
    if TELLS_PROCESSES_APART.search(attribute):
        return False
    if owner.block is None and setters_of(attribute, owner.module):
        return True
    if owner.block is not None:
        names = {owner.name} if linker.moving_to is None else {owner.name, "cls", "__class__", ")"}
        written = {f"{name}.{attribute}{equals}" for name in names for equals in (" =", "=")}
        named = "|".join(rf"\b{name}" if name != ")" else r"\)" for name in sorted(names))
        stored = re.compile(rf"(?:{named})\.{attribute} ?=(?!=)")
        if linker.first_party.is_anywhere(Words(written), asker, stored):
            return True
        return linker.moving_to is not None and owner.module.has(_BY_ANY_NAME_ON_CLASS)
    stored = re.compile(rf"\w\.{attribute} ?=(?!=)")  # of a module, by whatever name it was imported
    return linker.first_party.is_anywhere(Words({f".{attribute} =", f".{attribute}="}), asker, stored)


def _setting(attribute: str, constant: str, owner: _Owner, linker: Linker, asker: str) -> Setting | None:
    if linker.moving_to is not None and owner.block is not None and owner.module.has(_BY_ANY_NAME_ON_CLASS):
        setting = set_by(_setters_by_any_name(owner, linker, asker), still(constant), linker, asker)
        return replace(setting, is_doubted=True) if setting is not None else None
    if owner.module.has(_BY_ANY_NAME) or _is_stored_at_import(attribute, linker, asker):
        return None
    return set_by(_setters(attribute, constant, owner, linker, asker), still(constant), linker, asker)


def _setters_by_any_name(owner: _Owner, linker: Linker, asker: str) -> Iterator[Setter]:
    module = owner.module
    for facts in functions_of(module, _BY_ANY_NAME_ON_CLASS, lambda facts: not facts.is_module_body):
        found = _BY_ANY_NAME_ON_CLASS.search(module.code, facts.span.start, facts.span.end)
        if found is not None and module.outline.block_at(facts.span.start) is owner.block:
            yield Setter(module, facts, Span(*found.span()), is_called(facts, linker, asker))


def _is_stored_at_import(attribute: str, linker: Linker, asker: str) -> bool:
    """Whether a statement of some module, by itself, stores an attribute of that name on something."""
    statement = re.compile(rf"^[\w.]+\.\s*{attribute}\s*(?::[^=\n]+)?=(?!=)", re.MULTILINE)
    return linker.first_party.is_anywhere(Words({attribute}), asker, statement)


def _setters(attribute: str, constant: str, owner: _Owner, linker: Linker, asker: str) -> Iterator[Setter]:
    def is_change(facts: FunctionFacts, value: Expr | None) -> bool:
        return constant == "None" or (changes(value, constant) and is_called(facts, linker, asker))

    if owner.block is None:
        for facts in setters_of(attribute, owner.module):
            yield Setter(owner.module, facts, facts.header, is_change(facts, value_set(attribute, facts)))
    stored = re.compile(rf"(?<!\bself)\.\s*{attribute}\s*(?:(?::[^=\n]+)?=(?!=)|,)")
    for root in linker.activations_with({attribute}, stored, asker):
        for event in root.function.events:
            if isinstance(event, Store) and event.attribute == attribute:
                certain = _is_of(owner, event, root, linker)
                if certain is not False:
                    is_sure = certain is True and is_change(root.function, event.value)
                    yield Setter(root.frame.module, root.function, event.span, is_sure)
    by_any_name = re.compile(rf"\b(?:setattr|vars)\(\s*(?:\w+\.)*{owner.name}\b")
    for root in linker.activations_with({"setattr"}, by_any_name, asker):
        module, span = root.frame.module, root.function.span
        if by_any_name.search(module.code, span.start, span.end):
            yield Setter(module, root.function, span, False)


def _is_of(owner: _Owner, store: Store, root: RootFrame, linker: Linker) -> bool | None:
    """Whether something is stored on the owner; None if that is not known."""
    module = root.frame.module
    if isinstance(store.target, Parameter) and store.target.name == _class_parameter(root.function):
        return (
            module is owner.module
            and owner.block is not None
            and owner.block is module.outline.block_at(root.function.span.start)
        )
    if is_class_of_me(store.target, root.function):
        return module is owner.module and owner.block is module.outline.block_at(root.function.span.start)
    values = [traced.value for traced in linker.evaluate(store.target, root.frame)]
    for value in values:
        match value:
            case ModuleValue(name=path) if owner.block is None and linker.program.find(path, module) is owner.module:
                return True
            case ClassValue(facts=facts, module=home) if owner.block is not None and home is owner.module:
                if owner.block.span.start <= facts.span.start < owner.block.span.end and not facts.is_local:
                    return True
            case _:
                pass
    return None if any(map(is_indefinite, values)) else False
