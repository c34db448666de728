"""Functions of a module of the program that a call chooses by a name which is not known: `getattr(cases, name)()`."""

from __future__ import annotations

from collections.abc import Iterator

from lintpickle.facts.records import FunctionFacts, Store
from lintpickle.facts.values import Argument, Call, Constant, Expr, Name, without_narrowing
from lintpickle.interpreter.abstract_values import FunctionValue, ModuleValue
from lintpickle.payload.protocols import LinkedProgram
from lintpickle.payload.worker_side import WorkerFunction


def functions_chosen(function: Expr, caller: WorkerFunction, linker: LinkedProgram) -> Iterator[FunctionValue]:
    """The functions of another module among which a function chooses what it calls. Of those that set something
    themselves, it is not guessed that workers run them."""
    match without_narrowing(function):
        case Call(function=Name(name="getattr"), arguments=(Argument(value=target), Argument(value=key), *_)) if (
            not isinstance(key, Constant)
        ):
            values = [traced.value for traced in linker.evaluator.evaluate(target, caller.frame)]
        case _:
            return
    for value in values:
        home = linker.program.find(value.name, caller.module) if isinstance(value, ModuleValue) else None
        if home is None or not home.first_party or home is caller.module:
            continue
        for block in home.outline.blocks:
            facts = home.facts_of(block) if not block.is_class else None
            for each in facts.functions.values() if facts is not None else ():
                if not _sets_anything(each):
                    yield FunctionValue(home, each)


def _sets_anything(facts: FunctionFacts) -> bool:
    return bool(facts.globals_declared) or any(isinstance(event, Store) for event in facts.events)
