"""What workers begin with, by the names that the program gives: initializers of pools, `worker_init_fn` of loaders."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache

from lintpickle.analyses.at_import.import_time import callable_name, callers_in
from lintpickle.analyses.at_import.naming_modules import may_mean
from lintpickle.catalog import INITIALIZER
from lintpickle.facts.records import FunctionFacts
from lintpickle.facts.values import Call
from lintpickle.interpreter.abstract_values import Bound, ExternalValue, Frame, FunctionValue, is_indefinite
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode
from lintpickle.prefilter.words import Words
from lintpickle.program.module import Module

_PARAMETERS = (INITIALIZER, "worker_init_fn")
_WORDS = Words(set(_PARAMETERS))
_BEGINS = (
    rf"\b(?:{'|'.join(_PARAMETERS)})\b(?:[\"']\]?)?[ \t]*[=:][ \t]*(?:(?:functools\.)?partial\(\s*)?"
    r"{owner}({name})\b(?!\s*\()"
)
_ROUNDS = 3
"""How many calls before the function that is asked for are looked at."""


def beginning_with(name: str, owner: str = r"(?:\w+\.)*") -> re.Pattern[str]:
    """Where a name, behind an owner of that form, is given for one of them: as an argument, or under a key
    (`options["initializer"] = start`)."""
    return re.compile(_BEGINS.format(owner=owner, name=name))


_ANY = beginning_with(r"[^\W\d]\w*")


def is_called_by_initializer(function: FunctionFacts, home: Module, asker: str, linker: Linker) -> bool:
    """Whether a function that is given for one of them calls a function of the module `home`, or calls one that does.
    Functions are told by their modules: what a script beside the program has by the same name is another one."""
    named = _names(asker, linker)
    waiting, seen = [(function, home)], {callable_name(function)}
    for _ in range(_ROUNDS if named else 0):
        found = [each for one, place in waiting for each in _callers(one, place, asker, linker)]
        if any(_is_named(each, place, named, linker) for each, place in found):
            return True
        waiting = [(each, place) for each, place in found if callable_name(each) not in seen and each.name != "main"]
        seen.update(callable_name(each) for each, _ in waiting)
    return False


def _names(asker: str, linker: Linker) -> Mapping[str, tuple[str, ...]]:
    """The names that are given for one of them, each with the paths of the modules that do so."""
    texts = linker.first_party.texts_naming(_WORDS, asker, _ANY)

    def find() -> Mapping[str, tuple[str, ...]]:
        found: dict[str, tuple[str, ...]] = {}
        for path, text in texts:
            for name in dict.fromkeys(_ANY.findall(text)):
                found[name] = (*found.get(name, ()), path)
        return found

    return linker.remembered("names of initializers", find)


def _is_named(function: FunctionFacts, home: Module, named: Mapping[str, tuple[str, ...]], linker: Linker) -> bool:
    modules = linker.first_party.modules(named.get(function.name, ()))
    return any(may_mean(function, home, module, linker) for module in modules)


def _callers(
    function: FunctionFacts, home: Module, asker: str, linker: Linker
) -> Iterator[tuple[FunctionFacts, Module]]:
    name = callable_name(function)
    for module in linker.first_party.naming_in_text(Words({name}), asker, _calling(name)):
        if may_mean(function, home, module, linker):
            yield from ((each, module) for each in callers_in(function, module) if each is not function)


@lru_cache(maxsize=2048)
def _calling(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!def )(?<!class )\b{re.escape(name)}\s*\(")


def library_initializers(code: WorkerCode, linker: Linker) -> frozenset[str]:
    """The paths of the functions of libraries with which the workers begin: `Pool(2, faulthandler.enable)`."""
    makers = (code.boundary, *linker.makers_of(code.boundary)) if code.boundary is not None else ()
    having = (each for each in makers if INITIALIZER in each.spec.parameters)
    given = (traced.value for maker in having for traced in maker.value(INITIALIZER, linker.evaluator))
    return frozenset(each.path for each in given if isinstance(each, ExternalValue))


def may_have_another(code: WorkerCode, linker: Linker) -> bool:
    """Whether the workers may begin with something that could not be followed: `Pool(**options)`."""
    makers = (code.boundary, *linker.makers_of(code.boundary)) if code.boundary is not None else ()
    for maker in makers:
        given = maker.value(INITIALIZER, linker.evaluator) if INITIALIZER in maker.spec.parameters else None
        if given is None or _is_none(maker.arguments.get(INITIALIZER), linker):
            continue
        if any(is_indefinite(each.value) for each in given) or (maker.open and not given):
            return True
    return False


def _is_none(bound: Bound | None, linker: Linker) -> bool:
    """Whether an argument is what a function of the program gives that returns nothing: `initializer=start()`."""
    match bound:
        case Bound(expr=Call(function=function), frame=Frame() as frame):
            called = [each.value for each in linker.evaluate(function, frame)]
            functions = [each.facts for each in called if isinstance(each, FunctionValue) and not each.opaque]
            plain = [each for each in functions if not (each.returns or each.is_generator or each.is_async)]
            return bool(called) and len(plain) == len(called)
        case _:
            return False
