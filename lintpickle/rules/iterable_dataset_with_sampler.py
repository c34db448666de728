from __future__ import annotations

from collections.abc import Iterable

from lintpickle.analyses.loaders.iterable_datasets import iterable_dataset
from lintpickle.analyses.loaders.loader_arguments import Presence, is_loader, literal, presence
from lintpickle.rules.authoring import ALL_START_METHODS, BoundaryCall, Hazard, InstanceValue, Linker, Rule

_ERROR = "ValueError: DataLoader with IterableDataset: expected unspecified {option} option, but got {option}="


class IterableDatasetWithSampler(Rule):
    """`shuffle=True`, a sampler or a batch sampler for an IterableDataset, which decides its order itself."""

    code = "LP405"
    name = "iterable-dataset-with-sampler"
    start_methods = ALL_START_METHODS
    message = "`{option}` is passed for the IterableDataset `{dataset}`: {error}"
    help = "shuffle or batch in the dataset's `__iter__`"
    words = frozenset({"shuffle", "sampler", "Sampler", "IterableDataset"})

    def boundary(self, call: BoundaryCall, linker: Linker) -> Iterable[Hazard]:
        dataset = iterable_dataset(call, linker) if is_loader(call) else None
        option = _option(call, linker) if dataset is not None else None
        if option is not None:
            assert isinstance(dataset, InstanceValue)
            name = option.partition("=")[0]
            yield Hazard(
                site=call.site,
                noun="the loader",
                error=_ERROR.format(option=name) + option.partition("=")[2],
                data={"option": option, "dataset": dataset.class_.facts.name},
            )


def _option(call: BoundaryCall, linker: Linker) -> str | None:
    """The option that torch rejects first."""
    if literal(call, "shuffle", linker) is True:
        return "shuffle=True"
    for name in ("sampler", "batch_sampler"):
        if presence(call, name, linker) is Presence.YES:
            return name
    return None
