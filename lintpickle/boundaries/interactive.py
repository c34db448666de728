"""Loaders in notebooks where the trainer that would iterate them refuses to run."""

from __future__ import annotations

import re

from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.program.module import Module

_LIGHTNING = re.compile(r"\b(?:import|from)\s+(?:pytorch_lightning|lightning)\b")
_TRAINER = re.compile(r"\bTrainer\s*\(")
_REFUSED = re.compile(r"""\bstrategy\s*=\s*['"](?:ddp|fsdp|deepspeed)(?!_notebook|_fork)\w*['"]""")
"""Strategies that start the script again or spawn: `Trainer(strategy="ddp")` raises MisconfigurationException where
Python is interactive (lightning, `is_interactive_compatible` of its launchers, asked in `_lazy_init_strategy`)."""


def is_refused(boundary: BoundaryCall) -> bool:
    """Whether a loader is in a notebook in which all Lightning trainers raise an error."""
    module = boundary.site.module
    return boundary.spec.kind == "dataloader" and module.document.cells is not None and _refuses(module)


def _refuses(module: Module) -> bool:
    if not module.has(_LIGHTNING):
        return False
    code = module.code
    trainers = [found.end() for found in _TRAINER.finditer(code)]
    ends = [*trainers[1:], len(code)]
    return bool(trainers) and all(
        _REFUSED.search(code, start, _end_of_call(code, start, end)) for start, end in zip(trainers, ends, strict=True)
    )


def _end_of_call(code: str, start: int, end: int) -> int:
    """Where the parenthesis closes that was opened in front of `start`, before `end`."""
    depth = 1
    for place in range(start, end):
        depth += (code[place] == "(") - (code[place] == ")")
        if depth == 0:
            return place
    return end
