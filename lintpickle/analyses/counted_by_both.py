"""Numbers that a function counts up which both the main process and workers call: `last += 1`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lintpickle.analyses.global_setters import setters_of
from lintpickle.analyses.main_setters import Met, Setter, calls_by_main, is_before_workers
from lintpickle.analyses.read_objects import Owner
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode


def begins_with(owner: Owner) -> Met:
    """What a worker has of such a number."""
    return Met(f"there it begins with `{owner.text}`", "changed before")


def counted_by_both(owner: Owner, code: WorkerCode, linker: Linker, asker: str) -> Iterator[Setter]:
    """Where code of the main process calls, before it starts the workers, a function that they call, too, and that
    counts up a global and uses it."""
    name = re.escape(owner.name)
    counting = re.compile(rf"(?<![\w.]){name}\s*[-+*]=|(?<![\w.]){name}\s*=\s*{name}\s*[-+*]")
    used = re.compile(rf"(?<![\w.]){name}\b(?!\s*[-+*]?=[^=])(?!\s*[-+*]\s*\d)")
    setters = setters_of(owner.name, owner.module)
    for function in code.functions:
        text = function.module.code[function.facts.header.end : function.facts.span.end]
        if function.facts not in setters or counting.search(text) is None:
            continue
        uses = (each for each in used.finditer(text) if not _is_declared(text, each.start()))
        if next(uses, None) is None:
            continue
        for root, span in calls_by_main(function.facts, code, linker, asker):
            if is_before_workers(span, root.function, linker):
                yield Setter(root.frame.module, root.function, span, True)


def _is_declared(text: str, offset: int) -> bool:
    return text[text.rfind("\n", 0, offset) + 1 : offset].lstrip().startswith("global ")
