"""Attributes of modules and classes that only the main process sets."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from lintpickle.analyses.at_import.computed_at_import import computed_at_import
from lintpickle.analyses.at_import.import_time import outside_comments
from lintpickle.analyses.at_import.local_imports import own_imports_of
from lintpickle.analyses.at_import.values_at_import import constant_at_import
from lintpickle.analyses.calls_and_values.annotations import class_named_for
from lintpickle.analyses.calls_and_values.hierarchies import class_parameter, names_own_class
from lintpickle.analyses.calls_and_values.mock_patches import PATCH_WORDS, form_patching
from lintpickle.analyses.main_state.asked_globals import asks_if_set
from lintpickle.analyses.main_state.attribute_setters import (
    AttributeOwner,
    form_handing_over,
    form_setting_on,
    form_telling,
    handed_over,
    is_annotated_field,
    is_stored_on_objects,
    may_hand_over,
    sets_any_at_import,
    setters,
    setters_by_any_name,
    stores_any_on_class,
)
from lintpickle.analyses.main_state.classes_given import attributes_of_classes_given
from lintpickle.analyses.main_state.global_setters import setters_of
from lintpickle.analyses.main_state.main_globals import TELLS_PROCESSES_APART
from lintpickle.analyses.main_state.main_setters import (
    Setting,
    constant_in,
    is_called,
    of_reaching_programs,
    set_by,
    still,
    told_apart,
)
from lintpickle.analyses.main_state.sure_failures import failing, insisting, insists
from lintpickle.analyses.main_state.told_setters import may_be_told, told_setters
from lintpickle.control_flow.paths import Paths
from lintpickle.diagnostics import Span
from lintpickle.facts.values import Call, Expr, Imported, Name, Parameter
from lintpickle.imports.module_finder import ModuleFile
from lintpickle.parsing.names_read import names_read
from lintpickle.parsing.outline import Block
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction
from lintpickle.prefilter.words import Words
from lintpickle.program.module import Module

_ATTRIBUTE = re.compile(r"\b(\w+(?:\(\))?)\.(\w+)")
_MOST_BASES = 5
"""How many classes an attribute is sought in, each of which derives from the next."""
_MADE = "()"
"""What stands after the name of a class where an object is made of it: `Images().size`."""

_UNPACKED = r",[\w.*\[\], ]*\)? ?"
"""What stands between a target of an unpacking, other than the last, and the sign: `module.a, module.b = given`."""


class Mention(Struct, frozen=True):
    """The first occurrence of an attribute of a name (`settings.path`) in the text of a function; of an attribute of
    its own module, which it reads as a global, without a name."""

    name: str
    attribute: str
    span: Span

    @property
    def written(self) -> str:
        """The attribute as written in the code: `settings.path`."""
        return f"{self.name}.{self.attribute}" if self.name else self.attribute

    @property
    def what(self) -> str:
        """What a message calls it."""
        return f"`{self.written}`" if self.name else f"the global `{self.written}`"


def attributes_set(function: WorkerFunction, code: WorkerCode, linker: Linker) -> Iterator[tuple[Mention, Setting]]:
    """The attributes that a worker's function reads with their values at import, each with how the main process changes
    it."""
    asker, here = code.root.site.module.path, own_imports_of(function.facts)
    names = names_with_attributes(function)
    owned = {name: attribute_owner(name, function.module, linker, here.get(name)) for name in names}
    if linker.moving_to is not None:
        owned.update(_own_class(function))
    annotated = dict(_classes_annotated(function, linker))
    of_instance = {**annotated, **dict(_class_of_instance(function))}
    if linker.moving_to is not None:
        of_instance.update(_classes_of_made(function, linker))
    owned.update(of_instance)
    own = AttributeOwner(function.module)
    dotted = ((mention, owned.get(mention.name)) for mention in mentions(function)) if any(owned.values()) else ()
    globals_read = ((mention, own) for mention in _globals_read(function, linker, asker))
    for mention, owner in (*dotted, *globals_read, *_of_classes_given(function, linker, asker)):
        is_of_instance = mention.name in of_instance
        owner = _defining(mention.attribute, owner, is_of_instance, linker) if owner is not None else None
        given = _written_at_import(mention.attribute, owner, linker) if owner is not None else None
        if owner is None or given is None:
            continue
        if is_of_instance and is_stored_on_objects(mention.attribute, owner):
            continue
        if mention.name in annotated and is_annotated_field(mention.attribute, owner):
            continue
        if (given != "None" or is_of_instance) and not _may_be_changed(mention.attribute, owner, linker, asker):
            continue
        if not is_read(mention, function) or (given == "None" and _is_left_out(mention.written, function, linker)):
            continue
        setting = _setting(mention.attribute, given, owner, code, linker)
        if setting is not None and given == "None":
            setting = replace(setting, met=failing(setting.met, mention.written, function, linker))
        if setting is not None:
            setting = replace(setting, met=insisting(setting.met, mention.written, given, function, linker))
        if setting is not None:
            yield mention, setting


def _of_classes_given(function: WorkerFunction, linker: Linker, asker: str) -> Iterator[tuple[Mention, AttributeOwner]]:
    for each in attributes_of_classes_given(function, linker, asker):
        mention = Mention(each.holder, each.attribute, each.span)
        yield mention, AttributeOwner(each.owner.module, each.owner.block)


def _is_left_out(written: str, function: WorkerFunction, linker: Linker) -> bool:
    """Whether a function asks if something is set, and goes on without it."""
    return asks_if_set(written, function) and not insists(written, "None", function, linker)


def _globals_read(function: WorkerFunction, linker: Linker, asker: str) -> Iterator[Mention]:
    """The globals of its module that a function reads and that code of other modules may set, as attributes of the
    module. (`main_globals` knows those that functions of the module set, if anybody calls these.)"""
    module = function.module
    for name, span in function.facts.reads.items():
        if not module.outline.binding(name):
            continue
        own = setters_of(name, module)
        if not own or (
            linker.moving_to is not None and not any(is_called(each, module, linker, asker) for each in own)
        ):
            yield Mention("", name, span)


def _defining(attribute: str, owner: AttributeOwner, is_of_instance: bool, linker: Linker) -> AttributeOwner | None:
    """What gives something its attribute at import: itself, or of a class without it, one that it derives from. None if
    a class on the way gives it to its objects."""
    for _ in range(_MOST_BASES):
        if owner.block is None or not owner.block.classes or _binds(attribute, owner.block, owner.module):
            return owner
        if is_of_instance and is_stored_on_objects(attribute, owner):
            return None
        found = [attribute_owner(base, owner.module, linker) for base in owner.block.classes[0].bases]
        bases = [each for each in found if each is not None and each.block is not None]
        if len(bases) != 1:
            return None
        owner = bases[0]
    return None


def _binds(attribute: str, block: Block, module: Module) -> bool:
    """Whether the body of a class binds an attribute."""

    def find() -> bool:
        text, form = module.facts.text(block), rf"^[ \t]+(?:{attribute}[ \t]*[:=]|(?:async )?def {attribute}\b)"
        return attribute in text and re.search(form, text, re.MULTILINE) is not None

    return module.remembered(("binds", block.span.start, attribute), find)


def _own_class(function: WorkerFunction) -> Iterator[tuple[str, AttributeOwner]]:
    """What the first parameter of a class method stands for: the class."""
    me = class_parameter(function.facts)
    block = function.module.outline.block_at(function.facts.span.start)
    if me is not None and block is not None and block.is_class:
        yield me, AttributeOwner(function.module, block)


def _class_of_instance(function: WorkerFunction) -> Iterator[tuple[str, AttributeOwner]]:
    """What gives the first parameter of a method the attributes that it does not have itself: the class."""
    facts, module = function.facts, function.module
    block = module.outline.block_at(facts.span.start)
    is_method = facts.parameters and not facts.decorated_by("classmethod", "staticmethod")
    if block is not None and block.is_class and is_method and facts.qualname == f"{block.names[0]}.{facts.name}":
        yield facts.parameters[0].name, AttributeOwner(module, block)


def _classes_annotated(function: WorkerFunction, linker: Linker) -> Iterator[tuple[str, AttributeOwner]]:
    """The classes of the program of which parameters are objects, as their annotations say: `config: Encoder`."""
    module, span = function.module, function.facts.span
    annotated = module.remembered(("annotations of parameters", span), lambda: tuple(_annotations(function)))
    for parameter, named in annotated:
        owner = attribute_owner(named, module, linker)
        if owner is not None and owner.block is not None and owner.block.is_class:
            yield parameter, owner


def _annotations(function: WorkerFunction) -> Iterator[tuple[str, str]]:
    """The parameters of a function of which it mentions attributes, and the name that the annotation is."""
    facts, text = function.facts, function.text
    for parameter in facts.parameters:
        if f"{parameter.name}." in text and parameter.name not in facts.variables:
            named = class_named_for(Parameter(facts.header, parameter.name, facts.qualname), function.frame)
            if named.isidentifier():
                yield parameter.name, named


def _classes_of_made(function: WorkerFunction, linker: Linker) -> Iterator[tuple[str, AttributeOwner]]:
    """The classes of the objects that a function makes and asks for attributes: by a variable, or on the spot."""
    facts, module, text = function.facts, function.module, function.text
    made = {f"{name}{_MADE}": name for name in facts.reads if f"{name}{_MADE}." in text}
    for variable, value in facts.variables.items():
        if isinstance(value, Call) and isinstance(value.function, Name) and f"{variable}." in text:
            made[variable] = value.function.name
    for written, name in made.items():
        owner = attribute_owner(name, module, linker) if name in facts.reads else None
        if owner is not None and owner.block is not None:
            yield written, owner


def class_named(target: Expr, function: WorkerFunction, linker: Linker) -> AttributeOwner | None:
    """The class of the program that a function names, by its name or that of an object of it: `Job`, `type(self)`."""
    module, facts = function.module, function.facts
    block = module.outline.block_at(facts.span.start)
    if names_own_class(target, facts) and block is not None and block.is_class:
        return AttributeOwner(module, block)
    owner = attribute_owner(target.name, module, linker) if isinstance(target, Name) else None
    return owner if owner is not None and owner.block is not None else None


def names_with_attributes(function: WorkerFunction) -> Iterator[str]:
    """The names of the module's scope, and those that it imports itself, of which the function mentions attributes."""
    code, span = function.module.code, function.facts.span
    return (
        name
        for name in (*function.facts.reads, *own_imports_of(function.facts))
        if code.find(f"{name}.", span.start, span.end) >= 0
    )


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
    if mention.name.endswith(_MADE):
        return True
    names = names_read(Paths(function.module, function.facts.span).tree)
    return any(name == mention.written or name.startswith(f"{mention.written}.") for name in names)


