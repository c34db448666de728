"""The attributes that a function stores because its callers name them: `configure(buckets=64)`, where it goes through
`**overrides`."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from lintpickle.analyses.at_import.import_time import callable_name
from lintpickle.analyses.calls_and_values.callers_by_name import calls_by_name
from lintpickle.facts.records import Called, FunctionFacts, Store
from lintpickle.facts.values import (
    Attribute,
    Call,
    Constant,
    Data,
    Expr,
    Mapping,
    Name,
    Parameter,
    mentions_object,
    parts_of,
    without_narrowing,
)
from lintpickle.payload.linker import Linker
from lintpickle.prefilter.words import Words
from lintpickle.program.module import Module

_CHANGES = {method.__name__: method for method in (str.upper, str.lower, str.strip, str.title, str.casefold)}
_KEEPS_KEYS = frozenset({"items", "keys", "copy"})


def names_told(
    function: FunctionFacts, module: Module, linker: Linker, asker: str, names: Collection[Expr] = ()
) -> frozenset[str] | None:
    """What the keywords of all calls of a function are, if the names of the attributes that it stores come from its
    `**` parameter; None if these are not all written out, or it may store others. `names` are expressions for more
    names than `setattr` has."""
    keywords = next((each.name for each in function.parameters if each.kind == "**"), None)
    names = [*names, *_names_stored(function)]
    if keywords is None or not names:
        return None
    parts = [part for each in names for part in _parts_computed(each)]
    if not all(mentions_object(each, keywords, linker.evaluator.cuts.note) for each in parts):
        return None
    calls = list(_calls(function, module, linker))
    if not calls or any(_names_kept(each) is None for each in calls) or _is_handed_on(function, linker, asker):
        return None
    given = {each.name for each in function.parameters if each.kind in ("positional", "keyword-only")}
    keys = frozenset(name for each in calls for name in _names_kept(each) or ()) - given
    made = [_made_of(each, key) for each in names for key in sorted(keys)]
    known = [each for each in made if each is not None]
    return frozenset(known) if len(known) == len(made) else None


def _parts_computed(name: Expr) -> Iterator[Expr]:
    """What a name is made of, without the texts that are written out in it."""
    match without_narrowing(name):
        case Data(parts=parts) if parts:
            yield from (each for each in parts if not isinstance(each, Constant))
        case value:
            yield value


def _made_of(name: Expr, key: str) -> str | None:
    """What the name of an attribute is that an expression makes of a keyword: `key.upper()`, `f"opt_{key}"`; None if
    that is not known."""
    match without_narrowing(name):
        case Constant(value=str(text)):
            return text
        case Call(function=Attribute(base=base, name=method), arguments=()) if method in _CHANGES:
            made = _made_of(base, key)
            return _CHANGES[method](made) if made is not None else None
        case Call(function=Attribute(name=method)) if method not in _KEEPS_KEYS:
            return None
        case Data(parts=parts):
            known = [part for each in parts if (part := _made_of(each, key)) is not None]
            return "".join(known) if parts and len(known) == len(parts) else None
        case Expr() as value:
            return key if parts_of(value) or isinstance(value, Parameter) else None


def _names_stored(function: FunctionFacts) -> Iterator[Expr]:
    """The names of attributes that a function stores, as far as they are not written out."""
    for event in function.events:
        match event:
            case Store(key=Expr() as key) if not isinstance(key, Constant):
                yield key
            case Called(call=Call(function=Name(name="setattr"), arguments=(_, name, _))):
                if not isinstance(name.value, Constant):
                    yield name.value
            case _:
                pass


def _calls(function: FunctionFacts, module: Module, linker: Linker) -> Iterator[Call]:
    for _, caller, at in calls_by_name(function, module.path, linker):
        for event in caller.events:
            if isinstance(event, Called) and event.call.function.span.end == at.end - 1:
                yield event.call


def _names_kept(call: Call) -> frozenset[str] | None:
    """The keywords of a call; None if some are not written out."""
    found: set[str] = set()
    for each in call.arguments:
        if each.keyword is not None:
            found.add(each.keyword)
        elif each.star == "**":
            names = _keys(each.value)
            if names is None:
                return None
            found.update(names)
        elif each.star:
            return None
    return frozenset(found)


def _keys(value: Expr) -> frozenset[str] | None:
    if not isinstance(value, Mapping) or not all(isinstance(key, Constant) for key, _ in value.items):
        return None
    return frozenset(str(key.value) for key, _ in value.items if isinstance(key, Constant))


def _is_handed_on(function: FunctionFacts, linker: Linker, asker: str) -> bool:
    """Whether something names a function other than to call or import it: who calls it then is not seen."""
    name = re.escape(callable_name(function))
    other = re.compile(rf"(?<!def )(?<!class )(?<!import )(?<![\"'])\b{name}\b(?!\s*\()(?![\"'])")
    imported = re.compile(rf"^[ \t]*from\b.*\bimport\b.*\b{name}\b", re.MULTILINE)
    for each in linker.first_party.naming_in_text(Words({callable_name(function)}), asker, other):
        if other.search(imported.sub("", each.code)) is not None:
            return True
    return False
