from __future__ import annotations

from collections.abc import Iterable

from lintpickle.analyses.written_files.class_containers import class_containers_filled, is_loaded
from lintpickle.analyses.written_files.written import TORCH_SAVE
from lintpickle.diagnostics import Confidence, Severity
from lintpickle.rules.authoring import ALL_START_METHODS, Crossing, Hazard, Hop, InstanceValue, Linker, Rule, Site

_WRITERS = TORCH_SAVE | {"pickle.dump", "joblib.dump"}


class ClassContainerNotWritten(Rule):
    """A container of a class that its objects fill, and that a file does not have to which one of them is pickled."""

    code = "LP506"
    name = "class-container-not-written"
    severity = Severity.WARNING
    start_methods = ALL_START_METHODS
    value_types = (InstanceValue,)
    marks = frozenset()
    words = frozenset({"dump", "torch"})
    message = (
        "`{filler}` fills `{name}` of the class `{owner}`, not of the object that `{writer}` pickles to a file: where "
        "another process loads that, `{reader}` finds it as at import"
    )
    help = "make it the object's own, in `__init__`"

    def crossing(self, crossing: Crossing, linker: Linker) -> Iterable[Hazard]:
        value, spec = crossing.value, crossing.root.spec
        if not isinstance(value, InstanceValue) or spec is None or spec.path not in _WRITERS:
            return
        asker = crossing.root.site.module.path
        containers = [*class_containers_filled(value, asker, linker)]
        confidence = Confidence.LIKELY if containers and is_loaded(asker, linker) else Confidence.POSSIBLE
        for found in containers:
            yield Hazard(
                site=found.filled,
                noun="filled here",
                error=None,
                confidence=confidence,
                data={
                    "filler": found.filler,
                    "name": found.name,
                    "owner": found.class_.facts.name,
                    "writer": spec.path,
                    "reader": found.reader,
                },
                hops=(Hop("the class has it", Site(found.class_.module, found.class_.facts.header)),),
                help=f"make it the object's own in `__init__` (`self.{found.name} = …`)",
            )
