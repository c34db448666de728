"""Elements of what goes over several things side by side, as elements of these: `for n, (name, size) in
enumerate(sizes.items())`."""

from __future__ import annotations

from lintpickle.facts.values import Call, Constant, Expr, Item, Name, without_narrowing

_NUMBERING, _SIDE_BY_SIDE = "enumerate", "zip"


def without_pairing(value: Expr) -> Expr:
    """The same expression, with a part of what `enumerate` or `zip` gives as an element of what that is given."""
    item = without_narrowing(value)
    if not isinstance(item, Item):
        return value
    base = without_pairing(item.base)
    given = _given(base, item.key)
    if given is not None:
        return Item(item.span, given, None)
    return value if base is item.base else Item(item.span, base, item.key)


def _given(row: Expr, key: Expr | None) -> Expr | None:
    """What the part of a row under a key is an element of; None if that is not seen."""
    match row, key:
        case Item(base=made, key=None), Constant(value=int() as place) if place >= 0:
            call = without_narrowing(made)
            given = call.positional() or () if isinstance(call, Call) else ()
            match call:
                case Call(function=Name(name=name)) if name == _NUMBERING and place == 1 and given:
                    return given[0]
                case Call(function=Name(name=name)) if name == _SIDE_BY_SIDE and place < len(given):
                    return given[place]
                case _:
                    return None
        case _:
            return None
