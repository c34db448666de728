from __future__ import annotations

from collections.abc import Iterable, Iterator
from types import MappingProxyType

from msgspec.structs import replace

from lintpickle.analyses.calls_and_values.hierarchies import (
    REDUCED_BY_OBJECT,
    call_error,
    external_bases,
    known_ancestors,
)
from lintpickle.analyses.pickle_hooks.parent_hooks import wrong_calls_of_parent
from lintpickle.diagnostics import Confidence
from lintpickle.rules._shared.seldom_sent import seldom_sent
from lintpickle.rules.authoring import (
    MODULE_KINDS,
    Ancestor,
    ClassValue,
    Crossing,
    FunctionFacts,
    Hazard,
    InstanceValue,
    Linker,
    Name,
    Rule,
    Site,
)

_GIVEN = MappingProxyType(
    {
        "__reduce_ex__": ("protocol",),
        "__reduce__": (),
        "__getnewargs_ex__": (),
        "__getnewargs__": (),
        "__getstate__": (),
        "__setstate__": ("state",),
        "__copy__": (),
        "__deepcopy__": ("memo",),
    }
)
"""The hooks, each with what it is called with."""
_GIVE = "pass on what the hook of the parent takes: `super().__reduce_ex__(protocol)`, `super().__reduce__()`"
_OF_COPY = ("__copy__", "__deepcopy__")
_OF_REDUCING = ("__reduce_ex__", "__reduce__")
"""The first that there is decides about the other hooks."""
_OF_STATE = ("__getnewargs_ex__", "__getnewargs__", "__getstate__", "__setstate__")
_BOUND = MappingProxyType({"classmethod": 1, "staticmethod": 0})
"""How many arguments Python itself gives to a method with a decorator."""


class UncallablePicklingHook(Rule):
    """A `__reduce__`, `__getstate__` or such that does not take what pickle passes, or calls its parent's wrongly."""

    code = "LP614"
    name = "uncallable-pickling-hook"
    message = "{caller} calls `{class_}.{method}({given})`, {which}: {error}"
    help = "let it take what the pickle protocol passes, and no more"
    value_types = (InstanceValue,)
    marks = frozenset()
    of_results = True
    words = frozenset(f"def {name}" for name in _GIVEN)

    def crossing(self, crossing: Crossing, linker: Linker) -> Iterable[Hazard]:
        if isinstance(crossing.value, InstanceValue):
            yield from self._of_class(crossing.value.class_, linker)

    def class_(self, class_: ClassValue, linker: Linker) -> Iterable[Hazard]:
        body = Site(class_.module, class_.facts.span)
        found = [*self._of_class(class_, linker), *_judged(_OF_COPY, class_, linker)]
        yield from seldom_sent([each for each in found if body.contains(each.site)], class_, linker)

    def _of_class(self, class_: ClassValue, linker: Linker) -> tuple[Hazard, ...]:
        """The hazards of a class that is pickled, computed once, because many instances of it may cross."""
        return linker.remembered((self.code, *class_.key), lambda: tuple(_when_pickled(class_, linker)))


def _when_pickled(class_: ClassValue, linker: Linker) -> Iterator[Hazard]:
    line = linker.classes.mro(class_)
    if id(class_.facts) in linker.classes.registered:
        return
    reducer = next((name for name in _OF_REDUCING if linker.classes.defines(class_, name)), None)
    if reducer is not None:
        yield from _judged((reducer,), class_, linker)
        return
    bases = external_bases(line)
    if any(_is_exception(path) for path in bases):
        return
    is_plain = known_ancestors(class_, linker.classes) is not None and (
        linker.classes.kind(class_) in MODULE_KINDS or REDUCED_BY_OBJECT.issuperset(bases)
    )
    is_sure = is_plain and _has_state(class_, linker)
    for hazard in _judged(_OF_STATE, class_, linker):
        yield hazard if is_sure else replace(hazard, confidence=Confidence.POSSIBLE)


def _judged(names: Iterable[str], class_: ClassValue, linker: Linker) -> Iterator[Hazard]:
    for name in names:
        found = _nearest(name, linker.classes.mro(class_))
        bound = _bound(found[1]) if found is not None else None
        if found is None or bound is None:
            continue
        owner, method = found
        data = {
            "caller": "copy" if name in _OF_COPY else "pickle",
            "class_": owner.facts.name,
            "method": name,
            "given": ", ".join(_GIVEN[name]),
        }
        error = call_error(owner.facts.qualname, method, len(_GIVEN[name]), bound)
        if error is not None:
            which = {"which": "which its parameters do not allow"}
            yield Hazard(Site(owner.module, method.header), "it cannot be called", error, data | which)
            continue
        for wrong in wrong_calls_of_parent(method, owner, class_, linker.classes):
            site = Site(owner.module, wrong.call.span)
            which = {"which": "which calls its parent's hook in another way than this allows"}
            confidence = None if wrong.is_sure else Confidence.POSSIBLE
            yield Hazard(site, "it fails", wrong.error, data | which, help=_GIVE, confidence=confidence)


def _nearest(name: str, line: tuple[Ancestor, ...]) -> tuple[ClassValue, FunctionFacts] | None:
    """The method that a hierarchy has by a name, unless a class assigns something else to it."""
    for each in line:
        if isinstance(each, ClassValue) and name in {*each.facts.methods, *each.facts.body}:
            method = each.facts.methods.get(name)
            return (each, method) if method is not None and name not in each.facts.body else None
    return None


def _bound(method: FunctionFacts) -> int | None:
    """How many arguments Python itself gives to a method; None if a decorator may change its parameters."""
    match method.decorators:
        case ():
            return 1
        case (Name(name=name),):
            return _BOUND.get(name)
        case _:
            return None


def _has_state(class_: ClassValue, linker: Linker) -> bool:
    """Whether there is a state that unpickling gives to `__setstate__`."""
    return linker.classes.defines(class_, "__getstate__") or any(
        True for _ in linker.classes.states.state(linker.activations.instance(class_))
    )


def _is_exception(path: str) -> bool:
    """Whether a class is a builtin exception, whose `__reduce__` asks for no state."""
    return path.startswith("builtins.") and path.endswith(("Error", "Exception", "Warning", "Exit", "Interrupt"))
