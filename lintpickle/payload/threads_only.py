"""Scripts that work in threads, and of which nothing can be pickled: nobody imports them, and they import nothing that
pickles, or starts processes."""

from __future__ import annotations

import re
import sys

from lintpickle.program.module import Module

_OF_THREADS = re.compile(r"\bThreadPool(?:Executor)?\b|\bmultiprocessing\.dummy\b")
_IMPORT = re.compile(
    r"^[ \t]*(?:from[ \t]+(?P<of>[\w.]+)[ \t]+import\b[ \t]*(?P<names>\([^()]*\)|[^\n#;]*)"
    r"|import[ \t]+(?P<all>[^\n#;]+))",
    re.MULTILINE,
)
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
    return all(_is_harmless(found) for found in _IMPORT.finditer(module.code))


def _is_harmless(found: re.Match[str]) -> bool:
    if found["all"] is not None:
        modules = [each.partition(" as ")[0].strip() for each in found["all"].split(",")]
        return all(_is_without_pickle(each) for each in modules)
    if found["of"] in _THREADS:
        names = {each.partition(" as ")[0].strip() for each in found["names"].strip("() \t").split(",")} - {""}
        return names <= _THREADS[found["of"]]
    return _is_without_pickle(found["of"])


def _is_without_pickle(name: str) -> bool:
    top = name.partition(".")[0]
    return top in sys.stdlib_module_names and top not in _PICKLING and top != "concurrent"
