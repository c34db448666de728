"""What `unittest.mock` and pytest's `monkeypatch` are told to replace: `patch.object(module, "name", …)`,
`patch("package.module.name", …)`, `monkeypatch.setattr(module, "name", …)`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from msgspec import Struct

from lintpickle.facts.methods import method_spans
from lintpickle.facts.records import Called, FunctionFacts
from lintpickle.facts.values import Call, Constant, Expr, chain
from lintpickle.program.module import Module

PATCHING = re.compile(r"(?:\w+\.)*patch(?:\.(?:object|dict|multiple))?\(")
"""How the managers begin that take back what they replace."""
FOR_A_TEST = re.compile(r"(?:monkeypatch\.|mocker\.patch\.?)\w*\(")
"""How calls begin whose effect ends with the test in which they stand."""
PATCH_WORDS = frozenset({"patch", "monkeypatch"})
_OWN_PATH = re.compile(r"""(?:__name__\s*\+\s*|f)["'](?:\{__name__\})?\.([\w.]+)["']""")
_MAIN = "__main__."
_REPLACED = re.compile(
    r"""[\w.]+\.(\w+)\s*=(?!=)|(?:\w+\.)*(?:setattr|patch\.object)\(\s*[\w.]+\s*,\s*["'](\w+)["']"""
    r"""|(?:\w+\.)*(?:patch|setattr)\((?:__name__\s*\+\s*|f)?["'][\w.{}]*\.(\w+)["']"""
)


class Patched(Struct, frozen=True):
    """What a call replaces under a name: of what an expression is, or else of what a dotted path leads to."""

    holder: Expr | None
    path: str
    name: str


def patched_by(call: Call, module: Module) -> Patched | None:
    """What a call in a module replaces."""
    parts, given = chain(call.function) or (), call.positional() or ()
    match parts[-2:], given:
        case ((("patch", "object") | ("monkeypatch", "setattr")), (holder, Constant(value=str(name)), *_)):
            return Patched(holder, "", name)
        case (((*_, "patch") | ("patch", "dict") | ("monkeypatch", "setattr")), (target, *_)):
            owner, _, name = _path(target, module).rpartition(".")
            return Patched(None, owner, name) if owner else None
        case _:
            return None


def _path(target: Expr, module: Module) -> str:
    """The dotted path that a text is; that of the module itself may be asked for."""
    if isinstance(target, Constant):
        path = target.value if isinstance(target.value, str) else ""
        return f"{module.name}.{path[len(_MAIN) :]}" if path.startswith(_MAIN) else path
    own = _OWN_PATH.fullmatch(module.code, target.span.start, target.span.end)
    return f"{module.name}.{own[1]}" if own is not None else ""


def is_patch(call: Call, module: Module, home: Module, name: str, is_home: Callable[[Expr], bool]) -> bool:
    """Whether a call in a module replaces what another one has under a name. `is_home` says whether an expression is
    that module."""
    patched = patched_by(call, module)
    if patched is None or patched.name != name:
        return False
    return is_home(patched.holder) if patched.holder is not None else patched.path == home.name


def calls_in_force(function: FunctionFacts) -> Iterator[Call]:
    """The calls that a function makes, and those that decorate it: what these replace is so while it runs, not where it
    is defined."""
    decorating = {each.span for inner in function.functions for each in inner.decorators}
    methods = [span for class_ in function.classes for span in method_spans(class_)]
    for event in function.events:
        if not isinstance(event, Called) or event.span in decorating:
            continue
        if not any(span.contains(event.span) for span in methods):
            yield event.call
    yield from (each for each in function.decorators if isinstance(each, Call))


def patched_dict(call: Call) -> Expr | None:
    """What `patch.dict(table, …)` puts items into, if that is no text."""
    match (chain(call.function) or ())[-2:], call.positional():
        case ((("patch", "dict") | ("monkeypatch", "setitem")), (table, *_)) if not isinstance(table, Constant):
            return table
        case _:
            return None


def form_patching(name: str) -> re.Pattern[str]:
    """What stands where something of that name may be replaced."""
    return re.compile(rf"\b(?:patch(?:\.object)?|monkeypatch\.setattr)\([^()]*[\"'.]{re.escape(name)}[\"']")


def name_replaced(module: Module, start: int, end: int) -> str | None:
    """The name of what a statement or call replaces which begins at a place: `Service.lookup = …`, or by text."""
    found = _REPLACED.match(module.code, start, end)
    return next((each for each in found.groups() if each), None) if found is not None else None
