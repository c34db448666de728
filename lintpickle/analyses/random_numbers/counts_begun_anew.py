"""Counters that a class keeps, from which both the main process and workers draw, as a rule as they make objects: a
worker that is not forked begins anew. For `migrate`."""

from __future__ import annotations

from collections.abc import Iterator

from lintpickle.analyses.main_state.calls_of_main import calls_by_main
from lintpickle.analyses.main_state.main_setters import (
    Met,
    Setter,
    Setting,
    is_before_workers,
    of_the_program,
    set_by,
)
from lintpickle.analyses.main_state.read_objects import Reading
from lintpickle.analyses.random_numbers.class_counters import counter_of_class, keeper_named
from lintpickle.facts.records import Called
from lintpickle.facts.values import Argument, Attribute, Call, Name
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction

_COUNTER = "itertools.count"
_NEXT = "next"
_BEGINS_ANEW = Met("there it begins anew", "changed")


def counts_begun_anew(code: WorkerCode, linker: Linker) -> Iterator[tuple[WorkerFunction, Reading, Setting]]:
    """Such counters that functions of workers draw from, each once, with how the main process does so before it starts
    them."""
    asker, told = code.root.site.module.path, set[tuple[str, str, str]]()
    for function in code.functions if linker.moving_to is not None else ():
        module, facts = function.module, function.facts
        if not module.first_party or _NEXT not in facts.reads:
            continue
        for counter in _drawn_from(function):
            written = module.code[counter.span.start : counter.span.end]
            owner = written.rpartition(".")[0]
            made = counter_of_class(owner, counter.name, function.frame, linker)
            key = (module.path, keeper_named(owner, facts), counter.name)
            if made is None or made.path != _COUNTER or key in told:
                continue
            calls = calls_by_main(facts, code, linker, asker)
            setters = [
                Setter(root.frame.module, root.function, span, True)
                for root, span in calls
                if is_before_workers(span, root.function, linker)
            ]
            setting = set_by(of_the_program(setters, code, linker), _BEGINS_ANEW, linker, asker)
            if setting is not None:
                told.add(key)
                yield function, Reading(written, counter.span, False), setting


def _drawn_from(function: WorkerFunction) -> Iterator[Attribute]:
    """The attributes from which a function draws: `next(self._numbers)`."""
    for event in function.facts.events:
        match event:
            case Called(call=Call(function=Name(name=name), arguments=(Argument(value=Attribute() as counter), *_))):
                if name == _NEXT:
                    yield counter
            case _:
                pass
