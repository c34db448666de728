from __future__ import annotations

from collections.abc import Iterable

from lintpickle.analyses.waiting.dead_proxies import dead_proxies, managers_entered
from lintpickle.analyses.waiting.kept_proxies import kept_proxies
from lintpickle.rules.authoring import ALL_START_METHODS, Hazard, Hop, Linker, RootFrame, Rule
from lintpickle.rules.base import excerpt_at

_USED_BEFORE = "BrokenPipeError: [Errno 32] Broken pipe"
_UNUSED = "FileNotFoundError: [Errno 2] No such file or directory"


class ProxyOutlivesManager(Rule):
    """A proxy of a manager that is returned out of the manager's `with`, or used behind it, also by another method."""

    code = "LP225"
    name = "proxy-outlives-manager"
    start_methods = ALL_START_METHODS
    message = "`{what}` {does} a proxy of a manager that has ended with its `with`: {error}"
    help = "use the proxy inside of the `with`, or take a copy out of it (`dict(shared)`, `list(shared)`)"
    words = frozenset({"Manager("})

    def function(self, root: RootFrame, linker: Linker) -> Iterable[Hazard]:
        contexts = [*managers_entered(root.frame, linker)]
        if not contexts:
            return
        for found in (*dead_proxies(contexts, root.frame, linker), *kept_proxies(contexts, root, linker)):
            yield Hazard(
                site=found.site,
                noun="its manager has ended",
                error=_USED_BEFORE if found.is_used_before else _UNUSED,
                data={"what": excerpt_at(found.site, 40), "does": "gives away" if found.is_returned else "asks"},
                hops=(Hop("the manager ends with this `with`", found.ends), Hop("it makes the proxy", found.made)),
            )
