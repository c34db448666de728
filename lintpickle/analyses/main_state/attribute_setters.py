"""The places that set an attribute of a module, or of a class."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import lru_cache, partial

from msgspec import Struct

from lintpickle.analyses.at_import.import_runs import runs_on_import
from lintpickle.analyses.at_import.import_time import functions_of
from lintpickle.analyses.calls_and_values.hierarchies import names_own_class
from lintpickle.analyses.calls_and_values.mock_patches import (
    PATCH_WORDS,
    calls_in_force,
    form_patching,
    is_patch,
    patched_by,
)
from lintpickle.analyses.main_state.global_setters import places_set, setters_of, value_set
from lintpickle.analyses.main_state.keywords_told import names_told
from lintpickle.analyses.main_state.main_setters import Setter, changes_written, is_called
from lintpickle.analyses.main_state.names_in_tables import names_gone_through
from lintpickle.analyses.main_state.stores_by_name import functions_storing
from lintpickle.diagnostics import Span
from lintpickle.facts.methods import owns
from lintpickle.facts.records import Called, FunctionFacts, ItemStore, Store
from lintpickle.facts.values import UNNAMED, Attribute, Call, Constant, Expr, Parameter, without_narrowing
from lintpickle.interpreter.abstract_values import ClassValue, Frame, FunctionValue, ModuleValue, is_indefinite
from lintpickle.interpreter.root_frames import RootFrame
from lintpickle.parsing.outline import Block
from lintpickle.payload.linker import Linker
from lintpickle.prefilter.words import Words
from lintpickle.program.module import Module

_BY_ANY_NAME = re.compile(r"\b(?:setattr|vars|globals)\s*\(|\.__dict__\b|\bdef __getattr__\b")
"""Ways to set attributes whose names are not literals."""
_BY_ANY_NAME_ON_CLASS = re.compile(r"\bsetattr\(\s*(?:\w+\.__class__|type\(\s*\w+\s*\)|cls)\s*,\s*(?![\"'])")
"""How a method sets attributes of its class whose names are not literals."""
_SETTING_ANY = Words({"setattr"})
_OPERATION = r"[-+*/%|&^@<>]{0,3}"
_ANYTHING = r"[^,\n]+"
_TARGETS = r"[\w.*\[\], ]*"


class AttributeOwner(Struct, frozen=True):
    """A module of the program, or the class that a block of it defines."""

    module: Module
    block: Block | None = None

    @property
    def name(self) -> str:
        """What code calls it."""
        return self.block.names[0] if self.block is not None else self.module.name.rpartition(".")[2]

    def holds(self, module: Module, span: Span) -> bool:
        """Whether it is the class in whose block something stands."""
        return self.block is not None and module is self.module and self.block is module.outline.block_at(span.start)


class _Stored(Struct, frozen=True):
    """A statement that gives an attribute of something a value; None for one that an operator makes (`+= 1`)."""

    target: Expr
    value: Expr | None
    span: Span


def is_stored_on_objects(attribute: str, owner: AttributeOwner) -> bool:
    """Whether code of the class may give its objects an attribute of that name."""
    assert owner.block is not None
    text, question = owner.module.facts.text(owner.block), ("stored on objects", attribute, owner.block.span)
    return owner.module.remembered(question, lambda: _stores_on_objects(attribute, owner.name, text))


def _stores_on_objects(attribute: str, class_name: str, text: str) -> bool:
    return attribute in text and _storing(attribute, class_name).search(text) is not None


@lru_cache(maxsize=2048)
def _storing(attribute: str, class_name: str) -> re.Pattern[str]:
    classes = (rf"(?<!\b{name}\.{attribute})" for name in ("cls", "__class__", class_name))
    of_object = rf"\.{attribute}\b{''.join(classes)}(?<!\)\.{attribute})\s*"
    alone = rf"{of_object}(?::[^=\n]+)?{_OPERATION}=(?!=)"
    unpacked = rf"^[ \t]*[(\[]?{_TARGETS}{of_object},{_TARGETS}[)\]]?\s*=(?!=)"
    return re.compile(rf"{alone}|{unpacked}", re.MULTILINE)


def is_annotated_field(attribute: str, owner: AttributeOwner) -> bool:
    """Whether the body of the class has an annotation for an attribute that may make it a field, of which each object
    has a value of its own (measured with dataclasses of CPython 3.11: setting it on the class later changes none)."""
    assert owner.block is not None
    form = re.compile(rf"^[ \t]+{attribute}[ \t]*:(?!.*\bClassVar\b)", re.MULTILINE)
    return form.search(owner.module.facts.text(owner.block)) is not None


def sets_any_at_import(attribute: str, owner: AttributeOwner, linker: Linker) -> bool:
    """Whether code of the module may give it, or its class, an attribute whose name stands nowhere behind a dot: by
    now, it does so when it is imported."""
    module = owner.module
    if not module.has(_BY_ANY_NAME):
        return False
    if owner.block is not None:
        setting = functions_storing(attribute, owner.block, module, linker)
    elif linker.moving_to is None:
        return True
    else:
        setting = functions_of(module, _BY_ANY_NAME, lambda facts: _sets_any(facts, module))
    if linker.moving_to is None:
        return any(True for _ in setting)
    return any(facts.is_module_body or runs_on_import(facts, module, linker) for facts in setting)


def _sets_any(facts: FunctionFacts, module: Module) -> bool:
    places = _BY_ANY_NAME.finditer(module.code, facts.span.start, facts.span.end)
    return any(owns(facts, found.start()) for found in places)


def stores_any_on_class(owner: AttributeOwner) -> bool:
    """Whether code of the class's module sets attributes of a class whose names are not literals."""
    return owner.block is not None and owner.module.has(_BY_ANY_NAME_ON_CLASS)


