"""Parameters that are seen to be texts where code of the main process calls a function, which workers run as well."""

from __future__ import annotations

from collections.abc import Iterator

from lintpickle.analyses.calls_and_values.seen_texts import is_seen_text
from lintpickle.analyses.main_state.calls_of_main import calls_by_main
from lintpickle.facts.records import Called, FunctionFacts
from lintpickle.facts.values import Call, Expr, Item, Parameter, without_narrowing
from lintpickle.interpreter.root_frames import RootFrame
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode

_CALLERS = 3
"""How many functions are followed that hand a parameter of their own on."""


def is_given_text(
    name: str, function: FunctionFacts, code: WorkerCode, linker: Linker, callers: int = _CALLERS
) -> bool:
    """Whether some call of a function by code that no worker runs gives it a text for a parameter."""
    place = next((at for at, each in enumerate(function.parameters) if each.name == name), None)
    if place is None or not callers:
        return False
    is_bound = "." in function.qualname and not function.is_local and not function.decorated_by("staticmethod")
    for root, call in _calls(function, code, linker):
        given = argument_or_element(call, name, place - is_bound)
        if given is None:
            continue
        if is_seen_text(given, root.frame, linker):
            return True
        inner = without_narrowing(given)
        is_own = isinstance(inner, Parameter) and inner.owner == root.function.qualname
        if (
            isinstance(inner, Parameter)
            and is_own
            and is_given_text(inner.name, root.function, code, linker, callers - 1)
        ):
            return True
    return False


def argument_or_element(call: Call, name: str, place: int) -> Expr | None:
    """The argument that is given by a name or at a 0-based place; an element of what `*` unpacks there or before."""
    written = call.argument(name, place)
    if written is not None or place < 0:
        return written
    given = [each for each in call.arguments if each.keyword is None and each.star != "**"]
    for each in given[: place + 1]:
        if each.star:
            return Item(each.value.span, each.value, None)
    return given[place].value if place < len(given) else None


def _calls(function: FunctionFacts, code: WorkerCode, linker: Linker) -> Iterator[tuple[RootFrame, Call]]:
    for root, span in calls_by_main(function, code, linker, code.root.site.module.path):
        for event in root.function.events:
            if isinstance(event, Called) and event.span == span:
                yield root, event.call
