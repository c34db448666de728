from __future__ import annotations

from collections.abc import Iterable

from lintpickle.analyses.pipes_kept_open import pipes_kept_open
from lintpickle.diagnostics import Confidence, StartMethod
from lintpickle.rules.authoring import ALL_START_METHODS, Hazard, Hop, Linker, Rule, Site, WorkerCode

_CLOSE = "close `{writer}` in the worker first; or send something that says that this is the end"


class PipeKeptOpenByReader(Rule):
    """A worker that reads a pipe until its end, and has the other end of the pipe open itself."""

    code = "LP312"
    name = "pipe-kept-open-by-reader"
    of_absence = True
    start_methods = ALL_START_METHODS
    message = (
        "`{function}` runs in a {kind} and reads until the pipe ends, but has {got} `{writer}`, which it does not "
        "close: {error}"
    )
    help = (
        "give `{writer}` to the worker, too, and close it there first; or send something that says that this is the end"
    )

    def worker(self, code: WorkerCode, linker: Linker) -> Iterable[Hazard]:
        for found in pipes_kept_open(code, linker):
            yield Hazard(
                site=Site(found.function.module, found.span),
                noun="read in the worker",
                error="the worker waits for ever",
                confidence=Confidence.LIKELY,
                data={
                    "function": found.function.facts.qualname,
                    "kind": "worker" if found.is_given else "forked worker",
                    "got": "been given" if found.is_given else "inherited",
                    "writer": found.writer,
                },
                help=(_CLOSE if found.is_given else PipeKeptOpenByReader.help).format(writer=found.writer),
                start_methods=None if found.is_given else (StartMethod.FORK,),
                hops=(
                    *found.function.hops,
                    Hop("the pipe is made here", found.made),
                    Hop("only the main process closes it", found.closed),
                ),
            )
