from __future__ import annotations

from collections.abc import Iterable

from lintpickle.analyses.calls_and_values.hierarchies import known_ancestors
from lintpickle.analyses.calls_and_values.ways_of_programs import is_class_used
from lintpickle.diagnostics import Applicability, Confidence, Edit, Fix, Span
from lintpickle.rules.authoring import (
    ALL_START_METHODS,
    ClassValue,
    ExternalValue,
    Hazard,
    Linker,
    RootFrame,
    Rule,
    Site,
)

_POOLS = frozenset({"multiprocessing.pool.Pool", "multiprocess.pool.Pool"})
_PROCESS = "Process"
_STARTS = frozenset({"_repopulate_pool", "_repopulate_pool_static"})
"""The methods of a pool that call its `Process`."""


class ProcessClassOfPool(Rule[Edit | None]):
    """A pool class whose `Process` is a class, where pools call a function with their context."""

    code = "LP258"
    name = "process-class-of-pool"
    start_methods = ALL_START_METHODS
    applicability = Applicability.UNSAFE
    message = (
        "`{pool}.Process` is the class `{process}`, which the pool calls with its context as the first argument, since "
        "Python 3.8: {error}"
    )
    help = "make it a static method that leaves out the context: `def Process(context, *args, **kwargs)`"
    words = frozenset({_PROCESS})

    def class_(self, class_: ClassValue, linker: Linker) -> Iterable[Hazard[Edit | None]]:
        line = known_ancestors(class_, linker.classes) if _gives_class(class_) else None
        if line is None or not any(isinstance(each, ExternalValue) and each.path in _POOLS for each in line):
            return
        if any(isinstance(each, ClassValue) and not _STARTS.isdisjoint(each.facts.methods) for each in line):
            return
        for span, name in _process_classes(class_, linker):
            text = class_.module.code[span.start : span.end]
            edit = Edit(span, f"staticmethod(lambda context, *args, **kwargs: {text}(*args, **kwargs))")
            yield Hazard(
                site=Site(class_.module, span),
                noun="the class of its processes",
                error="AssertionError: group argument must be None for now",
                data={"pool": class_.facts.name, "process": name},
                confidence=Confidence.LIKELY if is_class_used(class_, linker) else Confidence.POSSIBLE,
                subject=edit if _PROCESS in class_.facts.body else None,
            )

    def function(self, root: RootFrame, linker: Linker) -> Iterable[Hazard[Edit | None]]:
        """The same of classes that a function defines."""
        for facts in root.function.classes if not root.function.is_module_body else ():
            yield from self.class_(ClassValue(root.frame.module, facts, root.frame), linker)

    def fix(self, hazard: Hazard[Edit | None]) -> Fix | None:
        """Leave out the context where the class is called. (A class in the body of the pool has no other name.)"""
        if hazard.subject is None:
            return None
        return Fix("Leave out the context", Applicability.UNSAFE, (hazard.subject,))


def _gives_class(class_: ClassValue) -> bool:
    """Whether the body of a class may give it a class as its `Process`."""
    facts = class_.facts
    return _PROCESS in facts.body or any(each.name == _PROCESS for each in facts.classes)


def _process_classes(class_: ClassValue, linker: Linker) -> Iterable[tuple[Span, str]]:
    """The place and the name of the class that is the `Process` of another; nothing if it may be something else."""
    kept = class_.facts.body.get(_PROCESS)
    if kept is None:
        return [(each.header, each.qualname) for each in class_.facts.classes if each.name == _PROCESS]
    match [each.value for each in linker.evaluate(kept, linker.classes.body_frame(class_))]:
        case [ClassValue() as process]:
            return [(kept.span, process.facts.name)]
        case [ExternalValue(path=path)] if path.rpartition(".")[2] in ("Process", "SpawnProcess", "ForkProcess"):
            return [(kept.span, path)]
        case _:
            return []
