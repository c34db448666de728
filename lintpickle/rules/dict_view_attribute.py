from __future__ import annotations

from lintpickle.analyses.lost_changes.view_uses import view_uses
from lintpickle.diagnostics import Applicability, Edit, Fix
from lintpickle.rules._shared.products import KeptProduct, ProductRule
from lintpickle.rules.authoring import VIEW, Hazard


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
        """Wrap the view in `list(...)`, or in `set(...)` keys that are only asked for members. A list is unsafe where
        the view is used as a set or asked for members, or the dict changes later."""
        uses = view_uses(hazard.subject.crossing, hazard.subject.linker)
        span = hazard.site.span
        text = hazard.site.module.document.text[span.start : span.end]
        is_live = uses.as_set or uses.is_live
        if uses.as_member and not uses.as_other and not is_live and text.endswith(".keys()"):
            return Fix("Convert to a set", Applicability.SAFE, (Edit(span, f"set({text})"),))
        applicability = Applicability.UNSAFE if is_live or uses.as_member else Applicability.SAFE
        return Fix("Convert to a list", applicability, (Edit(span, f"list({text})"),), is_the_help=True)
