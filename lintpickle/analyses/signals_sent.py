"""Signals that the main process sends to workers, or that workers let themselves be sent, and for which it alone has
set a handler."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from lintpickle.analyses.import_time import functions_of, outside_comments
from lintpickle.analyses.main_setters import Met, Setting, of_the_program, set_by, setter_at
from lintpickle.diagnostics import Span
from lintpickle.facts.records import Called, FunctionFacts
from lintpickle.facts.values import Attribute, Call, Expr, chain
from lintpickle.interpreter.abstract_values import ExternalResult, ProductValue
from lintpickle.interpreter.root_frames import RootFrame
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction
from lintpickle.prefilter.words import Words

_SENDERS = frozenset({"terminate", "send_signal", "kill"})
_PROGRAMS = ("subprocess.", "asyncio.", "psutil.")
_SENDING = re.compile(r"\.(?:terminate|send_signal)\s*\(|\bkill\s*\(")
_ENDING = "SIGTERM"
_UNHANDLED = Met("there the signal has its default effect", "set")


class Signal(Struct, frozen=True):
    """A signal that reaches the workers of a boundary: its name, and what runs there."""

    name: str
    function: WorkerFunction
    span: Span


def signals_handled(code: WorkerCode, linker: Linker) -> Iterator[tuple[Signal, Setting]]:
    """The signals that reach workers, each once, with how the main process sets their handler before it starts them.
    For `migrate`."""
    if linker.moving_to is None or code.boundary is None or not code.functions:
        return
    asker = code.root.site.module.path
    for name in sorted(set(_sent(code, linker))):
        handling = re.compile(rf"\bsignal\s*\(\s*(?:\w+\.)*{name}\s*,(?!\s*(?:\w+\.)*SIG_)")
        setters = [
            setter_at(module, facts, place, linker, asker)
            for module in linker.first_party.naming_in_text(Words({name}), asker, handling)
            for facts in functions_of(module, handling, lambda facts: True)
            if (place := _own_place(handling, facts, module.code)) is not None
        ]
        setting = set_by(of_the_program(setters, code, linker), _UNHANDLED, linker, asker)
        if setting is not None:
            first = code.functions[0]
            yield Signal(name, first, first.facts.header), setting


def _own_place(form: re.Pattern[str], facts: FunctionFacts, text: str) -> Span | None:
    """Where a form stands in a function, and in none that it defines."""
    found = outside_comments(form, text, facts.span.start, facts.span.end)
    return found if found is not None and facts.owns(found.start) else None


def _sent(code: WorkerCode, linker: Linker) -> Iterator[str]:
    """The names of the signals that the modules in which workers are started send to processes."""
    assert code.boundary is not None
    starts = {code.root.site.module.path, *(hop.site.module.path for hop in code.boundary.hops)}
    running = {id(each.facts) for each in code.functions}
    for root in linker.activations_with(_SENDERS, _SENDING, code.root.site.module.path):
        if root.frame.module.path in starts and id(root.function) not in running:
            for event in root.function.events:
                name = _signal_of(event.call) if isinstance(event, Called) else None
                if isinstance(event, Called) and name is not None and not _is_to_program(event.call, root, linker):
                    yield name


def _is_to_program(call: Call, root: RootFrame, linker: Linker) -> bool:
    """Whether what a signal is sent to is a program that `subprocess` has started."""
    target = call.function
    given = call.positional()
    if given and isinstance(given[0], Attribute):
        target = given[0]
    base = target.base if isinstance(target, Attribute) else target
    values = (traced.value for traced in linker.evaluate(base, root.frame))
    return any(isinstance(each, (ExternalResult, ProductValue)) and each.path.startswith(_PROGRAMS) for each in values)


def _signal_of(call: Call) -> str | None:
    """The name of the signal that a call sends to a process."""
    function, given = call.function, call.positional() or ()
    if not isinstance(function, Attribute):
        return None
    match function.name, given:
        case "terminate", ():
            return _ENDING
        case "kill", (Attribute(name="pid"), sent):
            return _named(sent)
        case "send_signal", (sent,):
            return _named(sent)
        case _:
            return None


def _named(value: Expr) -> str | None:
    parts = chain(value) or ()
    return parts[-1] if parts and parts[-1].startswith("SIG") else None
