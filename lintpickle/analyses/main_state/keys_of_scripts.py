"""Registries whose keys are made of the name of a module: what a script registers as it is imported has `__main__` in
its key in the main process, and `__mp_main__` in a worker that is not forked.

Source: `multiprocessing.spawn`; measured with CPython 3.11 under all start methods, and read in 3.10 to 3.14."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import partial

from msgspec import Struct

from lintpickle.analyses.at_import.import_time import functions_of, outer_function
from lintpickle.analyses.main_state.read_objects import Owner, class_objects_read, things_read
from lintpickle.control_flow.attempts import is_ready_for
from lintpickle.diagnostics import Span
from lintpickle.facts.records import FunctionFacts, ItemStore
from lintpickle.facts.values import Call, Expr, ending_name, rooted, without_narrowing
from lintpickle.interpreter.abstract_values import ContainerValue, Site
from lintpickle.interpreter.slots import is_mapping
from lintpickle.parsing.main_guard import has_guard
from lintpickle.parsing.names_read import within
from lintpickle.parsing.syntax import dotted
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction
from lintpickle.program.module import Module

_OF_MODULE = re.compile(r"\.\s*__module__\b")
_OF_SCRIPT = re.compile(r"(?<![\w.])__name__\b")
_KEY = re.compile(r"\[[^\]=]*\](?=\s*=)")
_ON_SUBCLASS = "__init_subclass__"


class KeyOfScript(Struct, frozen=True):
    """A look-up, in a function of workers, in a registry with such keys, as written, and where a key is made."""

    function: WorkerFunction
    written: str
    span: Span
    made: Site
    fails: bool
    """Whether it is an error if there is no such key."""


class _Keyed(Struct, frozen=True):
    """What fills a registry under such keys, and the functions that make one."""

    filling: FunctionFacts
    made: Site
    makers: tuple[str, ...]


def keys_of_scripts(code: WorkerCode, linker: Linker) -> Iterator[KeyOfScript]:
    """Where workers look up in such a registry what the main process names by a key that it has: it goes through the
    registry where it starts them, or makes such a key there."""
    scripts = list(dict.fromkeys(site.module for site in code.way if has_guard(site.module.code)))
    for function in code.functions if scripts and code.boundary is not None else ():
        if not function.module.first_party:
            continue
        for owner, reading in (*things_read(function, linker), *class_objects_read(function, linker)):
            if not isinstance(owner.value, ContainerValue) or not is_mapping(owner.value.kind):
                continue
            keyed = linker.remembered(("keyed by module", owner.place, owner.name), partial(_keyed, owner))
            looked_up = _look_up(reading.written, function)
            if keyed is None or looked_up is None or not any(_is_filled(keyed, owner, each) for each in scripts):
                continue
            if _is_named_by_main(owner, keyed, code):
                yield KeyOfScript(function, reading.written, reading.span, keyed.made, looked_up)


def _keyed(owner: Owner) -> _Keyed | None:
    """What stores under keys of the name of a module in a registry, in the module that makes it."""
    module, naming = owner.module, re.compile(rf"\b{re.escape(owner.name)}\b")
    for filling in functions_of(module, naming, lambda facts: True):
        for event in filling.events:
            match event:
                case ItemStore(target=target, key=key) if _is_named(target, owner.name):
                    makers = _makers(key, event.span, filling, module)
                    if makers is not None:
                        return _Keyed(filling, Site(module, event.span), makers)
                case _:
                    pass
    return None


def _is_named(target: Expr, name: str) -> bool:
    root, names = rooted(target)
    return (names[-1] if names else getattr(root, "name", "")) == name


def _makers(key: Expr | None, store: Span, filling: FunctionFacts, module: Module) -> tuple[str, ...] | None:
    """The functions by which a key is made of the name of a module, none if that is done in place; None if it is not
    made of that. Of several parts in brackets, no expression is read."""
    form = _OF_SCRIPT if filling.is_module_body else _OF_MODULE
    stored = module.code[store.start : store.end]
    text = module.code[key.span.start : key.span.end] if key is not None else (_KEY.search(stored) or ("",))[0]
    if form.search(text):
        return ()
    inner = without_narrowing(key) if key is not None else None
    name = ending_name(inner.function) if isinstance(inner, Call) else ""
    if not name:
        return None
    called = functions_of(module, _OF_MODULE, lambda facts: facts.name == name)
    return (name,) if any(_OF_MODULE.search(module.code, each.header.end, each.span.end) for each in called) else None


def _is_filled(keyed: _Keyed, owner: Owner, script: Module) -> bool:
    """Whether a script fills the registry as it is imported: by a decorator, by a class that it derives, itself."""
    filling = keyed.filling
    if filling.is_module_body:
        return owner.module is script
    if filling.name == _ON_SUBCLASS:
        base = re.escape(filling.qualname.rpartition(".")[0].rpartition(".")[2])
        return script.has(re.compile(rf"^class\s+\w+\([^)\n]*\b{base}\b", re.MULTILINE))
    name = re.escape(outer_function(filling, owner.module).name)
    return script.has(re.compile(rf"^(?:@(?:\w+\.)*{name}\b|(?:\w+\.)*{name}\()", re.MULTILINE))


def _look_up(written: str, function: WorkerFunction) -> bool | None:
    """Whether it is an error if a function does not find what it looks up; None if it looks up nothing."""
    tree = function.frame.paths.tree
    for node in within(tree):
        match node:
            case ast.Subscript(value=table, slice=key, ctx=ast.Load()) if dotted(table) == written:
                if not isinstance(key, ast.Constant):
                    return not is_ready_for("KeyError", tree, node.lineno)
            case ast.Call(func=ast.Attribute(value=table, attr="get"), args=[_, *_]) if dotted(table) == written:
                return False
            case _:
                pass
    return None


def _is_named_by_main(owner: Owner, keyed: _Keyed, code: WorkerCode) -> bool:
    """Whether the function that starts the workers, or one that leads there, goes through the keys of the registry, or
    makes one."""
    name = rf"(?:\w+\.)*{re.escape(owner.name)}\b"
    keys = rf"\bin\s+{name}(?!\s*\[)|{name}\s*\.\s*(?:keys|items)\b"
    keys += rf"|\b(?:list|sorted|tuple|iter|enumerate)\(\s*{name}\s*[,)]"
    makers = [rf"\b{re.escape(each)}\s*\(" for each in keyed.makers]
    form = re.compile("|".join((keys, *makers, _OF_MODULE.pattern)))
    boundary, running = code.boundary, {id(each.facts) for each in code.functions}
    around = list(boundary.frame.way()) if boundary is not None else []
    return any(
        id(each.function) not in running
        and form.search(each.module.code, each.function.span.start, each.function.span.end) is not None
        for each in around
    )
