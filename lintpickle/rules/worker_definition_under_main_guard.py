from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from lintpickle.analyses.import_time import guard_of
from lintpickle.analyses.made_classes import named_by_call
from lintpickle.analyses.worker_functions import is_forked
from lintpickle.rules.authoring import (
    ALL_MARKS,
    PICKLED_ON_START,
    WORKER_KINDS,
    AbstractValue,
    Call,
    ClassFacts,
    ClassValue,
    ContainerValue,
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


class _Definition(Struct, frozen=True):
    """Where a class or function is defined, and by which name pickle looks it up. `is_of_main_alone`: a worker, which
    imports the main script as another module, does not have it."""

    site: Site
    kind: str
    name: str
    qualname: str
    is_of_main_alone: bool


class WorkerDefinitionUnderMainGuard(Rule):
    """A function or class that workers need but that is defined under the main guard or in a notebook."""

    code = "LP204"
    name = "worker-definition-under-main-guard"
    value_types = (
        InstanceValue,
        ClassValue,
        FunctionValue,
        ContainerValue,
    )
    message = "{kind} `{name}` is defined {where}, which no worker runs: {error}"
    help = "define it at module level, above the guard; for a notebook, in a module that it imports"
    marks = ALL_MARKS
    words = frozenset({"__main__", "DataLoader", "Process", "Pool", "spawn"})

    def crossing(self, crossing: Crossing, linker: Linker) -> Iterable[Hazard]:
        if crossing.root.spec is None or crossing.root.kind not in WORKER_KINDS:
            return
        found = _definition(crossing.value, linker)
        if found is None or not found.is_of_main_alone or is_forked(crossing.root, linker):
            return
        in_notebook = found.site.module.document.cells is not None
        main = "'__main__' (built-in)" if in_notebook else "'__mp_main__' from '…'"
        yield Hazard(
            site=found.site,
            noun=f"the {found.kind} {found.name}",
            error=f"AttributeError: Can't get attribute '{found.qualname}' on <module {main}>",
            data={
                "kind": found.kind,
                "name": found.name,
                "where": "in a notebook" if in_notebook else 'under `if __name__ == "__main__":`',
            },
            start_methods=PICKLED_ON_START,
        )


def _definition(value: AbstractValue, linker: Linker) -> _Definition | None:
    """The definition that pickle looks up by name for a value."""
    match value:
        case InstanceValue(class_=ClassValue(module=module, facts=made)):
            return _of_facts(module, made)
        case ClassValue(module=module, facts=made):
            return _of_facts(module, made)
        case FunctionValue(module=module, facts=facts, bound=None, opaque=False):
            return _of_facts(module, facts)
        case ContainerValue(call=Call() as call):
            named = named_by_call(value, linker)
            if named is None:
                return None
            site = Site(named[0], call.span)
            in_notebook = site.module.document.cells is not None
            is_of_main = in_notebook or guard_of(call.span.start, site.module) is not None
            return _Definition(site, "class", named[1], named[1], is_of_main)
        case _:
            return None


def _of_facts(module: Module, facts: FunctionFacts | ClassFacts) -> _Definition:
    kind = "class" if isinstance(facts, ClassFacts) else "function"
    in_notebook = module.document.cells is not None
    is_named = not facts.is_local and facts.name != "<lambda>"
    is_of_main = is_named and (facts.main_guard or in_notebook)
    return _Definition(Site(module, facts.header), kind, facts.name, facts.qualname, is_of_main)
