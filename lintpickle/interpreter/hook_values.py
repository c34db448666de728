"""What expressions in a pickling hook give, as seen by who asks for one attribute of the instance."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from itertools import chain
from typing import Any, TypeAlias

from msgspec import Struct, field

from lintpickle.facts.values import UNNAMED
from lintpickle.interpreter.protocols import Ancestor


class Other(Struct, frozen=True, eq=False):
    """A value of which nothing is known but that it is not the attribute's; or one of those that stand for something
    that the interpreter knows by itself."""

    name: str


class Known(Struct, frozen=True):
    """A constant."""

    value: object


class Parts(Struct, frozen=True, eq=False):
    """A list, tuple, set, or what is iterated. `rest` says that it may hold more than is known."""

    elements: tuple[HookValue, ...]
    rest: bool = False


class OneClass(Struct, frozen=True, eq=False):
    """A class of the hierarchy of the instance, or, with `is_dict`, what its own body has."""

    ancestor: Ancestor
    is_dict: bool = False

    def own_dict(self) -> OneClass:
        """Its `__dict__`."""
        return OneClass(self.ancestor, is_dict=True)


class State(Struct, eq=False):
    """A dict: what is under the asked name in it (None: nothing), and what is under others, as far as that matters. The
    hook's statements change it."""

    entry: HookValue | None = None
    others: list[HookValue] = field(default_factory=list)

    def copy(self) -> State:
        """Another dict that holds the same."""
        return State(self.entry, list(self.others))


HookValue: TypeAlias = "Other | Known | Parts | OneClass | State"

NOT_KNOWN = Other("unknown")
UNSURE = Other("the attribute's value, or something else, or nothing")
HELD = Other("the attribute's value")
ME = Other("the instance")
CLASS = Other("its class")
NONE = Known(None)

_OF_TEXTS = frozenset(
    {"startswith", "endswith", "lower", "upper", "strip", "lstrip", "rstrip", "replace", "removeprefix", "removesuffix"}
)
_LEAVE_ALONE = frozenset(
    {"copy", "index", "count", "union", "intersection", "difference", "issubset", "isdisjoint", "sort", "reverse"}
)
"""Methods of lists and sets after which they hold the same."""
_OPERATORS: dict[type[ast.cmpop], Callable[[Any, Any], object]] = {
    ast.Eq: lambda left, right: left == right,
    ast.NotEq: lambda left, right: left != right,
    ast.Lt: lambda left, right: left < right,
    ast.Gt: lambda left, right: left > right,
    ast.Is: lambda left, right: left is right,
    ast.IsNot: lambda left, right: left is not right,
}


def carries(value: HookValue | None) -> bool:
    """Whether a value is the attribute's, or holds it."""
    match value:
        case Parts(elements=elements):
            return any(map(carries, elements))
        case State(entry=entry, others=others):
            return carries(entry) or any(map(carries, others))
        case _:
            return value is HELD


def truth(value: HookValue, name: str) -> bool | None:
    """Whether a value is true; None if that is not known."""
    match value:
        case Known(value=constant):
            return bool(constant)
        case Parts(elements=elements, rest=rest):
            return True if elements else None if rest else False
        case State() if is_in(Known(name), value, name):
            return True
        case _:
            return None


def compared(operator: ast.cmpop, left: HookValue, right: HookValue, name: str) -> HookValue:
    """What a comparison gives."""
    answer: object = None
    if isinstance(operator, (ast.In, ast.NotIn)):
        inside = is_in(left, right, name)
        answer = inside if inside is None or isinstance(operator, ast.In) else not inside
    elif isinstance(left, Known) and isinstance(right, Known) and type(operator) in _OPERATORS:
        try:
            answer = _OPERATORS[type(operator)](left.value, right.value)
        except TypeError:
            answer = None
    return NOT_KNOWN if answer is None else Known(answer)


def is_in(element: HookValue, holder: HookValue, name: str) -> bool | None:
    """Whether a container has an element; None if that is not known."""
    match holder, element:
        case State(entry=entry), Known(value=str() as key) if key == name != UNNAMED:
            return None if entry is UNSURE else entry is not None
        case Parts(elements=elements, rest=rest), Known():
            if element in elements:
                return True
            return None if rest or not all(isinstance(each, Known) for each in elements) else False
        case Known(value=str() as text), Known(value=str() as part):
            return part in text
        case _:
            return None


