from __future__ import annotations

from collections.abc import Iterable

from lintpickle.analyses.main_setters import Setting
from lintpickle.analyses.process_settings import Dependence, patches_made, settings_made
from lintpickle.analyses.worker_functions import is_forked
from lintpickle.diagnostics import Confidence, StartMethod
from lintpickle.rules.authoring import PICKLED_ON_START, Hazard, Hop, Linker, Rule, Site, WorkerCode


class ProcessSettingInWorker(Rule):
    """A setting of the process or of a library that only the main process makes, and that workers depend on."""

    code = "LP211"
    name = "process-setting-in-worker"
    message = "`{function}` runs in workers and uses `{used}`, but {what} is set only {where}: {outcome}"
    help = "set it in an `initializer` or `worker_init_fn` as well, or where the module is imported"
    words = frozenset({"__main__", "def main"})

    def worker(self, code: WorkerCode, linker: Linker) -> Iterable[Hazard]:
        if is_forked(code.root, linker):
            return
        for spec, dependence, setting in settings_made(code, linker):
            is_wanted = spec.only is None and (linker.moving_to is not None or not spec.seldom)
            confidence = Confidence.LIKELY if is_wanted else Confidence.POSSIBLE
            methods = PICKLED_ON_START if spec.only is None else (spec.only,)
            yield _hazard(spec.what, dependence, setting, confidence, methods)
        for path, dependence, setting in patches_made(code, linker) if linker.moving_to is not None else ():
            yield _hazard(f"`{path}`", dependence, setting, Confidence.LIKELY, PICKLED_ON_START)


def _hazard(
    what: str, dependence: Dependence, setting: Setting, confidence: Confidence, methods: tuple[StartMethod, ...]
) -> Hazard:
    return Hazard(
        site=Site(dependence.function.module, dependence.span),
        noun="used in the worker",
        error=None,
        confidence=confidence,
        data={
            "function": dependence.function.facts.name,
            "used": dependence.written,
            "what": what,
            "where": setting.where,
            "outcome": setting.met.outcome,
        },
        hops=(*dependence.function.hops, Hop("the main process sets it here", setting.site)),
        start_methods=methods,
    )
