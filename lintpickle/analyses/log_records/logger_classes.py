"""Methods that loggers have in the main process alone, because only that says of which class they are."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from msgspec import Struct

from lintpickle.analyses.main_state.main_setters import Met, Setter, Setting, is_called, of_the_program, set_by
from lintpickle.analyses.process_state.setting_paths import imported_path
from lintpickle.analyses.process_state.setting_uses import Dependence, used_by
from lintpickle.facts.records import Called
from lintpickle.facts.values import chain
from lintpickle.interpreter.abstract_values import ClassValue
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode
from lintpickle.prefilter.words import Words

_SETS = "logging.setLoggerClass"
_NAMING = Words({"setLoggerClass"})
_FORM = re.compile(r"\bsetLoggerClass\s*\(")


class _Chosen(Struct, frozen=True):
    """A place that makes a class that of all new loggers."""

    class_: ClassValue
    setter: Setter


@lru_cache(maxsize=1)
def _of_any_logger() -> frozenset[str]:
    """The attributes of all loggers."""
    import logging  # which most runs do without

    return frozenset(dir(logging.Logger))


def logger_methods(code: WorkerCode, linker: Linker) -> Iterator[tuple[Dependence, Setting]]:
    """The methods that workers call on loggers, each once, which loggers have only after the main process has set their
    class."""
    asker = code.root.site.module.path
    chosen = tuple(_chosen(linker, asker)) if linker.first_party.is_anywhere(_NAMING, asker) else ()
    told: set[str] = set()
    for path, dependence in (each for function in code.functions for each in used_by(function) if chosen):
        name = path[1:]
        if not path.startswith(".") or name in told or name in _of_any_logger() or not _is_of_logger(dependence):
            continue
        setters = [each.setter for each in chosen if linker.classes.find_method(each.class_, name) is not None]
        error = f"AttributeError: 'Logger' object has no attribute '{name}'"
        setting = set_by(of_the_program(setters, code, linker), Met(error, error=error), linker, asker)
        if setting is not None:
            told.add(name)
            yield dependence, setting


def _chosen(linker: Linker, asker: str) -> Iterator[_Chosen]:
    for root in linker.activations_with(_NAMING.words, _FORM, asker):
        module = root.frame.module
        for event in root.function.events:
            parts = chain(event.call.function) if isinstance(event, Called) else None
            if not isinstance(event, Called) or parts is None or imported_path(parts, module) != _SETS:
                continue
            for argument in event.call.positional() or ():
                for traced in linker.evaluate(argument, root.frame):
                    if isinstance(traced.value, ClassValue):
                        certain = is_called(root.function, root.frame.module, linker, asker)
                        yield _Chosen(traced.value, Setter(module, root.function, event.span, certain))


def _is_of_logger(dependence: Dependence) -> bool:
    """Whether a method is called on what has the name of a logger: `self.log.audit(…)`, `getLogger("x").audit(…)`."""
    module, span = dependence.function.module, dependence.function.facts.span
    name = dependence.written.rpartition(".")[2]
    called = re.compile(rf"(?i:log\w*)(?:\([^()\n]*\))?\s*\.\s*{re.escape(name)}\s*\(")
    return called.search(module.code, span.start, span.end) is not None
