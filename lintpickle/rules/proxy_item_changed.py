from __future__ import annotations

from collections.abc import Iterable

from lintpickle.analyses.lost_changes.proxy_items import items_changed
from lintpickle.rules.authoring import ALL_START_METHODS, Hazard, Linker, Rule, Site, WorkerCode

_OF_NAMESPACE = "assign the changed value again (`shared.name = value`), or make it by the manager, too"


class ProxyItemChanged(Rule):
    """A list or dict in a manager's dictionary, list or namespace that code changes in place: the change is lost."""

    code = "LP220"
    name = "proxy-item-changed"
    start_methods = ALL_START_METHODS
    message = (
        "`{function}` changes an {part} of `{proxy}`, which a manager keeps in another process: the {part} that it "
        "changes is a copy, and the change is lost"
    )
    help = "store the changed item again (`shared[key] = item`), or make the item by the manager, too"
    words = frozenset({"Manager("})

    def worker(self, code: WorkerCode, linker: Linker) -> Iterable[Hazard]:
        for function in code.functions if code.boundary is not None else ():
            if not function.module.first_party:
                continue
            for changed in items_changed(function.facts, function.frame, linker):
                part = "item" if changed.attribute is None else "attribute"
                yield Hazard(
                    site=Site(function.module, changed.span),
                    noun="changes a copy",
                    error=None,
                    data={"function": function.facts.name, "proxy": changed.proxy, "part": part},
                    hops=function.hops,
                    help=_OF_NAMESPACE if changed.attribute is not None else None,
                )
