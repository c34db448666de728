from __future__ import annotations

from collections.abc import Iterable, Iterator

from lintpickle.analyses.process_state.opencv_threads import (
    SETTER,
    first_calls,
    is_limited,
    is_set_anywhere,
    is_set_by_main,
)
from lintpickle.diagnostics import Applicability, Confidence, Fix, Severity
from lintpickle.rules.authoring import (
    ALL_START_METHODS,
    PICKLED_ON_START,
    ConstantValue,
    Hazard,
    Linker,
    Rule,
    WorkerCode,
    WorkerFunction,
    call_after_imports,
)

_FEW = 2
"""With as many workers, OpenCV's threads cost next to nothing (a tenth of the time, measured with six workers on two
cores and pictures of 640x480)."""
_SETTING = ("loader", "sets OpenCV's threads")
_LEAVING = ("loader", "leaves OpenCV's threads")
"""What modules tell of the workers of their loaders, in a program that sets the number of threads somewhere."""


class Cv2ThreadsInWorker(Rule):
    """An OpenCV function that starts its own threads in each DataLoader worker."""

    code = "LP301"
    name = "cv2-threads-in-worker"
    of_absence = True
    severity = Severity.WARNING
    start_methods = ALL_START_METHODS
    applicability = Applicability.UNSAFE
    message = (
        "`{path}` runs in DataLoader workers, where nothing sets OpenCV's thread count: each worker may start "
        "as many threads as the machine has cores"
    )
    help = "call `cv2.setNumThreads(0)` below the imports of this module, or in `worker_init_fn`"
    # The last two are where a worker enters: what it calls may be in files without classes and boundaries.
    words = frozenset({"cv2", "DataLoader", "__getitem__", "__iter__"})
    once_per_file = True

    def worker(self, code: WorkerCode, linker: Linker) -> Iterable[Hazard]:
        if code.boundary is not None and code.boundary.spec.kind != "dataloader":
            return
        is_set_nowhere = not is_set_anywhere(code.root.site.module.path, linker)
        if not is_set_nowhere and code.boundary is not None:
            _tell(code, linker)
        calls = first_calls(_new(code, linker), linker)
        if calls and not is_limited(code, linker):
            count = _most_workers(code, linker)
            if count == 1 or (not is_set_nowhere and _is_for_others(code, linker)):
                return
            is_felt = code.boundary is not None and (count is None or count > _FEW)
            is_inherited = is_set_by_main(code, linker)
            for call in calls.values():
                yield Hazard(
                    site=call.site,
                    noun=f"{call.path} starts threads",
                    error=None,
                    data={"path": call.path},
                    hops=call.function.hops,
                    start_methods=PICKLED_ON_START if is_inherited else None,
                    cause=SETTER if is_set_nowhere else None,
                    confidence=None if is_felt else Confidence.POSSIBLE,
                )

    def fix(self, hazard: Hazard) -> Fix | None:
        """Set the thread count when the module is imported, which works for every start method."""
        edits = call_after_imports(hazard.site.module.document.text, "cv2", SETTER, "0")
        if edits is None:
            return None
        return Fix("Turn off OpenCV's threads when the module is imported", Applicability.UNSAFE, edits)


def _new(code: WorkerCode, linker: Linker) -> Iterator[WorkerFunction]:
    """The functions of the code. For a class without a visible loader, this leaves out functions that a visible loader
    runs through a subclass."""
    home = code.root.site.module.path
    for function in code.functions:
        topic = ("run by a loader", function.module.path, function.facts.qualname, function.facts.header.start)
        if code.boundary is not None:
            linker.cross_module.share(home, topic)
            yield function
        elif not linker.cross_module.is_shared(home, topic):
            yield function


def _tell(code: WorkerCode, linker: Linker) -> None:
    """Tell whether the workers of a loader set the number of threads."""
    home = code.root.site.module.path
    if not is_limited(code, linker):
        linker.cross_module.share(home, _LEAVING)
    elif linker.purposes.is_library(home):
        linker.cross_module.share(home, _SETTING)


def _is_for_others(code: WorkerCode, linker: Linker) -> bool:
    """Whether a class has no visible loader, and every loader of the program has workers that set the number of
    threads: one of them gets it in a way that is not seen."""
    home = code.root.site.module.path
    return (
        code.boundary is None
        and linker.cross_module.is_shared(home, _SETTING)
        and not linker.cross_module.is_shared(home, _LEAVING)
    )


def _most_workers(code: WorkerCode, linker: Linker) -> int | None:
    """The largest number of workers that the loader may have; None if it is not known. A single one may use all cores
    while the main process waits."""
    if code.boundary is None or code.boundary.spec.workers is None:
        return None
    counts = [each.value for each in code.boundary.value(code.boundary.spec.workers, linker.evaluator)]
    known = [count.value for count in counts if isinstance(count, ConstantValue) and isinstance(count.value, int)]
    return max(known) if known and len(known) == len(counts) else None
