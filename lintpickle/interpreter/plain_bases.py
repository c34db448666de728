"""Classes of libraries from which classes of the program derive, and which add little to their objects."""

from __future__ import annotations

BARE_BASES = frozenset({"builtins.object", "abc.ABC", "typing.Generic", "typing.Protocol"})
"""Classes of libraries that give their objects no attributes, nor the methods that abstract types ask for."""
_OF_TYPES = ("typing.", "typing_extensions.", "collections.abc.")
"""Modules whose classes give their objects methods at most."""


def is_without_state(path: str) -> bool:
    """Whether the class of a library with this dotted path gives its objects no state, nor a say in how they are
    pickled."""
    return path in BARE_BASES or path.startswith(_OF_TYPES)
