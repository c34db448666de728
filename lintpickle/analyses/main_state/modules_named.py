"""Which modules of the program an expression stands for: imported ones, ones that are looked up by name
(`sys.modules[name]`), and what callers give a function for one."""

from __future__ import annotations

from collections.abc import Iterator

from lintpickle.facts.values import (
    Argument,
    Attribute,
    Call,
    Constant,
    Expr,
    Item,
    Name,
    Parameter,
    chain,
    without_narrowing,
)
from lintpickle.interpreter.abstract_values import ConstantValue, Frame, ModuleValue
from lintpickle.interpreter.root_frames import RootFrame
from lintpickle.limits import LEVELS
from lintpickle.payload.linker import Linker
from lintpickle.program.module import Module

_OWN = "__name__"
_LOADED = ("sys", "modules")
_IMPORTS = (("importlib", "import_module"), ("import_module",))


def modules_meant(value: Expr, root: RootFrame, linker: Linker, asker: str) -> Iterator[Module]:
    """The modules that an expression of a function may be, each once. `asker` is as for `OwnModules.search`."""
    yield from {each.path: each for each in _meant(value, root, linker, asker, 0)}.values()


def _meant(value: Expr, root: RootFrame, linker: Linker, asker: str, level: int) -> Iterator[Module]:
    found = _module(value, root.frame, linker)
    if found is not None:
        yield found
    if found is not None or not is_given_module(value):
        return
    if level > LEVELS.most:
        linker.evaluator.cuts.note(LEVELS)
        return
    for calling in linker.callers.frames(root, asker):
        module = _module(value, calling.frame, linker)
        handed_on = _given(value, calling.frame) if calling.by is not None else None
        if module is not None:
            yield module
        elif calling.by is not None and handed_on is not None:
            yield from _meant(handed_on[0], calling.by[0], linker, asker, level + 1)


def is_given_module(value: Expr) -> bool:
    """Whether an expression of a function is one of its parameters, or a module that one of them names."""
    value = without_narrowing(value)
    return isinstance(value, Parameter) or isinstance(_key(value), Parameter)


def _module(value: Expr, frame: Frame, linker: Linker) -> Module | None:
    value, home = without_narrowing(value), frame.module
    key = _key(value)
    if isinstance(key, Name) and key.name == _OWN:
        return home
    if key is not None:
        name = _text(key, frame, linker)
        return linker.program.find(name, home) if name is not None else None
    given = _given(value, frame)
    if given is not None:
        return _module(*given, linker)
    match [traced.value for traced in linker.evaluate(value, frame)]:
        case [ModuleValue(name=path)]:
            return linker.program.find(path, home)
        case _:
            return None


def _given(value: Expr, frame: Frame) -> tuple[Expr, Frame] | None:
    """What a parameter was given in a frame."""
    value = without_narrowing(value)
    home = frame.enclosing(value.owner) if isinstance(value, Parameter) else None
    if home is None or not isinstance(value, Parameter):
        return None
    bound = home.bindings.get(value.name)
    if bound is None or bound.expr is None or bound.frame is None:
        return None
    return bound.expr, bound.frame


def _key(value: Expr) -> Expr | None:
    """By what a module is looked up."""
    match value:
        case (
            Item(base=modules, key=Expr() as key)
            | Call(function=Attribute(base=modules, name="get"), arguments=(Argument(value=key), *_))
        ) if chain(modules) == _LOADED:
            return without_narrowing(key)
        case Call(function=function, arguments=(Argument(value=key),)) if chain(function) in _IMPORTS:
            return without_narrowing(key)
        case _:
            return None


def _text(key: Expr, frame: Frame, linker: Linker) -> str | None:
    if isinstance(key, Constant):
        return key.value if isinstance(key.value, str) else None
    match [traced.value for traced in linker.evaluate(key, frame)]:
        case [ConstantValue(value=str(name))]:
            return name
        case _:
            return None
