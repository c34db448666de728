"""Objects of modules that the program loads from a path, which it gives to the functions of workers.

Pickle sends an object by the module and the name of its class. Numbers, texts and containers of such a module go as
they are, so it counts what the code says of an object: that it is made there by a class of the module, or that workers
ask it for what no builtin type has, and what only a class in such a file has.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from lintpickle.analyses.main_state.read_objects import names_read_by
from lintpickle.facts.values import (
    Argument,
    Attribute,
    Call,
    Collection,
    Comprehension,
    Expr,
    Item,
    Mapping,
    Name,
    Parameter,
    options_of,
    without_narrowing,
)
from lintpickle.interpreter.abstract_values import Frame, ProductValue, Site, TracedValue
from lintpickle.payload.crossings import Crossing
from lintpickle.payload.entry_arguments import parameter_at
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction
from lintpickle.prefilter.words import Words
from lintpickle.program.module import Module

_LOADED = "loaded"
"""The kind of what a module has that is made or loaded at run time, in the catalog."""
_LOADING = Words({"spec_from_file_location", "SourceFileLoader", "exec("})
_STEPS = 8
_PLACE = re.compile(r"(?:args|iterables)\[(\d+)\]")
_GIVING = frozenset({"enumerate", "list", "reversed", "set", "sorted", "tuple"})
"""What gives the elements of what it is given."""
_OF_BUILTINS = frozenset(
    name for each in (dict, list, tuple, set, str, bytes, int, float, complex, bool, type(None)) for name in dir(each)
)


class LoadedObject(Struct, frozen=True):
    """What crosses, and whether the code shows that it is an object of a class of the module."""

    crossing: Crossing
    is_sure: bool


def loaded_objects(code: WorkerCode, linker: Linker) -> Iterator[LoadedObject]:
    """The objects of such modules that the workers of a boundary are given, each once."""
    boundary, asker = code.boundary, code.root.site.module.path
    if boundary is None or not linker.first_party.is_anywhere(_LOADING, asker):
        return
    for role, bound in boundary.arguments.items():
        found = _PLACE.fullmatch(role)
        if found is None or bound.expr is None or bound.frame is None:
            continue
        traced = _of_loaded(bound.expr, bound.frame, linker)
        if traced is None:
            continue
        names = _asked(int(found[1]), code, linker)
        is_made = _is_made(bound.expr, bound.frame, linker)
        if is_made or names:
            site = Site(bound.frame.module, bound.expr.span)
            crossing = Crossing(traced.value, site, traced.hops, role, code.root, role)
            is_sure = is_made or all(_only_in_such_files(name, code, linker) for name in names)
            yield LoadedObject(crossing, is_sure)


def _of_loaded(value: Expr, frame: Frame, linker: Linker, steps: int = _STEPS) -> TracedValue | None:
    """What such a module has, of which an expression is a part, or which it makes something of; None if it is none."""
    value = without_narrowing(value)
    if not steps:
        return None
    for inner, home in _within(value, frame):
        for traced in linker.evaluate(inner, home) if isinstance(inner, (Attribute, Call)) else ():
            if isinstance(traced.value, ProductValue) and traced.value.product.kind == _LOADED:
                return traced
        found = _of_loaded(inner, home, linker, steps - 1) if inner is not value else None
        if found is not None:
            return found
    return None


def _within(value: Expr, frame: Frame) -> Iterator[tuple[Expr, Frame]]:
    """An expression, and what it takes something of, or is made by."""
    yield value, frame
    match value:
        case Item(base=base):
            yield base, frame
        case Call(function=Name(name=name), arguments=(Argument(value=first), *_)) if name in _GIVING:
            yield first, frame
        case Call(function=Attribute() as function):
            yield function, frame
        case Attribute(base=base):
            yield base, frame
        case Collection(elements=elements):
            yield from ((each, frame) for each in elements)
        case Mapping(items=items):
            yield from ((each, frame) for _, each in items)
        case Comprehension(element=element):
            yield element, frame
        case Parameter(name=name, owner=owner):
            home = frame.enclosing(owner)
            bound = home.bindings.get(name) if home is not None else None
            if bound is not None and bound.expr is not None and bound.frame is not None:
                yield bound.expr, bound.frame
        case _:
            yield from ((each, frame) for each in options_of(value) if each is not value)


def _is_made(value: Expr, frame: Frame, linker: Linker, steps: int = _STEPS) -> bool:
    """Whether an expression, or an element of it, is what a class of such a module makes: `plugin.Recipe(0.1)`."""
    value = without_narrowing(value)
    match value:
        case Call(function=Attribute(name=name) as function) if name[:1].isupper() and not name.isupper():
            found = (each.value for each in linker.evaluate(function, frame))
            return any(isinstance(each, ProductValue) and each.product.kind == _LOADED for each in found)
        case _:
            inner = (each for each in _within(value, frame) if each[0] is not value) if steps else ()
            return any(_is_made(each, home, linker, steps - 1) for each, home in inner)


def _asked(place: int, code: WorkerCode, linker: Linker) -> list[str]:
    """The attributes that the functions with which workers begin read of what they are given at a place, and that no
    builtin type has."""
    spec = code.root.spec
    found: list[str] = []
    for function in code.functions if spec is not None else ():
        name = parameter_at(place, function.facts, spec) if function.entry and spec is not None else None
        found += _read_of(name, function, linker) if name is not None else ()
    return [each for each in dict.fromkeys(found) if each not in _OF_BUILTINS]


def _read_of(name: str, function: WorkerFunction, linker: Linker) -> list[str]:
    heads = (written.split(".") for written in names_read_by(function, linker))
    return [parts[1] for parts in heads if len(parts) > 1 and parts[0] == name]


def _only_in_such_files(name: str, code: WorkerCode, linker: Linker) -> bool:
    """Whether the program's text has a class with an attribute of a name, and only where nobody can import it: in a
    file that no other imports, or in a text that becomes such a file."""
    form = re.compile(
        rf"\bdef[ \t]+{re.escape(name)}\b|\bself\.{re.escape(name)}\b|^[ \t]+{re.escape(name)}[ \t]*[:=]", re.M
    )
    asker, is_anywhere = code.root.site.module.path, False
    for module in linker.first_party.naming_in_text(Words({name}), asker, form):
        for found in form.finditer(module.code):
            is_anywhere = True
            block = module.outline.block_at(found.start())
            is_code = block is not None and (block.is_class or block.defines_function)
            if is_code and (module is code.root.site.module or _is_imported(module, asker, linker)):
                return False
    return is_anywhere


def _is_imported(module: Module, asker: str, linker: Linker) -> bool:
    stem = module.name.rpartition(".")[2]
    importing = re.compile(rf"^[ \t]*(?:from|import)\b[^\n]*\b{re.escape(stem)}\b", re.M)
    return linker.first_party.is_anywhere(Words({stem}), asker, importing)
