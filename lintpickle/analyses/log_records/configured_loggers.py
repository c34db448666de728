"""What `logging.config.dictConfig` lets through, where its dict is written out: of a logger, the records that its
handlers write, and a worker in which nothing is configured does not.

Measured with CPython 3.11: a logger writes to its own handlers and to those of the loggers above, as far as they
propagate; its level is its own, or that of the nearest logger above which has one, WARNING for the root. In a worker
under spawn or forkserver, `info` of such a logger is dropped, and `warning` goes to stderr.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from msgspec import Struct

from lintpickle.analyses.log_records.logger_names import name_of_logger
from lintpickle.analyses.main_state.main_setters import Setting
from lintpickle.analyses.process_state.setting_uses import Dependence
from lintpickle.control_flow.paths import Paths
from lintpickle.diagnostics import Span
from lintpickle.fixes.syntax import SourceTree, source_tree
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction
from lintpickle.program.module import Module

_DICT_CONFIG = re.compile(r"(?:\w+\.)*dictConfig\s*\(")
_LOGS = re.compile(
    r"(?<![\w.])(?P<logger>(?:\w+\.)*getLogger\([^()\n]*\)|(?:\w+\.)*\w+)"
    r"\.(?P<method>debug|info|warning|warn|error|exception|critical)(?=\s*\()"
)
_LOW = frozenset({"debug", "info"})
_SHOWN = {"DEBUG": _LOW, "10": _LOW, "INFO": frozenset({"info"}), "20": frozenset({"info"})}
"""The methods below WARNING that a level shows."""
_WARNING = frozenset({"WARNING", "WARN", "30"})
_HIGH = frozenset({"warning", "warn", "error", "exception", "critical"})
_FILE = "FileHandler"
_DISABLES = "disable_existing_loggers"
"""Unless this is false, loggers are disabled that are there and that the dict does not name, nor one above."""


class _Logger(Struct, frozen=True):
    """What the dict says of a logger: the methods below WARNING that its level shows (None if it has no level), those
    that its handlers write and nothing else does, and whether it propagates. One that is not
    `for_all` gets only the records of loggers that the dict names: it disables the others."""

    shown: frozenset[str] | None
    written: frozenset[str]
    propagates: bool
    for_all: bool = True


def record_for_dict(setting: Setting, code: WorkerCode) -> Dependence | None:
    """The first record of a worker that a configured logger of the main process would write by its handlers, and that
    of the worker does not; better one that is lost than one that goes to stderr."""
    loggers = _configured(setting)
    if not loggers:
        return None
    found = [each for function in code.functions for each in _records(function, loggers)]
    is_low = [each for each in found if each.written.rpartition(".")[2] in _LOW]
    return next(iter((*is_low, *found)), None)


def _records(function: WorkerFunction, loggers: dict[str, _Logger]) -> Iterator[Dependence]:
    if not function.module.first_party or function.module.document.cells is not None:
        return
    code, facts = function.module.code, function.facts
    for found in _LOGS.finditer(code, facts.header.end, facts.span.end):
        name = name_of_logger(found["logger"], function.module)
        if name is not None and _is_written(name, found["method"], loggers):
            yield Dependence(function, found[0], Span(*found.span()))


def _is_written(name: str, method: str, loggers: dict[str, _Logger]) -> bool:
    line = [loggers[each] for each in _line(name) if each in loggers]
    if len(line) == 1 and not line[0].for_all:
        return False
    shown = next((each.shown for each in line if each.shown is not None), frozenset[str]())
    if method in _LOW and method not in shown:
        return False
    for each in line:
        if method in each.written:
            return True
        if not each.propagates:
            return False
    return False


def _line(name: str) -> Iterator[str]:
    """A logger and those above, the root last."""
    while name:
        yield name
        name = name.rpartition(".")[0]
    yield ""


def _configured(setting: Setting) -> dict[str, _Logger]:
    """The loggers of which a call of `dictConfig` says all, by name."""
    module, span = setting.site.module, setting.site.span
    if _DICT_CONFIG.match(module.code, span.start, span.end) is None:
        return {}
    source = source_tree(module.code)
    given = _given(span, module, source) if source is not None else None
    parts = _entries(given)
    handlers = {name: _written_by(each) for name, each in _entries(parts.get("handlers")).items()}
    found = {name: _logger(each, handlers) for name, each in _entries(parts.get("loggers")).items()}
    if "root" in parts:
        kept = parts.get(_DISABLES)
        found[""] = _logger(parts["root"], handlers, isinstance(kept, ast.Constant) and kept.value is False)
    return found


def _given(span: Span, module: Module, source: SourceTree) -> ast.expr | None:
    """The dict that the call is given, also by the name of a variable."""
    call = next((each for each in source.nodes_within(span) if isinstance(each, ast.Call)), None)
    given = call.args[0] if call is not None and call.args else None
    if not isinstance(given, ast.Name):
        return given
    around = [
        each
        for each in source.nodes
        if isinstance(each, ast.FunctionDef) and source.span(each).start <= span.start < source.span(each).end
    ]
    if around:
        paths = Paths(module, source.span(around[-1]))
        held, is_other = paths.reaching(given.id, paths.position(source.span(given).start))
        if len(held) == 1 and not is_other:
            return held[0]
    made = [each for each in source.tree.body if isinstance(each, ast.Assign | ast.AnnAssign)]
    values = [each.value for each in made if given.id in _targets(each)]
    return values[0] if len(values) == 1 else None


def _targets(statement: ast.Assign | ast.AnnAssign) -> list[str]:
    targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
    return [each.id for each in targets if isinstance(each, ast.Name)]


def _entries(value: ast.expr | None) -> dict[str, ast.expr]:
    """What a dict that is written out has under its keys; nothing if it has others as well."""
    if not isinstance(value, ast.Dict) or None in value.keys:
        return {}
    pairs = zip(value.keys, value.values, strict=True)
    return {key.value: each for key, each in pairs if isinstance(key, ast.Constant) and isinstance(key.value, str)}


def _written_by(value: ast.expr) -> frozenset[str]:
    """The methods whose records a handler writes, and nothing else does: those above a level of its own; warnings and
    errors go to stderr anyway, but not to a file."""
    parts = _entries(value)
    made = parts.get("class", parts.get("()"))
    if made is None or "filters" in parts or "NullHandler" in ast.unparse(made):
        return frozenset()
    low = _shown(parts["level"]) if "level" in parts else _LOW
    is_higher = not low and ast.unparse(parts["level"]).strip("\"'") not in _WARNING
    return low | _HIGH if _FILE in ast.unparse(made) and not is_higher else low


def _logger(value: ast.expr, handlers: dict[str, frozenset[str]], is_for_all: bool = True) -> _Logger:
    parts = _entries(value)
    given = parts.get("handlers")
    listed = given.elts if isinstance(given, ast.List | ast.Tuple) and "filters" not in parts else []
    names = [str(each.value) for each in listed if isinstance(each, ast.Constant)]
    written = frozenset[str]().union(*(handlers.get(name, frozenset()) for name in names))
    propagates = parts.get("propagate")
    stops = isinstance(propagates, ast.Constant) and not propagates.value
    return _Logger(_shown(parts["level"]) if "level" in parts else None, written, not stops, is_for_all)


def _shown(level: ast.expr) -> frozenset[str]:
    """The methods below WARNING that a level surely shows; of one of two levels, those that both show."""
    if isinstance(level, ast.IfExp):
        return _shown(level.body) & _shown(level.orelse)
    return _SHOWN.get(ast.unparse(level).strip("\"'").rpartition(".")[2], frozenset())
