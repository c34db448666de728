"""Results of workers in the order of their completion, which the main process pairs by position with what it has sent.

Measured with CPython 3.11 and joblib 1.5: `imap_unordered`, `as_completed` and `return_as="generator_unordered"` give
what is done first, first. With one worker, that is the order in which the tasks were sent.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from msgspec import Struct

from lintpickle.analyses.calls_and_values.returned_keys import returns_what_it_gets
from lintpickle.analyses.results.completion_order import CompletionOrder
from lintpickle.analyses.results.kept_side_by_side import kept_side_by_side
from lintpickle.analyses.results.paired_by_place import paired_by_place
from lintpickle.analyses.results.results_received import AS_COMPLETED, Reader, ResultReaders
from lintpickle.analyses.workers.several_workers import has_one_worker
from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.boundaries.in_threads import runs_of
from lintpickle.diagnostics import Span
from lintpickle.facts.records import Called
from lintpickle.facts.values import Call
from lintpickle.fixes.syntax import source_tree
from lintpickle.interpreter.abstract_values import ConstantValue, ExternalValue, Frame, Site
from lintpickle.parsing.syntax import FUNCTIONS, arguments_of, dotted
from lintpickle.payload.iterated_loaders import PROGRESS_BARS
from lintpickle.payload.linker import Linker
from lintpickle.prefilter.words import Words

_SUBMITS = frozenset({"submit", "schedule", "run_in_executor"})
_TAKES_AS_COMPLETED = Words({path.rpartition(".")[2] for path in AS_COMPLETED})
_ORDERLESS = frozenset(
    {"builtins.sorted", "builtins.set", "builtins.frozenset", "builtins.dict", "builtins.zip", "builtins.enumerate"}
    | {"builtins.filter", "collections.Counter", "itertools.chain.from_iterable", "random.sample", "random.choices"}
)
"""Functions whose result has not the elements of their first argument, or not in their order."""
_ARRAYS = frozenset({"numpy.array", "numpy.asarray", "numpy.stack", "torch.stack", "torch.tensor", "pandas.Series"})


class UnorderedPair(Struct, frozen=True):
    """Where two are paired by position: as they are written, the call that gives results as they are completed, and
    where these are kept in an object, if they are."""

    site: Site
    sent: str
    results: str
    begins: Site
    kept: Site | None = None


def unordered_pairs(boundary: BoundaryCall, linker: Linker) -> Iterator[UnorderedPair]:
    """The first place at which the function that has a boundary, a caller of it, or a function that it gives the
    results to, pairs them with what was sent; or a method of the object in which that keeps both."""
    span = _gives_as_completed(boundary, linker)
    if span is None and not _may_be_taken_as_completed(boundary, linker):
        return
    functions = _Functions(boundary, span, linker)
    for reader in ResultReaders(boundary, "", linker).readers():
        for found in functions.pairs(reader):
            if not has_one_worker(boundary, linker) and not returns_what_it_gets(boundary, linker):
                yield found
            return


def _may_be_taken_as_completed(boundary: BoundaryCall, linker: Linker) -> bool:
    """Whether a boundary gives a future, and anything in the program names what gives those as they are done: many
    calls lead to one boundary, and for each of them, all that gets its results would be read."""
    if boundary.spec.name not in _SUBMITS:
        return False
    return linker.first_party.is_anywhere(_TAKES_AS_COMPLETED, boundary.frame.module.path)


class _Functions:
    """Reads functions that have results of a boundary, each after the one that hands it results, or calls that one.
    `begins` is where the results were first seen to come in the order of their completion."""

    def __init__(self, boundary: BoundaryCall, span: Span | None, linker: Linker) -> None:
        self._boundary, self._span, self._linker = boundary, span, linker
        self._read: list[tuple[Frame, CompletionOrder, frozenset[str]]] = []
        self.begins: Site | None = Site(boundary.frame.module, span) if span is not None else None

    def pairs(self, reader: Reader) -> Iterator[UnorderedPair]:
        """Where a function pairs results by position, or another method those that it keeps in its object."""
        order, sent = self._order(reader)
        for found in paired_by_place(order, sent):
            site = Site(reader.frame.module, order.source.span(found.node))
            yield UnorderedPair(site, found.sent, found.results, self.begins or self._boundary.site)
        for kept in kept_side_by_side(reader.frame, order, sent, self._passing, self._linker):
            begins = self.begins or self._boundary.site
            yield UnorderedPair(kept.site, kept.found.sent, kept.found.results, begins, kept.kept)

    def _order(self, reader: Reader) -> tuple[CompletionOrder, frozenset[str]]:
        """The order that expressions of a function have, and the names of what was sent, and of what is as long."""
        frame, forms = reader.frame, reader.forms
        calls = {each.span: each.call for each in frame.function.events if isinstance(each, Called)}
        callees = [each for each in self._read if _is_called_from(each[0], frame)]
        given = {each[0].called_by[1].span for each in callees if each[0].called_by and self._is_given_back(*each[:2])}
        is_home = frame is self._boundary.frame

        def begins(node: ast.Call) -> bool:
            span = forms.source.span(node)
            if span in given or (is_home and span == self._span):
                return True
            if self._span is not None or not node.args or span not in calls or forms.of(node.args[0]) is None:
                return False
            is_it = any(path in AS_COMPLETED for path in self._paths(calls[span], frame))
            if is_it and self.begins is None:
                self.begins = Site(frame.module, span)
            return is_it

        handed = self._handed(frame)
        order = CompletionOrder(forms.source, forms.nodes, begins, self._passing(frame), frozenset(handed[0]))
        sent = {*handed[1]}
        if is_home:
            sent |= self._sent(order)
        for inner, _, names in callees:
            sent |= _of_arguments(inner, names, order)
        for node in forms.calls() if self._span is None else ():
            written = arguments_of(node) if begins(node) else []
            sent |= frozenset().union(*map(order.roots, written[:1]))
        self._read.append((frame, order, frozenset(sent)))
        return order, frozenset(sent)

    def _sent(self, order: CompletionOrder) -> frozenset[str]:
        """The names of what the boundary sends, one by one, or of what the loop goes through in which it stands."""
        for node in order.nodes:
            if not isinstance(node, ast.Call):
                continue
            span = order.source.span(node)
            if self._span is None and span == self._boundary.call.span:
                return frozenset().union(*map(order.roots, order.around(node)[-1:]))
            if self._span is not None and span == self._span:
                values = [each.value for each in node.keywords if each.arg == "iterable"]
                values += node.args[:1] if self._boundary.call.span != span else node.args[1:2]
                return frozenset().union(*map(order.roots, values))
        return frozenset()

    def _handed(self, frame: Frame) -> tuple[list[str], list[str]]:
        """The parameters of a function that a call gives results in the order of completion, and what was sent."""
        for caller, order, sent in self._read:
            if not _is_called_from(frame, caller):
                continue
            given = _arguments(frame, order)
            results = [name for name, value in given.items() if order.holds(value)]
            return results, [name for name, value in given.items() if not order.roots(value).isdisjoint(sent)]
        return [], []

    def _is_given_back(self, frame: Frame, order: CompletionOrder) -> bool:
        own = [each for each in order.nodes if isinstance(each, FUNCTIONS) and each.name != frame.function.name]
        return order.given_back([order.source.span(each) for each in own])

    def _paths(self, call: Call, frame: Frame) -> Iterator[str]:
        for traced in self._linker.evaluate(call.function, frame):
            if isinstance(traced.value, ExternalValue):
                yield traced.value.path

    def _passing(self, frame: Frame) -> Callable[[ast.Call], bool]:
        """Tells of a call in a function whether it gives the elements of its first argument in their order."""
        source = source_tree(frame.module.code)
        calls = {each.span: each.call for each in frame.function.events if isinstance(each, Called)}

        def passes(node: ast.Call) -> bool:
            if dotted(node.func).rpartition(".")[2] in PROGRESS_BARS:
                return True
            call = calls.get(source.span(node)) if source is not None else None
            return call is not None and any(self._keeps_order(path) for path in self._paths(call, frame))

        return passes

    def _keeps_order(self, path: str) -> bool:
        use = self._linker.catalog.converter(path)
        return (use in ("consume", "iterate", "first", "copy") and path not in _ORDERLESS) or path in _ARRAYS


def _is_called_from(inner: Frame, frame: Frame) -> bool:
    return inner.called_by is not None and inner.called_by[0] is frame


def _of_arguments(inner: Frame, names: frozenset[str], order: CompletionOrder) -> frozenset[str]:
    """What a caller calls that of which a function knows the names."""
    given = _arguments(inner, order)
    return frozenset().union(*(order.roots(value) for name, value in given.items() if name in names))


def _arguments(inner: Frame, order: CompletionOrder) -> dict[str, ast.expr]:
    """What the call that has come to a function gives its parameters, as its caller writes it."""
    span = inner.called_by[1].span if inner.called_by is not None else None
    node = next((each for each in order.nodes if isinstance(each, ast.Call) and order.source.span(each) == span), None)
    names = [each.name for each in inner.function.parameters]
    if node is None or any(isinstance(each, ast.Starred) for each in node.args):
        return {}
    if names[:1] in (["self"], ["cls"]):
        names = names[1:]
    given = dict(zip(names, node.args, strict=False))
    return given | {each.arg: each.value for each in node.keywords if each.arg in names}


def _gives_as_completed(boundary: BoundaryCall, linker: Linker) -> Span | None:
    """The call that gives the results, if that is in the order of their completion by what the catalog says."""
    for each in boundary.spec.unordered:
        keyword, _, value = each.partition("=")
        if not value and boundary.spec.name == each:
            return boundary.call.span
        runner = linker.catalog.boundary(boundary.spec.run_by) if value and boundary.spec.run_by else None
        for call, made, frame in runs_of(boundary, runner, linker.evaluator) if runner is not None else ():
            given = made.keyword(keyword)
            values = linker.evaluate(given, frame) if given is not None else ()
            if call is not boundary.call and any(
                isinstance(traced.value, ConstantValue) and traced.value.value == value for traced in values
            ):
                return call.span
    return None
