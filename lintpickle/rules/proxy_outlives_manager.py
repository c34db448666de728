from __future__ import annotations

from collections.abc import Iterable

from lintpickle.analyses.waiting.closed_proxies import closed_proxies
from lintpickle.analyses.waiting.dead_proxies import dead_proxies
from lintpickle.analyses.waiting.kept_proxies import kept_proxies
from lintpickle.analyses.waiting.managers_ended import managers_ended
from lintpickle.rules.authoring import ALL_START_METHODS, Hazard, Hop, Linker, RootFrame, Rule
from lintpickle.rules.base import excerpt_at

_USED_BEFORE = "BrokenPipeError: [Errno 32] Broken pipe"
_UNUSED = "FileNotFoundError: [Errno 2] No such file or directory"


class ProxyOutlivesManager(Rule):
    """A proxy of a manager that is given away or used when the manager has ended: behind its `with`, or a shutdown."""

    code = "LP225"
    name = "proxy-outlives-manager"
    start_methods = ALL_START_METHODS
    message = "`{what}` {does} a proxy of a manager that has {ended}: {error}"
    help = "use the proxy while the manager lives, or take a copy out of it (`dict(shared)`, `list(shared)`)"
    words = frozenset({"Manager(", "shutdown(", "__exit__("})

    def function(self, root: RootFrame, linker: Linker) -> Iterable[Hazard]:
        contexts = [*managers_ended(root.frame, linker)]
        found = (*dead_proxies(contexts, root.frame, linker), *kept_proxies(contexts, root, linker)) if contexts else ()
        for each in (*found, *closed_proxies(root, linker)):
            ended = "is shut down here" if each.is_shut_down else "ends with this `with`"
            yield Hazard(
                site=each.site,
                noun="its manager has ended",
                error=_USED_BEFORE if each.is_used_before else _UNUSED,
                data={
                    "what": excerpt_at(each.site, 40),
                    "does": "gives away" if each.is_returned else "asks",
                    "ended": "been shut down" if each.is_shut_down else "ended with its `with`",
                },
                hops=(
                    Hop(f"the manager {ended}", each.ends),
                    *((Hop("this calls it", each.called),) if each.called is not None else ()),
                    Hop("it makes the proxy", each.made),
                ),
            )
