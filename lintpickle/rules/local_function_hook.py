from __future__ import annotations

from collections.abc import Iterable, Sequence

from lintpickle.analyses.calls_and_values.functions import function_error
from lintpickle.analyses.pickle_hooks.local_hooks import REGISTERS_HOOK, local_hooks
from lintpickle.analyses.pickle_hooks.shipped_modules import boundaries_shipping, boundaries_writing, is_shipped
from lintpickle.diagnostics import Confidence, StartMethod
from lintpickle.rules.authoring import (
    ALL_START_METHODS,
    PICKLED_ON_START,
    WORKER_KINDS,
    BoundaryCall,
    Hazard,
    Hop,
    Linker,
    RootFrame,
    Rule,
)


class LocalFunctionHook(Rule):
    """A lambda or local function that is registered as a hook of a torch module and never removed."""

    code = "LP106"
    name = "local-function-hook"
    message = "the module keeps {what} as a hook, and can no longer be pickled: {error}"
    help = "register a module-level function or a method of the module, or remove the hook after use"
    words = frozenset({REGISTERS_HOOK})

    def function(self, root: RootFrame, linker: Linker) -> Iterable[Hazard]:
        for hook in local_hooks(root, linker):
            is_likely = hook.stays and is_shipped(hook.call.function, root, linker)
            shipping = tuple(boundaries_shipping(hook.call.function, root, linker)) if is_likely else ()
            written = tuple(boundaries_writing(hook.call.function, root, linker)) if is_likely else ()
            name = hook.function.facts.name
            yield Hazard(
                site=hook.site,
                noun="it is registered",
                hops=tuple(Hop("the module is pickled here", each.site) for each in (*shipping, *written)),
                error=function_error(hook.function),
                data={"what": "a lambda" if name == "<lambda>" else f"the local function `{name}`"},
                confidence=Confidence.LIKELY if is_likely else Confidence.POSSIBLE,
                culprit=hook.function,
                start_methods=_start_methods(shipping, written, root, linker) if linker.moving_to is None else None,
            )


def _start_methods(
    shipping: Sequence[BoundaryCall], written: Sequence[BoundaryCall], root: RootFrame, linker: Linker
) -> tuple[StartMethod, ...] | None:
    """The start methods under which one of the boundaries pickles what it ships: those of `torch.multiprocessing.spawn`
    whatever the default is, and all if it is written without workers. None if none is seen, or others of the file may
    pickle it."""
    if written:
        return ALL_START_METHODS
    of_file = (each for each in linker.boundary_calls() if each.site.module is root.frame.module)
    if any(each.spec.kind not in WORKER_KINDS for each in of_file):
        return None
    found = {method for each in shipping for method in linker.boundaries.starting.start_methods(each)}
    return tuple(method for method in PICKLED_ON_START if method in found) or None
