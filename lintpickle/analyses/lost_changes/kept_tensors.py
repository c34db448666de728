"""What an object keeps of the tensors, or the torch modules, that a function has from others and makes it with."""

from __future__ import annotations

from collections.abc import Iterator

from lintpickle.analyses.lost_changes.shared_tensors import SharedPart
from lintpickle.analyses.lost_changes.ways_to_tensors import Shared, part_given
from lintpickle.facts.values import Call, Expr, Name, Parameter, without_narrowing
from lintpickle.interpreter.abstract_values import Frame, InstanceValue
from lintpickle.payload.linker import Linker

_LISTING = frozenset({"list", "tuple"})


def parts_kept(instance: InstanceValue, frame: Frame, shared: Shared, linker: Linker) -> Iterator[SharedPart]:
    """What is shared of what an object holds that is made in `frame`, with the attributes that lead to it."""
    if instance.frame is not frame or instance.call is None:
        return
    if not is_made_with(instance.call, shared):
        return
    for held in linker.classes.states.state(instance):
        given = _argument(held.value, held.frame, frame) if held.direct else None
        part = part_given(given, shared) if given is not None else None
        if part is not None:
            yield SharedPart((held.attribute, *part.path), part.kind, part.value)


def is_made_with(call: Call, shared: Shared) -> bool:
    """Whether a call is given what is shared, or a part of it."""
    return any(part_given(_listed(each.value), shared) is not None for each in call.arguments)


def _argument(value: Expr, frame: Frame, made_in: Frame) -> Expr | None:
    """The expression of the function that makes an object by which its constructor gets what it stores."""
    while frame is not made_in:
        kept = _listed(value)
        bound = frame.bindings.get(kept.name) if isinstance(kept, Parameter) else None
        if bound is None or bound.expr is None or bound.frame is None:
            return None
        value, frame = bound.expr, bound.frame
    return _listed(value)


def _listed(value: Expr) -> Expr:
    """What a list is made of, which holds the same things: `list(params)`."""
    inner = without_narrowing(value)
    match inner:
        case Call(function=Name(name=name), arguments=[one]) if name in _LISTING:
            return _listed(one.value)
        case _:
            return inner
