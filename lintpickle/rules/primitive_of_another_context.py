from __future__ import annotations

from collections.abc import Iterable

from lintpickle.diagnostics import Confidence, StartMethod
from lintpickle.pythons import FIRST_UNFORKED
from lintpickle.rules._shared.products import AT_START, GIVEN_AT_START
from lintpickle.rules.authoring import (
    PRODUCT,
    AbstractValue,
    Attribute,
    BoundaryCall,
    Call,
    ConstantValue,
    Crossing,
    ExternalResult,
    Frame,
    Hazard,
    Linker,
    ModuleValue,
    ProductValue,
    Rule,
    Words,
    excerpt_of,
    where,
)

_TYPES = ("multiprocessing.synchronize.", "multiprocessing.queues.", "multiprocessing.sharedctypes.Synchronized")
_FORK, _DEFAULT = "the context `fork`", "the default context, which forks on Linux before Python 3.14"
_SETS = Words({"set_start_method"})


class PrimitiveOfAnotherContext(Rule):
    """A lock, queue, event or shared value of the fork context, given to a process that another context starts."""

    code = "LP213"
    name = "primitive-of-another-context"
    value_types = (ProductValue,)
    message = "`{excerpt}` in `{where}` is of {context}, and `{method}` starts the process: {error}"
    help = 'make it by the context that starts the process: `ctx = multiprocessing.get_context("spawn")`, `ctx.Queue()`'
    marks = frozenset({PRODUCT})

    def crossing(self, crossing: Crossing, linker: Linker) -> Iterable[Hazard]:
        if linker.moving_to is not None and not _starts_by_default(crossing, linker):
            return  # Where nothing asks for fork any more, no context is one that forks.
        value, methods = crossing.value, crossing.root.start_methods
        if not isinstance(value, ProductValue) or not value.product.type.startswith(_TYPES):
            return
        is_at_start = crossing.root.kind in AT_START or crossing.role in GIVEN_AT_START
        if crossing.root.spec is None or not is_at_start or len(methods) != 1 or methods[0] is StartMethod.FORK:
            return
        confidence = _of_fork(value, crossing, linker)
        if confidence is Confidence.LIKELY and _may_fork(crossing, linker):
            confidence = Confidence.POSSIBLE
        if confidence is not None:
            yield Hazard(
                site=crossing.site,
                noun="it is of another context",
                error=(
                    "RuntimeError: A SemLock created in a fork context is being shared with a process in a spawn "
                    "context. This is not supported. Please use the same context to create multiprocessing objects "
                    "and Process."
                ),
                data={
                    "excerpt": excerpt_of(crossing),
                    "where": where(crossing),
                    "context": _FORK if confidence is Confidence.CERTAIN else _DEFAULT,
                    "method": methods[0].value,
                },
                help=self.help.replace("Queue", value.path.rpartition(".")[2]),
                confidence=confidence,
            )


def _of_fork(value: ProductValue, crossing: Crossing, linker: Linker) -> Confidence | None:
    """How sure it is that an object is made in a context that forks; None if that is not known."""
    match value:
        case ProductValue(call=Call(function=Attribute(base=base)), frame=Frame() as frame):
            found = [each.value for each in linker.evaluate(base, frame)]
        case _:
            found = []
    if found and not all(isinstance(each, ModuleValue) for each in found):
        asked = [_asked_for(each, linker) for each in found]
        if asked == ["fork"]:
            return Confidence.CERTAIN
        if asked != [None]:
            return None
    return None if linker.moving_to is not None else _by_default(crossing, linker)


def _asked_for(context: AbstractValue, linker: Linker) -> str | None:
    """The start method that `get_context` is given; "" if that is not known."""
    match context:
        case ExternalResult(call=Call(arguments=())):
            return None
        case ExternalResult(call=Call(arguments=(first,)), frame=frame):
            given = [each.value for each in linker.evaluate(first.value, frame)]
            match given:
                case [ConstantValue(value=str() | None as method)]:
                    return method
                case _:
                    return ""
        case _:
            return ""


def _may_fork(crossing: Crossing, linker: Linker) -> bool:
    """Whether the program chooses between fork and another method, mostly by the platform: it is spawn where the
    default is spawn, too."""
    return any(
        next(linker.boundaries.starting.forks_asked(each), None) is not None for each in _starting(crossing, linker)
    )


def _starting(crossing: Crossing, linker: Linker) -> list[BoundaryCall]:
    site = crossing.root.site
    return [each for each in linker.boundary_calls() if each.site == site]


def _starts_by_default(crossing: Crossing, linker: Linker) -> bool:
    """Whether the default context starts the process, by itself: that moves while a context which is made by name stays
    what it is."""
    starting = _starting(crossing, linker)
    is_default = bool(starting) and all(_is_of_module(each, linker) for each in starting)
    return is_default and not linker.first_party.is_anywhere(_SETS, crossing.root.site.module.path)


def _is_of_module(call: BoundaryCall, linker: Linker) -> bool:
    """Whether a process is started by what a module gives, rather than a context that is made, given or not known."""
    if call.spec.context in call.arguments or next(linker.boundaries.starting.contexts_made(call), None) is not None:
        return False
    match call.call.function:
        case Attribute(base=base) if call.callee is None:
            return all(isinstance(each.value, ModuleValue) for each in linker.evaluate(base, call.frame))
        case _:
            return True


def _by_default(crossing: Crossing, linker: Linker) -> Confidence | None:
    """The default context forks on Linux, before Python 3.14, unless the program sets a start method."""
    if all(python >= FIRST_UNFORKED for python in linker.evaluator.pythons):
        return None
    sets = linker.first_party.is_anywhere(_SETS, crossing.root.site.module.path)
    return None if sets else Confidence.LIKELY
