"""Log records of workers that nobody sees, because only the main process has configured logging.

Measured with CPython 3.11: after `logging.basicConfig(level=logging.INFO)` in the main process, a worker under spawn
or forkserver drops what it logs by `info` and `debug`; its warnings go to stderr, without the format, and into no
file. The same happens with a logger to which the main process adds a handler, and which it sets to that level: a
logger that is sent to a worker is pickled as its name, and there it is one without handlers."""

from __future__ import annotations

import re

from lintpickle.analyses.calls_and_values.caller_frames import frames_of_calls
from lintpickle.analyses.calls_and_values.values import literals
from lintpickle.analyses.log_records.added_handlers import SHOWN_ANYWAY, HandlerAdded, first_record_for, handler_added
from lintpickle.analyses.log_records.configured_loggers import record_for_dict
from lintpickle.analyses.log_records.levels_given import methods_shown
from lintpickle.analyses.log_records.logger_names import gets_records_of
from lintpickle.analyses.main_state.main_setters import Met, Setting
from lintpickle.analyses.process_state.calls_that_set import calls_made_by_setter
from lintpickle.analyses.process_state.setting_uses import Dependence
from lintpickle.diagnostics import Span
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction
from lintpickle.prefilter.words import Words

CONFIGURES_LOGGING = "logging.basicConfig"
_LOST = Met("there the record is lost")
_MISSING = Met("there the record goes to stderr, and is missing in the file")
_CONFIGURES = re.compile(r"\bbasicConfig\s*\((?P<given>[^()]*(?:\([^()]*\)[^()]*)*)\)")
_MAKES = re.compile(r"\bgetLogger\s*\(")
_FILE = "filename"
_LOGGER = r"""(?:\w*log\w*|\w+\[["']\w*log\w*["']\])"""
"""What is taken for a logger by its name, or by the key under which it is kept."""


def record_lost(setting: Setting, code: WorkerCode, linker: Linker) -> tuple[Dependence, Met] | None:
    """The first record that workers log which the main process would show, or write to a file, by what a call of
    `basicConfig` or `dictConfig`, or the handler that it adds, says, and the worker does not, with what becomes of it;
    None if none is seen."""
    added = handler_added(setting)
    if added is not None:
        found = first_record_for(added, code) or _of_its_logger(added, setting, code, linker)
        return (found, _becomes_of(found)) if found is not None else None
    configured = record_for_dict(setting, code)
    if configured is not None:
        return configured, _becomes_of(configured)
    module, setter = setting.site.module, setting.setter
    is_in_function = setter is not None and not setter.is_module_body
    within = setter.span if setter is not None and is_in_function else setting.site.span
    text = module.code[within.start : within.end] if is_in_function else module.code
    for call in _CONFIGURES.finditer(module.code, within.start, within.end):
        shown = methods_shown(call["given"], text, module.code)
        in_file = SHOWN_ANYWAY if _FILE in call["given"] and _is_to_file(call.start(), setting, code, linker) else None
        methods = "|".join(filter(None, (shown, in_file)))
        if methods:
            found = next(filter(None, (_logged(methods, each) for each in code.functions)), None)
            if found is not None:
                return found, _becomes_of(found)
    return None


def _is_to_file(place: int, setting: Setting, code: WorkerCode, linker: Linker) -> bool:
    """Whether the call around a place may configure a file: it is given a name for one, and that is not surely None."""
    asker = code.root.site.module.path
    for call, frame in calls_made_by_setter(setting, linker):
        given = call.keyword(_FILE) if call.span.start <= place < call.span.end else None
        if given is not None:
            frames = [*frames_of_calls(frame.function, asker, linker)] if frame.function.parameters else []
            return any(literals(given, each, linker) != [None] for each in frames or [frame])
    return False


def _becomes_of(record: Dependence) -> Met:
    return _MISSING if record.written.rpartition(".")[2] in SHOWN_ANYWAY.split("|") else _LOST


def _of_its_logger(added: HandlerAdded, setting: Setting, code: WorkerCode, linker: Linker) -> Dependence | None:
    """The first record of a worker that a handler would write, of a logger that the worker is given."""
    found = (_logged(added.methods, each) for each in code.functions)
    return next(
        (each for each in found if each is not None and _is_its_record(added.owner, each, setting, linker)), None
    )


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