def setters_by_any_name(
    attribute: str, owner: AttributeOwner, linker: Linker, asker: str
) -> Iterator[tuple[Setter, bool]]:
    """Where methods of a class set attributes of it whose names are not literals, each with whether it surely is that
    one: who calls the method names it (`configure(rate=5)`), or gives it what a text of the program names."""
    module = owner.module
    for facts in functions_of(module, _BY_ANY_NAME_ON_CLASS, lambda facts: not facts.is_module_body):
        found = _BY_ANY_NAME_ON_CLASS.search(module.code, facts.span.start, facts.span.end)
        if found is not None and owner.holds(module, facts.span):
            told = names_told(facts, module, linker, asker)
            if told is not None and attribute not in told:
                continue
            is_sure = told is not None or _is_named_in_call(attribute, facts, linker, asker)
            yield Setter(module, facts, Span(*found.span()), is_called(facts, module, linker, asker)), is_sure


def _is_named_in_call(attribute: str, method: FunctionFacts, linker: Linker, asker: str) -> bool:
    if not any(each.kind == "**" for each in method.parameters):
        return False
    called = rf"\.{re.escape(method.name)}\((?:[^()]|\([^()]*\))*"
    naming = re.compile(rf"{called}(?<![\w.]){re.escape(attribute)}\s*=(?!=)")
    if linker.first_party.is_anywhere(Words({attribute}), asker, naming):
        return True
    handing = re.compile(rf"{called}(?<!\*)\*\*(?!\*)")
    is_handed = linker.first_party.is_anywhere(Words({method.name}), asker, handing)
    return is_handed and is_option(attribute, linker, asker)


def form_telling(attribute: str, owner: AttributeOwner) -> re.Pattern[str]:
    """What stands where a method of a class is told an attribute, be it one of a base (`SIR.configure(beta=1)`)."""
    return re.compile(
        rf"(?<!\w){re.escape(owner.name)}\.\w+\((?:[^()]|\([^()]*\))*(?<![\w.]){re.escape(attribute)}\s*=(?!=)"
    )


def form_handing_over(owner: AttributeOwner) -> re.Pattern[str]:
    """What stands where a function is given a class or module first: `configure(Images, 3)`."""
    no_class = r"(?<!class )\b(?!isinstance\b|issubclass\b|super\b|type\b)"
    return re.compile(rf"{no_class}\w+\(\s*(?:\w+\.)*{re.escape(owner.name)}\s*[,)]")


