"""Log records of workers that nobody sees, because only the main process has configured logging.

Measured with CPython 3.11: after `logging.basicConfig(level=logging.INFO)` in the main process, a worker under spawn or
forkserver drops what it logs by `info` and `debug`; its warnings go to stderr, without the format, and into no file."""

from __future__ import annotations

import re

from lintpickle.analyses.main_setters import Met, Setting
from lintpickle.analyses.setting_uses import Dependence
from lintpickle.diagnostics import Span
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction

CONFIGURES_LOGGING = "logging.basicConfig"
_LOST = Met("there the record is lost")
_MISSING = Met("there the record goes to stderr, and is missing in the file")
_CONFIGURES = re.compile(r"\bbasicConfig\s*\((?P<given>[^()]*(?:\([^()]*\)[^()]*)*)\)")
_LEVEL = re.compile(r"\blevel\s*=\s*(?:(?:\w+\.)?(INFO|DEBUG)\b|[\"'](INFO|DEBUG)[\"']|(10|20)\b)")
_FILE = re.compile(r"\bfilename\s*=")
_SHOWN_ANYWAY = "warning|error|exception|critical"
"""The methods that log what the default level shows: a worker writes that to stderr, not to a file of the program's."""
_SHOWN_AT = {"INFO": "info", "20": "info", "DEBUG": "debug|info", "10": "debug|info"}
"""The methods that log what a level shows, and the default level, which is WARNING, does not."""


def record_lost(setting: Setting, code: WorkerCode) -> tuple[Dependence, Met] | None:
    """The first record that workers log which the main process would show, or write to a file, by what a call of
    `basicConfig` says, and the worker does not, with what becomes of it; None if none is seen."""
    module, setter = setting.site.module, setting.setter
    within = setter.span if setter is not None and not setter.is_module_body else setting.site.span
    for call in _CONFIGURES.finditer(module.code, within.start, within.end):
        level = _LEVEL.search(call["given"])
        shown = _SHOWN_AT[next(filter(None, level.groups()))] if level is not None else None
        in_file = _SHOWN_ANYWAY if _FILE.search(call["given"]) is not None else None
        methods = "|".join(filter(None, (shown, in_file)))
        if methods:
            found = next(filter(None, (_logged(methods, each) for each in code.functions)), None)
            if found is not None:
                return found, _MISSING if found.written.rpartition(".")[2] in _SHOWN_ANYWAY.split("|") else _LOST
    return None


def _logged(methods: str, function: WorkerFunction) -> Dependence | None:
    if not function.module.first_party or function.module.document.cells is not None:
        return None
    code, facts = function.module.code, function.facts
    logs = re.compile(rf"(?<![\w.])(?:\w+\.)*\w*log\w*\.(?:{methods})(?=\s*\()", re.IGNORECASE)
    found = logs.search(code, facts.header.end, facts.span.end)
    return Dependence(function, found[0], Span(*found.span())) if found is not None else None
