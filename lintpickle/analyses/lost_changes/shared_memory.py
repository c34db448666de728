"""Tensors and torch modules that the import of a module moves to shared memory."""

from __future__ import annotations

import re

from lintpickle.analyses.main_state.read_objects import Owner

_MOVED = re.compile(r"\.share_memory_?\(\s*\)\s*$")
_MOVES = "share_memory"


def is_moved_to_shared_memory(owner: Owner) -> bool:
    """Whether the statement that makes a module's object, or another one at module level, moves it there."""
    if _MOVES not in owner.module.code:
        return False
    if _MOVED.search(owner.module.facts.text(owner.block)) is not None:
        return True
    return owner.module.has(re.compile(rf"^{re.escape(owner.name)}\.share_memory_?\(\)", re.MULTILINE))
