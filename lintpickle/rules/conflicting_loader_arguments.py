from __future__ import annotations

from collections.abc import Iterable, Iterator

from lintpickle.analyses.loaders.chosen_loaders import is_chosen_for_others
from lintpickle.analyses.loaders.loader_arguments import (
    Presence,
    Unsaid,
    is_loader,
    is_none_written,
    keyword_arguments,
    literal,
    presence,
)
from lintpickle.diagnostics import Applicability, Confidence, Edit, Fix
from lintpickle.rules.authoring import ALL_START_METHODS, BoundaryCall, Hazard, Linker, Rule

_SHUFFLE = "ValueError: sampler option is mutually exclusive with shuffle"
_BATCH_SAMPLER = (
    "ValueError: batch_sampler option is mutually exclusive with batch_size, shuffle, sampler, and drop_last"
)
_NO_BATCHES = "ValueError: batch_size=None option disables auto-batching and is mutually exclusive with drop_last"


class ConflictingLoaderArguments(Rule[BoundaryCall]):
    """Arguments of a DataLoader that exclude each other."""

    code = "LP402"
    name = "conflicting-loader-arguments"
    start_methods = ALL_START_METHODS
    applicability = Applicability.UNSAFE
    message = "`{first}` and `{second}` exclude each other: {error}"
    help = "pass one of the two"
    words = frozenset({"sampler", "Sampler", "drop_last"})

    def boundary(self, call: BoundaryCall, linker: Linker) -> Iterable[Hazard[BoundaryCall]]:
        if is_loader(call):
            yield from self._sampler_and_shuffle(call, linker)
            yield from self._batch_sampler(call, linker)
            unbatched = literal(call, "batch_size", linker) is None and is_none_written(call, "batch_size")
            unbatched = unbatched and literal(call, "drop_last", linker) is True
            if unbatched and presence(call, "batch_sampler", linker) is Presence.NO:
                confidence = Confidence.POSSIBLE if is_chosen_for_others(call, "batch_size", linker) else None
                yield _hazard(call, "batch_size=None", "drop_last=True", _NO_BATCHES, confidence=confidence)

    def _sampler_and_shuffle(self, call: BoundaryCall, linker: Linker) -> Iterator[Hazard[BoundaryCall]]:
        if literal(call, "shuffle", linker) is not True:
            return
        match presence(call, "sampler", linker):
            case Presence.YES:
                yield _hazard(call, "sampler", "shuffle=True", _SHUFFLE, "drop `shuffle=True`: the sampler decides")
            case Presence.MAYBE if call.event is not None and not call.event.conditional:
                help = "pass `shuffle=(sampler is None)`"
                yield _hazard(call, "sampler", "shuffle=True", _SHUFFLE, help, Confidence.LIKELY)
            case _:
                pass

    def _batch_sampler(self, call: BoundaryCall, linker: Linker) -> Iterator[Hazard[BoundaryCall]]:
        if presence(call, "batch_sampler", linker) is not Presence.YES:
            return
        batch_size = literal(call, "batch_size", linker)
        if not isinstance(batch_size, Unsaid) and batch_size != 1:
            yield _hazard(call, "batch_sampler", f"batch_size={batch_size}", _BATCH_SAMPLER)
        elif literal(call, "shuffle", linker) is True:
            yield _hazard(call, "batch_sampler", "shuffle=True", _BATCH_SAMPLER)
        elif literal(call, "drop_last", linker) is True:
            yield _hazard(call, "batch_sampler", "drop_last=True", _BATCH_SAMPLER)
        elif presence(call, "sampler", linker) is Presence.YES:
            yield _hazard(call, "batch_sampler", "sampler", _BATCH_SAMPLER)

    def fix(self, hazard: Hazard[BoundaryCall]) -> Fix | None:
        """For `shuffle=True` with a sampler that may be None: shuffle only without a sampler."""
        call = hazard.subject
        if hazard.confidence is not Confidence.LIKELY:
            return None
        written = keyword_arguments(call)
        sampler, shuffle = written.get("sampler"), written.get("shuffle")
        if sampler is None or shuffle is None or not sampler.is_name:
            return None
        edit = Edit(shuffle.value, f"({sampler.text} is None)")
        return Fix("Shuffle only without a sampler", Applicability.UNSAFE, (edit,), is_the_help=True)


def _hazard(
    call: BoundaryCall,
    first: str,
    second: str,
    error: str,
    help: str | None = None,
    confidence: Confidence | None = None,
) -> Hazard[BoundaryCall]:
    return Hazard(
        site=call.site,
        noun="the loader",
        error=error,
        data={"first": first, "second": second},
        help=help,
        subject=call,
        confidence=confidence,
    )
