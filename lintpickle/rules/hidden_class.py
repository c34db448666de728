from __future__ import annotations

from collections.abc import Iterable

from lintpickle.rules.authoring import ALL_MARKS, Crossing, Hazard, Linker, Rule


class HiddenClass(Rule):
    """FILL THIS IN: what is found, in one line."""

    code = "LP126"
    name = "hidden-class"
    marks = ALL_MARKS  # FILL THIS IN: the forms that can be the hazard
    message = "FILL THIS IN: what is kept or passed where: {error}"
    help = "FILL THIS IN: what to do instead"

    def crossing(self, crossing: "Crossing", linker: Linker) -> Iterable[Hazard]:
        return ()  # FILL THIS IN
