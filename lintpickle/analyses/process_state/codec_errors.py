"""Handlers of codec errors by their names: `codecs.register_error("plain", …)` and `text.encode("ascii", "plain")`.

Measured with CPython 3.11: where the name is not registered, the first character that cannot be encoded ends in
`LookupError: unknown error handler name 'plain'`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from lintpickle.analyses.main_state.main_setters import Met, Setting
from lintpickle.analyses.process_state.setting_uses import Dependence

REGISTERS = "codecs.register_error"
_NAMED = re.compile(r"""\(\s*(?:name\s*=\s*)?["'](?P<name>[^"'\n]+)["']""")


def error_handler_named(setting: Setting, uses: Iterable[Dependence]) -> tuple[Dependence, Met] | None:
    """The first of some uses in workers whose function names the handler that is registered, and what it meets; None if
    no function does. Where the name is not written out, any may be meant."""
    site, found = setting.site, list(uses)
    named = _NAMED.search(site.module.code, site.span.start, site.span.end)
    if named is None:
        return (found[0], setting.met) if found else None
    quoted = re.compile(rf"""["']{re.escape(named["name"])}["']""")
    for each in found:
        span = each.function.facts.span
        if quoted.search(each.function.module.code, span.start, span.end) is not None:
            error = f"LookupError: unknown error handler name '{named['name']}'"
            return each, Met("there it is not registered", setting.met.how, error)
    return None
