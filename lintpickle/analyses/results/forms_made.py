"""What builtin functions and methods of containers make of something from which one gets at what a worker has sent
back: `dict(zip(names, results))`, `row.items()`. See `result_forms` for what a form is."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Sequence
from typing import TypeAlias

ResultForm: TypeAlias = "tuple[str, ...]"

IN_EACH = "each"
"""What iterating gives."""
KEY, VALUE = "key", "value"
"""What a dict has as keys, or as values."""
SOME = "[…]"
"""What something has at a place or under a key that is not known."""
_PLACE = re.compile(r"\[\d+\]")
_KEYED = re.compile(r"\[…\]|\['.*'\]")
_METHODS = frozenset({"values", "items", "get", "pop"})


def is_place(step: str) -> bool:
    """Whether a step is a known place in a tuple or list."""
    return _PLACE.fullmatch(step) is not None


def form_of_each(form: ResultForm | None) -> ResultForm | None:
    """The form of what going through something gives."""
    return form[1:] if form and (form[0] in (IN_EACH, KEY, SOME) or is_place(form[0])) else None


def led_to(before: ResultForm, form: ResultForm | None) -> ResultForm | None:
    """The form of what leads by the steps `before` to something of a form."""
    return (*before, *form) if form is not None else None


def form_of_part(form: ResultForm, method: str, given: Sequence[ast.expr]) -> ResultForm | None:
    """What a method of a dict gives that has what came back as its values, or under a key: `row.get("coupon")`."""
    part, rest = form[0], form[1:]
    if method not in _METHODS or not (part == VALUE or _KEYED.fullmatch(part)):
        return None
    match method:
        case "values":
            return (IN_EACH, *rest)
        case "items":
            return (IN_EACH, "[1]", *rest)
        case _:
            is_it = part == VALUE or (bool(given) and part in (SOME, f"[{ast.unparse(given[0])}]"))
            return rest if is_it else None


def form_made(call: ast.Call, of: Callable[[ast.expr], ResultForm | None]) -> ResultForm | None:
    """What a builtin function makes of iterables, whose forms `of` tells."""
    match call:
        case ast.Call(func=ast.Name(id="filter"), args=[_, items]):
            return led_to((IN_EACH,), form_of_each(of(items)))
        case ast.Call(func=ast.Name(id="enumerate"), args=[items, *_]):
            return led_to((IN_EACH, "[1]"), form_of_each(of(items)))
        case ast.Call(func=ast.Name(id="zip"), args=iterables):
            forms = (led_to((IN_EACH, f"[{at}]"), form_of_each(of(each))) for at, each in enumerate(iterables))
            return next((each for each in forms if each is not None), None)
        case ast.Call(func=ast.Name(id="dict"), args=[pairs]):
            return _dict_of(of(pairs))
        case _:
            return None


def _dict_of(pairs: ResultForm | None) -> ResultForm | None:
    match pairs:
        case ("each", "[1]", *rest):
            return (VALUE, *rest)
        case ("each", "[0]", *rest):
            return (KEY, *rest)
        case ("value" | "key", *_):
            return pairs
        case _:
            return None
