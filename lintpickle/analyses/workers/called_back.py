"""What workers may run because their code gives it to a function that is not read, which may call it:
`win32gui.EnumWindows(self.found, None)`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from lintpickle.facts.records import Called
from lintpickle.facts.values import Collection, Comprehension, Constant, Data, Expr, Mapping
from lintpickle.interpreter.abstract_values import AbstractValue, ExternalValue, FunctionValue, is_indefinite
from lintpickle.interpreter.partials import without_partials
from lintpickle.payload.entry_arguments import UNKNOWN_ARGUMENTS
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_reader import code_of
from lintpickle.payload.worker_side import WorkerFunction

_AT_THE_END = frozenset({"atexit.register", "weakref.finalize", "multiprocessing.util.Finalize"})
"""What calls functions as the process ends, when nothing is read any more."""
_NO_FUNCTION = (Constant, Data, Collection, Mapping, Comprehension)
"""Arguments that are no functions, whatever they are."""
_BUILTINS = "builtins."
"""Of these, those that call what they are given are followed anyway."""


def called_back(functions: Iterable[WorkerFunction], linker: Linker) -> tuple[WorkerFunction, ...]:
    """The functions that are given away so by some functions of workers, or by each other, with all that they call in
    known code; without the functions themselves."""
    waiting = list(functions)
    seen = {id(each.facts) for each in waiting}
    found: list[WorkerFunction] = []
    started = {id(each.call) for each in linker.boundary_calls()}
    while waiting:
        for given in _given_away(waiting.pop(), started, linker):
            if id(given.facts) not in seen:
                for each in code_of(given, UNKNOWN_ARGUMENTS, (), linker):
                    if id(each.facts) not in seen:
                        seen.add(id(each.facts))
                        found.append(each)
                        waiting.append(each)
    return tuple(found)


def _given_away(giver: WorkerFunction, started: set[int], linker: Linker) -> Iterator[FunctionValue]:
    """The functions of the program that a function gives to what is not read. `started` are the calls that start other
    processes, by their ids: those run what they are given."""
    for event in giver.facts.events if giver.module.first_party else ():
        if not isinstance(event, Called) or id(event.call) in started:
            continue
        arguments = [each.value for each in event.call.arguments if not isinstance(each.value, _NO_FUNCTION)]
        if not arguments or not any(map(_may_call, _values(event.call.function, giver, linker))):
            continue
        for argument in arguments:
            for traced in without_partials(linker.evaluate(argument, giver.frame), linker.evaluator):
                if isinstance(traced.value, FunctionValue) and traced.value.module.first_party:
                    yield traced.value


def _values(value: Expr, function: WorkerFunction, linker: Linker) -> Iterator[AbstractValue]:
    return (each.value for each in linker.evaluate(value, function.frame))


def _may_call(callee: AbstractValue) -> bool:
    if isinstance(callee, ExternalValue):
        return callee.path not in _AT_THE_END and not callee.path.startswith(_BUILTINS)
    return is_indefinite(callee)