def handed_over(attribute: str, owner: AttributeOwner, linker: Linker, asker: str) -> Iterator[tuple[Setter, bool]]:
    """Where a class or module is given to a function that sets the attribute of it, each with whether it surely is that
    one: a function that sets any (`setattr(cls, name, value)`) may be told the name as that of an argument."""
    for root in linker.activations_with({owner.name}, form_handing_over(owner), asker):
        for event in root.function.events:
            given = event.call.positional() if isinstance(event, Called) else None
            if not isinstance(event, Called) or not given or _is_of(owner, given[0], root, linker) is not True:
                continue
            for traced in linker.evaluate(event.call.function, root.frame):
                function = traced.value
                if isinstance(function, FunctionValue) and function.bound is None and function.facts.parameters:
                    parameter = function.facts.parameters[0].name
                    is_named = _sets(attribute, parameter, function.facts)
                    is_any = _may_set(attribute, parameter, function, linker)
                    if is_named or is_any:
                        certain = is_called(root.function, root.frame.module, linker, asker)
                        setter = Setter(root.frame.module, root.function, event.span, certain)
                        is_told = event.call.keyword(attribute) is not None or _is_in_text(attribute, setter.module)
                        yield setter, is_named or is_told
                        yield Setter(function.module, function.facts, function.facts.header, False), is_named or is_told


def may_hand_over(owner: AttributeOwner, linker: Linker, asker: str) -> bool:
    """Whether code that is not asked for what depends on `fork` may give a class to a function that sets attributes of
    it whose names are not literals."""
    return (
        owner.block is not None
        and linker.first_party.is_anywhere(_SETTING_ANY, asker)
        and linker.first_party.is_anywhere(Words({owner.name}), asker, form_handing_over(owner))
    )


def _is_in_text(attribute: str, module: Module) -> bool:
    """Whether the name of an attribute is the text of a string of a module, or quoted in one (JSON)."""
    return re.search(rf"""["']{attribute}\\?["']""", module.code) is not None


def _sets(attribute: str, parameter: str, facts: FunctionFacts) -> bool:
    targets = (without_narrowing(each.target) for each in _stored(attribute, facts))
    return any(isinstance(target, Parameter) and target.name == parameter for target in targets)


def _may_set(attribute: str, parameter: str, function: FunctionValue, linker: Linker) -> bool:
    """Whether a function stores on a parameter under names that are not written out, of which this may be one."""
    for event in function.facts.events:
        if isinstance(event, Store) and event.key is not None:
            target = without_narrowing(event.target)
            if isinstance(target, Parameter) and target.name == parameter:
                names = names_gone_through(event.key, function.module, linker)
                if names is None or attribute in names:
                    return True
    return False


def setters(attribute: str, written: str, owner: AttributeOwner, linker: Linker, asker: str) -> Iterator[Setter]:
    """The places that set an attribute whose value at import is written so, or may do so."""

    def is_change(facts: FunctionFacts, module: Module, value: Expr | None) -> bool:
        return written == "None" or (
            changes_written(value, written, module) and is_called(facts, module, linker, asker)
        )

    if owner.block is None:
        for facts in setters_of(attribute, owner.module):
            is_sure = is_change(facts, owner.module, value_set(attribute, facts))
            for span in places_set(attribute, facts, owner.module):
                yield Setter(owner.module, facts, span, is_sure)
    operation = _OPERATION if linker.moving_to is not None else ""
    by_text = rf"|{_by_text(attribute, _ANYTHING)}" if linker.moving_to is not None else ""
    stored = re.compile(rf"(?<!\bself)\.\s*{attribute}\s*(?:(?::[^=\n]+)?{operation}=(?!=)|,){by_text}")
    for root in linker.activations_with({attribute}, stored, asker):
        for each in _stored(attribute, root.function):
            if each.value is None and linker.moving_to is None:
                continue
            certain = _is_of(owner, each.target, root, linker)
            if certain is not False:
                is_sure = certain is True and is_change(root.function, root.frame.module, each.value)
                yield Setter(root.frame.module, root.function, each.span, is_sure)
    if linker.moving_to is not None:
        yield from _patches(attribute, owner, linker, asker)
    by_any_name = re.compile(rf"\b(?:setattr|vars)\(\s*(?:\w+\.)*{owner.name}\b")
    for root in linker.activations_with({"setattr"}, by_any_name, asker):
        module, span = root.frame.module, root.function.span
        places = by_any_name.finditer(module.code, span.start, span.end)
        if any(owns(root.function, found.start()) for found in places):
            yield Setter(module, root.function, span, False)
            if linker.moving_to is not None and owner.block is not None and is_option(attribute, linker, asker):
                yield from _by_each_name(owner, root, linker, asker)


