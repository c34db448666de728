from __future__ import annotations

from collections.abc import Iterable, Iterator

from lintpickle.analyses.loaders.loader_arguments import Presence, Unsaid, is_loader, literal, presence
from lintpickle.rules.authoring import ALL_START_METHODS, BoundaryCall, Hazard, Linker, Rule

_PERSISTENT = "ValueError: persistent_workers option needs num_workers > 0"
_PREFETCH = (
    "ValueError: prefetch_factor option could only be specified in multiprocessing."
    "let num_workers > 0 to enable multiprocessing, otherwise set prefetch_factor to None."
)
_CONTEXT = (
    "ValueError: multiprocessing_context can only be used with multi-process loading (num_workers > 0), "
    "but got num_workers=0"
)
_TIMEOUT = "AssertionError: _SingleProcessDataLoaderIter requires timeout == 0"


class WorkerOptionWithoutWorkers(Rule):
    """A DataLoader option that needs workers, where `num_workers` is 0."""

    code = "LP403"
    name = "worker-option-without-workers"
    start_methods = ALL_START_METHODS
    message = "`{option}` needs workers, but `num_workers` is 0: {error}"
    help = "set `num_workers` above 0, or drop the option: `persistent_workers=num_workers > 0` works for both"
    words = frozenset({"persistent_workers", "prefetch_factor", "multiprocessing_context", "timeout"})

    def boundary(self, call: BoundaryCall, linker: Linker) -> Iterable[Hazard]:
        if not is_loader(call) or not call.spec.workers_default_zero:
            return
        workers = literal(call, "num_workers", linker)
        if workers is Unsaid.MISSING or (type(workers) is int and workers == 0):
            for option, error in _options(call, linker):
                yield Hazard(call.site, "the loader", error, {"option": option}, call.hops)
                return


def _options(call: BoundaryCall, linker: Linker) -> Iterator[tuple[str, str]]:
    """The options that fail without workers, in torch's order of checking."""
    prefetch = literal(call, "prefetch_factor", linker)
    if type(prefetch) is int:
        yield f"prefetch_factor={prefetch}", _PREFETCH
    if literal(call, "persistent_workers", linker) is True:
        yield "persistent_workers=True", _PERSISTENT
    context = literal(call, "multiprocessing_context", linker)
    if isinstance(context, str) or presence(call, "multiprocessing_context", linker) is Presence.YES:
        yield "multiprocessing_context", _CONTEXT
    timeout = literal(call, "timeout", linker)
    if isinstance(timeout, (int, float)) and timeout > 0:  # below 0, another error comes first
        yield f"timeout={timeout}", _TIMEOUT
