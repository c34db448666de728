from __future__ import annotations

from collections.abc import Iterable

from lintpickle.analyses.lost_changes.chained_proxy_calls import chained_calls
from lintpickle.diagnostics import Confidence
from lintpickle.rules.authoring import ALL_START_METHODS, Hazard, Hop, Linker, RootFrame, Rule


class ChainedProxyCall(Rule):
    """A change of what a method of a manager's proxy returns: the method returns `self`, the proxy gives a copy."""

    code = "LP252"
    name = "chained-proxy-call"
    start_methods = ALL_START_METHODS
    message = (
        "`{method}` changes what `{first}` of a proxy returns: `{first}` returns `self`, and the manager sends a copy "
        "of its `{owner}`, so the change is lost"
    )
    help = "call each method on the proxy itself, in a statement of its own"
    words = frozenset({"register("})

    def function(self, root: RootFrame, linker: Linker) -> Iterable[Hazard]:
        for found in chained_calls(root, linker):
            yield Hazard(
                site=found.site,
                noun="called on a copy",
                error=None,
                confidence=Confidence.LIKELY,
                data={
                    "method": found.method,
                    "first": found.first,
                    "owner": found.registered.class_.facts.name,
                },
                hops=(
                    Hop("the manager makes the proxy", found.made),
                    Hop("its class is registered", found.registered.site),
                    Hop("this method returns the object itself", found.returns),
                ),
            )
