from __future__ import annotations

from collections.abc import Iterable

from lintpickle.analyses.worker_functions import is_forked
from lintpickle.rules.authoring import (
    ALL_MARKS,
    PICKLED_ON_START,
    WORKER_KINDS,
    AbstractValue,
    ClassFacts,
    ClassValue,
    Crossing,
    FunctionFacts,
    FunctionValue,
    Hazard,
    InstanceValue,
    Linker,
    Module,
    Rule,
    Site,
)


class WorkerDefinitionUnderMainGuard(Rule):
    """A function or class that workers need but that is defined under the main guard or in a notebook."""

    code = "LP204"
    name = "worker-definition-under-main-guard"
    value_types = (
        InstanceValue,
        ClassValue,
        FunctionValue,
    )
    message = "{kind} `{name}` is defined {where}, which no worker runs: {error}"
    help = "define it at module level, above the guard; for a notebook, in a module that it imports"
    marks = ALL_MARKS
    words = frozenset({"__main__", "DataLoader", "Process", "Pool", "spawn"})

    def crossing(self, crossing: Crossing, linker: Linker) -> Iterable[Hazard]:
        if crossing.root.spec is None or crossing.root.kind not in WORKER_KINDS:
            return
        found = _definition(crossing.value)
        if found is None:
            return
        module, facts = found
        in_notebook = module.document.cells is not None
        if facts.is_local or facts.name == "<lambda>" or not (facts.main_guard or in_notebook):
            return
        if is_forked(crossing.root, linker):
            return
        kind = "class" if isinstance(facts, ClassFacts) else "function"
        main = "'__main__' (built-in)" if in_notebook else "'__mp_main__' from '…'"
        yield Hazard(
            site=Site(module, facts.header),
            noun=f"the {kind} {facts.name}",
            error=f"AttributeError: Can't get attribute '{facts.qualname}' on <module {main}>",
            data={
                "kind": kind,
                "name": facts.name,
                "where": "in a notebook" if in_notebook else 'under `if __name__ == "__main__":`',
            },
            start_methods=PICKLED_ON_START,
        )


def _definition(value: AbstractValue) -> tuple[Module, FunctionFacts | ClassFacts] | None:
    """The definition that pickle looks up by name for a value."""
    match value:
        case InstanceValue(class_=ClassValue(module=module, facts=made)):
            return module, made
        case ClassValue(module=module, facts=made):
            return module, made
        case FunctionValue(module=module, facts=facts, bound=None, opaque=False):
            return module, facts
        case _:
            return None
