"""Functions that handle signals."""

from __future__ import annotations

import re

from lintpickle.analyses.main_state.main_setters import is_called
from lintpickle.facts.records import Called, FunctionFacts
from lintpickle.interpreter.abstract_values import FunctionValue
from lintpickle.payload.linker import Linker

_SETS_HANDLER = "signal"
_SETTING = re.compile(r"\bsignal\s*\.\s*signal\s*\(|(?<![\w.])signal\s*\(|\badd_signal_handler\s*\(")
_BY_HAND = re.compile(r"(?:\w+\s*\.\s*)*SIGINT")


def is_signal_handler(function: FunctionFacts, asker: str, linker: Linker) -> bool:
    """Whether code has a function called when the process gets a signal; not only that of Ctrl-C, which all processes
    of a terminal get."""
    for root in linker.activations_with({_SETS_HANDLER}, _SETTING, asker):
        for event in root.function.events:
            given = (event.call.positional() or ()) if isinstance(event, Called) else ()
            if len(given) != 2 or not _SETTING.match(_named(root.frame.module.code, event.span.start)):
                continue
            code = root.frame.module.code[given[0].span.start : given[0].span.end]
            handlers = [traced.value for traced in linker.evaluate(given[1], root.frame)]
            is_it = any(isinstance(each, FunctionValue) and each.facts is function for each in handlers)
            if is_it and not _BY_HAND.fullmatch(code) and is_called(root.function, root.frame.module, linker, asker):
                return True
    return False


def _named(code: str, start: int) -> str:
    """What stands at a place, for as long as a name may be."""
    return code[start : start + 80]
