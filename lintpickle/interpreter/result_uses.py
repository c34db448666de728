"""How code uses what a call gives: as what holds values under names (`data["labels"]`, `data.files`)."""

from __future__ import annotations

import re

from lintpickle.facts.values import Call
from lintpickle.interpreter.abstract_values import Frame

_BOUND = re.compile(r"(?<![\w.])((?:self\.)?\w+)\s*=\s*\Z")
"""What stands in front of a call whose result gets a name."""
_ENDS = re.compile(r"[ \t]*(?:#[^\n]*)?(?:\n|\Z)")
_AS_ARRAY = r"\[(?!\s*f?[\"'])|\[[^\]\n]*\]\s*=(?!=)|\.(?:dtype|shape|ndim|size|item|astype|T)\b|\s*=(?!=)"
"""Behind a name, what says that it is an array, or gets another value."""
_AS_ARCHIVE = r"\.files\b|\[\s*f?[\"']"


def is_used_by_names(call: Call, frame: Frame) -> bool:
    """Whether code reads what a call gives only under names: in its function, or for an attribute of `self`, in its
    class."""
    code, whole = frame.module.code, frame.function.span
    bound = _BOUND.search(code, code.rfind("\n", 0, call.span.start) + 1, call.span.start)
    if bound is None or _ENDS.match(code, call.span.end) is None:
        return False
    if bound[1].startswith("self."):
        block = frame.module.outline.block_at(call.span.start)
        whole = block.span if block is not None else whole
    name = rf"(?<![\w.]){re.escape(bound[1])}"
    before, after = code[whole.start : bound.start()], code[call.span.end : whole.end]
    if any(re.search(name + f"(?:{_AS_ARRAY})", text) is not None for text in (before, after)):
        return False
    reading = before + after if bound[1].startswith("self.") else after
    return re.search(name + f"(?:{_AS_ARCHIVE})", reading) is not None
