from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from lintpickle.analyses.functions import function_error
from lintpickle.diagnostics import Confidence
from lintpickle.rules.authoring import (
    Attribute,
    Call,
    Called,
    Collection,
    ContainerValue,
    Expr,
    FunctionValue,
    Hazard,
    Imported,
    Item,
    Linker,
    Mapping,
    Module,
    Name,
    Parameter,
    RootFrame,
    Rule,
    Site,
    TracedValue,
    options_of,
)

_REGISTERS = re.compile(
    r"_?register_(forward|forward_pre|backward|full_backward|full_backward_pre|state_dict|state_dict_pre"
    r"|state_dict_post|load_state_dict_pre|load_state_dict_post)_hook"
)


class LocalFunctionHook(Rule):
    """A lambda or local function that is registered as a hook of a torch module and stays there."""

    code = "LP106"
    name = "local-function-hook"
    message = "the module keeps {what} as a hook, and cannot be pickled any more: {error}"
    help = "register a function of the module level, or a method of the module; or remove the hook after use"
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
            is_likely = _is_dropped(site) and _is_shipped(event.call, root, linker)
            confidence = Confidence.LIKELY if is_likely else Confidence.POSSIBLE
            for value in _functions(linker.evaluate(hook, root.frame), linker):
                name = "a lambda" if value.facts.name == "<lambda>" else f"the local function `{value.facts.name}`"
                yield Hazard(
                    site=site,
                    noun="it is registered",
                    error=function_error(value),
                    data={"what": name},
                    confidence=confidence,
                    culprit=value,
                )
                break


def _registers(call: Call) -> bool:
    return isinstance(call.function, Attribute) and _REGISTERS.fullmatch(call.function.name) is not None


def _is_shipped(registering: Call, root: RootFrame, linker: Linker) -> bool:
    """Whether a boundary ships the very module that gets the hook."""
    module = root.frame.module
    frames = [root.frame]
    made = [*_parts(_origin(registering.function, module))]
    if any(isinstance(each, Parameter) for each in made):
        calling = linker.callers.frames(root, module.path)
        frames += [each.frame for each in linker.callers.first(calling)]
    return any(
        linker.ships_module(traced, module)
        for frame in frames
        for value in made
        for traced in linker.evaluate(value, frame)
    )


def _origin(value: Expr, module: Module) -> Expr:
    """The object from which an expression gets a part, item by item and method by method."""
    while True:
        match value:
            case Attribute(base=base) | Item(base=base):
                value = base
            case Call(function=Attribute(base=base)) if not _is_imported(base, module):
                value = base
            case _:
                return value


def _is_imported(value: Expr, module: Module) -> bool:
    """Whether an expression is a name from an import, or one got out of it: what is called there is no method."""
    while isinstance(value, Attribute):
        value = value.base
    return isinstance(value, Imported) or (isinstance(value, Name) and value.name in module.outline.imports)


def _parts(value: Expr) -> Iterator[Expr]:
    """What a value may be, and what displays among that hold."""
    for option in options_of(value):
        match option:
            case Collection(elements=elements):
                for element in elements:
                    yield from _parts(element)
            case Mapping(items=items):
                for _, item in items:
                    yield from _parts(item)
            case _:
                yield option


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
    """Whether the call is a statement of its own, so that nothing holds the handle by which the hook is removed."""
    text = site.module.document.text
    before = text[text.rfind("\n", 0, site.span.start) + 1 : site.span.start]
    after = text[site.span.end :].partition("\n")[0].partition("#")[0]
    return not before.strip() and not after.strip()
