from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from lintpickle.analyses.written_files.loading import (
    Readers,
    is_read_again,
    is_refused_here_alone,
    is_surely_read,
    refusing_load,
)
from lintpickle.analyses.written_files.numpy_values import NumpyValues
from lintpickle.analyses.written_files.refused_names import RefusedName, refused_names
from lintpickle.analyses.written_files.written import TORCH_SAVE, WrittenPart, never_refuses, parts
from lintpickle.analyses.written_files.written_modules import module_path
from lintpickle.diagnostics import Confidence, Severity
from lintpickle.rules._shared.main_classes import main_classes_written
from lintpickle.rules.authoring import ALL_START_METHODS, BoundaryCall, Call, Hazard, Hop, Linker, Rule, Site, Sum
from lintpickle.rules.base import excerpt_at


class CheckpointRefusedByWeightsOnly(Rule):
    """A part of what `torch.save` writes that `torch.load` refuses by default, such as a NumPy value or a Namespace."""

    code = "LP503"
    name = "checkpoint-refused-by-weights-only"
    severity = Severity.WARNING
    start_methods = ALL_START_METHODS
    of_what_is_written = True
    message = "{what} is written by `torch.save`, and `torch.load` refuses the file since torch 2.6: {error}"
    help = (
        "write plain data (`vars(args)`, `float(x)`, `str(path)`, tensors), or let all readers call "
        "`torch.load(..., weights_only=False)`"
    )
    words = frozenset({"torch"})

    def boundary(self, call: BoundaryCall, linker: Linker) -> Iterable[Hazard]:
        if call.spec.path not in TORCH_SAVE:
            return
        refused = _each_once(_refused_parts(call, linker))
        readers = Readers.of(call.site.module, linker) if refused else None  # which searches all modules
        if readers is None or readers.decide:
            return
        confidence = None if is_surely_read(call, linker) else Confidence.LIKELY
        if not readers.load or never_refuses(call.site.module.path, linker):
            confidence = Confidence.POSSIBLE
        is_alone = readers.load and any(not part.label for part, _ in refused) and not is_read_again(call, linker)
        load = refusing_load(call, linker) if readers.load else None
        reads = (Hop("files are loaded with `weights_only=True`, the default", load),) if load is not None else ()
        displays = Counter(_display_written(*each) for each in refused)
        for part, refusal in refused:
            display = _display_written(part, refusal)
            said = confidence if _is_sure(part, refusal) else confidence or Confidence.LIKELY
            yield Hazard(
                site=part.site,
                noun="it is written",
                error=(
                    "_pickle.UnpicklingError: Weights only load failed. … "
                    f"WeightsUnpickler error: Unsupported global: GLOBAL {refusal.name}"
                ),
                data={"what": f"an object that pickles as `{refusal.name}`"},
                hops=(*_made(part), *_save(call, part), *reads),
                cause=display if display and displays[display] > 1 else _object_written(part, refusal, call),
                rests_on=(part.frame.module,),
                confidence=Confidence.POSSIBLE if is_alone and not part.label else said,
            )


def _made(part: WrittenPart) -> tuple[Hop, ...]:
    """The call that makes a value, if that stands elsewhere."""
    site = Site(part.frame.module, part.value.span)
    around = part.display or part.site
    is_elsewhere = isinstance(part.value, (Call, Sum)) and not around.contains(site) and not site.contains(part.site)
    return (Hop(f"{excerpt_at(site, 40)} makes the value", site),) if is_elsewhere else ()


def _save(call: BoundaryCall, part: WrittenPart) -> tuple[Hop, ...]:
    """The call that writes a part, if that stands elsewhere."""
    return () if part.site.span.start == call.site.span.start else (Hop("`torch.save` writes the file", call.site),)


def _refused_parts(call: BoundaryCall, linker: Linker) -> Iterator[tuple[WrittenPart, RefusedName]]:
    """The values that are written and will be refused, each with the name that `torch.load` does not allow; without
    those that another rule reports: classes of scripts, unless only the script itself loads them."""
    is_own_reader = is_refused_here_alone(call.site.module, linker)
    for_main = {hazard.site for hazard in main_classes_written(call, linker)} if not is_own_reader else set()
    numpy = NumpyValues(linker)
    for part in parts(call, linker):
        if part.site not in for_main and module_path(part, linker) is None:
            names = sorted(refused_names(part, call.frame.module, numpy, linker), key=lambda each: not each.is_sure)
            if names:
                yield part, names[0]


def _each_once(found: Iterable[tuple[WrittenPart, RefusedName]]) -> list[tuple[WrittenPart, RefusedName]]:
    """The refused parts, each once that is seen as what a call gives and as what that call makes: the surest."""
    kept: dict[tuple[Site, str, str], tuple[WrittenPart, RefusedName]] = {}
    for part, refusal in found:
        key = (part.site, part.label, refusal.name)
        before = kept.get(key)
        if before is None or (_is_sure(part, refusal) and not _is_sure(*before)):
            kept[key] = (part, refusal)
    return [*kept.values()]


def _is_sure(part: WrittenPart, refusal: RefusedName) -> bool:
    return refusal.is_sure and not part.is_one_of


def _display_written(part: WrittenPart, refusal: RefusedName) -> str:
    """What is the same for the values of one dict display that are refused for one name; "" outside of any."""
    site = part.display
    return f"{site.module.path}:{site.span.start} {refusal.name}" if site is not None else ""


def _object_written(part: WrittenPart, refusal: RefusedName, call: BoundaryCall) -> str:
    """What is the same for all places of a module that write one object."""
    return f"{call.site.module.path}: {part.frame.module.path}:{part.value.span.start} {refusal.name}"
