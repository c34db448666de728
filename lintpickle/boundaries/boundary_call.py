"""A call that pickles: the record of it, and how its arguments get their names."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from lintpickle.catalog import RECEIVER, BoundarySpec
from lintpickle.diagnostics import Span, StartMethod
from lintpickle.facts.records import Called, Store
from lintpickle.facts.values import Attribute, Call, Collection, Expr, Item, without_narrowing
from lintpickle.interpreter.abstract_values import (
    UNKNOWN,
    Bound,
    ClassValue,
    Doubt,
    Frame,
    Hop,
    Site,
    TracedValue,
)
from lintpickle.interpreter.evaluator import Evaluator
from lintpickle.interpreter.frames import Arguments, expand

ITSELF = "self"
"""The parameter name for a call whose result is pickled itself: a process, when it starts."""
_ARGS = "args"
PICKLED_ON_START = (StartMethod.SPAWN, StartMethod.FORKSERVER)
"""The start methods under which workers get what they start with pickled."""


class BoundaryCall(Struct, frozen=True, eq=False):
    """A call that pickles.

    `arguments` maps the boundary's parameters to their values; `open` says that further arguments may be passed.
    `callee` is the program's own subclass of the boundary, if that is called. `hops` lead from the call site that was
    followed down to this call. `doubts` are the doubts about whether the call is reached, and about what is called.
    """

    spec: BoundarySpec
    call: Call
    frame: Frame
    arguments: dict[str, Bound]
    open: bool
    event: Called | None
    callee: ClassValue | None = None
    hops: tuple[Hop, ...] = ()
    doubts: tuple[Doubt, ...] = ()

    @property
    def site(self) -> Site:
        """The place of the call."""
        return Site(self.frame.module, self.call.span)

    @property
    def way(self) -> Iterator[tuple[Span, Frame]]:
        """The places in functions that lead to the call, the innermost first."""
        place, frame = self.call.span, self.frame
        yield place, frame
        while frame.called_by is not None:
            frame, call = frame.called_by
            yield call.span, frame

    @property
    def is_stock(self) -> bool:
        """Whether the workers and what they send back are those of the library, as far as the program shows."""
        return Doubt.MACHINERY not in self.doubts

    @property
    def written_args(self) -> tuple[tuple[Expr, Frame], ...]:
        """The arguments of what runs in the worker, each with its frame, where `args=(…)` lists them."""
        given = self.arguments.get(_ARGS)
        listed = without_narrowing(given.expr) if given is not None and given.expr is not None else None
        if given is None or given.frame is None or not isinstance(listed, Collection):
            return ()
        return tuple((each, given.frame) for each in listed.elements)

    @property
    def at_start(self) -> BoundaryCall:
        """The call, as the start of its workers alone: fork hands over what they get then, and nothing pickles it."""
        return replace(self, spec=replace(self.spec, start_methods=PICKLED_ON_START))

    @property
    def payload(self) -> Iterator[str]:
        """The names of the arguments that cross; those of `*args` are "args[0]", "args[1]" …"""
        for name in self.spec.payload:
            if name.startswith("**"):
                yield from (given for given in self.arguments if given not in self.spec.parameters and given[-1] != "]")
            elif name.startswith("*"):
                yield from (given for given in self.arguments if given.startswith(f"{name[1:]}["))
            else:
                yield name

    def is_iterated(self, name: str) -> bool:
        """Whether the parent iterates the argument of that name, so that its items cross and not it."""
        return name in self.spec.elements or f"*{name.partition('[')[0]}" in self.spec.elements

    def value(self, name: str, evaluator: Evaluator) -> tuple[TracedValue, ...]:
        """The possible values of the argument of that name; empty if it is not passed."""
        bound = self.arguments.get(name)
        if bound is None:
            return ()
        if bound.value is not None:
            return (TracedValue(bound.value, self.site),)
        if bound.expr is not None and bound.frame is not None:
            return tuple(evaluator.given(bound.expr, bound.frame))
        return (TracedValue(UNKNOWN, self.site),)


def boundary_call(
    spec: BoundarySpec,
    call: Call,
    frame: Frame,
    event: Called | None,
    evaluator: Evaluator,
    callee: ClassValue | None = None,
) -> BoundaryCall:
    """The call of a boundary in a frame, with its arguments by the names of the boundary's parameters."""
    arguments = expand(call, frame, evaluator)
    named = _by_name(spec, arguments)
    named.update(_from_lists(spec, call, frame) if arguments.open else ())
    if RECEIVER in spec.payload and isinstance(call.function, Attribute):
        named[RECEIVER] = Bound(call.function.base, frame)
    named.update(_given_later(spec, call, frame, evaluator))
    return BoundaryCall(spec, call, frame, named, arguments.open, event, callee)


def _by_name(spec: BoundarySpec, arguments: Arguments) -> dict[str, Bound]:
    plain = [name for name in spec.parameters if not name.startswith("*")]
    rest = next((name[1:] for name in spec.parameters if name.startswith("*")), None)
    named: dict[str, Bound] = {}
    for index, bound in enumerate(arguments.positional):
        if index < len(plain):
            named[plain[index]] = bound
        elif rest is not None:
            named[f"{rest}[{index - len(plain)}]"] = bound
    named.update(arguments.keywords)
    return named


def _from_lists(spec: BoundarySpec, call: Call, frame: Frame) -> Iterator[tuple[str, Bound]]:
    """What the rest of the arguments takes from lists of which not all is in sight (`compute(*tasks)`)."""
    rest = next((name[1:] for name in spec.payload if name.startswith("*") and not name.startswith("**")), None)
    for index, argument in enumerate(call.arguments if rest is not None else ()):
        if argument.star == "*":
            yield f"{rest}[{index}]", Bound(Item(argument.value.span, argument.value, None), frame)


def _given_later(spec: BoundarySpec, call: Call, frame: Frame, evaluator: Evaluator) -> Iterator[tuple[str, Bound]]:
    """Values stored later in attributes with the names of a loader's arguments (`loader.worker_init_fn = seed`)."""
    for stored in evaluator.stores.on(call, frame) if spec.workers is not None else ():
        match stored.event:
            case Store(attribute=name, value=value) if not stored.path and name in spec.parameters:
                place = stored.event.span.start
                is_here = stored.frame.function is frame.function
                if not stored.conditional or (is_here and frame.paths.is_followed_by(call.span.start, place)):
                    yield name, Bound(value, stored.frame)
            case _:
                pass
