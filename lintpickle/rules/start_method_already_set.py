from __future__ import annotations

from collections.abc import Iterable

from lintpickle.analyses.process_state.default_contexts import SET_ALREADY
from lintpickle.analyses.process_state.start_methods_set import SetAgain, set_again, set_in_workers
from lintpickle.diagnostics import Confidence
from lintpickle.rules.authoring import ALL_START_METHODS, Hazard, Hop, Linker, Module, Rule, Site, WorkerCode
from lintpickle.rules.base import excerpt_at


class StartMethodAlreadySet(Rule):
    """The start method set in a process that has one: set before, taken by a queue or a pool, or that of a worker."""

    code = "LP262"
    name = "start-method-already-set"
    start_methods = ALL_START_METHODS
    message = "`{call}` {why}: {error}"
    help = (
        "set it once, before anything of `multiprocessing` is made, or use the context of "
        "`multiprocessing.get_context(...)`"
    )
    words = frozenset({"set_start_method"})

    def module(self, module: Module, linker: Linker) -> Iterable[Hazard]:
        for found in set_again(module, linker):
            confidence = Confidence.CERTAIN if found.is_sure else Confidence.LIKELY
            hops = (Hop(_before(found), found.before), *(Hop("leads there", each) for each in found.way))
            yield _hazard(found.site, _why(found), hops, confidence)

    def worker(self, code: WorkerCode, linker: Linker) -> Iterable[Hazard]:
        for function, site in set_in_workers(code, linker):
            yield _hazard(site, "runs in a worker, which has a start method from the beginning", function.hops, None)


def _hazard(site: Site, why: str, hops: tuple[Hop, ...], confidence: Confidence | None) -> Hazard:
    data = {"call": excerpt_at(site, 60), "why": why}
    return Hazard(site, "the start method is set", SET_ALREADY, data, hops, confidence=confidence)


def _before(found: SetAgain) -> str:
    if found.is_in_loop:
        return "runs it again and again"
    if found.is_itself:
        return "leads there the first time"
    return "sets the start method" if found.is_set else "takes the default start method"


def _why(found: SetAgain) -> str:
    before = excerpt_at(found.before, 40)
    if found.is_in_loop:
        return "runs in each round of a loop, and the first one sets the start method"
    if found.is_itself:
        return f"has set the start method before, when `{before}` came here"
    return f"comes after `{before}`, which has {'set the start method' if found.is_set else 'taken the default one'}"
