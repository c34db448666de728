"""Whether a boundary ships an object in which a function stores something."""

from __future__ import annotations

from collections.abc import Iterator

from lintpickle.facts.values import (
    Attribute,
    Call,
    Collection,
    Expr,
    Imported,
    Item,
    Mapping,
    Name,
    Narrowed,
    Parameter,
    options_of,
)
from lintpickle.interpreter.root_frames import RootFrame
from lintpickle.payload.linker import Linker
from lintpickle.program.module import Module


def is_shipped(part: Expr, root: RootFrame, linker: Linker) -> bool:
    """Whether a boundary ships the object in which a function stores something: `part` is that object, or a part of
    it."""
    module = root.frame.module
    frames = [root.frame]
    made = [*_parts(_origin(part, module))]
    if any(isinstance(each, Parameter) for each in made):
        calling = linker.callers.frames(root, module.path)
        frames += [each.frame for each in linker.callers.first(calling)]
    return any(
        linker.ships(traced, module) for frame in frames for value in made for traced in linker.evaluate(value, frame)
    )


def _origin(value: Expr, module: Module) -> Expr:
    """The object from which an expression gets a part, item by item and method by method."""
    while True:
        match value:
            case Attribute(base=base) | Item(base=base) | Narrowed(value=base):
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
