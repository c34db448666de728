"""Log records of workers that nobody sees, because only the main process has configured logging.

Measured with CPython 3.11: after `logging.basicConfig(level=logging.INFO)` in the main process, a worker under spawn
or forkserver drops what it logs by `info` and `debug`; its warnings go to stderr, without the format, and into no
file. The same happens with a logger to which the main process adds a handler, and which it sets to that level: a
logger that is sent to a worker is pickled as its name, and there it is one without handlers."""

from __future__ import annotations

import re

from lintpickle.analyses.log_handlers import added_in
from lintpickle.analyses.logger_names import gets_records_of
from lintpickle.analyses.main_setters import Met, Setting
from lintpickle.analyses.setting_uses import Dependence
from lintpickle.diagnostics import Span
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction
from lintpickle.prefilter.words import Words

CONFIGURES_LOGGING = "logging.basicConfig"
_LOST = Met("there the record is lost")
_MISSING = Met("there the record goes to stderr, and is missing in the file")
_CONFIGURES = re.compile(r"\bbasicConfig\s*\((?P<given>[^()]*(?:\([^()]*\)[^()]*)*)\)")
_LEVEL = re.compile(r"\blevel\s*=\s*(?:(?:\w+\.)?(INFO|DEBUG)\b|[\"'](INFO|DEBUG)[\"']|(10|20)\b)")
_SHOWING = re.compile(r"(?:(?:\w+\.)?(INFO|DEBUG)|[\"'](INFO|DEBUG)[\"']|(10|20))")
_MAKES = re.compile(r"\bgetLogger\s*\(")
_FILE = re.compile(r"\bfilename\s*=")
_LOGGER = r"""(?:\w*log\w*|\w+\[["']\w*log\w*["']\])"""
"""What is taken for a logger by its name, or by the key under which it is kept."""
_SHOWN_ANYWAY = "warning|error|exception|critical"
"""The methods that log what the default level shows: a worker writes that to stderr, not to a file of the program's."""
_SHOWN_AT = {"INFO": "info", "20": "info", "DEBUG": "debug|info", "10": "debug|info"}
"""The methods that log what a level shows, and the default level, which is WARNING, does not."""


def record_lost(setting: Setting, code: WorkerCode, linker: Linker) -> tuple[Dependence, Met] | None:
    """The first record that workers log which the main process would show, or write to a file, by what a call of
    `basicConfig` says, or by the level and the handler that it gives to a logger, and the worker does not, with what
    becomes of it; None if none is seen."""
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
    return _lost_by_handler(setting, within, code, linker)


def _lost_by_handler(setting: Setting, within: Span, code: WorkerCode, linker: Linker) -> tuple[Dependence, Met] | None:
    module = setting.site.module
    added = added_in(module.code[setting.site.span.start : setting.site.span.end])
    if added is None:
        return None
    owner, handler = added
    levels = _levels_of(owner, module.code, within)
    is_shown = not handler.isidentifier() or _levels_of(handler, module.code, within) <= levels
    if not levels or None in levels or not is_shown:
        return None
    shown = min((_SHOWN_AT[each] for each in levels if each is not None), key=len)
    for function in code.functions:
        found = _logged(shown, function)
        if found is not None and _is_its_record(owner, found, setting, linker):
            return found, _LOST
    return None


def _levels_of(owner: str, code: str, within: Span) -> set[str | None]:
    """The levels that a function gives to a logger or a handler; None for one that shows no more than is shown anyway,
    or that is not known."""
    form = re.compile(rf"(?<![\w.]){re.escape(owner)}\s*\.\s*setLevel\s*\(\s*(?:level\s*=\s*)?(?P<given>[^()]*)\)")
    known = (_SHOWING.fullmatch(each["given"].strip()) for each in form.finditer(code, within.start, within.end))
    return {next(filter(None, each.groups())) if each is not None else None for each in known}


def _is_its_record(owner: str, record: Dependence, setting: Setting, linker: Linker) -> bool:
    """Whether the logger with which a worker logs passes its records to one of the main process: by its name, or
    because the program makes no other logger than that one, which the worker is given."""
    module, home = setting.site.module, record.function.module
    if gets_records_of(owner, module, record) is True:
        return True
    made, asker = Words({"getLogger"}), home.path
    makers = [*linker.first_party.naming_in_text(made, asker, _MAKES)]
    is_only_one = [each.path for each in makers] == [module.path] and len(_MAKES.findall(module.code)) == 1
    is_made_here = re.search(rf"(?<![\w.]){re.escape(owner)}\s*=\s*(?:\w+\.)*getLogger\(", module.code) is not None
    return is_only_one and is_made_here and not record.written.startswith("logging.")


def _logged(methods: str, function: WorkerFunction) -> Dependence | None:
    if not function.module.first_party or function.module.document.cells is not None:
        return None
    code, facts = function.module.code, function.facts
    logs = re.compile(rf"(?<![\w.])(?:\w+\.)*{_LOGGER}\.(?:{methods})(?=\s*\()", re.IGNORECASE)
    found = logs.search(code, facts.header.end, facts.span.end)
    return Dependence(function, found[0], Span(*found.span())) if found is not None else None
