from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from lintpickle.analyses.at_import.import_time import guard_of
from lintpickle.analyses.at_import.notebook_exports import is_used_elsewhere
from lintpickle.analyses.at_import.other_programs import is_of_another_program
from lintpickle.analyses.at_import.published_classes import published_by_main_alone
from lintpickle.analyses.at_import.self_tests import is_self_test
from lintpickle.analyses.calls_and_values.functions import MAIN, name_at_run
from lintpickle.analyses.main_state.global_definitions import made_by_main_alone
from lintpickle.analyses.pickle_hooks.made_classes import named_by_call
from lintpickle.analyses.workers.worker_functions import is_forked
from lintpickle.diagnostics import Confidence
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
    carries_functions,
)

_BY_FUNCTION = "as a global by "
_AS_GLOBAL = f"{_BY_FUNCTION}`{{}}()`"
_UNDER_GUARD = 'under `if __name__ == "__main__":`'
_OF_PACKAGE = "in the `__main__.py` of a package"
_MAIN_MODULE = ".__main__"
_NO_CLASS = "_pickle.UnpicklingError: NEWOBJ class argument must be a type, not NoneType"
_NOT_CALLABLE = "TypeError: 'NoneType' object is not callable"


class _Definition(Struct, frozen=True):
    """Where a class or function is defined, as a place and in words, and by which name pickle looks it up. Only the
    main process has it: a worker imports the main script as another module."""

    site: Site
    kind: str
    name: str
    qualname: str
    where: str


class WorkerDefinitionUnderMainGuard(Rule):
    """A function or class that workers need but that only the main process defines, a notebook, or `__main__.py`."""

    code = "LP204"
    name = "worker-definition-under-main-guard"
    value_types = (
        InstanceValue,
        ClassValue,
        FunctionValue,
        ContainerValue,
    )
    message = "{kind} `{name}` is defined {where}, which no worker runs: {error}"
    help = "define it at module level, above the guard; for a notebook or a `__main__.py`, in a module that it imports"
    marks = ALL_MARKS
    words = frozenset({"__main__", "DataLoader", "Process", "Pool", "spawn"})

    def crossing(self, crossing: Crossing, linker: Linker) -> Iterable[Hazard]:
        if crossing.root.spec is None or crossing.root.kind not in WORKER_KINDS:
            return
        found = _definition(crossing.value, crossing.root.site.module.path, linker)
        if found is None or is_forked(crossing.root, linker):
            return
        home = found.site.module
        name = name_at_run(home)
        in_workers = "__mp_main__" if name == MAIN or found.where == _UNDER_GUARD else name
        start = crossing.hops[0].site if crossing.hops else crossing.root.site
        if not found.where.startswith(_BY_FUNCTION) and is_of_another_program(
            start, home, crossing.root.site.module.path, linker
        ):
            return
        if found.where == _OF_PACKAGE and (start.module is not home or carries_functions(crossing)):
            return  # What another module imports from there is found by the name of the package.
        is_empty = found.where == _OF_PACKAGE or home.document.cells is not None
        main = "'__main__' (built-in)" if is_empty else f"'{in_workers}' from '…'"
        missing = f"AttributeError: Can't get attribute '{found.qualname}' on <module {main}>"
        is_none = found.where.startswith(_BY_FUNCTION) and bool(home.outline.binding(found.name))
        yield Hazard(
            site=found.site,
            noun=f"the {found.kind} {found.name}",
            error=_error_of_none(crossing.value) if is_none else missing,
            data={"kind": found.kind, "name": found.name, "where": found.where},
            start_methods=PICKLED_ON_START,
            confidence=_confidence(found, start, linker),
        )


def _confidence(found: _Definition, start: Site, linker: Linker) -> Confidence | None:
    if is_used_elsewhere(found.site, start) or is_self_test(found.site, linker):
        return Confidence.POSSIBLE
    # A command that is installed may import it, under the name of the package.
    return Confidence.LIKELY if found.where == _OF_PACKAGE else None


def _error_of_none(value: AbstractValue) -> str:
    """How it ends where a worker finds None under the name."""
    is_object = isinstance(value, InstanceValue) or (isinstance(value, ContainerValue) and value.kind.endswith("()"))
    return _NO_CLASS if is_object else _NOT_CALLABLE


def _definition(value: AbstractValue, asker: str, linker: Linker) -> _Definition | None:
    """The definition that pickle looks up by name for a value, if only the main process has it."""
    match value:
        case InstanceValue(class_=ClassValue(module=module, facts=made)):
            return _of_facts(module, made, asker, linker)
        case ClassValue(module=module, facts=made):
            return _of_facts(module, made, asker, linker)
        case FunctionValue(module=module, facts=facts, bound=None, opaque=False):
            return _of_facts(module, facts, asker, linker)
        case ContainerValue(call=Call() as call):
            named = named_by_call(value, linker)
            if named is not None:
                site = Site(named[0], call.span)
                where = _place(site.module, guard_of(call.span.start, site.module) is not None)
                where = where or _by_function(named[1], site, asker, linker)
                if where is not None:
                    return _Definition(site, "class", named[1], named[1], where)
            return _of_published(value, asker, linker)
        case _:
            return None


def _of_facts(module: Module, facts: FunctionFacts | ClassFacts, asker: str, linker: Linker) -> _Definition | None:
    if facts.is_local or facts.name == "<lambda>":
        return None
    where = _place(module, facts.main_guard) or _by_function(facts.name, Site(module, facts.span), asker, linker)
    kind = "class" if isinstance(facts, ClassFacts) else "function"
    return _Definition(Site(module, facts.header), kind, facts.name, facts.qualname, where) if where else None


def _of_published(value: ContainerValue, asker: str, linker: Linker) -> _Definition | None:
    published = published_by_main_alone(value, linker, asker)
    if published is None:
        return None
    site, name, maker = published
    return _Definition(site, "class", name, name, _AS_GLOBAL.format(maker.name))


def _by_function(name: str, site: Site, asker: str, linker: Linker) -> str | None:
    """By which function a global is defined at a place that no worker runs."""
    maker = made_by_main_alone(name, site, linker, asker)
    return _AS_GLOBAL.format(maker.name) if maker is not None else None


def _place(module: Module, is_guarded: bool) -> str | None:
    """Where a definition stands that no worker runs."""
    if module.document.cells is not None:
        return "in a notebook"
    if is_guarded:
        return _UNDER_GUARD
    return _OF_PACKAGE if module.name.endswith(_MAIN_MODULE) else None
