"""Waits that never end, since each process has an object of its own, and what ends them is done to another one."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial

from msgspec import Struct

from lintpickle.analyses.at_import.import_runs import runs_on_import
from lintpickle.analyses.at_import.import_time import guard_of, runs_later
from lintpickle.analyses.main_state.made_per_process import MadePerProcess
from lintpickle.analyses.main_state.main_setters import modules_of_program
from lintpickle.analyses.main_state.read_objects import Owner, path_of
from lintpickle.analyses.waiting.waits import (
    MAIN_WAITS,
    WORKER_GOES_ON,
    WORKER_WAITS,
    Wait,
    asks_whether,
    calls_caught,
    fails_at_once,
    waits_first,
    waits_in,
)
from lintpickle.analyses.workers.daemonic import is_daemonic
from lintpickle.analyses.workers.runs_elsewhere import runs_elsewhere
from lintpickle.catalog import WaitingSpec
from lintpickle.control_flow.paths import Paths
from lintpickle.facts.records import FunctionFacts
from lintpickle.facts.values import Constant
from lintpickle.interpreter.abstract_values import AbstractValue, ExternalResult, ProductValue
from lintpickle.interpreter.root_frames import RootFrame
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode

_MODULE = "multiprocessing."
_CALLED = "()"
_PAIR = "Pipe("
_PROCESS = "process"
_AWAITS = re.compile(r"\.\s*(?:join|get|recv|wait|result)\(\s*\)")
_ENDS_PROCESS = re.compile(r"\.\s*(?:terminate|kill)\(\s*\)")


class AwaitedThing(Struct, frozen=True):
    """An object at which processes wait, by the last part of the name under which it is used, and of that under which
    what ends a wait is done to it: the other end of a pipe."""

    name: str
    given_as: str
    specs: tuple[WaitingSpec, ...]

    @property
    def word(self) -> str:
        """The name that stands wherever what ends a wait is done."""
        return self.given_as.removesuffix(_CALLED)

    def is_it(self, written: str) -> bool:
        """Whether a dotted name ends with that of the object."""
        return written.rpartition(".")[2] == self.name

    def is_given(self, spec: WaitingSpec, name: str) -> re.Pattern[str]:
        """How code is written that ends a wait, at an object of that name."""
        ends = "|".join(map(re.escape, spec.until)) or r"(?!)"
        return re.compile(rf"\b{re.escape(name)}\s*(?:\[[^\]\n]*\]\s*)?\.\s*(?:{ends})\s*(?:\(|[-+|&]?=(?!=))")


def endless_wait(thing: AwaitedThing, code: WorkerCode, linker: Linker) -> str | None:
    """How the workers of a boundary, or the main process, wait for ever at an object that each process has of its own,
    in words; None if none is seen to. Code is told by the last part of the object's name."""
    for spec in thing.specs:
        in_worker = _in_worker(thing, spec, code, linker)
        if in_worker is not None:
            return in_worker
    for spec in thing.specs:
        if _in_main(thing, spec, code, linker, partial(_waits_in_main, spec=spec)):
            return MAIN_WAITS
    return None


def empty_take(thing: AwaitedThing, code: WorkerCode, linker: Linker) -> str | None:
    """The error of workers, or of the main process, that take something out of an object that each process has of its
    own, without waiting for it or not for long, where only another process puts anything in."""
    for spec in thing.specs:
        if spec.failing is None:
            continue
        taking = (each for each in code.functions if each.module.first_party)
        if any(fails_at_once(each.frame.paths.tree, spec, thing.is_it) for each in taking):
            given = [*_places(thing.is_given(spec, thing.given_as), thing.word, code, linker)]
            is_there = any(_is_at_import(each, linker) for each in given)
            if given and not is_there and not _may_be_given_in(code, thing, spec, linker):
                return spec.failing
        if _in_main(thing, spec, code, linker, partial(_fails_in_main, spec=spec, code=code, linker=linker)):
            return spec.failing
    return None


