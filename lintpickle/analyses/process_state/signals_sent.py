"""Signals that the main process sends to workers, or that workers let themselves be sent, and for which it alone has
set a handler."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from lintpickle.analyses.main_state.main_setters import Setting, of_the_program, set_by, setter_at
from lintpickle.analyses.process_state.default_actions import default_effect
from lintpickle.analyses.process_state.had_by_server import Had, had_by_server
from lintpickle.analyses.process_state.made_after_start import is_made_after_start
from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.diagnostics import Span, StartMethod
from lintpickle.facts.records import Called
from lintpickle.facts.values import Attribute, Call, Expr, Item, chain, ending_name, evaluates, without_narrowing
from lintpickle.interpreter.abstract_values import ExternalResult, ExternalValue, ProductValue, Site
from lintpickle.interpreter.root_frames import RootFrame
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction

_SENDERS = frozenset({"terminate", "send_signal", "kill"})
_PROCESS = "process"
_PROGRAMS = ("subprocess.", "asyncio.", "psutil.")
_SENDING = re.compile(r"\.(?:terminate|send_signal)\s*\(|\bkill\s*\(")
_ENDING = "SIGTERM"
_SIGNAL = "SIG"
_HANDLING = frozenset({"signal", "faulthandler"})
_HANDLES = re.compile(r"\bsignal\s*\(|\bfaulthandler\s*\.\s*register\s*\(")
_DUMPS = ("faulthandler", "register")
_IGNORED = "SIG_IGN"
_PLAIN = frozenset({"SIG_DFL", _IGNORED})
"""What is no handler: a signal without an effect stays so in programs that are started."""


class Signal(Struct, frozen=True):
    """A signal that reaches the workers of a boundary: its name, what runs there, and where it is sent."""

    name: str
    function: WorkerFunction
    sent: Site
    only: StartMethod | None = None
    """The only start method under which the workers lack what the main process sets."""


def signals_handled(code: WorkerCode, linker: Linker) -> Iterator[tuple[Signal, Setting]]:
    """The signals that reach workers, each once, with how the main process sets their handler before it starts them.
    For `migrate`."""
    if linker.moving_to is None or code.boundary is None or not code.functions:
        return
    asker = code.root.site.module.path
    sent: dict[str, Site] = {}
    for name, site in _sent(code, linker):
        sent.setdefault(name, site)
    for name, site in sorted(sent.items(), key=lambda each: each[0]):
        setters = [
            setter_at(root.frame.module, root.function, span, linker, asker)
            for root, span in handlers_set(name, linker, asker)
        ]
        setters = [each for each in setters if not is_made_after_start(each, code, linker)]
        setting = set_by(of_the_program(setters, code, linker), default_effect(name), linker, asker)
        if setting is not None:
            yield Signal(name, code.functions[0], site), setting
        else:
            yield from _ignored_late(name, site, code, linker)


def _ignored_late(name: str, site: Site, code: WorkerCode, linker: Linker) -> Iterator[tuple[Signal, Setting]]:
    """The signal, where the main process has it ignored when the fork server runs already: new processes have that of
    the server."""
    asker, met = code.root.site.module.path, default_effect(name)
    ignoring = of_the_program(
        [
            setter_at(root.frame.module, root.function, span, linker, asker)
            for root, span in handlers_set(name, linker, asker, ignored=True)
        ],
        code,
        linker,
    )
    setting = set_by(ignoring, met, linker, asker) if met.error is not None else None
    if setting is not None and had_by_server(ignoring, setting.site.span, code, linker) is Had.EARLIER:
        where = f"{setting.where}, after the server has started"
        yield Signal(name, code.functions[0], site, StartMethod.FORKSERVER), replace(setting, where=where)


def handlers_set(name: str, linker: Linker, asker: str, ignored: bool = False) -> Iterator[tuple[RootFrame, Span]]:
    """The calls that give a signal a handler of the program's own, or that of `faulthandler`; or those by which it is
    ignored."""
    for root in linker.activations_with(_HANDLING, _HANDLES, asker):
        for event in root.function.events:
            if isinstance(event, Called) and _gives_handler(event.call, name, root, linker, ignored):
                yield root, event.span


def _gives_handler(call: Call, signal: str, root: RootFrame, linker: Linker, ignored: bool) -> bool:
    match call.positional():
        case (number, *_) if chain(call.function) == _DUMPS and not ignored:
            return signal in _named(number, root, linker)
        case (number, handler) if ending_name(call.function) == "signal" and signal in _named(number, root, linker):
            plain = _PLAIN.intersection(_named(handler, root, linker))
            return _IGNORED in plain if ignored else not plain
        case _:
            return False


def _sent(code: WorkerCode, linker: Linker) -> Iterator[tuple[str, Site]]:
    """The names of the signals that the modules in which workers are started send to processes, each with where."""
    assert code.boundary is not None
    starts = {code.root.site.module.path, *(hop.site.module.path for hop in code.boundary.hops)}
    running = {id(each.facts) for each in code.functions}
    for root in linker.activations_with(_SENDERS, _SENDING, code.root.site.module.path):
        if root.frame.module.path in starts and id(root.function) not in running:
            for event in root.function.events:
                names = _signals_of(event.call, root, linker) if isinstance(event, Called) else ()
                if isinstance(event, Called) and names and _may_reach(event.call, root, code.boundary, linker):
                    yield from ((name, Site(root.frame.module, event.span)) for name in names)


def _may_reach(call: Call, root: RootFrame, boundary: BoundaryCall, linker: Linker) -> bool:
    """Whether what a call sends may be for what a boundary starts."""
    return not _is_to_program(call, root, linker) and not _is_to_another(call, root, boundary, linker)


def _is_to_program(call: Call, root: RootFrame, linker: Linker) -> bool:
    """Whether what a signal is sent to is a program that `subprocess` has started."""
    values = (traced.value for traced in linker.evaluate(_receiver(call), root.frame))
    return any(isinstance(each, (ExternalResult, ProductValue)) and each.path.startswith(_PROGRAMS) for each in values)


def _receiver(call: Call) -> Expr:
    """What a signal is sent to: `worker` of `worker.terminate()` and of `os.kill(worker.pid, signal.SIGTERM)`."""
    target = call.function
    given = call.positional()
    if given and isinstance(given[0], Attribute):
        target = given[0]
    return target.base if isinstance(target, Attribute) else target


def _is_to_another(call: Call, root: RootFrame, boundary: BoundaryCall, linker: Linker) -> bool:
    """Whether a signal is sent to another process than a boundary starts: to what other calls make, by the variable or
    attribute that holds it. (What a list holds besides is not known.)"""
    module, receiver = root.frame.module, without_narrowing(_receiver(call))
    if isinstance(receiver, Item):
        return False
    made = [each.site for each in linker.boundary_calls() if each.spec.kind == _PROCESS and each.site.module is module]
    named = [site for site in made if evaluates(receiver, site.span)]
    name = ending_name(receiver)
    if not named and name is not None:
        held = re.compile(rf"\b{re.escape(name)}\s*=\s*\Z")
        named = [site for site in made if held.search(module.code, _row(site), site.span.start)]
    own = {boundary.site, *(hop.site for hop in boundary.hops)}
    return bool(named) and own.isdisjoint(named)


def _row(site: Site) -> int:
    return site.module.code.rfind("\n", 0, site.span.start) + 1


def _signals_of(call: Call, root: RootFrame, linker: Linker) -> tuple[str, ...]:
    """The names of the signals that a call sends to a process."""
    function, given = call.function, call.positional() or ()
    if not isinstance(function, Attribute):
        return ()
    match function.name, given:
        case "terminate", ():
            return (_ENDING,)
        case "kill", (Attribute(name="pid"), sent):
            return _named(sent, root, linker)
        case "send_signal", (sent,):
            return _named(sent, root, linker)
        case _:
            return ()


def _named(value: Expr, root: RootFrame, linker: Linker) -> tuple[str, ...]:
    """The names in `signal` that a value may be, as `SIGTERM` or `SIG_IGN`."""
    written = ending_name(value) or ""
    if written.startswith(_SIGNAL):
        return (written,)
    values = (traced.value for traced in linker.evaluate(value, root.frame))
    paths = (each.path.rpartition(".")[2] for each in values if isinstance(each, ExternalValue))
    return tuple(name for name in paths if name.startswith(_SIGNAL))
