from __future__ import annotations

from collections.abc import Iterable

from lintpickle.analyses.calls_and_values.functions import class_error
from lintpickle.analyses.pickle_hooks.local_managers import local_manager
from lintpickle.rules.authoring import (
    LOCAL_CLASS,
    BoundaryCall,
    Call,
    ClassValue,
    Crossing,
    Frame,
    Hazard,
    InstanceValue,
    Linker,
    Parameter,
    Raised,
    Rule,
    Site,
    carries_functions,
    excerpt_of,
    pickles_its_class,
    where,
)

_MAKING = ("__init__", "__new__")


class LocalClassAttribute(Rule):
    """A class defined inside a function, or an instance of one, that crosses a process boundary."""

    code = "LP104"
    name = "local-class-attribute"
    value_types = (
        ClassValue,
        InstanceValue,
    )
    message = "{what} `{class_}` crosses in `{where}`: {error}"
    help = "define the class at module level"
    marks = frozenset({LOCAL_CLASS})

    def crossing(self, crossing: Crossing, linker: Linker) -> Iterable[Hazard]:
        match crossing.value:
            case ClassValue() as class_ if class_.facts.is_local:
                what = "local class"
            case InstanceValue(class_=class_) if class_.facts.is_local and crossing.hops:
                what = "instance of the local class"
            case _:
                return
        if carries_functions(crossing) or _is_placeholder(class_, linker):
            return
        if isinstance(crossing.value, InstanceValue) and not pickles_its_class(crossing.value, linker.evaluator):
            return
        yield Hazard(
            site=_made_at(crossing, linker),
            noun=f"{what} {class_.facts.name}",
            error=class_error(class_),
            data={
                "what": what,
                "class_": class_.facts.name,
                "where": where(crossing),
                "excerpt": excerpt_of(crossing),
            },
            culprit=class_,
        )

    def boundary(self, call: BoundaryCall, linker: Linker) -> Iterable[Hazard]:
        class_ = local_manager(call, linker)
        if class_ is not None:
            yield Hazard(
                site=Site(class_.module, class_.facts.header),
                noun=f"local class {class_.facts.name}",
                error=class_error(class_),
                data={
                    "what": "local class",
                    "class_": class_.facts.name,
                    "where": f"{class_.facts.name}().start()",
                    "excerpt": class_.facts.name,
                },
                culprit=class_,
            )


def _made_at(crossing: Crossing, linker: Linker) -> Site:
    """Where an object of the class is made, if that is in first-party code; else, where it is got. A function that is
    given the class makes objects of whatever it is given: there, the class itself is the place."""
    match crossing.value if crossing.root.spec is not None else None:
        case InstanceValue(class_=class_, call=Call() as call, frame=Frame(module=home)) if (
            home.path in linker.first_party.order
        ):
            is_given = isinstance(call.function, Parameter)
            is_own = class_.module.path in linker.first_party.order
            return Site(class_.module, class_.facts.header) if is_given and is_own else Site(home, call.span)
        case _:
            return crossing.site


def _is_placeholder(class_: ClassValue, linker: Linker) -> bool:
    """Whether the class is a placeholder for a missing dependency: creating or using its instances raises."""
    for name in (*_MAKING, "__call__", "__getattr__"):
        found = linker.classes.find_method(class_, name)
        if found is not None and not found[1].returns:
            raised = (event for event in found[1].events if isinstance(event, Raised))
            if any(name not in _MAKING or not event.conditional for event in raised):
                return True
    return False
