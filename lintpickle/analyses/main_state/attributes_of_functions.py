"""Attributes of functions that only the main process gives them (`encode.vocab = build()` in `main()`). For
`migrate`."""

from __future__ import annotations

import re

from msgspec.structs import replace

from lintpickle.analyses.main_state.main_setters import Setting
from lintpickle.analyses.main_state.read_objects import Owner, Reading
from lintpickle.control_flow.attempts import is_ready_for
from lintpickle.diagnostics import Span
from lintpickle.interpreter.abstract_values import FunctionValue
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerFunction

_STORED = re.compile(r"\.\s*([^\W\d]\w*)\s*(?::[^=\n]+)?=(?!=)")
_ERROR = "AttributeError"


def without_attribute(
    owner: Owner, reading: Reading, setting: Setting, function: WorkerFunction, linker: Linker
) -> tuple[Reading, Setting]:
    """The reading of an attribute of a function, and the error that it ends in where nothing but the main process gives
    the function that; else what was given."""
    site, given = setting.site, (reading, setting)
    if linker.moving_to is None or setting.met.error is not None or not isinstance(owner.value, FunctionValue):
        return given
    stored = _STORED.search(site.module.code, site.span.start, site.span.end)
    if stored is None or owner.value.facts.decorators or _is_given_elsewhere(stored[1], owner, setting):
        return given
    whole, code, span = f"{reading.written}.{stored[1]}", function.module.code, function.facts.span
    uses = re.compile(rf"(?<![\w.]){re.escape(whole)}\b(?!\s*(?::[^=\n]+)?=(?!=))")
    used = uses.search(code, span.start, span.end)
    if used is None:
        return given
    read = replace(reading, written=whole, span=Span(*used.span()))
    tree, row = function.frame.paths.in_tree(used.start())
    asked = re.compile(rf"""\b(?:has|get)attr\(\s*{re.escape(reading.written)}\b""")
    if asked.search(code, span.start, span.end) is not None or is_ready_for(_ERROR, tree, row):
        return read, setting
    error = f"{_ERROR}: 'function' object has no attribute '{stored[1]}'"
    return read, replace(setting, met=replace(setting.met, outcome=error, error=error))


def _is_given_elsewhere(attribute: str, owner: Owner, setting: Setting) -> bool:
    """Whether other code of the module of a function, or of the one that sets the attribute, may give it that."""
    storing = re.compile(rf"\.\s*{re.escape(attribute)}\s*(?::[^=\n]+)?=(?!=)|\bsetattr\(|\.__dict__\b|\bvars\(")
    site, setter = setting.site, setting.setter
    own = setter.span if setter is not None else site.span
    return any(
        not (module is site.module and own.start <= found.start() < own.end)
        for module in {id(each): each for each in (owner.module, site.module)}.values()
        for found in storing.finditer(module.code)
    )
