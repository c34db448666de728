from __future__ import annotations

from collections.abc import Iterable

from lintpickle.analyses.functions import function_error
from lintpickle.analyses.local_hooks import REGISTERS_HOOK, local_hooks
from lintpickle.analyses.shipped_modules import boundaries_shipping, is_shipped
from lintpickle.diagnostics import Confidence
from lintpickle.rules.authoring import Hazard, Hop, Linker, RootFrame, Rule


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
            shipping = boundaries_shipping(hook.call.function, root, linker) if is_likely else ()
            name = hook.function.facts.name
            yield Hazard(
                site=hook.site,
                noun="it is registered",
                hops=tuple(Hop("the module is pickled here", each.site) for each in shipping),
                error=function_error(hook.function),
                data={"what": "a lambda" if name == "<lambda>" else f"the local function `{name}`"},
                confidence=Confidence.LIKELY if is_likely else Confidence.POSSIBLE,
                culprit=hook.function,
            )
