from __future__ import annotations

from collections.abc import Iterable

from lintpickle.analyses.lost_changes.asked_of_proxies import asked_of_proxies
from lintpickle.rules.authoring import ALL_START_METHODS, Hazard, Hop, Linker, RootFrame, Rule

_LACKS = "asks a proxy of a manager for what only the object of `{}` has, in the process of the manager"
_SETS = "sets an attribute of the proxy alone: the object of `{}` in the process of the manager stays as it is"


class ProxyWithoutAttribute(Rule):
    """An attribute or special method of an own class, asked of the proxy that a manager gives for its object."""

    code = "LP133"
    name = "proxy-without-attribute"
    start_methods = ALL_START_METHODS
    message = "`{written}` {does}{error}"
    help = "write a method for it, as a proxy has only the public methods of its class; or register a `proxytype=`"
    words = frozenset({"register("})

    def function(self, root: RootFrame, linker: Linker) -> Iterable[Hazard]:
        for found in asked_of_proxies(root, linker):
            class_ = found.registered.class_
            does = (_LACKS if found.error is not None else _SETS).format(class_.facts.name)
            yield Hazard(
                site=found.site,
                noun="it is asked of a proxy",
                error=found.error,
                data={"written": found.written, "does": does + (": " if found.error is not None else "")},
                hops=(
                    Hop("the manager makes the proxy", found.made),
                    Hop("its class is registered", found.registered.site),
                ),
            )
