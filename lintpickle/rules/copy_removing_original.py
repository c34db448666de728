from __future__ import annotations

from collections.abc import Iterable

from lintpickle.analyses.pickle_hooks.removing_finalizers import removal_by_copy
from lintpickle.diagnostics import Confidence, StartMethod
from lintpickle.rules.authoring import ALL_START_METHODS, Crossing, Hazard, Hop, InstanceValue, Linker, Rule

_WITH_TASK = ("a task", "the task is over", "with the task")
_AT_END = ("a spawned process", "the process ends", "to the process")
"""Whose the copy is, when it is deleted, and how it gets there."""


class CopyRemovingOriginal(Rule):
    """An object whose `__del__` removes a file or folder, which a task or a spawned process has a copy of."""

    code = "LP130"
    name = "copy-removing-original"
    start_methods = ALL_START_METHODS
    value_types = (InstanceValue,)
    marks = frozenset()
    message = (
        "`{class_}.__del__` runs for the copy of {whose}, too, and `{removal}` removes what is still used: {error}"
    )
    help = (
        "send only the path, let nothing but the process that made it remove it (`if os.getpid() == self.pid`), or use "
        "`weakref.finalize` or `tempfile.TemporaryDirectory`, whose copies remove nothing"
    )

    def crossing(self, crossing: Crossing, linker: Linker) -> Iterable[Hazard]:
        match crossing.value:
            case InstanceValue(class_=class_) as made if removal := removal_by_copy(crossing, made, linker):
                whose, end, way = _AT_END if removal.is_at_end else _WITH_TASK
                yield Hazard(
                    site=removal.site,
                    noun=f"done for the copy, too, when {end}",
                    error="FileNotFoundError: [Errno 2] No such file or directory",
                    confidence=Confidence.LIKELY,
                    data={"class_": class_.facts.name, "removal": removal.written, "whose": whose},
                    hops=(Hop(f"a copy of the {class_.facts.name} goes {way}", crossing.site),),
                    start_methods=(StartMethod.SPAWN,) if removal.is_at_end else None,
                )
            case _:
                pass