def _by_each_name(owner: AttributeOwner, root: RootFrame, linker: Linker, asker: str) -> Iterator[Setter]:
    """Where a loop of a function stores on a class what it goes through: `setattr(Settings, name, value)`."""
    for event in root.function.events:
        match event:
            case Store(attribute=name, target=target, key=key) if name == UNNAMED and not isinstance(key, Constant):
                if _is_of(owner, target, root, linker) is True:
                    is_sure = is_called(root.function, root.frame.module, linker, asker)
                    yield Setter(root.frame.module, root.function, event.span, is_sure)
            case _:
                pass


def is_option(attribute: str, linker: Linker, asker: str) -> bool:
    """Whether the text of a string of the program is the name of an attribute, or of an option that is stored under it:
    `parser.add_argument("--batch-size")`."""
    written = attribute.replace("_", "[-_]")
    form = re.compile(rf"""["'](?:--?)?{written}\\?["']""")
    return linker.first_party.is_anywhere(Words({attribute, attribute.replace("_", "-")}), asker, form)


def _by_text(attribute: str, holder: str) -> str:
    """How `setattr` gives something an attribute whose name is written out."""
    return rf"""\bsetattr\(\s*{holder}\s*,\s*["']{attribute}["']"""


def form_setting_on(owner: AttributeOwner, attribute: str) -> re.Pattern[str]:
    """How `setattr` gives a class an attribute, of that name or of one that is not written out."""
    holder = rf"(?:\w+\.)*{owner.name}"
    return re.compile(rf"""{_by_text(attribute, holder)}|\bsetattr\(\s*{holder}\s*,\s*(?!["'])""")


def _patches(attribute: str, owner: AttributeOwner, linker: Linker, asker: str) -> Iterator[Setter]:
    for root in linker.activations_with(PATCH_WORDS, form_patching(attribute), asker):
        is_home = partial(_is_surely_of, owner, root, linker)
        for call in calls_in_force(root.function):
            if _is_patch(call, attribute, owner, root, is_home):
                is_sure = is_called(root.function, root.frame.module, linker, asker)
                yield Setter(root.frame.module, root.function, call.span, is_sure)


def _is_patch(
    call: Call, attribute: str, owner: AttributeOwner, root: RootFrame, is_home: Callable[[Expr], bool]
) -> bool:
    if owner.block is None:
        return is_patch(call, root.frame.module, owner.module, attribute, is_home)
    patched = patched_by(call, root.frame.module)
    if patched is None or patched.name != attribute:
        return False
    if patched.holder is not None:
        return is_home(patched.holder)
    return patched.path == f"{owner.module.name}.{owner.name}"


def _is_surely_of(owner: AttributeOwner, root: RootFrame, linker: Linker, target: Expr) -> bool:
    return _is_of(owner, target, root, linker) is True


def _stored(attribute: str, facts: FunctionFacts) -> Iterator[_Stored]:
    for event in facts.events:
        match event:
            case Store(target=target, attribute=name, value=value) if name == attribute:
                yield _Stored(target, value, event.span)
            case ItemStore(target=target, key=None):
                place = without_narrowing(target)
                if isinstance(place, Attribute) and place.name == attribute:
                    yield _Stored(place.base, None, event.span)
            case _:
                pass


def is_owner(target: Expr, frame: Frame, owner: AttributeOwner, linker: Linker) -> bool:
    """Whether an expression of a function surely is the owner."""
    return _is_in(owner, target, frame, linker) is True


def _is_of(owner: AttributeOwner, target: Expr, root: RootFrame, linker: Linker) -> bool | None:
    """Whether an expression is the owner; None if that is not known."""
    if names_own_class(target, root.function):
        return owner.holds(root.frame.module, root.function.span)
    return _is_in(owner, target, root.frame, linker)


def _is_in(owner: AttributeOwner, target: Expr, frame: Frame, linker: Linker) -> bool | None:
    values = [traced.value for traced in linker.evaluate(target, frame)]
    for value in values:
        match value:
            case ModuleValue(name=path) if (
                owner.block is None and linker.program.find(path, frame.module) is owner.module
            ):
                return True
            case ClassValue(facts=facts, module=home) if owner.block is not None and home is owner.module:
                if owner.block.span.start <= facts.span.start < owner.block.span.end and not facts.is_local:
                    return True
            case _:
                pass
    return None if any(map(is_indefinite, values)) else False
