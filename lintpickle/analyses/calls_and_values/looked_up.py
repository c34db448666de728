"""Parts of an object that code looks up by name: `getattr(settings, section)`, `vars(settings)[section]`."""

from __future__ import annotations

from lintpickle.facts.values import (
    UNNAMED,
    Argument,
    Attribute,
    Call,
    Constant,
    Expr,
    Item,
    Name,
    rooted,
    without_narrowing,
)


def looked_up(target: Expr) -> tuple[Expr, tuple[str, ...]] | None:
    """The object of which an expression is a part that is looked up by name, and the attributes that lead there:
    `UNNAMED` for one whose name is not written out. None if it is no such part."""
    root, names = rooted(target)
    match without_narrowing(root):
        case Call(function=Name(name="getattr"), arguments=(Argument(value=base), Argument(value=key), *_)):
            return base, (_name(key), *names)
        case Item(base=attributes, key=key):
            owner = owner_of_dict(without_narrowing(attributes))
            return (owner, (_name(key), *names)) if owner is not None else None
        case _:
            return None


def owner_of_dict(value: Expr) -> Expr | None:
    """The object of which an expression is the dict of attributes."""
    match value:
        case Attribute(base=owner, name="__dict__"):
            return owner
        case Call(function=Name(name="vars"), arguments=(Argument(value=owner),)):
            return owner
        case _:
            return None


def _name(key: Expr | None) -> str:
    return key.value if isinstance(key, Constant) and isinstance(key.value, str) else UNNAMED
