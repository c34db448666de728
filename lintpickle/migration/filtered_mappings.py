"""Dict comprehensions that keep some items of a mapping of the module, by a test that is not followed: `{name: size for
name, size in SIZES.items() if wanted(name)}`. Which items are left is not known, but all are the mapping's."""

from __future__ import annotations

import ast

from lintpickle.facts.values import Attribute, Call, Expr, Item, Name, without_narrowing
from lintpickle.interpreter.abstract_values import Frame


def filtered(value: Expr, frame: Frame) -> Expr | None:
    """The mapping of which such a comprehension keeps some items, if a value is that, or a key or value in it; else
    None."""
    base = without_narrowing(value)
    while True:
        match base:
            case (
                Item(base=inner) | Call(function=Attribute(base=inner, name="items" | "keys" | "values"), arguments=())
            ):
                base = without_narrowing(inner)
            case _:
                break
    if type(base) is not Expr:
        return None
    try:
        tree = ast.parse(frame.module.code[base.span.start : base.span.end], mode="eval")
    except (SyntaxError, ValueError):
        return None
    match tree.body:
        case ast.DictComp(
            key=ast.Name(id=key),
            value=ast.Name(id=kept),
            generators=[
                ast.comprehension(
                    target=ast.Tuple(elts=[ast.Name(id=first), ast.Name(id=second)]),
                    iter=ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="items"), args=[]),
                )
            ],
        ) if (key, kept) == (first, second) and name not in frame.function.variables:
            is_given = any(each.name == name for each in frame.function.parameters)
            return Name(base.span, name) if not is_given else None
        case _:
            return None
