"""Objects of modules that stand for themselves (`DONE = object()`), put into a queue or a pipe by workers, and the
functions of the main process that take them out there."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping

from lintpickle.analyses.calls_and_values.caller_frames import frames_of_calls
from lintpickle.analyses.results.forms_made import IN_EACH, ResultForm
from lintpickle.analyses.results.result_forms import ResultForms, parts_of_path
from lintpickle.analyses.results.results_received import Reader
from lintpickle.analyses.results.sentinels_sent_back import ROOT, SentinelSent, sentinels_in
from lintpickle.analyses.waiting.followed_queues import queue_made, users_of_queue
from lintpickle.analyses.waiting.pipes_kept_by_main import is_run_by_workers
from lintpickle.diagnostics import Span
from lintpickle.facts.records import Called
from lintpickle.facts.values import Attribute, Call
from lintpickle.fixes.syntax import source_tree
from lintpickle.interpreter.abstract_values import AbstractValue, ExternalResult, Frame, Site
from lintpickle.interpreter.root_frames import RootFrame
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction

_PUTS = frozenset({"put", "put_nowait", "send"})
_GETS = frozenset({"get", "get_nowait", "recv"})
_GETTING = re.compile(r"\.\s*(?:get|get_nowait|recv)\b")
_CONNECTION = "mp-connection"


def sentinels_put(code: WorkerCode, linker: Linker) -> Iterator[tuple[SentinelSent, Call]]:
    """The objects that functions of workers put into a queue or pipe which they are given, and the call that makes
    that."""
    for given in linker.shipped_by(code.boundary) if code.boundary is not None else ():
        channel = _channel(given.value)
        if channel is None:
            continue
        for function, written in users_of_queue(given.path, channel, _PUTS, code, linker):
            for put in _puts_of(function, written):
                yield from ((sent, channel) for sent in _sentinels_of(put, function, code, linker))


def _sentinels_of(put: Call, function: WorkerFunction, code: WorkerCode, linker: Linker) -> Iterator[SentinelSent]:
    for traced in linker.evaluate(put.arguments[0].value, function.frame):
        for crossing in linker.payload.crossings(traced, code.root, ROOT, None):
            yield from sentinels_in(crossing, function, [put.span], code, linker)


def readers_of_channel(channel: Call, sent: SentinelSent, code: WorkerCode, linker: Linker) -> Iterator[Reader]:
    """The functions that no worker runs and that take out what is put into a queue or pipe."""
    asker = code.root.site.module.path
    for root in linker.activations_with(_GETS, _GETTING, asker):
        for frame in _frames_of(root, asker, linker):
            taking = dict(_taking(frame, channel, linker))
            reader = _reader(frame, taking, parts_of_path(sent.path)) if taking else None
            if reader is not None and not is_run_by_workers(Site(frame.module, min(taking)), linker):
                yield reader
                break


def _channel(value: AbstractValue) -> Call | None:
    """The call that makes a queue of processes, or the pipe of which something is an end."""
    queue = queue_made(value)
    if queue is not None:
        return queue[0]
    return value.call if isinstance(value, ExternalResult) and value.path == _CONNECTION else None


def _puts_of(function: WorkerFunction, channel: str) -> Iterator[Call]:
    """The calls by which a function puts something into a queue, as it writes that."""
    for event in function.facts.events:
        match event:
            case Called(call=Call(function=Attribute(span=span, name=name), arguments=(_, *_)) as call) if (
                name in _PUTS
            ):
                if function.module.code[span.start : span.end].rpartition(".")[0] == channel:
                    yield call
            case _:
                pass


def _frames_of(root: RootFrame, asker: str, linker: Linker) -> Iterator[Frame]:
    """How a function is entered, as far as is seen."""
    yield root.frame
    if root.function.parameters and not root.function.is_module_body:
        yield from frames_of_calls(root.function, asker, linker)


def _taking(frame: Frame, channel: Call, linker: Linker) -> Iterator[tuple[Span, bool]]:
    """Where calls of a function take something out, each with whether it makes an iterator that takes one thing after
    the other: `iter(queue.get, DONE)`."""
    for event in frame.function.events:
        match event:
            case Called(call=Call(span=span, function=Attribute(base=base, name=name))) if name in _GETS:
                is_each = False
            case Called(call=Call(span=span, arguments=(first, _))) if isinstance(first.value, Attribute):
                base, is_each = first.value.base, True
                if first.value.name not in _GETS:
                    continue
            case _:
                continue
        values = [_channel(each.value) for each in linker.evaluate(base, frame)]
        if values and all(each is channel for each in values):
            yield span, is_each


def _reader(frame: Frame, taking: Mapping[Span, bool], form: ResultForm) -> Reader | None:
    source = source_tree(frame.module.code)
    given = {span: (IN_EACH, *form) if is_each else form for span, is_each in taking.items()}

    def asked(node: ast.Call, forms: ResultForms) -> ResultForm | None:
        return given.get(forms.source.span(node))

    return Reader(frame, ResultForms(source, frame.function.span, {}, asked)) if source is not None else None
