"""Handlers that the main process alone adds to a logger (`audit.addHandler(FileHandler(path))`), and the records of
workers that these would write.

Measured with CPython 3.11: a logger without a handler, and without one above, writes warnings and errors to stderr, and
drops what is below WARNING, whatever its level is."""

from __future__ import annotations

import re

from msgspec import Struct

from lintpickle.analyses.log_records.levels_given import SHOWN_BELOW_WARNING
from lintpickle.analyses.log_records.log_handlers import ADDS_HANDLER
from lintpickle.analyses.log_records.logger_names import gets_records_of, name_of_logger
from lintpickle.analyses.main_state.main_setters import Setting
from lintpickle.analyses.process_state.setting_uses import Dependence
from lintpickle.diagnostics import Span
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction
from lintpickle.program.module import Module

SHOWN_ANYWAY = "warning|warn|error|exception|critical"
"""The methods that log what the default level shows: a worker writes that to stderr, not to a file of the program's."""
_TO_FILE = re.compile(r"\w*FileHandler\s*\(")
_LEVEL = r"\s*\.\s*setLevel\s*\(\s*(?:(?:\w+\.)?(?P<name>[A-Z]+)\b|[\"'](?P<text>\w+)[\"']|(?P<number>\d+))\s*\)"
_ONE = r"(?:\w+\.)?[A-Z]+|[\"']\w+[\"']|\d+"
_EITHER = rf"\s*\.\s*setLevel\s*\(\s*(?P<one>{_ONE})\s+if\b[^\n]*?\belse\s+(?P<other>{_ONE})\s*\)"
"""How one of two levels is set: `setLevel(DEBUG if verbose else INFO)`."""
_ANY_LEVEL = r"\s*\.\s*setLevel\s*\("


class HandlerAdded(Struct, frozen=True):
    """A logger, as its module writes it, and the methods that log what its handler writes and workers do not."""

    module: Module
    owner: str
    methods: str


def handler_added(setting: Setting) -> HandlerAdded | None:
    """The handler that a setting adds, if it is known which records it writes that nothing else does."""
    module, setter, span = setting.site.module, setting.setter, setting.site.span
    added = ADDS_HANDLER.fullmatch(module.code, span.start, span.end)
    if added is None:
        return None
    around = setter.span if setter is not None and not setter.is_module_body else Span(0, len(module.code))
    text, given = module.code[around.start : around.end], added["given"]
    made = given
    if given.isidentifier():
        found = re.findall(rf"\b{given}\s*=\s*([^\n]+)", text)
        made = found[-1] if found else ""
    allowed = _levels(given, text) if given.isidentifier() else None
    if allowed is not None and not allowed:
        return None
    shown = _shown_by(added["owner"], module, text)
    if allowed is not None:
        shown = "|".join(each for each in shown.split("|") if each in allowed)
    methods = "|".join(filter(None, (shown, SHOWN_ANYWAY if _TO_FILE.search(made) and allowed is None else "")))
    return HandlerAdded(module, added["owner"], methods) if methods else None


def _levels(handler: str, text: str) -> list[str] | None:
    """The methods below WARNING whose records a handler lets through by its level; None if it has none."""
    if re.search(rf"\b{handler}{_ANY_LEVEL}", text) is None:
        return None
    shown = _set_level(rf"\b{handler}", text)
    return shown.split("|") if shown is not None else []


def _shown_by(owner: str, module: Module, text: str) -> str:
    """The methods below WARNING whose records a logger lets through, by the level that is set where the handler is
    added, or as its module is imported."""
    for code in (text, module.code):
        shown = _set_level(rf"(?<![\w.]){re.escape(owner)}", code)
        if shown is not None:
            return shown
        if re.search(rf"(?<![\w.]){re.escape(owner)}{_ANY_LEVEL}", code) is not None:
            return ""
    return ""


def _set_level(owner: str, code: str) -> str | None:
    """The methods below WARNING whose records a level shows that is set; of one of two levels, those that both show.
    None if it is not known which level is set."""
    level = re.search(owner + _LEVEL, code)
    if level is not None:
        return SHOWN_BELOW_WARNING.get(_named(level), "")
    either = re.search(owner + _EITHER, code)
    if either is None:
        return None
    names = [either[part].rpartition(".")[2].strip("\"'") for part in ("one", "other")]
    first, second = (SHOWN_BELOW_WARNING.get(name, "").split("|") for name in names)
    return "|".join(each for each in first if each in second)


def _named(level: re.Match[str]) -> str:
    return level["name"] or level["text"] or level["number"]


def first_record_for(added: HandlerAdded, code: WorkerCode) -> Dependence | None:
    """The first record of a worker that such a handler would write, of a logger that is known to be below its own."""
    found = (_record(added, each) for each in code.functions)
    return next((each for each in found if each is not None), None)


def _record(added: HandlerAdded, function: WorkerFunction) -> Dependence | None:
    if not function.module.first_party or function.module.document.cells is not None:
        return None
    code, facts = function.module.code, function.facts
    logger = r"(?:\w+\.)*getLogger\([^()\n]*\)|(?:\w+\.)*\w+"
    logs = re.compile(rf"(?<![\w.])(?P<logger>{logger})\.(?:{added.methods})(?=\s*\()")
    for each in logs.finditer(code, facts.header.end, facts.span.end):
        record = Dependence(function, each[0], Span(*each.span()))
        is_same = function.module is added.module and each["logger"] == added.owner
        is_known = is_same or name_of_logger(each["logger"], function.module) is not None
        if is_known and gets_records_of(added.owner, added.module, record) is True:
            return record
    return None
