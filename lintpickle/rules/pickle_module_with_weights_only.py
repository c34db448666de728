from __future__ import annotations

from collections.abc import Iterable

from lintpickle.rules.authoring import (
    ALL_START_METHODS,
    Called,
    Constant,
    ExternalValue,
    Hazard,
    Linker,
    RootFrame,
    Rule,
    Site,
)

_LOAD = frozenset({"torch.load", "torch.serialization.load"})


class PickleModuleWithWeightsOnly(Rule):
    """`torch.load` with both `pickle_module` and `weights_only=True`, which exclude each other."""

    code = "LP505"
    name = "pickle-module-with-weights-only"
    start_methods = ALL_START_METHODS
    message = "`torch.load` is given `pickle_module` and `weights_only=True`: {error}"
    help = "drop `pickle_module`, or pass `weights_only=False` if the file is trusted"
    words = frozenset({"weights_only"})

    def function(self, root: RootFrame, linker: Linker) -> Iterable[Hazard]:
        for event in root.function.events:
            if not isinstance(event, Called):
                continue
            third = (event.call.positional() or ())[2:3]
            module = event.call.keyword("pickle_module") or (third[0] if third else None)
            decision = event.call.keyword("weights_only")
            if module is None or not (isinstance(decision, Constant) and decision.value is True):
                continue
            if isinstance(module, Constant) and module.value is None:
                continue
            for traced in linker.evaluate(event.call.function, root.frame):
                if isinstance(traced.value, ExternalValue) and traced.value.path in _LOAD:
                    yield Hazard(
                        site=Site(root.frame.module, event.call.span),
                        noun="the call",
                        error=("RuntimeError: Can not safely load weights when explicit pickle_module is specified"),
                    )
                    break
