"""The names that every module has of itself, whichever Python lintpickle runs on."""

from __future__ import annotations

import builtins

_SINCE_3_11 = frozenset({"BaseExceptionGroup", "ExceptionGroup"})
_SINCE_3_13 = frozenset({"PythonFinalizationError"})

BUILTINS = frozenset(dir(builtins)) | _SINCE_3_11 | _SINCE_3_13
"""The names of `builtins` in this Python, and those that newer ones have (https://docs.python.org/3/whatsnew)."""

_OF_TORCH = frozenset(
    {"all", "any", "abs", "bool", "compile", "complex", "float", "int", "max", "min", "pow", "range", "round", "sum"}
)
_OF_NUMPY = frozenset({"abs", "all", "any", "bool", "divmod", "max", "min", "pow", "round", "sum"})
REBOUND_BY_STAR: dict[str, frozenset[str]] = {
    **dict.fromkeys(
        (
            "aifc",
            "bz2",
            "codecs",
            "dbm",
            "gzip",
            "lzma",
            "os",
            "posix",
            "shelve",
            "sunau",
            "tarfile",
            "wave",
            "webbrowser",
        ),
        frozenset({"open"}),
    ),
    "enum": frozenset({"property"}),
    "fileinput": frozenset({"input"}),
    "fnmatch": frozenset({"filter"}),
    "locale": frozenset({"format", "str"}),
    "math": frozenset({"pow"}),
    "numpy": _OF_NUMPY,
    "operator": frozenset({"abs", "pow"}),
    "pylab": _OF_NUMPY,
    "re": frozenset({"compile"}),
    "reprlib": frozenset({"repr"}),
    "sys": frozenset({"exit"}),
    "torch": _OF_TORCH,
}
"""The builtins that something else replaces where all names of a module are imported (`from os import *`), by the
module (measured with CPython 3.11, NumPy 2 and torch 2.13). Modules that are not listed replace none, as far as is
known."""