def thing_of_module(owner: Owner, linker: Linker) -> AwaitedThing:
    """What a global of a module holds, as processes wait at it."""
    name, given_as, path = owner.name.rpartition(".")[2], owner.name.rpartition(".")[2], path_of(owner.value) or ""
    if len(owner.block.names) == 2 and _PAIR in owner.module.facts.text(owner.block):
        path = f"{_MODULE}{_PAIR[:-1]}"
        given_as = next((each for each in owner.block.names if each != name), name)
    return AwaitedThing(name, given_as, _specs(owner.value, path, linker))


def thing_asked_for(made: MadePerProcess, linker: Linker) -> AwaitedThing:
    """What a function makes in each process for those that ask: they tell it by the call of that."""
    name = f"{made.function.facts.name}{_CALLED}"
    return AwaitedThing(name, name, _specs(made.value, path_of(made.value) or "", linker))


def _specs(value: AbstractValue | None, path: str, linker: Linker) -> tuple[WaitingSpec, ...]:
    """How processes wait at what a call of that path has made."""
    if _MODULE in path or path.startswith("mp-context"):
        path = _MODULE + path.rpartition(".")[2]
    call = value.call if isinstance(value, (ExternalResult, ProductValue)) else None
    first = call.argument("value", 0) if call is not None else None
    return tuple(linker.catalog.waitings(path, first.value if isinstance(first, Constant) else None))


def _in_worker(thing: AwaitedThing, spec: WaitingSpec, code: WorkerCode, linker: Linker) -> str | None:
    found = next(_waits_of(code, spec, thing.is_it), None)
    if found is None:
        return None
    given = [*_places(thing.is_given(spec, thing.given_as), thing.word, code, linker)]
    if any(_is_at_import(each, linker) for each in given) or _may_be_given_in(code, thing, spec, linker):
        return None
    is_ended = any(not _runs_in(each.function, code) for each in given)
    if found.is_loop and not is_ended:
        return None  # Nobody is seen to end it under fork either.
    if not _is_awaited(code, linker, found):
        return None
    return WORKER_GOES_ON if found.is_loop else WORKER_WAITS


def _waits_of(code: WorkerCode, spec: WaitingSpec, is_it: Callable[[str], bool]) -> Iterator[Wait]:
    for function in code.functions:
        if function.module.first_party:
            yield from waits_in(function.frame.paths.tree, spec, is_it)


def _may_be_given_in(code: WorkerCode, thing: AwaitedThing, spec: WaitingSpec, linker: Linker) -> bool:
    """Whether the workers that wait may also do what ends the wait, or hand the object to something that does."""
    handed = re.compile(rf"(?<!global )(?<!with )\b{re.escape(thing.given_as)}(?!\w)(?!\s*[.:=])")
    given = thing.is_given(spec, thing.given_as)
    for function in (each for code in _in_same_process(code, linker) for each in code.functions):
        text, span = function.module.code, function.facts.span
        is_given = given.search(text, span.start, span.end) is not None
        if is_given and not waits_first(function.frame.paths.tree, spec, thing.is_it):
            return True
        if handed.search(text, function.facts.header.end, span.end) is not None:
            return True
    return False


def _in_same_process(code: WorkerCode, linker: Linker) -> Iterator[WorkerCode]:
    """What may run in the same workers: all that is given to pools, and the initializers of these."""
    yield code
    if code.boundary is None or code.boundary.spec.kind == _PROCESS:
        return
    asker = code.root.site.module.path
    for each in linker.worker_codes():
        is_of_pool = each.boundary is not None and each.boundary.spec.kind != _PROCESS
        if is_of_pool and each is not code and each.root.site.module.path == asker:
            yield each
    yield from linker.worker_codes_of_makers(code.boundary)


def _runs_in(function: FunctionFacts, code: WorkerCode) -> bool:
    return any(each.facts is function for each in code.functions)


