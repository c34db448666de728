"""The names under which code stores attributes of a module, where these are the keys of a table that is written out:
`for name, rule in RULES.get(country, {}).items(): setattr(normalise, name, rule)`."""

from __future__ import annotations

from collections.abc import Iterator

from lintpickle.analyses.main_state.global_setters import changing
from lintpickle.diagnostics import Span
from lintpickle.facts.records import Called, FunctionFacts
from lintpickle.facts.values import Attribute, Call, Collection, Constant, Expr, Item, Mapping, Name, without_narrowing
from lintpickle.interpreter.root_frames import RootFrame
from lintpickle.payload.linker import Linker
from lintpickle.program.module import Module
from lintpickle.resolution.module_bindings import ModuleBinding

_SETS = "setattr"


def names_stored(root: RootFrame, place: int, linker: Linker) -> list[frozenset[str]] | None:
    """The names that a `setattr` may store which begins at a place of a function: all of one of these sets; None if
    they are not all written out in tables that nothing changes."""
    for event in root.function.events:
        match event:
            case Called(call=Call(function=Name(name=name), arguments=(_, key, _)) as call) if name == _SETS:
                if call.span.start == place:
                    table = _gone_through(without_narrowing(key.value))
                    return _keys(table, root.frame.module, linker) if table is not None else None
            case _:
                pass
    return None


def names_gone_through(key: Expr, module: Module, linker: Linker) -> frozenset[str] | None:
    """All that a variable may be which goes through a display, also one that a name of the module holds: `for name in
    ("host", "port")`, `for name, value in DEFAULTS.items()`; None if these are not all written out."""
    table = _gone_through(without_narrowing(key))
    if table is None:
        return None
    elements = _elements(table, module, linker)
    if elements is not None:
        return elements
    keys = _keys(table, module, linker)
    return frozenset().union(*keys) if keys is not None else None


def _elements(table: Expr, module: Module, linker: Linker) -> frozenset[str] | None:
    """The texts of a list or the like."""
    match without_narrowing(table):
        case Collection(elements=elements):
            texts = [each.value for each in elements if isinstance(each, Constant) and isinstance(each.value, str)]
            return frozenset(texts) if len(texts) == len(elements) else None
        case Name(name=name):
            match list(linker.evaluator.names.lookup(module, name)):
                case [ModuleBinding(value=Collection() as value, module=Module() as home)] if not any(
                    changing(name, home)
                ):
                    return _elements(value, home, linker)
        case _:
            pass
    return None


def names_spread(function: FunctionFacts, place: Span, module: Module, linker: Linker) -> list[frozenset[str]] | None:
    """The same of the keywords that a call gets from such a table alone: `configure(**PROFILES[name])`."""
    for event in function.events:
        match event:
            case Called(call=Call(arguments=(only,)), span=span) if span == place and only.star == "**":
                return _keys(only.value, module, linker)
            case _:
                pass
    return None


def _gone_through(key: Expr) -> Expr | None:
    """The table of whose keys a variable is one: of `for key in table`, `for key, value in table.items()`."""
    match key:
        case Item(base=Item(base=gone_through, key=None), key=Constant(value=0)):
            inner = without_narrowing(gone_through)
            if isinstance(inner, Call) and isinstance(inner.function, Attribute):
                return inner.function.base if inner.function.name == "items" else None
            return None
        case Item(base=table, key=None):
            return table
        case _:
            return None


def _keys(table: Expr, module: Module, linker: Linker) -> list[frozenset[str]] | None:
    """The keys of all tables that an expression may be."""
    found = list[frozenset[str]]()
    for each in _tables(table, module, linker):
        keys = _texts(each) if each is not None else None
        if keys is None:
            return None
        found.append(keys)
    return found or None


def _tables(table: Expr, module: Module, linker: Linker) -> Iterator[Mapping | None]:
    """The displays that an expression may be, also one of those in a table; None for what is not known."""
    match without_narrowing(table):
        case Mapping() as written:
            yield written
        case Call(function=Attribute(base=base, name="get"), arguments=(_, *rest)):
            for default in rest:
                yield from _tables(default.value, module, linker)
            yield from _inner(base, module, linker)
        case Item(base=base, key=Expr()):
            yield from _inner(base, module, linker)
        case Name(name=name):
            bindings = list(linker.evaluator.names.lookup(module, name))
            for each in bindings:
                if each.value is None or each.module is None or any(changing(name, each.module)):
                    yield None
                else:
                    yield from _tables(each.value, each.module, linker)
            if not bindings:
                yield None
        case _:
            yield None


def _inner(table: Expr, module: Module, linker: Linker) -> Iterator[Mapping | None]:
    for each in _tables(table, module, linker):
        for _, value in each.items if each is not None else ():
            yield from _tables(value, module, linker)
        if each is None:
            yield None


def _texts(table: Mapping) -> frozenset[str] | None:
    keys = [key.value for key, _ in table.items if isinstance(key, Constant) and isinstance(key.value, str)]
    return frozenset(keys) if len(keys) == len(table.items) else None