def attribute_owner(name: str, module: Module, linker: Linker, own: Imported | None = None) -> AttributeOwner | None:
    """The first-party module or class that a name stands for, seen over outlines alone. `own` is an import of the
    function that uses it."""
    program, imported = linker.program, own.target if own is not None else module.outline.imports.get(name)
    if imported is not None:
        source = module.absolute(imported, program.finder)
        if not source:
            return None
        path = f"{source}.{imported.name}" if imported.name else source
        if _is_own(program.file_of(path, module)):
            found = program.find(path, module)
            if found is not None:
                return AttributeOwner(found)
        if not _is_own(program.file_of(source, module)):
            return None
    elif not module.outline.binding(name):
        return None
    of_own = linker.own_places.imported(module, own.target, "") if own is not None else None
    places = linker.own_places.of_name(module, name) if of_own is None else of_own
    match [place for place in places if place[1].is_class]:
        case [(home, block)] if home.first_party:
            return AttributeOwner(home, block)
        case _:
            return None


def _is_own(file: ModuleFile | None) -> bool:
    return file is not None and file.first_party


def attribute_at_import(attribute: str, owner: AttributeOwner, linker: Linker) -> str | None:
    """The constant that the attribute has after the import, as written in the code."""
    question = ("constant at import", attribute, owner.block.span if owner.block is not None else None)
    return owner.module.remembered(question, lambda: _constant(attribute, owner, linker))