def _is_awaited(code: WorkerCode, linker: Linker, wait: Wait) -> bool:
    """Whether the program waits for a worker: a daemonic process that nobody waits for ends with the main process."""
    module = code.root.site.module
    if code.boundary is None or code.boundary.spec.kind != _PROCESS:
        return True
    if wait.is_loop and _ENDS_PROCESS.search(module.code) is not None:
        return False
    is_daemon = is_daemonic(code, linker) or re.search(r"\bdaemon\s*=\s*True\b", module.code) is not None
    return not is_daemon or any(
        not any(each.facts.span.start <= found.start() < each.facts.span.end for each in code.functions)
        for found in _AWAITS.finditer(module.code)
    )


def _waits_in_main(root: RootFrame, is_it: Callable[[str], bool], spec: WaitingSpec) -> bool:
    tree = Paths(root.frame.module, root.function.span).tree
    return next(waits_in(tree, spec, is_it), None) is not None


def _fails_in_main(
    root: RootFrame, is_it: Callable[[str], bool], spec: WaitingSpec, code: WorkerCode, linker: Linker
) -> bool:
    """Whether a function takes something out where it does not wait for long, and neither it nor what calls it catches
    the error of that."""
    tree = Paths(root.frame.module, root.function.span).tree
    if not fails_at_once(tree, spec, is_it) or asks_whether(tree, spec, is_it):
        return False
    if root.function.is_module_body:
        return True
    called = re.compile(rf"(?<!def )\b{re.escape(root.function.name)}[ \t]*\(")
    for caller in _places(called, root.function.name, code, linker):
        calling = Paths(caller.frame.module, caller.function.span).tree
        if calls_caught(calling, spec, root.function.name):
            return False
    return True


def _in_main(
    thing: AwaitedThing,
    spec: WaitingSpec,
    code: WorkerCode,
    linker: Linker,
    fails: Callable[[RootFrame, Callable[[str], bool]], bool],
) -> bool:
    """Whether the main process waits for what only workers do to an object of their own; `fails` says it of one
    function, and of what tells the object by its dotted name."""
    asker = code.root.site.module.path
    by_worker = thing.is_given(spec, thing.name)
    is_given_there = any(
        by_worker.search(each.module.code, each.facts.span.start, each.facts.span.end) for each in code.functions
    )
    if not is_given_there and spec.until:
        return False
    waited = re.compile(rf"\b{re.escape(thing.given_as)}(?!\w)")
    other = AwaitedThing(thing.given_as, thing.name, thing.specs)
    waiting = False
    for root in _places(waited, thing.word, code, linker):
        module, span = root.frame.module, root.function.span
        if _is_at_import(root, linker) or runs_elsewhere(root.function, module, linker, asker):
            if by_worker.search(module.code, span.start, span.end) and not _runs_in(root.function, code):
                return False
            continue
        if by_worker.search(module.code, span.start, span.end) is not None:
            return False
        waiting = waiting or fails(root, other.is_it)
    return waiting


def _places(form: re.Pattern[str], word: str, code: WorkerCode, linker: Linker) -> Iterator[RootFrame]:
    """The functions and module bodies of the program in which a form stands."""
    there = modules_of_program(code, linker)
    for root in linker.activations_with({word}, form, code.root.site.module.path):
        module, span = root.frame.module, root.function.span
        block = module.outline.block_at(span.start)
        is_defining = root.function.is_module_body and block is not None and runs_later(block, module)
        is_guard = guard_of(span.start, module) is not None
        if module.path in there and (is_guard or not is_defining) and form.search(module.code, span.start, span.end):
            yield root


def _is_at_import(root: RootFrame, linker: Linker) -> bool:
    module = root.frame.module
    if root.function.is_module_body:
        return guard_of(root.function.span.start, module) is None
    return runs_on_import(root.function, module, linker)
