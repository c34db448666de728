"""Whether something stands anywhere in a program but in some places."""

from __future__ import annotations

import re
from collections.abc import Collection

from lintpickle.interpreter.abstract_values import Site
from lintpickle.payload.linker import Linker
from lintpickle.prefilter.words import Words


def stands_outside(inside: Collection[Site], form: re.Pattern[str], word: str, asker: str, linker: Linker) -> bool:
    """Whether a form with that word stands anywhere in the program but in some places."""
    for module in linker.first_party.naming_in_text(Words({word}), asker, form):
        spans = [each.span for each in inside if each.module is module]
        places = (found.start() for found in form.finditer(module.code))
        if any(not any(span.start <= place < span.end for span in spans) for place in places):
            return True
    return False
