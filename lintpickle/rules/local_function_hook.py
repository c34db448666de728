from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from lintpickle.analyses.functions import function_error
from lintpickle.analyses.shipped_modules import boundaries_shipping, is_shipped
from lintpickle.diagnostics import Confidence
from lintpickle.rules.authoring import (
    Attribute,
    Call,
    Called,
    ContainerValue,
    FunctionValue,
    Hazard,
    Hop,
    Linker,
    RootFrame,
    Rule,
    Site,
    TracedValue,
    Words,
)

_REGISTERS = re.compile(
    r"_?register_(forward|forward_pre|backward|full_backward|full_backward_pre|state_dict|state_dict_pre"
    r"|state_dict_post|load_state_dict_pre|load_state_dict_post)_hook"
)

_KEEPS = re.compile(r"\s*self\.(\w+)\s*(\[[^=]*\]\s*=|=|\.append\()\s*")
_REMOVES = re.compile(r"\.remove\b")


class LocalFunctionHook(Rule):
    """A lambda or local function that is registered as a hook of a torch module and never removed."""

    code = "LP106"
    name = "local-function-hook"
    message = "the module keeps {what} as a hook, and can no longer be pickled: {error}"
    help = "register a module-level function or a method of the module, or remove the hook after use"
    words = frozenset({"_hook("})

    def function(self, root: RootFrame, linker: Linker) -> Iterable[Hazard]:
        module, function = root.frame.module, root.function
        text = module.document.text
        if ".remove()" in text[function.span.start : function.span.end]:
            return
        for event in function.events:
            if not isinstance(event, Called) or not _registers(event.call):
                continue
            hook = (event.call.positional() or (None,))[0] or event.call.keyword("hook")
            if hook is None:
                continue
            site = Site(module, event.call.span)
            stays = _is_dropped(site) or _is_kept_by_the_object(site, linker)
            is_likely = stays and is_shipped(event.call.function, root, linker)
            shipping = boundaries_shipping(event.call.function, root, linker) if is_likely else ()
            hops = tuple(Hop("the module is pickled here", each.site) for each in shipping)
            confidence = Confidence.LIKELY if is_likely else Confidence.POSSIBLE
            for value in _functions(linker.evaluate(hook, root.frame), linker):
                name = "a lambda" if value.facts.name == "<lambda>" else f"the local function `{value.facts.name}`"
                yield Hazard(
                    site=site,
                    noun="it is registered",
                    hops=hops,
                    error=function_error(value),
                    data={"what": name},
                    confidence=confidence,
                    culprit=value,
                )
                break


def _registers(call: Call) -> bool:
    return isinstance(call.function, Attribute) and _REGISTERS.fullmatch(call.function.name) is not None


def _functions(found: Iterable[TracedValue], linker: Linker) -> Iterator[FunctionValue]:
    """Functions that cannot be looked up by name, alone or in a partial."""
    for traced in found:
        match traced.value:
            case FunctionValue(facts=facts, bound=None, opaque=False) as value if (
                facts.is_local or facts.name == "<lambda>"
            ):
                yield value
            case ContainerValue(kind="functools.partial", slots=slots) if slots:
                yield from _functions(linker.evaluate(slots[0].value, slots[0].frame), linker)
            case _:
                pass


def _is_dropped(site: Site) -> bool:
    """Whether the call is a statement by itself, so that nothing holds the handle that can remove the hook."""
    after = site.module.document.text[site.span.end :].partition("\n")[0].partition("#")[0]
    return not _before(site).strip() and not after.strip()


def _is_kept_by_the_object(site: Site, linker: Linker) -> bool:
    """Whether the object itself keeps the handle (`self.handles.append(…)`), in a program that removes no such one."""
    kept = _KEEPS.fullmatch(_before(site))
    return kept is not None and not linker.first_party.is_anywhere(Words({kept[1]}), site.module.path, _REMOVES)


def _before(site: Site) -> str:
    """The text of the row before a place."""
    text = site.module.document.text
    return text[text.rfind("\n", 0, site.span.start) + 1 : site.span.start]