def _written_at_import(attribute: str, owner: AttributeOwner, linker: Linker) -> str | None:
    """The same, or what the import computes of a module's attribute."""
    constant = attribute_at_import(attribute, owner, linker)
    if constant is not None or owner.block is not None or not _is_bound_here(attribute, owner, linker):
        return constant
    return computed_at_import(attribute, owner.module.outline.binding(attribute), owner.module, linker.program)


def _is_bound_here(attribute: str, owner: AttributeOwner, linker: Linker) -> bool:
    module = owner.module
    is_bound = bool(module.outline.binding(attribute)) and attribute not in module.outline.imports
    return is_bound and not linker.evaluator.names.may_come_by_star(module, attribute)


def _constant(attribute: str, owner: AttributeOwner, linker: Linker) -> str | None:
    module = owner.module
    if owner.block is not None:
        if any(base.endswith("Enum") for header in owner.block.classes for base in header.bases):
            return None
        form = rf"^[ \t]+{attribute}[ \t]*(?::[^=\n]+)?=[ \t]*(.*?)[ \t]*(?:#.*)?$"
        values = re.findall(form, module.facts.text(owner.block), re.MULTILINE)
        return constant_in(values[0]) if len(values) == 1 else None
    if not _is_bound_here(attribute, owner, linker):
        return None
    return constant_at_import(attribute, module.outline.binding(attribute), module)


