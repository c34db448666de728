"""Which attribute of an object a statement changes, and what the object has there as it is made: so that one sees what
a worker goes on with."""

from __future__ import annotations

import re

from lintpickle.analyses.main_state.main_setters import Met
from lintpickle.facts.values import Constant
from lintpickle.interpreter.abstract_values import InstanceValue, Site
from lintpickle.payload.linker import Linker

_STORE = re.compile(r"\.\s*([^\W\d]\w*)\s*(?::[^=\n]+)?=(?!=)")
_LONGEST = 40
"""Characters of a value that are shown."""


def still_of_attribute(met: Met, owner: InstanceValue, change: Site, linker: Linker) -> Met:
    """What a worker has instead, where a statement stores one attribute of an object: `settings.unit = "mi"`."""
    code = change.module.code
    stored = _STORE.search(code, change.span.start, change.span.end)
    if stored is None:
        return met
    held = [each for each in linker.classes.states.state(owner) if each.attribute == stored[1]]
    if len(held) != 1 or not held[0].direct:
        return met
    value = held[0].value
    shown = repr(value.value) if isinstance(value, Constant) else ""
    is_known = bool(shown) and len(shown) <= _LONGEST
    return Met(
        f"there its `{stored[1]}` is still `{shown}`" if is_known else f"there its `{stored[1]}` is as at import",
        met.how,
    )
