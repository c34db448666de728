"""Whether the main process changes an attribute, too, which a function changes in workers, or calls that function."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from lintpickle.analyses.at_import.import_time import functions_of
from lintpickle.analyses.calls_and_values.function_objects import names_called
from lintpickle.analyses.calls_and_values.hierarchies import is_me
from lintpickle.analyses.calls_and_values.written_elsewhere import stands_outside
from lintpickle.analyses.lost_changes.attribute_changes import AttributeChange, changes_of
from lintpickle.analyses.lost_changes.calls_of_others import calls_of_others
from lintpickle.analyses.pickle_hooks.own_state import CONSTRUCTION
from lintpickle.analyses.workers.reads_after_start import after_start, naming
from lintpickle.analyses.workers.task_workers import functions_started_in
from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.boundaries.task_calls import task_call
from lintpickle.diagnostics import Span
from lintpickle.facts.records import FunctionFacts, Store
from lintpickle.facts.values import Attribute, Call, Collection, Constant, Expr, Mapping, without_narrowing
from lintpickle.interpreter.abstract_values import FunctionValue, Site
from lintpickle.parsing.syntax import is_special_name
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerFunction
from lintpickle.prefilter.words import Words
from lintpickle.program.module import Module

_RUN = "run"
"""The method that a process calls of its own object."""


def is_only_changed_by(
    function: WorkerFunction, attribute: str, boundary: BoundaryCall, linker: Linker, is_cached: bool = False
) -> bool:
    """Whether the main process does not change the attribute itself (it may fill a cache before it starts workers), nor
    call the function."""
    running = functions_started_in(boundary.frame.module, linker)
    changing = _changing_in_main(function, attribute, boundary, running, linker)
    is_changed = any(not is_cached or not _is_done_before(each, boundary, linker) for each in changing)
    return not is_changed and not is_called_in_main(function, boundary, running, linker)


def is_changed_by_others(function: WorkerFunction, attribute: str, boundary: BoundaryCall, linker: Linker) -> bool:
    """Whether other code than that of workers changes an attribute of that name."""
    running = functions_started_in(boundary.frame.module, linker)
    return any(True for _ in _changing_in_main(function, attribute, boundary, running, linker))


def is_read_by_workers(attribute: str, boundary: BoundaryCall, linker: Linker) -> bool:
    """Whether a function that runs in workers reads an attribute of that name."""
    running = functions_started_in(boundary.frame.module, linker)
    spans = ((each.module.code, each.facts.span) for each in running)
    return any(naming(attribute).search(code, span.start, span.end) for code, span in spans)


def _is_done_before(facts: FunctionFacts, boundary: BoundaryCall, linker: Linker) -> bool:
    """Whether a function is only called before the workers start, by what starts them or by its callers."""
    before = [Site(each.module, Span(each.function.span.start, behind)) for each, behind in after_start(boundary)]
    called = re.compile(rf"(?<!def )\b{re.escape(facts.name)}\s*\(")
    return not stands_outside(before, called, facts.name, boundary.frame.module.path, linker)


def _changing_in_main(
    function: WorkerFunction, attribute: str, boundary: BoundaryCall, running: Sequence[WorkerFunction], linker: Linker
) -> Iterator[FunctionFacts]:
    """The other code that changes an attribute of that name; that of objects of other classes may."""
    in_workers = {id(each.facts) for each in (function, *running)}
    form = re.compile(rf"\.\s*{attribute}\b")
    for module in linker.first_party.naming_in_text(Words({attribute}), boundary.frame.module.path, form):
        for facts in functions_of(module, form, lambda facts: id(facts) not in in_workers):
            for change in changes_of(facts):
                if facts.name in CONSTRUCTION and is_me(change.target, facts):
                    continue
                is_later = facts is boundary.frame.function and change.event.span.start >= boundary.call.span.end
                if change.attribute != attribute or (_is_emptied(change) and not is_later):
                    continue
                if not _is_of_another_class(change.target, facts, module, function):
                    yield facts


def _is_emptied(change: AttributeChange) -> bool:
    """Whether a change gives an attribute what it may have at first: a constant, an empty container."""
    match change.event:
        case Store(value=Constant() | Collection(elements=()) | Mapping(items=()) | Call(arguments=())):
            return True
        case _:
            return False


def _is_of_another_class(target: Expr, facts: FunctionFacts, module: Module, function: WorkerFunction) -> bool:
    """Whether a method changes its own object, and is of a class that stands somewhere else than that of the method
    of the worker, or around its function."""
    if not is_me(target, facts) or "." not in facts.qualname:
        return False
    return (module, _class_of(facts)) != (function.module, _class_of(function.facts))


def _class_of(facts: FunctionFacts) -> str:
    """The name of the class in a method of which a function stands, or which it is."""
    return facts.qualname.partition(".<locals>")[0].rpartition(".")[0]


def is_called_in_main(
    function: WorkerFunction, boundary: BoundaryCall, running: Sequence[WorkerFunction], linker: Linker
) -> bool:
    """Whether a function is named where no worker runs and no boundary is: it may be called, or passed on. The one that
    starts the workers runs in the main process itself."""
    if function.facts is boundary.frame.function:
        return True
    name = function.facts.name
    if is_special_name(name) or (name == _RUN and boundary.callee is not None):
        return False  # Python calls it.
    calls = linker.boundary_calls()
    sent = [each.site for each in calls]
    sent += [Site(each.frame.module, task.span) for each in calls for task in (task_call(each),) if task is not None]
    inside = [*sent, *(Site(each.module, each.facts.span) for each in running)]
    kept = list(_kept(function, boundary, linker))
    if not any(_is_called_as(each, inside, boundary, linker) for each, _ in kept):
        inside += [site for _, site in kept]
    inside += constructors_calling(name, boundary, linker)
    asker = boundary.frame.module.path
    return any(_stands_as_call(each, function, inside, asker, linker) for each in names_called(function, linker))


def _stands_as_call(name: str, function: WorkerFunction, inside: list[Site], asker: str, linker: Linker) -> bool:
    """Whether a function is named outside of some places, other than where another one of that name is called."""
    form = re.compile(rf"\.\s*{name}\b|(?<!def )\b{name}\s*\(")
    if not stands_outside(inside, form, name, asker, linker):
        return False
    others = calls_of_others(name, function, asker, linker)
    return stands_outside([*inside, *others], form, name, asker, linker)


def constructors_calling(name: str, boundary: BoundaryCall, linker: Linker) -> Iterator[Site]:
    """The constructors that call a function of a name: what it does there to a new object comes before all else."""
    called = re.compile(rf"\.\s*{re.escape(name)}\s*\(")
    for module in linker.first_party.naming_in_text(Words({name}), boundary.frame.module.path, called):
        for facts in functions_of(module, called, lambda facts: facts.name in CONSTRUCTION):
            yield Site(module, facts.span)


def _kept(function: WorkerFunction, boundary: BoundaryCall, linker: Linker) -> Iterator[tuple[str, Site]]:
    """Where a function is given to an object that keeps it, which workers get or by which they get it; each with the
    attribute."""
    for role in boundary.spec.functions:
        given = boundary.arguments.get(role)
        expression = without_narrowing(given.expr) if given is not None and given.expr is not None else None
        for traced in boundary.value(role, linker.evaluator) if isinstance(expression, Attribute) else ():
            assert isinstance(expression, Attribute)
            if isinstance(traced.value, FunctionValue) and traced.value.facts is function.facts:
                yield expression.name, traced.site
    for crossing in linker.shipped_by(boundary):
        is_it = isinstance(crossing.value, FunctionValue) and crossing.value.facts is function.facts
        if is_it and crossing.held is not None:
            yield crossing.held.attribute, crossing.site


def _is_called_as(attribute: str, inside: list[Site], boundary: BoundaryCall, linker: Linker) -> bool:
    """Whether code calls what an attribute keeps, other than in workers."""
    form = re.compile(rf"\.\s*{re.escape(attribute)}\s*\(")
    return stands_outside(inside, form, attribute, boundary.frame.module.path, linker)
