"""Registries whose keys are made of the name of a module: what a script registers as it is imported has `__main__` in
its key in the main process, and `__mp_main__` in a worker that is not forked.

Source: `multiprocessing.spawn`; measured with CPython 3.11 under all start methods, and read in 3.10 to 3.14."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import partial

from msgspec import Struct

from lintpickle.analyses.at_import.import_time import callable_name, functions_of, outer_function
from lintpickle.analyses.main_state.read_objects import Owner, class_objects_read, things_read
from lintpickle.control_flow.attempts import is_ready_for
from lintpickle.diagnostics import Span
from lintpickle.facts.records import FunctionFacts, ItemStore, Store
from lintpickle.facts.values import Attribute, Call, Expr, Parameter, ending_name, rooted, without_narrowing
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
_INIT = "__init__"
_WRITTEN_OUT = re.compile(r"""["']__main__[.:]\w""")
"""A key that begins with the name that the script has in the main process alone."""


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
    attribute: str | None = None
    """The attribute that holds the key, of an object that puts itself into the registry as it is made."""


def keys_of_scripts(code: WorkerCode, linker: Linker) -> Iterator[KeyOfScript]:
    """Where workers look up in such a registry what the main process names by a key that it has: it goes through the
    registry where it starts them, makes such a key there or has an object of the registry do so; or the script has one
    written out."""
    scripts = list(dict.fromkeys(site.module for site in code.way if has_guard(site.module.code)))
    for function in code.functions if scripts and code.boundary is not None else ():
        if not function.module.first_party:
            continue
        for owner, reading in (*things_read(function, linker), *class_objects_read(function, linker)):
            if not isinstance(owner.value, ContainerValue) or not is_mapping(owner.value.kind):
                continue
            keyed = linker.remembered(("keyed by module", owner.place, owner.name), partial(_keyed, owner))
            looked_up = _look_up(reading.written, function) if keyed is not None else None
            if keyed is None or looked_up is None or not any(_is_filled(keyed, owner, each) for each in scripts):
                continue
            if _is_named_by_main(owner, keyed, scripts, code):
                yield KeyOfScript(function, reading.written, reading.span, keyed.made, looked_up)


def _keyed(owner: Owner) -> _Keyed | None:
    """What stores under keys of the name of a module in a registry, in the module that makes it."""
    module, naming = owner.module, re.compile(rf"\b{re.escape(owner.name)}\b")
    for filling in functions_of(module, naming, lambda facts: True):
        for event in filling.events:
            match event:
                case ItemStore(target=target, key=key) if _is_named(target, owner.name):
                    made, attribute = Site(module, event.span), _attribute_with_key(key, filling, module)
                    makers = () if attribute is not None else _makers(key, event.span, filling, module)
                    if makers is not None:
                        return _Keyed(filling, made, makers, attribute)
                case _:
                    pass
    return None


def _is_named(target: Expr, name: str) -> bool:
    root, names = rooted(target)
    return (names[-1] if names else getattr(root, "name", "")) == name


def _attribute_with_key(key: Expr | None, filling: FunctionFacts, module: Module) -> str | None:
    """The attribute by which a constructor names the key, if it has put a name of a module there."""
    inner = without_narrowing(key) if key is not None else None
    if filling.name != _INIT or not isinstance(inner, Attribute) or not isinstance(inner.base, Parameter):
        return None
    stores = (event for event in filling.events if isinstance(event, Store) and event.attribute == inner.name)
    is_made = any(_OF_MODULE.search(module.code, each.span.start, each.span.end) for each in stores)
    return inner.name if is_made else None


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
        base = re.escape(callable_name(filling))
        return script.has(re.compile(rf"^class\s+\w+\([^)\n]*\b{base}\b", re.MULTILINE))
    name = "|".join(map(re.escape, _called(filling, owner.module)))
    form = rf"^(?:@(?:\w+\.)*(?:{name})\b|(?:\w+[ ]*=[ ]*)?(?:\w+\.)*(?:{name})\()"
    return script.has(re.compile(form, re.MULTILINE))


def _called(filling: FunctionFacts, module: Module) -> list[str]:
    """The names by which a script has a registry filled: of a constructor, its class and the functions that call it."""
    if filling.name != _INIT:
        return [outer_function(filling, module).name]
    class_ = callable_name(filling)
    making = re.compile(rf"(?<!class )\b{re.escape(class_)}\s*\(")
    found = functions_of(module, making, lambda facts: not facts.is_module_body and facts.name == facts.qualname)
    return [
        class_,
        *(each.name for each in found if making.search(module.code, each.header.end, each.span.end) is not None),
    ]


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


def _is_named_by_main(owner: Owner, keyed: _Keyed, scripts: list[Module], code: WorkerCode) -> bool:
    """Whether the function that starts the workers, or one that leads there, goes through the keys of the registry, or
    makes one; or a script has one written out."""
    if any(each.has(_WRITTEN_OUT) for each in scripts):
        return True
    name = rf"(?:\w+\.)*{re.escape(owner.name)}\b"
    keys = rf"\bin\s+{name}(?!\s*\[)|{name}\s*\.\s*(?:keys|items)\b"
    keys += rf"|\b(?:list|sorted|tuple|iter|enumerate)\(\s*{name}\s*[,)]"
    makers = [rf"\b{re.escape(each)}\s*\(" for each in keyed.makers]
    asked = [each for script in scripts for each in _asking_for_key(keyed, owner.module, script)]
    form = re.compile("|".join((keys, *makers, *asked, _OF_MODULE.pattern)))
    boundary, running = code.boundary, {id(each.facts) for each in code.functions}
    around = list(boundary.frame.way()) if boundary is not None else []
    return any(
        id(each.function) not in running
        and form.search(each.module.code, each.function.span.start, each.function.span.end) is not None
        for each in around
    )


def _asking_for_key(keyed: _Keyed, module: Module, script: Module) -> list[str]:
    """How code asks an object that a script has put into the registry for the key that it holds: by the attribute, or
    by a method of its class that uses that (`resize.signature(640)`)."""
    if keyed.attribute is None:
        return []
    called = "|".join(map(re.escape, _called(keyed.filling, module)))
    defined = rf"^@(?:\w+\.)*(?:{called})\b[^\n]*\n(?:@[^\n]*\n)*(?:async )?(?:def|class) (?P<made>\w+)"
    stored = rf"^(?P<stored>\w+)[ ]*=[ ]*(?:\w+\.)*(?:{called})\("
    found = re.compile(rf"{defined}|{stored}", re.MULTILINE).finditer(script.code)
    names = "|".join({re.escape(each["made"] or each["stored"]) for each in found})
    using, class_ = re.compile(rf"\.{re.escape(keyed.attribute)}\b"), callable_name(keyed.filling)
    methods = functions_of(module, using, lambda facts: facts.name != _INIT and facts.qualname.startswith(f"{class_}."))
    asking = "|".join(re.escape(each) for each in (keyed.attribute, *(method.name for method in methods)))
    return [rf"\b(?:{names})\.(?:{asking})\b"] if names else []
