"""The calls by which code of the program makes a setting."""

from __future__ import annotations

from collections.abc import Iterator

from lintpickle.analyses.main_state.main_setters import Setting
from lintpickle.facts.records import Called
from lintpickle.facts.values import Call
from lintpickle.interpreter.abstract_values import Frame
from lintpickle.payload.linker import Linker


def calls_that_set(setting: Setting, linker: Linker) -> Iterator[tuple[Call, Frame]]:
    """The calls at the place of a setting, each with the function that makes it, or the statement of its module."""
    return ((call, frame) for call, frame in calls_made_by_setter(setting, linker) if call.span == setting.site.span)


def calls_made_by_setter(setting: Setting, linker: Linker) -> Iterator[tuple[Call, Frame]]:
    """All calls of the function that makes a setting, or of the statement of its module, with that."""
    frame = _frame_of(setting, linker)
    for event in frame.function.events if frame is not None else ():
        if frame is not None and isinstance(event, Called):
            yield event.call, frame


def _frame_of(setting: Setting, linker: Linker) -> Frame | None:
    module, setter = setting.site.module, setting.setter
    if setter is not None:
        return Frame(module, setter)
    block = module.outline.block_at(setting.site.span.start)
    facts = module.facts_of(block) if block is not None else None
    return linker.evaluator.module_frame(module, facts.body) if facts is not None else None
