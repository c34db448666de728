"""What workers may run besides the functions that are seen to run there: by calls that could not be followed."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from functools import partial

from lintpickle.analyses.at_import.import_time import callable_name, functions_of
from lintpickle.analyses.main_state.read_objects import Owner, owner_of
from lintpickle.facts.records import Called, FunctionFacts
from lintpickle.facts.values import Attribute, Parameter, without_narrowing
from lintpickle.interpreter.abstract_values import Site, is_indefinite
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode
from lintpickle.prefilter.words import Words

_ANY = "*"
"""Stands for whatever a worker is given to call."""
_ROUNDS = 4
"""How many calls before the function that is asked for are looked at."""
_PROGRAM = "main"


def may_run_in_workers(function: FunctionFacts, code: WorkerCode, linker: Linker) -> bool:
    """Whether workers may get to a function by a call of an unknown object's method, or of what they are given."""
    if function.is_module_body or function.name == _PROGRAM:
        return False
    asker = code.root.site.module.path
    names = _names_not_followed(code, linker)
    if _ANY in names or function.name in names:
        return True
    waiting, seen = {callable_name(function)}, set[str]()
    for _ in range(_ROUNDS if names else 0):
        seen |= waiting
        waiting = {each for name in waiting for each in _callers(name, asker, linker)} - seen - {_PROGRAM}
        if waiting & names:
            return True
    return False


def own_objects_met(code: WorkerCode, linker: Linker, makers: Collection[str]) -> Iterator[tuple[Owner, Site, str]]:
    """The objects that modules make at import by calls with such names, and that a function reads to which workers may
    get: each with the place where it does, and its name."""
    made = re.compile(rf"^(\w+)\s*=\s*(?:\w+\.)*(?:{'|'.join(sorted(makers))})\(", re.MULTILINE)
    asker, running = code.root.site.module.path, {id(each.facts) for each in code.functions}
    for module in linker.first_party.naming_in_text(Words({"multiprocessing"}), asker, made):
        for found in made.finditer(module.code):
            name = found[1]
            reading = re.compile(rf"(?<![\w.]){re.escape(name)}\b")
            readers = functions_of(module, reading, partial(_reads, name))
            for facts in (each for each in readers if id(each) not in running):
                if _ANY not in _names_not_followed(code, linker) and may_run_in_workers(facts, code, linker):
                    owner = owner_of(name, module, linker)
                    if owner is not None:
                        yield owner, Site(module, facts.reads[name]), facts.name
                    break


def _reads(name: str, facts: FunctionFacts) -> bool:
    return name in facts.reads and not facts.is_module_body


def _names_not_followed(code: WorkerCode, linker: Linker) -> frozenset[str]:
    key = ("not followed", code.root.site.module.path, code.root.site.span)
    return linker.remembered(key, lambda: _not_followed(code, linker))


def _not_followed(code: WorkerCode, linker: Linker) -> frozenset[str]:
    """The names of the methods, and `_ANY` for the parameters, that workers call without that what these are is
    known."""
    found: set[str] = set()
    for function in code.functions if code.boundary is not None else ():
        if not function.module.first_party:
            continue
        for event in function.facts.events:
            called = without_narrowing(event.call.function) if isinstance(event, Called) else None
            if not isinstance(called, (Attribute, Parameter)):
                continue
            if all(is_indefinite(traced.value) for traced in linker.evaluate(called, function.frame)):
                found.add(called.name if isinstance(called, Attribute) else _ANY)
    return frozenset(found)


def _callers(name: str, asker: str, linker: Linker) -> tuple[str, ...]:
    """The names of the functions of the program in which a name is called."""

    def find() -> tuple[str, ...]:
        calling = re.compile(rf"(?<!def )(?<!class )\b{re.escape(name)}\s*\(")
        modules = linker.first_party.naming_in_text(Words({name}), asker, calling)
        found = (each for module in modules for each in functions_of(module, calling, lambda facts: True))
        return tuple({callable_name(each) for each in found if not each.is_module_body})

    return linker.remembered(("calls", name), find)
