"""Audit hooks, which hear of what is done anywhere in their process: `sys.addaudithook(refuse)`.

Measured with CPython 3.11: a forked worker has the hooks of the main process, one that is not forked has none.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from lintpickle.analyses.main_state.main_setters import Setting
from lintpickle.analyses.process_state.calls_that_set import calls_that_set
from lintpickle.analyses.process_state.setting_paths import imported_path
from lintpickle.analyses.process_state.setting_uses import Dependence
from lintpickle.interpreter.abstract_values import FunctionValue
from lintpickle.payload.linker import Linker

ADDS_HOOK = "sys.addaudithook"
_OPENED = frozenset({"open"})
_FILES, _NETWORK = frozenset({"open", "os"}), frozenset({"socket", "urllib", "http", "ftplib", "smtplib"})
_EVENTS: dict[str, frozenset[str]] = {
    "io": _OPENED,
    "codecs": _OPENED,
    "gzip": _OPENED,
    "shutil": _FILES | {"shutil"},
    "tempfile": _FILES | {"tempfile"},
    "glob": _FILES | {"glob"},
    "requests": _NETWORK,
    "urllib": _NETWORK,
    "http": _NETWORK,
    "ftplib": _NETWORK,
    "smtplib": _NETWORK,
    "importlib": frozenset({"import", "open", "exec", "compile"}),
}
"""Of what stands under a name: with what its events begin, where that is not the name itself."""
_NAMED = re.compile(
    r"""["'](open|exec|compile|import|(?:os|socket|subprocess|shutil|tempfile|glob|urllib|http|ftplib|smtplib|sqlite3"""
    r"""|ctypes|pickle|marshal)(?=\.))[\w.]*["']"""
)
"""The name of an event, or how such names begin."""


def heard_by_hook(setting: Setting, uses: Iterable[Dependence], linker: Linker) -> Dependence | None:
    """The first of some uses in workers of which an audit hook of the main process would hear: of any, if the hook
    names no event."""
    named = {each[1] for text in _texts(setting, linker) for each in _NAMED.finditer(text)}
    return next((each for each in uses if not named or not named.isdisjoint(_events(each))), None)


def _events(use: Dependence) -> frozenset[str]:
    path = imported_path(tuple(use.written.split(".")), use.function.module)
    if path is None and "." in use.written:
        return _FILES  # A method of a path.
    if path == "os.open":
        return _OPENED
    top = (path or use.written).partition(".")[0]
    return _EVENTS.get(top, frozenset({top}))


def _texts(setting: Setting, linker: Linker) -> list[str]:
    """The text of the functions that a setting makes hooks."""
    given = ((call.argument("hook", 0), frame) for call, frame in calls_that_set(setting, linker))
    hooks = [traced.value for each, frame in given if each is not None for traced in linker.evaluate(each, frame)]
    return [
        each.module.code[each.facts.span.start : each.facts.span.end]
        for each in hooks
        if isinstance(each, FunctionValue)
    ]
