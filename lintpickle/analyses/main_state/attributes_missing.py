"""Attributes that a module of the program has only after a function has run: `def init(): global cache; cache = {}`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec.structs import replace

from lintpickle.analyses.at_import.local_imports import own_imports_of
from lintpickle.analyses.main_state.attribute_setters import AttributeOwner, is_option, sets_any_at_import, setters
from lintpickle.analyses.main_state.global_setters import setters_of
from lintpickle.analyses.main_state.main_attributes import (
    Mention,
    attribute_owner,
    is_read,
    is_stored_at_import,
    mentions,
    names_with_attributes,
)
from lintpickle.analyses.main_state.main_setters import Met, Setter, Setting, set_by, told_apart
from lintpickle.analyses.main_state.module_dicts import stored_by_any_name, stored_by_its_name, stored_on_what_is_given
from lintpickle.analyses.workers.runs_elsewhere import runs_in_workers
from lintpickle.control_flow.attempts import is_ready_for
from lintpickle.diagnostics import Span
from lintpickle.interpreter.abstract_values import Site
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction
from lintpickle.prefilter.words import Words
from lintpickle.program.module import Module

_ANY_CODE = re.compile(r"\b(?:exec|eval)\s*\(")
_MAY_HAVE_MORE = re.compile(r"\b(?:sys\.modules|__getattr__|__class__|global_enum|_convert_|locals\s*\(|modules\[)")
"""What stands in modules that other objects replace, that make attributes as they are asked for, or that get names in
bulk."""
NOT_SEEN = "by code that is not seen"
"""Where what no code of the program sets is set."""
_ANY_VALUE = ""
"""What no value is written as: any that is given is another one than at import."""


def attributes_missing(function: WorkerFunction, code: WorkerCode, linker: Linker) -> Iterator[tuple[Mention, Setting]]:
    """The attributes of modules that a worker's function reads and that no import binds, each with how the main process
    sets it. What a worker meets was measured with CPython 3.11: `AttributeError: module 'settings' has no attribute
    'cache'`."""
    asker, here = code.root.site.module.path, own_imports_of(function.facts)
    found = {name: attribute_owner(name, function.module, linker, here.get(name)) for name in _names(function)}
    owners = {name: owner for name, owner in found.items() if owner is not None and owner.block is None}
    for mention in mentions(function) if owners else ():
        owner = owners.get(mention.name)
        if owner is None or not _is_missing(mention.attribute, owner, linker):
            continue
        if linker.moving_to is None and not _may_be_set(mention.attribute, owner, linker, asker):
            continue
        if not is_read(mention, function) or _is_ready(mention, function):
            continue
        setting = _setting(mention.attribute, owner, code, linker)
        if setting is not None:
            yield mention, setting


def _names(function: WorkerFunction) -> Iterator[str]:
    imports, own = function.module.outline.imports, own_imports_of(function.facts)
    return (name for name in names_with_attributes(function) if name in own or name in imports)


def _is_missing(attribute: str, owner: AttributeOwner, linker: Linker) -> bool:
    """Whether nothing that runs as the module is imported gives it the attribute, a submodule of a package either."""
    module = owner.module
    if attribute.startswith("__") or module.outline.binding(attribute) or attribute in module.outline.imports:
        return False
    if linker.evaluator.names.may_come_by_star(module, attribute) or module.has(_ANY_CODE):
        return False
    return linker.program.file_of(f"{module.name}.{attribute}", module) is None


def _may_be_set(attribute: str, owner: AttributeOwner, linker: Linker, asker: str) -> bool:
    """Whether some code sets an attribute of that name, by its text alone."""
    if setters_of(attribute, owner.module):
        return True
    stored = re.compile(rf"\w\.{attribute} ?=(?!=)")
    return linker.first_party.is_anywhere(Words({f".{attribute}"}), asker, stored)


def _is_ready(mention: Mention, function: WorkerFunction) -> bool:
    """Whether the function asks if the attribute is there, or goes on without it."""
    facts, module = function.facts, function.module
    asked = re.compile(rf"""\b(?:has|get)attr\(\s*{mention.name}\s*,\s*["']{mention.attribute}["']""")
    if asked.search(module.code, facts.span.start, facts.span.end) is not None:
        return True
    tree, row = function.frame.paths.in_tree(mention.span.start)
    return is_ready_for("AttributeError", tree, row)


def _setting(attribute: str, owner: AttributeOwner, code: WorkerCode, linker: Linker) -> Setting | None:
    asker, moving = code.root.site.module.path, linker.moving_to is not None
    if sets_any_at_import(attribute, owner, linker) or is_stored_at_import(attribute, linker, asker):
        return None
    error = f"AttributeError: module '{owner.module.name}' has no attribute '{attribute}'"
    met, found = Met(error, error=error), list(setters(attribute, _ANY_VALUE, owner, linker, asker))
    if moving:
        found += _given_to_modules(attribute, owner, linker, asker)
    apart = told_apart(found, code, linker)
    setting = set_by(apart, met, linker, asker)
    if setting is not None or not moving:
        return setting
    if not found:
        unknown = stored_on_what_is_given(attribute, linker, asker)
        is_theirs = any(runs_in_workers(each.facts, each.module, linker, asker) for each in unknown)
        if is_theirs or not _is_plain(attribute, owner.module):
            return None
        return Setting(met, NOT_SEEN, Site(owner.module, Span(0, 0)), is_doubted=True)
    doubted = set_by((replace(each, certain=True) for each in apart), met, linker, asker)
    return replace(doubted, is_doubted=True) if doubted is not None else None


def _given_to_modules(attribute: str, owner: AttributeOwner, linker: Linker, asker: str) -> Iterator[Setter]:
    """The places that set it on what they are given or look up, by its name or by names that come from elsewhere: these
    surely do if a text of the program is that name."""
    yield from stored_by_its_name(attribute, owner.module, linker, asker)
    for setter, is_sure in stored_by_any_name(attribute, owner.module, linker, asker):
        certain = setter.certain and (is_sure or is_option(attribute, linker, asker))
        yield replace(setter, certain=certain)


def _is_plain(attribute: str, module: Module) -> bool:
    """Whether a module has nothing but what its statements bind by name, as far as its text says."""
    bound = re.compile(rf"\b{attribute}\s*:=|^\s+case\b.*\b{attribute}\b", re.MULTILINE)
    return not module.has(_MAY_HAVE_MORE) and bound.search(module.code) is None
