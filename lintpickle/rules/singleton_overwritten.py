from __future__ import annotations

from collections.abc import Iterable

from lintpickle.analyses.results.singletons_sent import SingletonSent, singletons_given, singletons_returned
from lintpickle.diagnostics import Confidence
from lintpickle.rules.authoring import ALL_START_METHODS, PICKLED_ON_START, Hazard, Hop, Linker, Rule, WorkerCode


class SingletonOverwritten(Rule):
    """An object of which each process keeps one by `__new__`, pickled to a process that has its own."""

    code = "LP257"
    name = "singleton-overwritten"
    start_methods = ALL_START_METHODS
    message = (
        "{how}: unpickling asks `{class_}.__new__`, which returns the one that "
        "{receiver} has, and overwrites the attributes of that"
    )

    help = "send plain values instead, or let a `__reduce__` of the class send no state (`return Class, ()`)"

    def worker(self, code: WorkerCode, linker: Linker) -> Iterable[Hazard]:
        for found in singletons_returned(code, linker):
            assert found.function is not None
            sender, name = found.function.facts.name, found.class_.facts.name
            how = f"`{sender}` runs in workers and sends back the `{name}` of its process"
            yield _hazard(found, how, "the main process", Confidence.LIKELY)
        for found in singletons_given(code, linker):
            how = f"each task brings the `{found.class_.facts.name}` of the main process"
            yield _hazard(found, how, "the worker", Confidence.POSSIBLE)


def _hazard(found: SingletonSent, how: str, receiver: str, confidence: Confidence) -> Hazard:
    name = found.class_.facts.name
    return Hazard(
        site=found.crossing.site,
        noun="crosses here",
        error=None,
        confidence=confidence,
        data={"how": how, "class_": name, "receiver": receiver},
        hops=(
            *(found.function.hops if found.function is not None else ()),
            *found.crossing.hops,
            Hop("each process keeps one object", found.new),
            Hop(f"{receiver} asks for its own here", found.own),
            Hop("this changes it", found.changed),
        ),
        start_methods=ALL_START_METHODS if found.differs_if_forked else PICKLED_ON_START,
    )
