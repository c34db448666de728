from __future__ import annotations

from collections.abc import Iterable

from lintpickle.analyses.pipes_kept_open import pipes_kept_open
from lintpickle.diagnostics import Confidence, StartMethod
from lintpickle.rules.authoring import Hazard, Hop, Linker, Rule, Site, WorkerCode


class PipeKeptOpenByReader(Rule):
    """A forked worker that reads a pipe until its end, and has the other end of the pipe open itself."""

    code = "LP312"
    name = "pipe-kept-open-by-reader"
    of_absence = True
    start_methods = (StartMethod.FORK,)
    message = (
        "`{function}` runs in a forked worker and reads until the pipe ends, but has inherited `{writer}`, which it "
        "does not close: {error}"
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
                data={"function": found.function.facts.qualname, "writer": found.writer},
                help=PipeKeptOpenByReader.help.format(writer=found.writer),
                hops=(
                    *found.function.hops,
                    Hop("the pipe is made here", found.made),
                    Hop("only the main process closes it", found.closed),
                ),
            )
