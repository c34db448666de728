from __future__ import annotations

from collections.abc import Iterable

from lintpickle.analyses.workers.mapped_arrays import mapped_arrays_written
from lintpickle.diagnostics import Applicability, Confidence, Edit, Fix, Span
from lintpickle.rules.authoring import ALL_START_METHODS, Hazard, Hop, Linker, Rule, Site, WorkerCode

_COPIED_ON_WRITE = 'mmap_mode="c"'


class MappedArrayWritten(Rule[Site | None]):
    """A large NumPy array that joblib gives to tasks in other processes, read-only, and that a task writes to."""

    code = "LP131"
    name = "mapped-array-written"
    of_fresh_workers = True
    start_methods = ALL_START_METHODS
    applicability = Applicability.UNSAFE
    message = "`{function}` writes to `{array}`, which joblib maps read-only into its workers{if_large}: {error}"
    help = f"write to a `copy()`, or give `Parallel` the argument `{_COPIED_ON_WRITE}` or `max_nbytes=None`"

    def worker(self, code: WorkerCode, linker: Linker) -> Iterable[Hazard[Site | None]]:
        for found in mapped_arrays_written(code, linker):
            assert code.boundary is not None
            yield Hazard(
                site=found.site,
                noun="written here",
                error=found.error,
                confidence=Confidence.LIKELY if found.is_sure else Confidence.POSSIBLE,
                data={
                    "function": found.function.facts.name,
                    "array": found.name,
                    "if_large": "" if found.is_large else " if it has more than a megabyte",
                },
                hops=(*found.function.hops, Hop("the task is given it here", code.boundary.site)),
                subject=found.maker,
            )

    def fix(self, hazard: Hazard[Site | None]) -> Fix | None:
        """Let each task write to a copy of its own, if the `Parallel` stands in the same file and says no mode."""
        maker = hazard.subject
        if maker is None or maker.module is not hazard.site.module:
            return None
        written = maker.module.document.text[maker.span.start : maker.span.end]
        given = written[:-1].rstrip()
        if not written.endswith(")") or "mmap_mode" in written:
            return None
        place, comma = maker.span.start + len(given), {"(": "", ",": " "}.get(given[-1], ", ")
        edit = Edit(Span(place, place), f"{comma}{_COPIED_ON_WRITE}")
        return Fix("Give the tasks copies of what they write to", Applicability.UNSAFE, (edit,))
