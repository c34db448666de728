"""What the main process sets only where it starts no workers: `if not config["parallel"]: timing.ON = True`, while the
pool stands under `if config["parallel"]`."""

from __future__ import annotations

import re

from lintpickle.analyses.main_state.main_setters import Setting
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode


def is_set_apart(setting: Setting, code: WorkerCode, linker: Linker) -> bool:
    """Whether what is asked before something is set has another answer wherever the workers are started."""
    setter, site = setting.setter, setting.site
    block = site.module.outline.block_at(site.span.start) if setter is not None else None
    facts = site.module.facts_of(block) if block is not None else None
    if setter is None or setter.is_module_body or facts is None:
        return False
    form = re.compile(rf"\bdef\s+{re.escape(setter.name)}\b")
    return any(
        linker.payload.is_never_reached(site.span, root.frame, code.root)
        for root in linker.activations.in_block(site.module, facts, form)
        if root.function is setter
    )
