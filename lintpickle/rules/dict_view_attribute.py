from __future__ import annotations

import re

from lintpickle.diagnostics import Applicability, Edit, Fix
from lintpickle.rules._shared.products import KeptProduct, ProductRule
from lintpickle.rules.authoring import VIEW, Attribute, Call, Crossing, Hazard, ItemStore, Parameter, ProductValue

_SET_USE = r"\.{name}\b\s*(?:[&|^-](?!>)|[=!]=|\.isdisjoint\b|\.mapping\b)|[&|^-]=?\s*(?:\w+\.)+{name}\b"
"""What stands in code that uses what is in an attribute as a set, or compares it."""


class DictViewAttribute(ProductRule):
    """A dict view (`.keys()`, `.values()`, `.items()`) that crosses a process boundary."""

    code = "LP101"
    name = "dict-view-attribute"
    applicability = Applicability.SAFE
    kinds = frozenset({"view"})
    noun = "dict view"
    help = "keep a list: `list(...)`"
    marks = frozenset({VIEW})

    def fix(self, hazard: Hazard[KeptProduct]) -> Fix | None:
        """Wrap the view in `list(...)`; unsafe where the attribute is used as a set, or the dict changes later."""
        crossing = hazard.subject.crossing
        span = hazard.site.span
        text = hazard.site.module.document.text[span.start : span.end]
        applicability = Applicability.UNSAFE if _is_live(crossing) else Applicability.SAFE
        return Fix("Convert to a list", applicability, (Edit(span, f"list({text})"),), is_the_help=True)


def _is_live(crossing: Crossing) -> bool:
    """Whether the file uses the attribute as a set, or the class changes the dict that the view shows."""
    if crossing.holder is None or crossing.held is None:
        return False
    class_ = crossing.holder.class_
    if re.search(_SET_USE.format(name=re.escape(crossing.held.attribute)), class_.module.code):
        return True
    match crossing.value:
        case ProductValue(call=Call(function=Attribute(base=Attribute(base=Parameter(), name=shown)))):
            return any(
                isinstance(event, ItemStore) and isinstance(event.target, Attribute) and event.target.name == shown
                for method in class_.facts.methods.values()
                for event in method.events
            )
        case _:
            return False
