"""Functions that make an object once in each process and give it to all that ask: a cached one, as `@lru_cache` on one
that returns `Event()`, or one that keeps it in a global (`if _stop is None: _stop = Event()`).

Measured with CPython 3.11 under spawn and forkserver: the cache and the global are empty in a worker, whatever the main
process has asked for before."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from lintpickle.analyses.calls_and_values.values import resolves_to
from lintpickle.analyses.main_state.calls_of_main import calls_by_main
from lintpickle.analyses.main_state.global_setters import setters_of, value_set
from lintpickle.analyses.workers.runs_elsewhere import runs_beside_main
from lintpickle.facts.records import FunctionFacts
from lintpickle.facts.values import Call, Expr, Name, options_of, uncalled, without_narrowing
from lintpickle.interpreter.abstract_values import AbstractValue, Frame, Site
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction

_CACHES = frozenset({"functools.lru_cache", "functools.cache"})


class MadePerProcess(Struct, frozen=True, eq=False):
    """A function that workers call, what it makes in each process, where, and where the main process asks for it."""

    function: WorkerFunction
    value: AbstractValue
    made_at: Site
    asked_at: Site


def made_per_process(code: WorkerCode, linker: Linker) -> Iterator[MadePerProcess]:
    """What such functions give to workers of which the main process has asked for its own."""
    asker = code.root.site.module.path
    for function in code.functions:
        if function.module.first_party and not function.entry and not function.facts.parameters:
            made = _made(function, code, linker)
            values = [each.value for each in linker.evaluate(made, function.frame)] if made is not None else []
            asked = next(calls_by_main(function.facts, code, linker, asker), None) if len(values) == 1 else None
            if made is not None and asked is not None:
                root, span = asked
                asked_at = Site(root.frame.module, span)
                yield MadePerProcess(function, values[0], Site(function.module, made.span), asked_at)


def _made(function: WorkerFunction, code: WorkerCode, linker: Linker) -> Expr | None:
    """The call that makes what a function gives to all that ask in one process; None if it is no such function."""
    facts = function.facts
    if facts.may_give_none or facts.is_generator or facts.is_async or len(facts.returns) != 1:
        return None
    returned = without_narrowing(facts.returns[0])
    if facts.decorators:
        is_cached = len(facts.decorators) == 1 and is_cache_decorator(facts.decorators[0], function.frame, linker)
        return returned if isinstance(returned, Call) and is_cached else None
    names = [each.name for each in options_of(returned) if isinstance(each, Name)]
    names += [name for name in facts.globals_declared if name in facts.variables and name not in names]
    for name in names if len(facts.globals_declared) == 1 else ():
        kept = without_narrowing(value_set(name, facts) or returned)
        made = next((each for each in options_of(kept) if isinstance(each, Call)), None)
        if made is not None and _is_kept_by_it_alone(name, function, code, linker):
            return made
    return None


def is_cache_decorator(decorator: Expr, frame: Frame, linker: Linker) -> bool:
    """Whether a decorator keeps the results of a function."""
    named = uncalled(decorator)
    return resolves_to(named, frame, linker, _CACHES)


def _is_kept_by_it_alone(name: str, function: WorkerFunction, code: WorkerCode, linker: Linker) -> bool:
    """Whether a global is nothing until a function makes it, and no other function gives workers theirs."""
    module = function.module
    others: list[FunctionFacts] = [each for each in setters_of(name, module) if each is not function.facts]
    if any(runs_beside_main(each, module, code, linker) for each in others):
        return False
    span = function.facts.span
    text = module.code[span.start : span.end]
    return f"{name} is None" in text or f"not {name}" in text
