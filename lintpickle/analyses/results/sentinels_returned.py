"""Objects of modules that stand for themselves (`MISSING = object()`), sent back by workers, and a main process that
compares what comes back with them.

Measured with CPython 3.11, for `multiprocessing.Pool` and `ProcessPoolExecutor`, under every start method: a result is
pickled, and the object in it arrives as another one.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from msgspec import Struct

from lintpickle.analyses.calls_and_values.named_values import value_named
from lintpickle.analyses.results.forms_made import IN_EACH
from lintpickle.analyses.results.own_identities import made_once
from lintpickle.analyses.results.results_received import Reader, ResultReaders
from lintpickle.analyses.results.sentinels_put_back import readers_of_channel, sentinels_put
from lintpickle.analyses.results.sentinels_sent_back import SentinelSent, has_sentinels, sentinels_sent
from lintpickle.interpreter.abstract_values import Site
from lintpickle.parsing.syntax import dotted
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode

_KINDS = frozenset({"pool", "executor"})
_SEARCHING = frozenset({"count", "index", "remove"})


class SentinelReturned(Struct, frozen=True):
    """A place where the main process compares what came back with an object that stands for itself, by that name, and
    the object as it was sent."""

    site: Site
    name: str
    sent: SentinelSent


def sentinels_returned(code: WorkerCode, linker: Linker) -> Iterator[SentinelReturned]:
    """The places in the main process at which it compares so what workers of a boundary send back, each once."""
    told = set[tuple[str, int]]()
    for sent, reader in _received(code, linker) if has_sentinels(code, linker) else ():
        for node, name in _comparisons(reader, sent, linker):
            site = Site(reader.frame.module, reader.forms.source.span(node))
            place = site.module.path, site.span.start
            if place not in told and not _is_asked_before(name, sent, code):
                told.add(place)
                yield SentinelReturned(site, name, sent)


def _received(code: WorkerCode, linker: Linker) -> Iterator[tuple[SentinelSent, Reader]]:
    """The objects that workers send back, with the functions of the main process that receive them."""
    boundary = code.boundary
    if boundary is not None and boundary.spec.kind in _KINDS:
        for sent in sentinels_sent(code, linker):
            yield from ((sent, each) for each in ResultReaders(boundary, sent.path, linker, sent.around).readers())
    for sent, channel in sentinels_put(code, linker):
        yield from ((sent, each) for each in readers_of_channel(channel, sent, code, linker))


def _is_asked_before(name: str, sent: SentinelSent, code: WorkerCode) -> bool:
    """Whether workers compare something with the object between the place where they get it and that where they send
    it, as far as is known: they may send other things in place of it."""
    last = re.escape(name.rpartition(".")[2])
    form = re.compile(rf"(?:\bis(?:\s+not)?\s|[!=]=)\s*(?:\w+\.)*{last}\b|\b{last}\s+(?:is|in|not\s+in)\b")
    if sent.sending is not None:
        return form.search(sent.function.module.code, sent.sending.start, sent.sending.end) is not None
    return any(form.search(each.text) for each in code.functions)


def _comparisons(reader: Reader, sent: SentinelSent, linker: Linker) -> Iterator[tuple[ast.expr, str]]:
    """Where a function compares what came back with the object, and how it names that."""
    forms = reader.forms

    def compared(item: ast.expr, other: ast.expr) -> bool:
        return forms.of(item) == () and _names(other, sent, reader, linker)

    for node in forms.nodes:
        match node:
            case ast.Compare(left=left, ops=[ast.Is() | ast.IsNot() | ast.Eq() | ast.NotEq()], comparators=[right]):
                for item, other in ((left, right), (right, left)):
                    if compared(item, other):
                        yield node, dotted(other)
            case ast.Compare(left=left, ops=[ast.In() | ast.NotIn()], comparators=[right]):
                if forms.of(right) == (IN_EACH,) and _names(left, sent, reader, linker):
                    yield node, dotted(left)
                elif isinstance(right, ast.Tuple | ast.List | ast.Set):
                    yield from ((node, dotted(each)) for each in right.elts if compared(left, each))
            case ast.Call(func=ast.Attribute(value=items, attr=method), args=[one]) if method in _SEARCHING:
                if forms.of(items) == (IN_EACH,) and _names(one, sent, reader, linker):
                    yield node, dotted(one)
            case ast.Call(func=ast.Name(id="iter"), args=[_, end]) if forms.of(node) == (IN_EACH,):
                if _names(end, sent, reader, linker):
                    yield node, dotted(end)
            case ast.Match(subject=item, cases=cases):
                for case in cases:
                    if isinstance(case.pattern, ast.MatchValue) and compared(item, case.pattern.value):
                        yield case.pattern.value, dotted(case.pattern.value)
            case _:
                pass


def _names(written: ast.expr, sent: SentinelSent, reader: Reader, linker: Linker) -> bool:
    """Whether a name in a function stands for the object."""
    if not dotted(written) or isinstance(written, ast.Subscript):
        return False
    values = [each.value for each in linker.evaluate(value_named(written, reader.frame), reader.frame)]
    found = [made_once(each, linker) for each in values]
    return bool(found) and all(each is not None and each.call is sent.made.call for each in found)
