"""The errors of workers that ask for what only the main process sets in its context, or its thread."""

from __future__ import annotations

from msgspec.structs import replace

from lintpickle.analyses.main_state.main_setters import Setting
from lintpickle.analyses.main_state.read_objects import THREAD_LOCAL, is_without_default, name_of_variable, path_of
from lintpickle.analyses.main_state.sure_failures import failing_in_thread, failing_without_key
from lintpickle.interpreter.abstract_values import AbstractValue
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerFunction


def failing_in_context(
    setting: Setting, value: AbstractValue, written: str, function: WorkerFunction, linker: Linker
) -> Setting:
    """A setting of a context variable without a default, or of the attributes of a `threading.local`, with the error
    that a function of workers meets which reads them as it is written; any other one as it is."""
    met = setting.met
    if is_without_default(value):
        met = failing_without_key(met, written, name_of_variable(value), function, linker)
    elif path_of(value) == THREAD_LOCAL and setting.setter is not None:
        given, span = setting.site.module.code, setting.setter.span
        met = failing_in_thread(met, written, given[span.start : span.end], function, linker)
    return replace(setting, met=met)
