"""What decorators store on the object of a method before they call it: `args[0].connection = connect()`."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from lintpickle.facts.records import Called, Delete, FunctionFacts, Store
from lintpickle.facts.values import Constant, Expr, Item, Parameter, without_narrowing
from lintpickle.interpreter.abstract_values import Bound, Frame, FunctionValue, InstanceValue, Ran
from lintpickle.interpreter.evaluator import Evaluator
from lintpickle.interpreter.root_frames import RootFrame

_ANY_NUMBER = "*"


def stored_by_decorators(instance: InstanceValue, root: RootFrame, evaluator: Evaluator) -> tuple[Ran, ...]:
    """What the functions of its decorators, which run when the method is called, have stored on the object by then."""
    owner = root.owner
    if owner is None or not root.function.decorators:
        return ()
    method = FunctionValue(root.frame.module, root.function, owner.frame)
    found: list[Ran] = []
    for around in evaluator.decorators.around_method(method, evaluator.classes.body_frame(owner)):
        ran = _ran(around, method.facts, instance, root, evaluator)
        if ran is not None:
            found.append(ran)
    return tuple(found)


def _ran(
    around: FunctionValue, method: FunctionFacts, instance: InstanceValue, root: RootFrame, evaluator: Evaluator
) -> Ran | None:
    facts, owner = around.facts, root.owner
    me = facts.parameters[0].name if facts.parameters else ""
    stores = [each for each in facts.events if isinstance(each, (Store, Delete)) and _is_first(each.target, facts)]
    if owner is None or not stores:
        return None
    frame = Frame(around.module, facts, {me: Bound(value=instance)}, around.frame, root.frame.depth + 1, open=True)
    calls = list(_calls(method, frame, evaluator))
    events = tuple(
        replace(each, target=Parameter(each.target.span, me, facts.qualname))
        for each in stores
        if any(_comes_before(each, call, frame) for call in calls)
    )
    return Ran(frame, events, owner, me) if events else None


def _is_first(target: Expr, facts: FunctionFacts) -> bool:
    """Whether it is the object that the first argument of a function is, by whatever name it takes that."""
    first = facts.parameters[0] if facts.parameters else None
    match without_narrowing(target):
        case Parameter(name=name):
            return first is not None and first.kind != _ANY_NUMBER and name == first.name
        case Item(base=Parameter(name=name), key=Constant(value=0)):
            return first is not None and first.kind == _ANY_NUMBER and name == first.name
        case _:
            return False


def _calls(method: FunctionFacts, frame: Frame, evaluator: Evaluator) -> Iterator[Called]:
    """The calls of the method itself."""
    for event in frame.function.events:
        if isinstance(event, Called):
            values = (each.value for each in evaluator.evaluate(event.call.function, frame))
            if any(isinstance(value, FunctionValue) and value.facts is method for value in values):
                yield event


def _comes_before(store: Store | Delete, call: Called, frame: Frame) -> bool:
    return store.span.start < call.span.start and not frame.paths.exclude_each_other(store.span.start, call.span.start)
