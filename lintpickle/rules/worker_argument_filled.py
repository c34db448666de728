from __future__ import annotations

from collections.abc import Iterable, Iterator

from lintpickle.analyses.lost_changes.argument_changes import ArgumentChanged, arguments_changed
from lintpickle.analyses.lost_changes.filling_methods import filling_methods_called
from lintpickle.analyses.lost_changes.filling_tasks import filling_tasks
from lintpickle.analyses.lost_changes.shared_views import View
from lintpickle.analyses.lost_changes.views_given import views_given_filled
from lintpickle.analyses.lost_changes.views_mapped import parts_of_views_filled
from lintpickle.analyses.lost_changes.views_shipped import views_shipped_filled
from lintpickle.diagnostics import Confidence
from lintpickle.rules.authoring import (
    ALL_START_METHODS,
    PICKLED_ON_START,
    Hazard,
    Hop,
    Linker,
    Rule,
    Site,
    WorkerCode,
)

_HELP_FOR_VIEWS = {
    None: None,
    View.MEMORY: "pass the `Array`, or the `SharedMemory` or its name, and make the NumPy array of it in the worker",
    View.FILE: "pass the path of the file, and map it in the worker",
}


class WorkerArgumentFilled(Rule):
    """Workers get a copy of an empty list, dict or array, or of one that shows shared memory or a file, to fill it."""

    code = "LP221"
    name = "worker-argument-filled"
    of_absence = True
    of_fresh_workers = True
    start_methods = ALL_START_METHODS
    message = "`{function}` runs in workers and {fills} there: {outcome}"
    help = (
        "return the result, send it through a `Queue`, or pass what processes share: a `Manager` object, shared memory"
    )

    def worker(self, code: WorkerCode, linker: Linker) -> Iterable[Hazard]:
        for changed in _changed(code, linker):
            boundary = code.boundary
            assert boundary is not None
            is_inherited = changed.view is not None and boundary.spec.kind == "process"
            read = ", and read later" if changed.reader is not None else ""
            yield Hazard(
                site=Site(changed.function.module, changed.span),
                noun="fills a copy",
                error=None,
                confidence=Confidence.LIKELY,
                data={
                    "function": changed.function.facts.name,
                    "fills": _fills(changed),
                    "outcome": _outcome(changed),
                },
                help=_HELP_FOR_VIEWS[changed.view],
                start_methods=PICKLED_ON_START if is_inherited else None,
                hops=(*changed.function.hops, Hop(f"`{changed.given}` is passed here{read}", boundary.site)),
            )
        for called in filling_methods_called(code, linker):
            assert code.boundary is not None
            passed = Hop(f"`{called.given}` is passed here, and `{called.container}` is read later", code.boundary.site)
            yield Hazard(
                site=Site(called.function.module, called.span),
                noun="fills a copy",
                error=None,
                confidence=Confidence.LIKELY,
                data={
                    "function": called.function.facts.name,
                    "fills": f"calls its argument `{called.parameter}`, which is `{called.given}` of a copy",
                    "outcome": f"{called.reader} reads `{called.container}` later and finds nothing of that",
                },
                hops=(*called.function.hops, passed),
            )
        for task in filling_tasks(code, linker):
            assert code.boundary is not None
            given = Hop(f"workers are given it here, and `{task.container}` is read later", code.boundary.site)
            yield Hazard(
                site=task.site,
                noun="fills a copy",
                error=None,
                confidence=Confidence.LIKELY,
                data={
                    "function": task.given,
                    "fills": f"fills a copy of `{task.container}`",
                    "outcome": f"{task.reader} reads `{task.container}` later and finds nothing of that",
                },
                hops=(given,),
            )


def _changed(code: WorkerCode, linker: Linker) -> Iterator[ArgumentChanged]:
    """What is changed, each argument once."""
    told: set[tuple[int, str]] = set()
    for found in (arguments_changed, views_given_filled, parts_of_views_filled, views_shipped_filled):
        for each in found(code, linker):
            if (key := (id(each.function.facts), each.parameter)) not in told:
                told.add(key)
                yield each


def _fills(changed: ArgumentChanged) -> str:
    filled = f"`{changed.parameter}`" if "." in changed.parameter else f"its argument `{changed.parameter}`"
    return f"fills {filled}, which is a copy"


def _outcome(changed: ArgumentChanged) -> str:
    if changed.reader is None:
        return f"the file that `{changed.given}` shows gets nothing of that"
    return f"{changed.reader} reads `{changed.given}` later and finds nothing of that"
