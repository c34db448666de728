"""The handlers that show what workers log, and where they are added.

Measured with CPython 3.11: without a handler that writes, on its logger or on one above, a record below WARNING is lost
and another one goes to stderr, whatever level a logger has. A `NullHandler`, which packages add to their loggers at
import, writes nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from lintpickle.analyses.log_records.logger_names import gets_records_of
from lintpickle.analyses.main_state.main_setters import Setter, Setting
from lintpickle.analyses.process_state.setting_uses import Dependence
from lintpickle.payload.worker_side import WorkerCode
from lintpickle.program.module import Module

ADDS_HANDLER = re.compile(r"(?P<owner>.*\S)\s*\.\s*addHandler\s*\(\s*(?P<given>.*?)\s*,?\s*\)", re.DOTALL)
"""A call that gives a logger a handler."""
_PUTS = re.compile(
    r"(?P<owner>.*\S)\s*\.\s*handlers\s*(?:\[[^\]]*\]\s*)?(?:\+?=|\.\s*\w+\s*\()[\s\[(]*(?P<given>.*?)[\s\])]*",
    re.DOTALL,
)
"""The same by what a logger holds: `root.handlers[:] = [handler]`, `root.handlers.append(handler)`."""
_CONFIGURES = re.compile(r"(?:\w+\.)*(?:basicConfig|dictConfig|fileConfig)\s*\(")
_ASKS = re.compile(r"\.handlers\b|\.hasHandlers\s*\(")
_CALLED = re.compile(r"(?P<owner>\w+(?:\.\w+)*|(?:\w+\.)?getLogger\([^()]*\))\s*\.\s*set\w+\s*\(")
_WRITES_NOTHING = r"(?:\w+\.)*NullHandler\("


def asks_for_handlers(code: WorkerCode) -> bool:
    """Whether code of workers asks which handlers a logger has, be it that they write nothing."""
    return any(_ASKS.search(each.module.code, each.facts.span.start, each.facts.span.end) for each in code.functions)


def reaching(setters: Iterable[Setter], dependence: Dependence) -> Iterator[Setter]:
    """Those of several places that configure logging which concern a record that a worker logs: not those that add a
    handler which writes nothing, or one to a logger that does not get the record, nor those that set the level of such
    a logger, or anything of its handler."""
    for each in setters:
        added = _added(each)
        if added is None and _is_of_another(each, dependence):
            continue
        if added is None or (
            not _writes_nothing(added["given"], each)
            and gets_records_of(added["owner"], each.module, dependence) is not False
        ):
            yield each


def _is_of_another(setter: Setter, dependence: Dependence) -> bool:
    """Whether a place sets something of a logger that does not get the record, or of a handler that is added to such
    loggers alone."""
    called = _CALLED.match(_text(setter))
    if called is None:
        return False
    owners = _given(called["owner"], setter.module) or [called["owner"]]
    return all(gets_records_of(owner, setter.module, dependence) is False for owner in owners)


def _given(handler: str, module: Module) -> list[str]:
    """The loggers to which a module adds a handler, as it writes them."""
    added = rf"(\S+)\s*\.\s*addHandler\(\s*{re.escape(handler)}\s*\)"
    return module.remembered(("loggers given", handler), lambda: re.findall(added, module.code))


def adding_handlers(setters: Iterable[Setter]) -> list[Setter]:
    """Those of several places that configure logging which add handlers: the others say only which records these get,
    and in which form."""
    return [each for each in setters if _added(each) or _CONFIGURES.match(_text(each))]


def outcome_without(setting: Setting) -> str | None:
    """What a worker has of the log for which main alone makes a setting, where that adds handlers."""
    site = setting.site
    text = site.module.code[site.span.start : site.span.end]
    if _CONFIGURES.match(text):
        return "there the root logger has no handler, and its level is WARNING"
    return "there its logger has no such handler" if ADDS_HANDLER.fullmatch(text) or _PUTS.fullmatch(text) else None


def _added(setter: Setter) -> re.Match[str] | None:
    """The logger to which a place adds handlers, and these."""
    text = _text(setter)
    return ADDS_HANDLER.fullmatch(text) or _PUTS.fullmatch(text)


def _writes_nothing(given: str, setter: Setter) -> bool:
    if not given.isidentifier():
        return re.match(_WRITES_NOTHING, given) is not None
    code, facts = setter.module.code, setter.facts
    around = code if facts.is_module_body else code[facts.span.start : facts.span.end]
    return re.search(rf"\b{given}\s*=\s*{_WRITES_NOTHING}", around) is not None


def _text(setter: Setter) -> str:
    return setter.module.code[setter.span.start : setter.span.end]