def text_method(text: str, method: str, arguments: Iterable[HookValue]) -> HookValue:
    """What a method of a text gives."""
    given = [_plain(argument) for argument in arguments]
    if method not in _OF_TEXTS or None in given:
        return NOT_KNOWN
    try:
        return Known(getattr(text, method)(*given))
    except TypeError:
        return NOT_KNOWN


def _plain(value: HookValue) -> object:
    """The text, or tuple of texts, that an argument is; None if it is no such thing."""
    match value:
        case Known(value=str() as text):
            return text
        case Parts(elements=elements, rest=False):
            texts = tuple(each.value for each in elements if isinstance(each, Known) and isinstance(each.value, str))
            return texts if len(texts) == len(elements) else None
        case _:
            return None


def iterated(value: HookValue, name: str) -> Parts:
    """What iterating over a value gives; of a dict, the asked name alone."""
    match value:
        case Parts():
            return value
        case State(entry=entry):
            return Parts((key_of(name),) if entry is not None else ())
        case Known(value=str() as text):
            return Parts(tuple(map(Known, text)))
        case _:
            return Parts((), rest=True)


def key_of(name: str) -> HookValue:
    """The asked name, as a key; unknown for the attribute whose name is put together."""
    return NOT_KNOWN if name == UNNAMED else Known(name)


def put(state: State, key: HookValue, value: HookValue | None, name: str) -> None:
    """`state[key] = value`, or, with None, what takes the key out."""
    if key == Known(name):
        state.entry = value
    elif isinstance(key, Known) and name != UNNAMED:
        if value is not None:
            state.others.append(value)
    else:  # The asked name may be meant, or another one.
        state.entry = value if state.entry is None or value is HELD else UNSURE


def update_state(state: State, added: HookValue, name: str) -> None:
    """`state.update(added)`."""
    match added:
        case State(entry=entry, others=others):
            if entry is not None:
                state.entry = entry
            state.others += others
        case Parts(elements=pairs, rest=rest):
            for pair in pairs:
                match pair:
                    case Parts(elements=(key, value)):
                        put(state, key, value, name)
                    case _:
                        put(state, NOT_KNOWN, NOT_KNOWN, name)
            if rest:
                put(state, NOT_KNOWN, NOT_KNOWN, name)
        case Known():
            pass
        case _:
            put(state, NOT_KNOWN, NOT_KNOWN, name)


def made_dict(parts: Iterable[HookValue], name: str) -> State:
    """A new dict of what others hold, the last one first to be asked."""
    made = State()
    for part in parts:
        update_state(made, part, name)
    return made


def grown(parts: Parts, method: str, given: tuple[HookValue, ...], name: str) -> Parts:
    """What a list or set holds when one of its methods has been called."""
    match method, given:
        case (("add" | "append"), (element,)):
            return Parts((*parts.elements, element), parts.rest)
        case (("update" | "extend"), _):
            more = [iterated(each, name) for each in given]
            elements = chain(parts.elements, *(each.elements for each in more))
            return Parts(tuple(elements), parts.rest or any(each.rest for each in more))
        case _ if method in _LEAVE_ALONE:
            return parts
        case _:
            return Parts((), rest=True)


def combined(operator: ast.operator, left: HookValue, right: HookValue, name: str) -> HookValue:
    """What `|`, `+`, `-` and `&` give."""
    match operator, left, right:
        case ast.BitOr(), State(), _:
            return made_dict((left, right), name)
        case ((ast.BitOr() | ast.Add()), Parts(), _):
            other = iterated(right, name)
            return Parts((*left.elements, *other.elements), left.rest or other.rest)
        case ast.Add(), Known(value=str() as first), Known(value=str() as second):
            return Known(first + second)
        case ((ast.Sub() | ast.BitAnd()), (Parts() | State()), _):
            return _filtered(iterated(left, name), right, isinstance(operator, ast.BitAnd), name)
        case _:
            return NOT_KNOWN


def _filtered(left: Parts, right: HookValue, stays: bool, name: str) -> Parts:
    """Those elements of one set that are in another one, or that are not."""
    answers = [(each, is_in(each, right, name)) for each in left.elements]
    certain = tuple(each for each, inside in answers if inside is stays)
    return Parts(certain, left.rest or any(inside is None for _, inside in answers))
