"""Whether an exception that worker code raises leaves the worker, or is caught on the way."""

from __future__ import annotations

import builtins
from collections.abc import Iterator

from msgspec.structs import replace

from lintpickle.control_flow.handlers import Aftermath, aftermath
from lintpickle.facts.records import Called, Raised
from lintpickle.facts.values import Attribute, Call, without_narrowing
from lintpickle.interpreter.abstract_values import (
    UNKNOWN,
    ClassValue,
    ExternalValue,
    FunctionValue,
    Hop,
    InstanceValue,
    Site,
)
from lintpickle.interpreter.protocols import Ancestor
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction, calls_made
from lintpickle.program.module import Module

_BUILTIN = "builtins."


def leaves_worker(
    event: Raised, function: WorkerFunction, line: tuple[Ancestor, ...], code: WorkerCode, linker: Linker
) -> bool | None:
    """Whether an exception of a class with that hierarchy, which a function of a worker raises, gets to the end of the
    worker's code by any of the ways by which the function is called; None if that is not known."""
    names = frozenset(_names(line))
    found = _Ways(code, names, linker).leaves(function, event.span.start)
    return None if found is Aftermath.UNKNOWN else found is Aftermath.LEAVES


def way_back(
    event: Raised, function: WorkerFunction, line: tuple[Ancestor, ...], code: WorkerCode, linker: Linker
) -> tuple[Hop, ...] | None:
    """The hops by which the function is come to from where the exception gets out of the worker: those by which it was
    found, unless they lead through what catches it. None if there are none."""
    return _Ways(code, frozenset(_names(line)), linker).way(function, event.span.start)


class _Ways:
    """The calls by which an exception goes back to what the worker calls."""

    def __init__(self, code: WorkerCode, names: frozenset[str], linker: Linker) -> None:
        self._code = code
        self._names = names
        self._linker = linker
        self._seen: set[tuple[int, int]] = set()

    def leaves(self, function: WorkerFunction, place: int) -> Aftermath:
        step = (id(function.facts), place)
        here = self._aftermath(function, place)
        if here is Aftermath.ENDS or step in self._seen:
            return Aftermath.ENDS
        self._seen.add(step)
        if function.entry:
            return Aftermath.LEAVES if here is Aftermath.RETURNED else here
        here = Aftermath.UNKNOWN if here is Aftermath.RETURNED else here
        calls = list(self._calls(function)) or list(self._calls(function, guessed=True))
        fates = [self.leaves(caller, call.span.start) for caller, call in calls]
        if not calls or Aftermath.LEAVES in fates:
            return here
        return Aftermath.UNKNOWN if Aftermath.UNKNOWN in fates else Aftermath.ENDS

    def way(self, function: WorkerFunction, place: int) -> tuple[Hop, ...] | None:
        """The hops to a function, an exception at a place of which leaves the worker."""
        step = (id(function.facts), place)
        here = self._aftermath(function, place)
        if step in self._seen or here not in (Aftermath.LEAVES, Aftermath.RETURNED):
            return None
        self._seen.add(step)
        if function.entry or not function.hops:
            return function.hops
        last = function.hops[-1]
        calls = [(caller, Site(caller.module, call.span)) for caller, call in self._calls(function)]
        if not calls:
            return function.hops
        for caller, site in sorted(calls, key=lambda each: each[1] != last.site):
            before = self.way(caller, site.span.start)
            if before is not None:
                return function.hops if site == last.site else (*before, replace(last, site=site))
        return None

    def _aftermath(self, function: WorkerFunction, place: int) -> Aftermath:
        paths, module = function.frame.paths, function.module
        return aftermath(*paths.in_tree(place), self._names, lambda name: _original(name, module))

    def _calls(self, function: WorkerFunction, guessed: bool = False) -> Iterator[tuple[WorkerFunction, Call]]:
        """The calls of a function in the workers, with the functions that make them; if `guessed`, those of a method of
        that name of an object of which nothing is known, as the worker side guesses them."""
        for caller in self._code.functions:
            for event in caller.facts.events:
                for call in calls_made(event.call, caller.frame, self._linker) if isinstance(event, Called) else ():
                    if self._may_be_of(call, function, caller) if guessed else self._is_of(call, function, caller):
                        yield caller, call

    def _may_be_of(self, call: Call, function: WorkerFunction, caller: WorkerFunction) -> bool:
        """Whether a call is of a method with the name of a function, of an object of which nothing is known."""
        named = without_narrowing(call.function)
        if not isinstance(named, Attribute) or named.name != function.facts.name:
            return False
        return any(traced.value is UNKNOWN for traced in self._linker.evaluate(named, caller.frame))

    def _is_of(self, call: Call, function: WorkerFunction, caller: WorkerFunction) -> bool:
        """Whether a call of a function in another one, or of the class or object whose method it is, is of it."""
        for traced in self._linker.evaluate(call.function, caller.frame):
            match traced.value:
                case FunctionValue(facts=facts):
                    if facts is function.facts:
                        return True
                case ClassValue() | InstanceValue() as owner:
                    found = self._linker.classes.find_method(owner, function.facts.name)
                    if found is not None and found[1] is function.facts:
                        return True
                case _:
                    pass
        return False


def _names(line: tuple[Ancestor, ...]) -> Iterator[str]:
    """The last names of the classes of a hierarchy, with the bases of builtin ones."""
    for each in line:
        if isinstance(each, ExternalValue):
            name = each.path.removeprefix(_BUILTIN)
            known = getattr(builtins, name, None) if each.path.startswith(_BUILTIN) else None
            yield from (base.__name__ for base in known.__mro__) if isinstance(known, type) else (name,)
        else:
            yield each.facts.name


def _original(name: str, module: Module) -> str:
    imported = module.outline.imports.get(name)
    return imported.name or name if imported is not None else name
