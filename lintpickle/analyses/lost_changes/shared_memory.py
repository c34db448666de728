"""Tensors and torch modules that the import of a module moves to shared memory, and blocks of that which it makes."""

from __future__ import annotations

import re

from lintpickle.analyses.main_state.read_objects import Owner
from lintpickle.facts.values import says_none
from lintpickle.interpreter.abstract_values import AbstractValue, ExternalResult, ProductValue

_MOVED = re.compile(r"\.share_memory_?\(\s*\)\s*$")
_MOVES = "share_memory"


def is_moved_to_shared_memory(owner: Owner) -> bool:
    """Whether the statement that makes a module's object, or another one at module level, moves it there."""
    if _MOVES not in owner.module.code:
        return False
    if _MOVED.search(owner.module.facts.text(owner.block)) is not None:
        return True
    return owner.module.has(re.compile(rf"^{re.escape(owner.name)}\.share_memory_?\(\)", re.MULTILINE))


def is_block_of_its_own(value: AbstractValue) -> bool:
    """Whether it is a block of shared memory, or a list in one, that gets a name which no other process knows."""
    if not isinstance(value, (ExternalResult, ProductValue)) or value.call is None:
        return False
    call = value.call
    match value.path:
        case "multiprocessing.shared_memory.SharedMemory":
            name, is_new = call.argument("name", 0), call.argument("create", 1)
            return is_new is not None and (name is None or says_none(name)) and not call.has_unknown_arguments()
        case "multiprocessing.shared_memory.ShareableList":
            return call.argument("sequence", 0) is not None and call.argument("name", 1) is None
        case _:
            return False
