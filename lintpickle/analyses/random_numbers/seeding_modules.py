"""Modules in which a global generator is seeded, as their text says."""

from __future__ import annotations

import re

from lintpickle.program.module import Module

_SEEDED = {
    "NumPy": re.compile(r"\b(?:np|numpy)\.random\.seed\("),
    "torch": re.compile(r"\btorch\.(?:random\.)?manual_seed\("),
}


def seeds_generator(module: Module, library: str) -> bool:
    """Whether a module seeds the global generator of a library ("NumPy", "torch")."""
    return module.has(_SEEDED[library])
