from __future__ import annotations

from collections.abc import Iterable

from lintpickle.analyses.process_state.django_apps import models_met
from lintpickle.analyses.workers.worker_functions import is_forked
from lintpickle.diagnostics import Confidence
from lintpickle.rules.authoring import Hazard, Hop, Linker, Rule, WorkerCode

_WITHOUT_INITIALIZER = frozenset({"process", "spawn"})
_IN_FUNCTION = "start a function of a module that imports no models: it calls `django.setup()`, and imports them then"


class DjangoNotSetUp(Rule):
    """A function whose module imports Django's models, sent by a command to workers that do not set Django up."""

    code = "LP233"
    name = "django-not-set-up"
    of_absence = True
    message = "`{function}` is sent to workers that import `{module}` for it, and Django is not set up there: {error}"
    help = "let the workers begin with `initializer=django.setup`"

    def worker(self, code: WorkerCode, linker: Linker) -> Iterable[Hazard]:
        boundary = code.boundary
        if boundary is None or is_forked(code.root, linker):
            return
        for function, model in models_met(code, linker):
            yield Hazard(
                site=boundary.site,
                noun="the worker imports it",
                error="django.core.exceptions.AppRegistryNotReady: Apps aren't loaded yet.",
                confidence=Confidence.LIKELY,
                data={"function": function.facts.name, "module": function.module.name},
                hops=(*boundary.hops, Hop("a model is made or imported here", model)),
                help=_IN_FUNCTION if boundary.spec.kind in _WITHOUT_INITIALIZER else None,
                cause=f"{boundary.site.module.path}:{boundary.site.span.start}",
            )
            return
