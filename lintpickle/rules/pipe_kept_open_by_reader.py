from __future__ import annotations

from collections.abc import Iterable
from itertools import chain

from lintpickle.analyses.waiting.pipes_closed_late import pipes_closed_late
from lintpickle.analyses.waiting.pipes_in_given_objects import pipes_in_given_objects
from lintpickle.analyses.waiting.pipes_in_keepers import pipes_in_keepers
from lintpickle.analyses.waiting.pipes_kept_by_main import PipeKeptByMain, pipes_kept_by_main
from lintpickle.analyses.waiting.pipes_kept_open import pipes_kept_open
from lintpickle.analyses.waiting.pipes_of_channels import pipes_of_channels
from lintpickle.diagnostics import Confidence, StartMethod
from lintpickle.rules.authoring import ALL_START_METHODS, Hazard, Hop, Linker, Rule, Site, WorkerCode

_CLOSE = "close `{writer}` in the worker first; or send something that says that this is the end"
_CLOSE_BEFORE = "close `{writer}` before `join()`; or send something that says that this is the end"
_NOT_CLOSED = "has {} `{}`, which it does not close"
_CLOSE_IN_MAIN = (
    "close `{writer}` in the main process when the worker has started; or send something that says that this is the end"
)

_TO_THE_END = "reads until the pipe ends"
_ONCE = "expects that the pipe ends if the worker fails before it sends"


class PipeKeptOpenByReader(Rule):
    """A process that reads a pipe until its end, and has the other end of the pipe open itself."""

    code = "LP312"
    name = "pipe-kept-open-by-reader"
    of_absence = True
    start_methods = ALL_START_METHODS
    message = "`{function}` runs in {place} and {reads}, but {but}: {error}"
    help = (
        "give `{writer}` to the worker, too, and close it there first; or send something that says that this is the end"
    )

    def worker(self, code: WorkerCode, linker: Linker) -> Iterable[Hazard]:
        for found in chain(pipes_kept_open(code, linker), pipes_in_given_objects(code, linker)):
            yield Hazard(
                site=Site(found.function.module, found.span),
                noun="read in the worker",
                error="the worker waits for ever",
                confidence=Confidence.LIKELY,
                data={
                    "function": found.function.facts.qualname,
                    "reads": _TO_THE_END,
                    "place": "a worker" if found.is_given else "a forked worker",
                    "but": _NOT_CLOSED.format("been given" if found.is_given else "inherited", found.writer),
                },
                help=(_CLOSE if found.is_given else PipeKeptOpenByReader.help).format(writer=found.writer),
                start_methods=None if found.is_given else (StartMethod.FORK,),
                hops=(
                    *found.function.hops,
                    Hop("the pipe is made here", found.made),
                    Hop("only the main process closes it", found.closed),
                ),
            )
        for late in pipes_closed_late(code, linker):
            yield Hazard(
                site=late.waits,
                noun="waited for",
                error="both wait for ever",
                confidence=Confidence.LIKELY,
                data={
                    "function": late.function.facts.qualname,
                    "place": "a worker",
                    "reads": _TO_THE_END,
                    "but": f"the main process waits for the worker before it closes `{late.writer}`",
                },
                help=_CLOSE_BEFORE.format(writer=late.writer),
                hops=(
                    Hop("the pipe is made here", late.made),
                    *late.function.hops,
                    Hop("the worker reads until the pipe ends", late.read),
                ),
            )
        for kept in _kept(code, linker):
            yield Hazard(
                site=kept.read,
                noun="read in the main process",
                error="the main process waits for ever",
                confidence=Confidence.POSSIBLE if kept.is_once else Confidence.LIKELY,
                data={
                    "function": kept.function,
                    "place": "the main process",
                    "reads": _ONCE if kept.is_once else _TO_THE_END,
                    "but": _NOT_CLOSED.format("kept", kept.writer),
                },
                help=_CLOSE_IN_MAIN.format(writer=kept.writer),
                hops=(
                    Hop("the pipe is made here", kept.made),
                    Hop("a worker is given the other end here", kept.given),
                ),
            )


def _kept(code: WorkerCode, linker: Linker) -> Iterable[PipeKeptByMain]:
    for kind in (pipes_kept_by_main, pipes_of_channels, pipes_in_keepers):
        yield from kind(code, linker)
