"""What a program does with a dict view that an object keeps, as its text shows it: what a list cannot do in its place,
and what it can only do slowly."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from lintpickle.interpreter.abstract_values import ProductValue
from lintpickle.payload.crossings import Crossing
from lintpickle.payload.linker import Linker
from lintpickle.prefilter.words import Words
from lintpickle.program.module import Module

_AS_SET = (
    r"{0}\b\s*(?:[&|^-](?![>=])|[&|^-]=|[=!]=|\.isdisjoint\b|\.mapping\b)"
    r"|(?:[&|^]|(?<=[\w\])}}]) -|-=)\s*(?:not\s+)?{1}{0}\b"
)
"""What stands in code that uses a view as a set, or compares it: `{0}` is its name, `{1}` what may stand before."""
_MEMBER = r"\bin\s+{1}{0}\b(?!\s*[.(\[])"
_LOOP = re.compile(r"\b(?:for|async for)\s[^:]*?\Z")
_ALIAS = r"(?<![\w.])([^\W\d]\w*)\s*=\s*(?:\w+\s*\.\s*)+{0}\s*(?:#.*)?$"
_CHANGES = (
    r"(?<!\w){0}\s*(?:\[[^\]\n]*\]\s*(?:[-+*|]?=)(?!=)"
    r"|\.\s*(?:update|pop|popitem|clear|setdefault|move_to_end|subtract|__setitem__|__delitem__)\s*\(|\|=)"
    r"|\bdel\s+(?:\w+\s*\.\s*)*{0}\s*\["
)
"""What stands in code that changes a dict."""
_SHOWN = re.compile(r"(?:\w+\s*\.\s*)*?(\w+)\s*\.\s*\w+\s*\(\s*\)\Z")


class ViewUses(Struct, frozen=True):
    """`as_set`: it is compared, or an operand of set operators. `as_member`, `as_other`: whether something is asked to
    be in it, and whether it is used for anything else. `is_live`: the dict changes after the view was made."""

    as_set: bool
    as_member: bool
    as_other: bool
    is_live: bool


def view_uses(crossing: Crossing, linker: Linker) -> ViewUses:
    """The uses of the attribute that holds a view, in the whole program."""
    texts = list(_texts(crossing, linker))
    name = crossing.held.attribute if crossing.held is not None else ""
    found = [_uses_in(text, name) for text in texts] if name.isidentifier() else []
    return ViewUses(
        any(each.as_set for each in found),
        any(each.as_member for each in found),
        any(each.as_other for each in found),
        _is_live(crossing, texts),
    )


def _texts(crossing: Crossing, linker: Linker) -> Iterator[str]:
    """The texts of the modules in which the view is made, or the attribute is named."""
    homes: list[Module] = [crossing.site.module]
    if crossing.holder is not None:
        homes.append(crossing.holder.class_.module)
    if crossing.held is not None and crossing.held.attribute.isidentifier():
        name = crossing.held.attribute
        form = re.compile(rf"\.\s*{re.escape(name)}\b")
        homes += linker.first_party.naming(Words({name}), homes[0].path, form)
    yield from {module.path: module.code for module in homes}.values()


def _uses_in(text: str, attribute: str) -> ViewUses:
    found = _uses_of(text, attribute, r"(?:\w+\s*\.\s*)+")
    for alias in set(re.findall(_ALIAS.format(re.escape(attribute)), text, re.MULTILINE)):
        other = _uses_of(text, alias, "")
        found = ViewUses(found.as_set or other.as_set, found.as_member or other.as_member, True, False)
    return found


def _uses_of(text: str, name: str, before: str) -> ViewUses:
    escaped = re.escape(name)
    alone = escaped if before else rf"(?<![\w.]){escaped}"
    used = rf"(?<![\w.]){before}{escaped}\b(?!\s*=(?!=))"
    members = [
        match for match in re.finditer(_MEMBER.format(escaped, before), text) if not _is_loop(text, match.start())
    ]
    return ViewUses(
        re.search(_AS_SET.format(alone, before), text) is not None,
        bool(members),
        len(re.findall(used, text)) > len(members),
        False,
    )


def _is_loop(text: str, place: int) -> bool:
    """Whether the `in` at a place belongs to a `for`."""
    start = max(text.rfind("\n", 0, place), 0)
    return _LOOP.search(text, start, place) is not None and not re.search(r"\bif\b", text[start:place])


def _is_live(crossing: Crossing, texts: list[str]) -> bool:
    """Whether a dict of that name is changed by other code, or by the same function after the view was made."""
    match crossing.value:
        case ProductValue(frame=frame, call=call) if frame is not None and call is not None:
            module, span, body = frame.module, call.span, frame.function.span
        case _:
            return False
    shown = _SHOWN.fullmatch(module.code[span.start : span.end])
    if shown is None:
        return False
    name = shown[1]
    changes = re.compile(_CHANGES.format(re.escape(name)))
    if changes.search(module.code, span.end, body.end):
        return True
    is_attribute = "." in module.code[span.start : span.start + shown.start(1)]
    is_local = not is_attribute and not frame.function.is_module_body and not module.outline.binding(name)
    if is_local:
        return False
    others = (module.code[: body.start], module.code[body.end :], *(text for text in texts if text != module.code))
    return any(changes.search(text) for text in others)
