"""Arrays that show shared memory or a file and that an object keeps, whose method runs in a worker and fills the copy
that its copy of the object has: `Process(target=self._run)` with `self.grid = np.frombuffer(raw)`."""

from __future__ import annotations

from collections.abc import Iterator

from lintpickle.analyses.lost_changes.argument_changes import ArgumentChanged, read_by_parent
from lintpickle.analyses.lost_changes.shared_views import View, shared_view
from lintpickle.facts.records import ItemStore, Store
from lintpickle.facts.values import Attribute, Expr, Item, Parameter, without_narrowing
from lintpickle.interpreter.abstract_values import InstanceValue
from lintpickle.interpreter.pickling_hooks import SENDING_HOOKS
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction


def own_views_filled(code: WorkerCode, linker: Linker) -> Iterator[ArgumentChanged]:
    """Such arrays that the code which starts the process reads later, each once."""
    boundary = code.boundary
    if boundary is None or boundary.spec.kind != "process" or not boundary.frame.module.first_party:
        return
    given = boundary.call.keyword("target")
    target = without_narrowing(given) if given is not None else None
    base = target.base if isinstance(target, Attribute) else None
    for function in code.functions if base is not None else ():
        if not function.entry or not function.module.first_party:
            continue
        told: set[str] = set()
        for event in function.facts.events:
            kept = _kept(event.target, function) if isinstance(event, ItemStore) else None
            if kept is None or kept.name in told:
                continue
            told.add(kept.name)
            view = _view_kept(kept, function, linker)
            holder = boundary.frame.module.code[base.span.start : base.span.end] if base is not None else ""
            whole = f"{holder or 'self'}.{kept.name}"
            reader = read_by_parent(whole, boundary, linker) if view is not None else None
            if reader is not None:
                yield ArgumentChanged(function, f"self.{kept.name}", whole, event.span, reader, view)


def _kept(target: Expr, function: WorkerFunction) -> Attribute | None:
    """The attribute of a method's object of whose array an item is set."""
    inner, parameters = without_narrowing(target), function.facts.parameters
    match inner:
        case Item(base=base):
            return _kept(base, function)
        case Attribute(base=Parameter(name=me)) if parameters and me == parameters[0].name:
            return inner
        case _:
            return None


def _view_kept(kept: Attribute, function: WorkerFunction, linker: Linker) -> View | None:
    """What an attribute of the object shows in the main process, unless the worker makes it anew, or the class says
    how its objects are pickled."""
    stored = (event for event in function.facts.events if isinstance(event, Store) and event.attribute == kept.name)
    owners = [traced.value for traced in linker.evaluate(kept.base, function.frame)]
    if any(True for _ in stored) or len(owners) != 1 or not isinstance(owners[0], InstanceValue):
        return None
    if any(linker.classes.find_method(owners[0].class_, each) is not None for each in SENDING_HOOKS):
        return None
    held = [each for each in linker.classes.states.state(owners[0]) if each.attribute == kept.name and each.direct]
    views = {shared_view(each.value, each.frame, linker) for each in held}
    return views.pop() if len(views) == 1 else None
