"""Objects of which each process has its own, at which one waits for what another one does: those of `threading` and
`queue`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from msgspec import Struct

from lintpickle.catalog import WaitingSpec
from lintpickle.facts.values import Attribute, Call, Expr, Parameter, without_narrowing
from lintpickle.interpreter.abstract_values import ContainerValue, ExternalResult, Frame, ProductValue
from lintpickle.payload.entry_arguments import written_for
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode

_OF_ONE_PROCESS = ("threading.", "queue.")
MethodsMeant: TypeAlias = "Callable[[WaitingSpec], tuple[str, ...]]"
"""Which methods of an object are meant."""


class OwnObject(Struct, frozen=True):
    """An object of one process: as it is written, the call that makes it, where, by what, and how one waits at it."""

    written: str
    call: Call
    frame: Frame
    path: str
    spec: WaitingSpec


def own_object_of(
    call: Call, frame: Frame, code: WorkerCode, linker: Linker, methods: MethodsMeant
) -> OwnObject | None:
    """The object of one process whose method a call is, if it is one of some methods."""
    function = call.function
    if not isinstance(function, Attribute):
        return None
    base, home = _as_sent(function.base, frame, code)
    found = [traced.value for traced in linker.evaluate(base, home)]
    match [each for each in found if not isinstance(each, ContainerValue)]:  # What is put into a queue is one, too.
        case [
            ProductValue(path=path, call=Call() as made, frame=Frame() as made_in)
            | ExternalResult(path=path, call=made, frame=made_in)
        ]:
            pass
        case _:
            return None
    if not path.startswith(_OF_ONE_PROCESS):
        return None
    named = frame.module.code[call.span.start : call.span.end].partition("(")[0].rpartition(".")[0]
    for spec in linker.catalog.waitings(path):
        if function.name in methods(spec):
            return OwnObject(" ".join(named.split()), made, made_in, path, spec)
    return None


def _as_sent(base: Expr, frame: Frame, code: WorkerCode) -> tuple[Expr, Frame]:
    """What the main process sends for a parameter of the function with which a process begins; else the expression."""
    inner, boundary = without_narrowing(base), code.boundary
    is_entry = any(each.entry and each.facts is frame.function for each in code.functions)
    if boundary is None or not is_entry or not isinstance(inner, Parameter):
        return base, frame
    return written_for(inner.name, frame.function, boundary) or (base, frame)
