from __future__ import annotations

from collections.abc import Iterable

from lintpickle.rules._shared.products import ProductRule
from lintpickle.rules.authoring import Crossing, ExternalValue, Hazard, Linker


class WriterAttribute(ProductRule):
    """A writer, log handler, console or progress bar that is kept on an object that crosses."""

    code = "LP117"
    name = "writer-attribute"
    kinds = frozenset({"writer", "progress", "log-handler", "logger"})
    noun = "writer"
    help = "leave it in the main process: drop it in `__getstate__`, or ask `logging.getLogger` for it in the worker"
    unheld_help = "leave it in the main process, or ask `logging.getLogger` for it in the worker"

    def crossing(self, crossing: Crossing, linker: Linker) -> Iterable[Hazard]:
        if not _is_sent_by_name(crossing, linker):
            yield from super().crossing(crossing, linker)


def _is_sent_by_name(crossing: Crossing, linker: Linker) -> bool:
    """Whether the holder is a logger, which is pickled by name."""
    holder = crossing.holder
    return holder is not None and any(
        isinstance(base, ExternalValue) and base.path == "logging.Logger" for base in linker.classes.mro(holder)
    )
