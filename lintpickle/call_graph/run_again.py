"""Methods that run more than once on one object, and what they have left there: `start()` calls `self._launch(slot)` in
a loop, which starts a process and keeps it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lintpickle.call_graph.named_calls import NamedCalls
from lintpickle.facts.records import Called, Delete, Event, FunctionFacts, ItemStore, Store
from lintpickle.facts.values import Attribute, Constant, Expr, Parameter, reads_the_same, without_narrowing
from lintpickle.interpreter.abstract_values import InstanceValue
from lintpickle.interpreter.classes import Classes
from lintpickle.interpreter.evaluator import Evaluator
from lintpickle.interpreter.root_frames import RootFrame

_START = "start"
_TAKES_BACK = re.compile(
    r"\.\s*(?:clear|discard|pop|popitem|popleft|remove)\s*\(|\bdel\b|\bself(?:\.\w+)+\s*(?:\[[^\n]*\]\s*)?=(?!=)"
)
"""How a method may take away what another one has put into its object."""


class RunAgain:
    """Answers for one evaluator. `asker` is the path of the module that is judged."""

    def __init__(self, evaluator: Evaluator, named: NamedCalls) -> None:
        self._evaluator = evaluator
        self._named = named

    def left_behind(self, event: Called, root: RootFrame, asker: str) -> tuple[Event, ...]:
        """What a method that starts a process does to its object behind that, if it runs more than once on it: what it
        had put into the object when it ran before. What is stored before the process starts is replaced by then, unless
        it is one more item."""
        if root.instance_name is None or root.owner is None or root.is_constructor:
            return ()
        found = tuple(_kept_behind(event, root.function, root.instance_name))
        return found if found and self._runs_again(root, asker, set()) else ()

    def _runs_again(self, root: RootFrame, asker: str, seen: set[int]) -> bool:
        seen.add(id(root.function))
        for caller, event in self._named.of_method(root.function.name, asker):
            function = event.call.function
            if not isinstance(function, Attribute) or not self._is_of(function.base, root, caller):
                continue
            if self._is_repeated(event, function.base, caller, root):
                return True
            is_own = _is_me(function.base, caller) and id(caller.function) not in seen
            if is_own and not caller.is_constructor and self._runs_again(caller, asker, seen):
                return True
        return False

    def _is_of(self, base: Expr, root: RootFrame, caller: RootFrame) -> bool:
        """Whether an object is surely one of the class, or of one below it."""
        classes, owner = self._evaluator.classes, root.owner
        found = [traced.value for traced in self._evaluator.evaluate(base, caller.frame)]
        return bool(found) and all(
            isinstance(each, InstanceValue) and classes.derives(each, owner) for each in found if owner is not None
        )

    def _is_repeated(self, event: Called, base: Expr, caller: RootFrame, root: RootFrame) -> bool:
        """Whether a function calls the method several times on one object: in a loop that does not make the object, or
        at two places; and calls nothing else between that may take back what the method has left there."""
        paths, start = caller.frame.paths, event.span.start
        if not _is_me(base, caller) and not self._is_made_outside(base, start, caller):
            return False
        if paths.share_a_loop(start, start):
            others = [each for each in caller.function.events if paths.share_a_loop(each.span.start, start)]
        else:
            again = next(
                (
                    each
                    for each in caller.function.events
                    if isinstance(each, Called)
                    and each.span.start > start
                    and isinstance(each.call.function, Attribute)
                    and each.call.function.name == root.function.name
                    and reads_the_same(each.call.function.base, base)
                    and not paths.exclude_each_other(start, each.span.start)
                ),
                None,
            )
            if again is None:
                return False
            others = [each for each in caller.function.events if start < each.span.start < again.span.start]
        return not any(self._may_take_back(each, base, event, root) for each in others)

    def _is_made_outside(self, base: Expr, place: int, caller: RootFrame) -> bool:
        for traced in self._evaluator.evaluate(base, caller.frame):
            made = traced.value.call if isinstance(traced.value, InstanceValue) else None
            if made is None or caller.frame.paths.share_a_loop(made.span.start, place):
                return False
        return True

    def _may_take_back(self, event: Event, base: Expr, call: Called, root: RootFrame) -> bool:
        match event:
            case Called(call=made) if isinstance(made.function, Attribute) and event is not call:
                on = made.function
                if reads_the_same(on.base, base):
                    return on.name != root.function.name and _takes_back(on.name, root, self._evaluator.classes)
                below = without_narrowing(on.base)
                return (
                    isinstance(below, Attribute)
                    and reads_the_same(below.base, base)
                    and _TAKES_BACK.match(f".{on.name}(") is not None
                )
            case Store(target=target) | Delete(target=target):
                return reads_the_same(target, base)
            case _:
                return False


def _takes_back(method: str, root: RootFrame, classes: Classes) -> bool:
    found = classes.find_method(root.owner, method) if root.owner is not None else None
    if found is None:
        return False
    span = found[1].span
    return _TAKES_BACK.search(found[0].module.code, span.start, span.end) is not None


def _is_me(value: Expr, root: RootFrame) -> bool:
    found = without_narrowing(value)
    return isinstance(found, Parameter) and found.name == root.instance_name


def _kept_behind(event: Called, function: FunctionFacts, me: str) -> Iterator[Event]:
    """What a method does to its object behind a place: all that comes when it has started something, and one more item
    of a container before."""
    is_started = False
    for other in function.events:
        if other.span.start <= event.span.start:
            continue
        match other:
            case Called(call=call) if isinstance(call.function, Attribute) and call.function.name == _START:
                is_started = True
            case ItemStore(target=Attribute(base=Parameter(name=name)), key=key) if name == me:
                if is_started or key is None or not _is_same_each_time(key, me, function):
                    yield other
            case Store(target=Parameter(name=name)) if name == me and is_started:
                yield other
            case Called(call=call) if isinstance(call.function, Attribute) and is_started:
                if isinstance(call.function.base, Parameter) and call.function.base.name == me:
                    yield other
            case _:
                pass


def _is_same_each_time(key: Expr, me: str, function: FunctionFacts) -> bool:
    """Whether a key is seen to be the same whenever the method runs: a constant, or what the object has, unless the
    method changes that itself (`self.count += 1`)."""
    first, key = "", without_narrowing(key)
    while isinstance(key, Attribute):
        first, key = key.name, key.base
    if isinstance(key, Constant):
        return True
    is_of_object = isinstance(key, Parameter) and key.name == me
    return is_of_object and not any(_changes(each, first, me) for each in function.events)


def _changes(event: Event, attribute: str, me: str) -> bool:
    """Whether a method gives its object another value of an attribute, or adds to it."""
    match event:
        case Store(target=Parameter(name=changed), attribute=name):
            return changed == me and name == attribute
        case ItemStore(target=Attribute(base=Parameter(name=changed), name=name)):
            return changed == me and name == attribute
        case _:
            return False
