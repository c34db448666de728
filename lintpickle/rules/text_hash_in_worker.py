from __future__ import annotations

from collections.abc import Iterable

from lintpickle.analyses.process_state.seeded_results import SeededResult, seeded_results
from lintpickle.analyses.process_state.text_hashes import HashTaken, hashes_taken
from lintpickle.analyses.workers.worker_functions import is_forked
from lintpickle.diagnostics import Confidence, StartMethod
from lintpickle.rules.authoring import PICKLED_ON_START, Hazard, Linker, Rule, Site, WorkerCode


class TextHashInWorker(Rule):
    """The hash of a text that a worker takes: it is another one in each process that is not forked."""

    code = "LP219"
    name = "text-hash-in-worker"
    of_functions = True
    message = (
        "`{function}` runs in workers and {does}{both}: each process has its own seed for the hashes "
        "of texts, unless `PYTHONHASHSEED` is set"
    )
    help = "use a hash that is the same everywhere: `zlib.crc32(text.encode())`, or one of `hashlib`"

    def worker(self, code: WorkerCode, linker: Linker) -> Iterable[Hazard]:
        if is_forked(code.root, linker):
            return
        told = False
        for taken in hashes_taken(code, linker):
            if taken.is_in_both or taken.is_of_text or taken.is_to_choose:
                told = True
                yield _hazard(taken)
        for result in seeded_results(code, linker) if not told else ():
            yield _of_result(result)


def _hazard(taken: HashTaken) -> Hazard:
    """Likely if both sides take hashes of texts, or by one method of an object that crosses, or workers choose by them
    what each of them does: as a rule they are to agree. Workers alone do so where one server forks them all."""
    function = taken.function
    is_with_main = taken.is_in_both and (taken.is_of_text or taken.is_by_what_crosses)
    is_to_agree = is_with_main or (taken.is_to_choose and taken.is_of_text)
    return Hazard(
        site=Site(function.module, taken.span),
        noun="taken in the worker",
        error=None,
        confidence=Confidence.LIKELY if is_to_agree else Confidence.POSSIBLE,
        data={
            "function": function.facts.name,
            "does": f"takes the hash of {'a text' if taken.is_of_text else 'what may be a text'}",
            "both": ", as the main process does" if taken.is_in_both else "",
        },
        hops=function.hops,
        start_methods=PICKLED_ON_START if taken.is_in_both else (StartMethod.SPAWN,),
    )


def _of_result(result: SeededResult) -> Hazard:
    """Only possible: main may not need the order, and the set may hold numbers."""
    function = result.function
    return Hazard(
        site=Site(function.module, result.span),
        noun="what depends on the hashes of the worker",
        error=None,
        confidence=Confidence.POSSIBLE,
        data={
            "function": function.facts.name,
            "does": "gives what depends on the order of a set of what may be texts, or on a hash",
            "both": "",
        },
        hops=function.hops,
        start_methods=PICKLED_ON_START,
    )
