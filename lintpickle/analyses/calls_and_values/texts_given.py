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


def is_given_text(name: str, function: FunctionFacts, code: WorkerCode, linker: Linker) -> bool:
    """Whether some call of a function by code that no worker runs gives it a text for a parameter, also by way of
    functions that hand on what they are given, or each element of it (`for name in names: work(name)`)."""
    return _is_given(name, function, False, code, linker, _CALLERS)


def _is_given(
    name: str, function: FunctionFacts, is_of_elements: bool, code: WorkerCode, linker: Linker, callers: int
) -> bool:
    """The same; with `is_of_elements`, of something that holds texts."""
    place = next((at for at, each in enumerate(function.parameters) if each.name == name), None)
    if place is None or not callers:
        return False
    is_bound = "." in function.qualname and not function.is_local and not function.decorated_by("staticmethod")
    for root, call in _calls(function, code, linker):
        given = argument_or_element(call, name, place - is_bound)
        if given is None:
            continue
        if is_seen_text(Item(given.span, given, None) if is_of_elements else given, root.frame, linker):
            return True
        match without_narrowing(given):
            case Parameter(name=handed, owner=owner):
                is_element = is_of_elements
            case Item(base=Parameter(name=handed, owner=owner), key=None) if not is_of_elements:
                is_element = True
            case _:
                continue
        is_own = owner == root.function.qualname
        if is_own and _is_given(handed, root.function, is_element, code, linker, callers - 1):
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
