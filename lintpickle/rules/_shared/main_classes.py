"""The hazards of classes that a script defines and writes to a file."""

from __future__ import annotations

from collections.abc import Iterator

from lintpickle.analyses.written_files.loading import is_refused_here_alone
from lintpickle.analyses.written_files.main_classes import main_classes
from lintpickle.analyses.written_files.written import TORCH_SAVE
from lintpickle.diagnostics import Confidence
from lintpickle.rules.authoring import BoundaryCall, Hazard, Linker


def main_classes_written(call: BoundaryCall, linker: Linker) -> Iterator[Hazard]:
    """The classes of a script that a call writes to a file under the name of its `__main__`. Only possible if no other
    program is seen to load what `torch.save` writes."""
    is_own_reader = call.spec.path in TORCH_SAVE and is_refused_here_alone(call.site.module, linker)
    for found in main_classes(call, linker):
        yield Hazard(
            site=found.part.site,
            noun="it is written",
            error=f"AttributeError: Can't get attribute '{found.name}' on <module '__main__' from '…'>",
            data={"name": found.name},
            rests_on=(found.part.frame.module,),
            confidence=None if found.is_certain and not is_own_reader else Confidence.POSSIBLE,
        )
