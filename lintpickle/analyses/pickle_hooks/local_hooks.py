"""Hooks of torch modules that are lambdas or local functions, and stay: a module with one cannot be pickled."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from msgspec import Struct

from lintpickle.analyses.pickle_hooks.shipped_modules import objects_with
from lintpickle.analyses.written_files.written import WrittenPart
from lintpickle.facts.records import Called
from lintpickle.facts.values import Attribute, Call
from lintpickle.interpreter.abstract_values import FunctionValue, Site, TracedValue
from lintpickle.interpreter.partials import without_partials
from lintpickle.interpreter.root_frames import RootFrame
from lintpickle.payload.linker import Linker
from lintpickle.payload.torch_modules import made_as
from lintpickle.prefilter.words import Words

REGISTERS_HOOK = "_hook("
"""What stands wherever a hook is registered."""
_EVENTS = ("forward", "backward", "full_backward", "state_dict", "load_state_dict")
_TIMES = ("", "_pre", "_post")
_REGISTERING = frozenset(f"{_}register_{event}{time}_hook" for _ in ("", "_") for event in _EVENTS for time in _TIMES)
_CALLS = re.compile(rf"\.(?:{'|'.join(sorted(_REGISTERING))})\(")
_KEEPS = re.compile(r"\s*self\.(\w+)\s*(\[[^=]*\]\s*=|=|\.append\()\s*")
_REMOVES_HANDLE = re.compile(r"\.remove(?:\(\)|\b(?=\s*[,)\]]))")
"""What stands where a hook is removed, or something is given what removes it: `stack.callback(handle.remove)`."""
_REMOVES = re.compile(r"\.remove\b")


class LocalHook(Struct, frozen=True):
    """A function without a name that a call registers. `stays`: nothing is seen that may remove it."""

    call: Call
    function: FunctionValue
    site: Site
    stays: bool


def local_hooks(root: RootFrame, linker: Linker) -> Iterator[LocalHook]:
    """The hooks that a function registers, one for each call, unless it removes some itself."""
    module, function = root.frame.module, root.function
    if _REMOVES_HANDLE.search(module.document.text, function.span.start, function.span.end) is not None:
        return
    for event in function.events:
        if not isinstance(event, Called) or not _registers(event.call):
            continue
        hook = (event.call.positional() or (None,))[0] or event.call.keyword("hook")
        value = next(_functions(linker.evaluate(hook, root.frame), linker), None) if hook is not None else None
        if value is not None:
            site = Site(module, event.call.span)
            yield LocalHook(event.call, value, site, _is_dropped(site) or _is_kept_by_the_object(site, linker))


def has_local_hook(part: WrittenPart, linker: Linker) -> bool:
    """Whether the program registers such a hook, which stays, on a module that is written, or on a part of it."""
    written = {made_as(traced.value, traced.site) for traced in linker.evaluate(part.value, part.frame)}
    return any(
        hook.stays
        and any(made_as(each.value, each.site) in written for each in objects_with(hook.call.function, root, linker))
        for root in linker.activations_with(_REGISTERING, _CALLS, part.site.module.path)
        for hook in local_hooks(root, linker)
    )


def _registers(call: Call) -> bool:
    return isinstance(call.function, Attribute) and call.function.name in _REGISTERING


def _functions(found: Iterable[TracedValue], linker: Linker) -> Iterator[FunctionValue]:
    """Functions that cannot be looked up by name, alone or in a partial."""
    for traced in without_partials(found, linker.evaluator):
        match traced.value:
            case FunctionValue(facts=facts, bound=None, opaque=False) as value if (
                facts.is_local or facts.name == "<lambda>"
            ):
                yield value
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
