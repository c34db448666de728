"""Which filters of warnings concern what workers warn of: `simplefilter("ignore", DeprecationWarning)` changes nothing
for `warnings.warn("no rows")`, which is a UserWarning."""

from __future__ import annotations

import builtins
from collections.abc import Iterator, Sequence

from lintpickle.analyses.main_state.main_setters import Setter
from lintpickle.analyses.process_state.setting_uses import Dependence, calls_named
from lintpickle.facts.records import Called
from lintpickle.facts.values import Call, Constant, Data, Expr, ending_name, uncalled, without_narrowing

FILTERS_WARNINGS = "warnings.simplefilter"
_WARNS = "warn"
_CATEGORY = "category"
_PLACES = {"simplefilter": 1, "filterwarnings": 2, _WARNS: 1}
"""At which 0-based places functions of `warnings` take a category."""


def filters_concerning(filters: Sequence[Setter], uses: Sequence[Dependence]) -> tuple[list[Setter], Dependence] | None:
    """Those of some filters that concern one of several uses in workers, with the first such use; None if none does."""
    for use in uses:
        warned = list(_warned_of(use))
        found = [each for each in filters if any(_concerns(_filtered_by(each), category) for category in warned)]
        if found:
            return found, use
    return None


def _concerns(filtered: type[Warning] | None, warned: type[Warning] | None) -> bool:
    """Whether a filter of a category concerns a warning of another one, which both may not be known."""
    return filtered is None or warned is None or issubclass(warned, filtered)


def _filtered_by(setter: Setter) -> type[Warning] | None:
    for event in setter.facts.events:
        if isinstance(event, Called) and event.span == setter.span:
            name = ending_name(event.call.function) or ""
            given = event.call.argument(_CATEGORY, _PLACES.get(name, -1))
            return _builtin(given) if given is not None and not event.call.has_unknown_arguments() else None
    return None


def _warned_of(use: Dependence) -> Iterator[type[Warning] | None]:
    """The categories that a use may have, each None if it is not known: of calls of `warn`, or one that is named."""
    calls = calls_named(use) if use.written.rpartition(".")[2] == _WARNS else []
    for call in calls:
        yield _category_of(call)
    if not calls:
        yield _named(use.written)


def _category_of(call: Call) -> type[Warning] | None:
    message, given = call.argument("message", 0), call.argument(_CATEGORY, _PLACES[_WARNS])
    if call.has_unknown_arguments():
        return None
    if given is not None:
        return _builtin(given)
    plain = without_narrowing(message) if message is not None else None
    return UserWarning if isinstance(plain, Constant | Data) else _builtin(plain)


def _builtin(value: Expr | None) -> type[Warning] | None:
    return _named(ending_name(uncalled(without_narrowing(value))) or "") if value is not None else None


def _named(name: str) -> type[Warning] | None:
    """The warning of Python that has a name."""
    found = getattr(builtins, name, None) if name.isidentifier() else None
    return found if isinstance(found, type) and issubclass(found, Warning) else None
