from __future__ import annotations

from collections.abc import Iterable

from lintpickle.analyses.at_import.taken_before_set import TakenBefore, taken_before_set
from lintpickle.diagnostics import Confidence
from lintpickle.rules.authoring import ALL_START_METHODS, Hazard, Hop, Linker, Rule, Site, WorkerCode


class TakenBeforeSet(Rule):
    """A copy of a global, taken at import, that workers read though their initializer binds the global anew."""

    code = "LP244"
    name = "taken-before-set"
    start_methods = ALL_START_METHODS
    message = (
        "`{function}` runs in workers and has `{written}` {how}: `{setter}`, which runs there later, binds `{name}` "
        "of `{home}` anew, and `{function}` still finds what was there at import"
    )
    help = "read it when it is used ({instead}), or change the object in place"

    def worker(self, code: WorkerCode, linker: Linker) -> Iterable[Hazard]:
        for found in taken_before_set(code, linker):
            yield Hazard(
                site=Site(found.function.module, found.read),
                noun="still what was there at import",
                error=None,
                confidence=Confidence.LIKELY,
                data={
                    "function": found.function.facts.name,
                    "written": found.written,
                    "how": "as a default, taken when it is defined" if found.is_default else "by a `from … import`",
                    "setter": found.setter.name,
                    "name": found.name,
                    "home": found.home.name,
                },
                hops=(*found.function.hops, Hop("it is bound anew here, in the worker", found.set_at)),
                start_methods=found.start_methods,
                help=TakenBeforeSet.help.format(instead=_instead(found)),
            )


def _instead(found: TakenBefore) -> str:
    last = found.home.name.rpartition(".")[2]
    return "in the body" if found.is_default else f"`{last}.{found.name}`, by the module"
