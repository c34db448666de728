"""Handlers of codec errors by their names: `codecs.register_error("plain", …)` and `text.encode("ascii", "plain")`.

Measured with CPython 3.11: where the name is not registered, the first character that cannot be encoded ends in
`LookupError: unknown error handler name 'plain'`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from lintpickle.analyses.calls_and_values.caller_frames import frames_of_calls
from lintpickle.analyses.main_state.main_setters import Met, Setting
from lintpickle.analyses.process_state.setting_uses import Dependence, calls_named
from lintpickle.facts.records import Called
from lintpickle.facts.values import Expr, ending_name
from lintpickle.interpreter.abstract_values import ConstantValue, Frame
from lintpickle.payload.linker import Linker

REGISTERS = "codecs.register_error"
_PLACES = {"lookup_error": ("name", 0), "open": ("errors", 4)}
_OF_METHODS = ("errors", 1)
"""Where `encode` and `decode` of a text are given the name."""


def error_handler_named(
    setting: Setting, uses: Iterable[Dependence], asker: str, linker: Linker
) -> tuple[Dependence, Met] | None:
    """The first of some uses in workers that name the handler which is registered, and what it meets; None if none
    does. Where the name is not known, any may be meant. `asker` is as for `OwnModules.search`."""
    found, registered = list(uses), _names_registered(setting, asker, linker)
    if not registered:
        return (found[0], setting.met) if found else None
    for each in found:
        named = _name_asked(each, registered, linker)
        if named is not None:
            error = f"LookupError: unknown error handler name '{named}'"
            return each, Met("there it is not registered", setting.met.how, error)
    return None


def _names_registered(setting: Setting, asker: str, linker: Linker) -> frozenset[str]:
    """The names that the call of a setting registers, as its function is called; none if one is not known."""
    module, function = setting.site.module, setting.setter
    events = (each for each in function.events if isinstance(each, Called)) if function is not None else ()
    given = next((each.call.argument("name", 0) for each in events if each.span == setting.site.span), None)
    if given is None or function is None:
        return frozenset()
    names = _texts(given, Frame(module, function), linker)
    for frame in frames_of_calls(function, asker, linker) if names is None or function.parameters else ():
        entered = _texts(given, frame, linker)
        names = entered if names is None or entered is None else names | entered
    return names or frozenset()


def _name_asked(use: Dependence, registered: frozenset[str], linker: Linker) -> str | None:
    """Which of some names a use asks for: that which it is given, or one that its function writes out."""
    function = use.function
    asked: frozenset[str] | None = frozenset()
    for call in calls_named(use):
        given = call.argument(*_PLACES.get(ending_name(call.function) or "", _OF_METHODS))
        texts = _texts(given, function.frame, linker) if given is not None else frozenset[str]()
        asked = asked | texts if asked is not None and texts is not None else None
    if asked is None:
        text = function.module.code[function.facts.span.start : function.facts.span.end]
        asked = frozenset(each for each in registered if re.search(rf"""["']{re.escape(each)}["']""", text))
    return min(asked & registered, default=None)


def _texts(value: Expr, frame: Frame, linker: Linker) -> frozenset[str] | None:
    """The texts that an expression may give; None if it may give others."""
    found = [traced.value for traced in linker.evaluate(value, frame)]
    texts = [each.value for each in found if isinstance(each, ConstantValue) and isinstance(each.value, str)]
    return frozenset(texts) if texts and len(texts) == len(found) else None
