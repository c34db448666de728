"""Scripts that work in threads, and of which nothing can be pickled: nobody imports them, and they import nothing that
pickles, or starts processes."""

from __future__ import annotations

import re
import sys

from lintpickle.parsing.imports import ImportedName
from lintpickle.payload.imported_modules import imports_written
from lintpickle.program.module import Module

_OF_THREADS = re.compile(r"\bThreadPool(?:Executor)?\b|\bmultiprocessing\.dummy\b")
_PICKLING = frozenset({"pickle", "cPickle", "_pickle", "copy", "copyreg", "shelve", "importlib", "multiprocessing"})
_THREADS = {
    "multiprocessing.pool": frozenset({"ThreadPool"}),
    "multiprocessing.dummy": frozenset({"Pool"}),
    "multiprocessing": frozenset({"TimeoutError", "cpu_count"}),
    "concurrent.futures": frozenset({"ThreadPoolExecutor", "as_completed", "wait", "Future"}),
    "concurrent.futures.thread": frozenset({"ThreadPoolExecutor"}),
}
"""What modules that can start processes have for threads."""


def works_in_threads_only(module: Module) -> bool:
    """Whether a script has a pool of threads, and all that it imports is of the standard library, starts no processes
    and pickles nothing."""
    if not module.has(_OF_THREADS):
        return False
    return all(targets is not None and all(map(_is_harmless, targets)) for targets in imports_written(module))


def _is_harmless(target: ImportedName) -> bool:
    if target.name is not None and target.module in _THREADS:
        return target.name in _THREADS[target.module]
    top = target.module.partition(".")[0] if not target.level else ""
    return top in sys.stdlib_module_names and top not in _PICKLING and top != "concurrent"
