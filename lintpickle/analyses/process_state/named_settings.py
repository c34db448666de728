"""Settings that have names, by which workers ask for them: `codecs.register_error("plain", …)` and
`text.encode("ascii", "plain")`, `gymnasium.register("Maze-v0", …)` and `gymnasium.make("Maze-v0")`.

Measured with CPython 3.11: where the name is not registered, the first character that cannot be encoded ends in
`LookupError: unknown error handler name 'plain'`.
"""

from __future__ import annotations

import encodings
import pkgutil
import re
from collections.abc import Iterable, Iterator
from encodings.aliases import aliases
from functools import cache

from msgspec.structs import replace

from lintpickle.analyses.calls_and_values.caller_frames import frames_of_calls
from lintpickle.analyses.calls_and_values.types_given import given_in_main
from lintpickle.analyses.calls_and_values.values import literals
from lintpickle.analyses.main_state.main_setters import Met, Setting
from lintpickle.analyses.process_state.calls_that_set import calls_that_set
from lintpickle.analyses.process_state.setting_uses import Dependence
from lintpickle.catalog import SettingSpec
from lintpickle.facts.records import Called
from lintpickle.facts.values import Expr, ending_name
from lintpickle.interpreter.abstract_values import Frame
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction

_ANY = "any"
_ENCODINGS = "<encodings>"
"""What stands in `there` for the encodings that Python has."""


def named_setting(
    spec: SettingSpec, setting: Setting, uses: Iterable[Dependence], code: WorkerCode, linker: Linker
) -> tuple[Dependence, Setting] | None:
    """The first of some uses in workers that ask for a setting by the name which it is given, and what they meet; None
    if none does. It is doubted where one of the names is not known."""
    registered = _names_given(spec, setting, code, linker)
    doubted: tuple[Dependence, Setting] | None = None
    for use in uses:
        for asking, given in _asking(use, spec):
            asked = _names_asked(given, use.function, registered, code, linker)
            if asked is None:
                doubted = doubted or (asking, replace(setting, is_doubted=True))
                continue
            meant = asked & registered if registered is not None else _not_there(asked, spec)
            if not meant:
                continue
            if registered is None and not spec.there:
                doubted = doubted or (asking, replace(setting, is_doubted=True))
                continue
            return asking, replace(setting, met=_without(min(meant), spec, setting))
    return doubted


def _without(name: str, spec: SettingSpec, setting: Setting) -> Met:
    error = spec.lacking.replace("{name}", name) if spec.lacking is not None else None
    return Met(setting.met.outcome, setting.met.how, error)


def _names_given(spec: SettingSpec, setting: Setting, code: WorkerCode, linker: Linker) -> frozenset[str] | None:
    """The names that the call of a setting gives it, as its function is called; None if one is not known."""
    made = next(calls_that_set(setting, linker), None) if spec.named not in (None, _ANY) else None
    if made is None:
        return None
    call, frame = made
    name, _, place = (spec.named or "").partition("@")
    given = call.argument(name, int(place))
    if given is None:
        return None
    names, setter = _texts(given, frame, linker), setting.setter
    is_told = setter is not None and (names is None or bool(setter.parameters))
    for entered in frames_of_calls(frame.function, code.root.site.module.path, linker) if is_told else ():
        others = _texts(given, entered, linker)
        names = others if names is None or others is None else names | others
    return names


def _asking(use: Dependence, spec: SettingSpec) -> Iterator[tuple[Dependence, Expr]]:
    """The calls of a function that are given a name where the catalog says so."""
    function, text = use.function, use.function.module.code
    for event in function.facts.events:
        if not isinstance(event, Called):
            continue
        called = event.call.function
        for pattern in (*spec.read, *spec.read_methods):
            path, _, argument = pattern.partition("(")
            if not argument or path.rpartition(".")[2] != ending_name(called):
                continue
            name, _, place = argument.partition("@")
            given = event.call.argument(name, int(place))
            if given is not None:
                yield Dependence(function, text[called.span.start : called.span.end], called.span), given


def _names_asked(
    given: Expr, function: WorkerFunction, registered: frozenset[str] | None, code: WorkerCode, linker: Linker
) -> frozenset[str] | None:
    """The names that a function of workers may ask for: what it is given, or those of `registered` that it writes out;
    None if others may be meant."""
    asked = _texts(given, function.frame, linker)
    if asked is not None:
        return asked
    span = function.facts.span
    text = function.module.code[span.start : span.end]
    written = (each for each in registered or () if re.search(rf"""["']{re.escape(each)}["']""", text))
    return frozenset(written) or _texts_of_main(given, function, code, linker)


def _texts_of_main(given: Expr, function: WorkerFunction, code: WorkerCode, linker: Linker) -> frozenset[str] | None:
    """The texts that the main process gives workers in a place; None if it may give others."""
    origin = given_in_main(given, function, code)
    if origin is None:
        return None
    expr, frame = origin
    texts = _texts(expr, frame, linker)
    if texts is not None:
        return texts
    asker = code.root.site.module.path
    entered = [_texts(expr, each, linker) for each in frames_of_calls(frame.function, asker, linker)]
    known = [each for each in entered if each is not None]
    return frozenset[str]().union(*known) if known and len(known) == len(entered) else None


def _not_there(asked: frozenset[str], spec: SettingSpec) -> frozenset[str]:
    """Those of some names that ask for nothing which is there anyway."""
    names = frozenset(each for each in asked if each not in spec.there)
    return frozenset(each for each in names if not _is_encoding(each)) if _ENCODINGS in spec.there else names


@cache
def _encodings() -> frozenset[str]:
    return frozenset({*aliases, *aliases.values(), *(each.name for each in pkgutil.iter_modules(encodings.__path__))})


def _is_encoding(name: str) -> bool:
    """Whether Python has an encoding of that name."""
    return encodings.normalize_encoding(name).lower() in _encodings()


def _texts(value: Expr, frame: Frame, linker: Linker) -> frozenset[str] | None:
    """The texts that an expression may give; None if it may give others."""
    known = literals(value, frame, linker) or []
    texts = [each for each in known if isinstance(each, str)]
    return frozenset(texts) if texts and len(texts) == len(known) else None
