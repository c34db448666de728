from __future__ import annotations

from collections.abc import Iterable

from lintpickle.analyses.pickle_hooks.removing_finalizers import removal_by_copy
from lintpickle.diagnostics import Confidence
from lintpickle.rules.authoring import ALL_START_METHODS, Crossing, Hazard, Hop, InstanceValue, Linker, Rule


class CopyRemovingOriginal(Rule):
    """An object whose `__del__` removes a file or folder, sent with a task: the worker's copy removes it."""

    code = "LP130"
    name = "copy-removing-original"
    start_methods = ALL_START_METHODS
    value_types = (InstanceValue,)
    marks = frozenset()
    message = "`{class_}.__del__` runs for the copy of a task, too, and `{removal}` removes what is still used: {error}"
    help = (
        "send only the path, let nothing but the process that made it remove it (`if os.getpid() == self.pid`), or use "
        "`weakref.finalize` or `tempfile.TemporaryDirectory`, whose copies remove nothing"
    )

    def crossing(self, crossing: Crossing, linker: Linker) -> Iterable[Hazard]:
        match crossing.value:
            case InstanceValue(class_=class_) as made if removal := removal_by_copy(crossing, made, linker):
                yield Hazard(
                    site=removal.site,
                    noun="done for the copy, too, when the task is over",
                    error="FileNotFoundError: [Errno 2] No such file or directory",
                    confidence=Confidence.LIKELY,
                    data={"class_": class_.facts.name, "removal": removal.written},
                    hops=(Hop(f"a copy of the {class_.facts.name} goes with the task", crossing.site),),
                )
            case _:
                pass
