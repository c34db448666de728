"""The names that every module has of itself, whichever Python lintpickle runs on."""

from __future__ import annotations

import builtins

_SINCE_3_11 = frozenset({"BaseExceptionGroup", "ExceptionGroup"})
_SINCE_3_13 = frozenset({"PythonFinalizationError"})

BUILTINS = frozenset(dir(builtins)) | _SINCE_3_11 | _SINCE_3_13
"""The names of `builtins` in this Python, and those that newer ones have (https://docs.python.org/3/whatsnew)."""
