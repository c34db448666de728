"""By which start methods boundaries start their workers: what they are given, what their classes say, and the contexts
of multiprocessing whose methods they are."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import islice

from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.boundaries.called_methods import CalledMethods
from lintpickle.boundaries.forked_by_request import contexts_of_bases, is_fork_where_there_is, sites_of_base
from lintpickle.boundaries.set_just_before import set_just_before
from lintpickle.boundaries.set_together import without_idle
from lintpickle.diagnostics import StartMethod
from lintpickle.facts.values import Attribute, Call, Super
from lintpickle.interpreter.abstract_values import (
    AbstractValue,
    ConstantValue,
    ExternalResult,
    Frame,
    ProductValue,
    Site,
    SuperValue,
    is_none,
)
from lintpickle.interpreter.evaluator import Evaluator

_UNFORKED = frozenset({StartMethod.SPAWN.value, StartMethod.FORKSERVER.value})


class Starting:
    """Answers for one evaluator. `methods` says which methods are called, `match` which boundaries a call can be;
    `moving_to` is the start method under which all is judged that fork starts now, None to judge it as it is."""

    def __init__(
        self,
        evaluator: Evaluator,
        methods: CalledMethods,
        match: Callable[[Call, Frame], Iterator[BoundaryCall]],
        moving_to: StartMethod | None,
    ) -> None:
        self._evaluator = evaluator
        self._methods = methods
        self._match = match
        self._moving_to = moving_to

    def start_methods(self, boundary: BoundaryCall) -> tuple[StartMethod, ...]:
        """The start methods under which this boundary pickles, narrowed by its context argument. If the program is to
        move to another start method, that replaces fork and the default."""
        methods = self._now(boundary)
        is_open = methods in ((), boundary.spec.start_methods) or self._may_ask_for_fork(boundary)
        is_open = is_open and self._moving_to in boundary.spec.start_methods
        if self._moving_to is None or len(methods) == len(StartMethod) or not is_open:
            return methods
        return (self._moving_to,)

    def _may_ask_for_fork(self, boundary: BoundaryCall) -> bool:
        """Whether what fixes the start method names fork, if only on one way (`"spawn" if WINDOWS else "fork"`)."""
        return any(StartMethod.FORK.value in names for names in self._names_of_contexts(boundary))

    def _names_of_contexts(self, boundary: BoundaryCall) -> Iterator[set[str | None]]:
        for contexts in self._contexts(boundary):
            yield {name for value in contexts for name in self._context_names(value)}

    def _now(self, boundary: BoundaryCall) -> tuple[StartMethod, ...]:
        methods = boundary.spec.start_methods
        if len(methods) == len(StartMethod):
            return methods
        if boundary.spec.kind == "spawn" and boundary.spec.context not in boundary.arguments:
            return (StartMethod.SPAWN,)
        for contexts in self._contexts(boundary):
            names = {name for value in contexts for name in self._context_names(value)}
            if None in names and is_fork_where_there_is(contexts):
                names.remove(None)
            if names and names.issubset(method.value for method in StartMethod):
                return tuple(method for method in methods if method.value in names)
        maker = next(islice(self.with_its_maker(boundary), 1, None), None)
        of_maker = self._now(maker) if maker is not None else methods
        return tuple(method for method in methods if method in of_maker)

    def contexts_made(self, boundary: BoundaryCall) -> Iterator[Site]:
        """The places of contexts that may fix the start method of the boundary, or of the pool or executor whose method
        it is."""
        for context in self._contexts_asked(boundary):
            yield Site(context.frame.module, context.call.span)

    def forks_asked(self, boundary: BoundaryCall) -> Iterator[Site]:
        """The places where the boundary is given fork by name, however the name comes there: those of contexts, and
        that of what starts the processes, where it takes a name itself."""
        for context in self._contexts_asked(boundary):
            if StartMethod.FORK.value in self._context_names(context):
                yield Site(context.frame.module, context.call.span)
        if boundary.spec.asks == StartMethod.FORK.value and boundary.spec.context not in boundary.arguments:
            if boundary.callee is not None:
                yield from sites_of_base(boundary.callee, boundary.spec.path, self._evaluator)
            elif not _is_of_super(boundary.call):
                yield boundary.site
        for each in self.with_its_maker(boundary):
            given = each.value(each.spec.context, self._evaluator) if each.spec.context is not None else ()
            if any(isinstance(one.value, ConstantValue) and one.value.value == StartMethod.FORK.value for one in given):
                yield each.site

    def _contexts_asked(self, boundary: BoundaryCall) -> Iterator[ExternalResult]:
        starting = self.with_its_maker(boundary)
        for context in (context for each in starting for found in self._contexts(each) for context in found):
            if isinstance(context, ExternalResult) and context.path == "mp-context":
                yield context

    def is_never_forked(self, boundary: BoundaryCall) -> bool:
        """Whether the workers are started by spawn or forkserver even where fork is the default: the program asks for
        that, or the function always does (`torch.multiprocessing.spawn`)."""
        names = self._names_asked(self.with_its_maker(boundary))
        return bool(names) and names <= _UNFORKED

    def names_its_method(self, boundary: BoundaryCall) -> bool:
        """Whether the boundary, or what makes the pool or executor whose method it is, gets a start method by name, or
        the program sets another one than fork just before: then it does not matter where else it sets one."""
        starting = list(self.with_its_maker(boundary))
        names = self._names_asked(starting)
        is_set = names == {StartMethod.FORK.value} and not self._names_given_by_contexts(starting) - {None}
        return bool(names) and None not in names and not is_set

    def may_start_by(self, method: StartMethod, boundary: BoundaryCall) -> bool:
        """Whether the boundary, or what makes the pool or executor whose method it is, may start workers by a start
        method: not if it asks for others by name."""
        starting = list(self.with_its_maker(boundary))
        if any(method not in each.spec.start_methods for each in starting):
            return False
        names = self._names_asked(starting)
        return not names or None in names or method.value in names

    def _names_asked(self, starting: Iterable[BoundaryCall]) -> set[str | None]:
        starting = list(starting)
        asked = self._names_given_by_contexts(starting)
        if asked - {None}:
            return asked
        return {name for each in starting if (name := set_just_before(each, self._evaluator)) is not None} or asked

    def _names_given_by_contexts(self, starting: Iterable[BoundaryCall]) -> set[str | None]:
        contexts = [context for each in starting for found in self._contexts(each) for context in found]
        return {name for each in contexts if not isinstance(each, ProductValue) for name in self._context_names(each)}

    def with_its_maker(self, boundary: BoundaryCall) -> Iterator[BoundaryCall]:
        """A boundary, and the making of the pool or executor whose method it is."""
        yield boundary
        for context in (context for found in self._contexts(boundary) for context in found):
            match context:
                case ProductValue(call=Call() as made, frame=Frame() as where):
                    yield from self._match(made, where)
                case ExternalResult(call=made, frame=where) if made is not boundary.call:
                    yield from self._match(made, where)
                case _:
                    pass

    def _contexts(self, boundary: BoundaryCall) -> Iterator[list[AbstractValue]]:
        """What may fix the start method: the argument for it, what the class says, the contexts of its bases, and the
        context whose method is called. Of each, what it can be."""
        if boundary.spec.kind == StartMethod.SPAWN.value and boundary.spec.context not in boundary.arguments:
            yield [ConstantValue(StartMethod.SPAWN.value)]
            return
        if boundary.spec.context is not None:
            given = boundary.value(boundary.spec.context, self._evaluator)
            yield [traced.value for traced in without_idle(given, boundary)]
        if boundary.spec.asks is not None:
            if boundary.spec.context not in boundary.arguments:
                yield [ConstantValue(boundary.spec.asks)]
            return
        if boundary.callee is not None:
            yield list(contexts_of_bases(boundary.callee, self._evaluator))
        if _is_of_super(boundary.call) and isinstance(boundary.call.function, Attribute):
            for traced in self._evaluator.evaluate(boundary.call.function.base, boundary.frame):
                if isinstance(traced.value, SuperValue):
                    yield list(contexts_of_bases(traced.value.owner, self._evaluator))
        for function, frame in self._methods.named(boundary.call.function, boundary.frame):
            if isinstance(function.base, Super):
                continue
            found = self._evaluator.in_branches_taken(self._evaluator.evaluate(function.base, frame), frame)
            yield [traced.value for traced in found if not is_none(traced.value)]

    def _context_names(self, abstract: AbstractValue) -> Iterator[str | None]:
        """The start methods that a context or its name can stand for; None for whatever it may be."""
        match abstract:
            case ConstantValue(value=str() as name):
                yield name
            case ExternalResult(path="mp-context", call=call, frame=frame) if call.arguments:
                for traced in self._evaluator.evaluate(call.arguments[0].value, frame):
                    yield from self._context_names(traced.value)
            case _:
                yield None


def _is_of_super(call: Call) -> bool:
    """Whether a method of the base class is called: the object is made elsewhere."""
    return isinstance(call.function, Attribute) and isinstance(call.function.base, Super)