def _may_be_changed(attribute: str, owner: AttributeOwner, linker: Linker, asker: str) -> bool:
    """Whether some code sets the attribute of that owner, by the owner's own name or as a global of the module. That is
    asked of constants, of which there are many."""
    if TELLS_PROCESSES_APART.search(attribute):
        return False
    if owner.block is None and setters_of(attribute, owner.module):
        return True
    if owner.block is not None and linker.moving_to is not None:
        stored = re.compile(rf"(?:\b(?:{owner.name}|cls|__class__)|\))\.{attribute} ?(?:[-+*/|&]?|{_UNPACKED})=(?!=)")
        is_stored = linker.first_party.is_anywhere(Words({f".{attribute}"}), asker, stored)
        handing_over = form_handing_over(owner)
        return (
            is_stored
            or stores_any_on_class(owner)
            or linker.first_party.is_anywhere(Words({owner.name}), asker, handing_over)
            or linker.first_party.is_anywhere(Words({owner.name}), asker, form_telling(attribute, owner))
            or linker.first_party.is_anywhere(Words({"setattr"}), asker, form_setting_on(owner, attribute))
            or _may_be_patched(attribute, linker, asker)
        )
    if owner.block is not None:
        names = (owner.name, "cls", "self.__class__", "type(self)")
        written = {f"{name}.{attribute}{equals}" for name in names for equals in (" =", "=", ",")}
        stored = re.compile(rf"\b(?:{'|'.join(map(re.escape, names))})\.{attribute} ?(?:{_UNPACKED})?=(?!=)")
        return linker.first_party.is_anywhere(Words(written), asker, stored) or may_hand_over(owner, linker, asker)
    operation = r"[-+*/|&%]|//|\*\*"
    stored = re.compile(rf"\w\.{attribute} ?(?:{operation}|{_UNPACKED})?=(?!=)")  # of a module, by whatever name
    if linker.first_party.is_anywhere(Words({f".{attribute}"}), asker, stored):
        return True
    if may_be_told(attribute, linker, asker):
        return True
    if linker.moving_to is None:
        return False
    is_handed_over = linker.first_party.is_anywhere(Words({owner.name}), asker, form_handing_over(owner))
    return is_handed_over or _may_be_patched(attribute, linker, asker)


def _may_be_patched(attribute: str, linker: Linker, asker: str) -> bool:
    return linker.first_party.is_anywhere(Words(PATCH_WORDS), asker, form_patching(attribute))


def _setting(attribute: str, written: str, owner: AttributeOwner, code: WorkerCode, linker: Linker) -> Setting | None:
    """How only the main process sets an attribute. What modules on the way to where the workers start set comes
    first."""
    asker, way = code.root.site.module.path, {site.module.path for site in code.way}
    is_asked = linker.moving_to is not None or may_hand_over(owner, linker, asker)
    handing = [*handed_over(attribute, owner, linker, asker)] if is_asked else []
    if linker.moving_to is not None:
        handing += setters_by_any_name(attribute, owner, linker, asker)
    setting = None
    if not sets_any_at_import(attribute, owner, linker) and not is_stored_at_import(attribute, linker, asker):
        found = [
            *setters(attribute, written, owner, linker, asker),
            *(setter for setter, is_sure in handing if is_sure),
            *told_setters(attribute, owner, linker, asker),
        ]
        reaching = of_reaching_programs(found, way, linker, asker)
        found = sorted(reaching, key=lambda setter: setter.module.path not in way)
        setting = set_by(told_apart(found, code, linker), still(written), linker, asker, constant_in(written))
    if setting is None and linker.moving_to is not None:
        doubted = [setter for setter, is_sure in handing if not is_sure]
        setting = set_by(told_apart(doubted, code, linker), still(written), linker, asker)
        return replace(setting, is_doubted=True) if setting is not None else None
    return setting


def is_stored_at_import(attribute: str, linker: Linker, asker: str) -> bool:
    """Whether a statement of some module, by itself, stores an attribute of that name on something."""
    statement = re.compile(rf"^[\w.]+\.\s*{attribute}\s*(?::[^=\n]+)?=(?!=)", re.MULTILINE)
    return linker.first_party.is_anywhere(Words({attribute}), asker, statement)
