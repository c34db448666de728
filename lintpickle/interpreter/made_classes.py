"""Classes that calls make: `namedtuple("Point", "x y")`, `Enum("Color", "RED")`, `type("Made", (), {})`.

Pickle writes them, and what they make, by the name that the call is given, in the module that the class says it is of.
"""

from __future__ import annotations

from collections.abc import Iterable
from types import MappingProxyType

from lintpickle.facts.values import Call, Collection, Item
from lintpickle.interpreter.abstract_values import (
    SOME_ITEM,
    AbstractValue,
    ClassValue,
    ContainerValue,
    ExternalValue,
    Frame,
    Slot,
    SlotKey,
)
from lintpickle.interpreter.protocols import Interpreter
from lintpickle.interpreter.slots import kept

_FIRST = MappingProxyType({"namedtuple": "typename", "NamedTuple": "typename", "make_dataclass": "cls_name"})
_KINDS = MappingProxyType(
    {"namedtuple": "namedtuple", "NamedTuple": "namedtuple", "type": "type", "make_dataclass": "dataclass"}
)
_FEWEST = MappingProxyType({"type": 3, "namedtuple": 1, "NamedTuple": 1, "make_dataclass": 1})
"""With how many arguments or more a call makes a class: with fewer, `type` and an `Enum` look one up."""
_FEWEST_OF_ENUMERATIONS = 2
_OF_CLASSES = frozenset({"mro", *dir(int), *dir(str)})
"""Names that an enumeration made by a call may have though they are no members."""
_ENUMERATIONS = frozenset({"enum.Enum", "enum.IntEnum", "enum.StrEnum", "enum.Flag", "enum.IntFlag"})
_TYPED_DICTS = frozenset({"typing.TypedDict", "typing_extensions.TypedDict"})
CLASS_KINDS = frozenset({"namedtuple", "enum", "flag", "type", "dataclass"})
"""The kinds of container that stand for such a class; what a class makes has its kind with "()"."""
MAKES_ONE = "_make"
"""The method of a namedtuple that makes an object of what it goes through."""
TYPENAME = SlotKey(attribute="typename")
"""Where such a class, and what it makes, has its name."""


def made_class(path: str, call: Call, frame: Frame) -> ContainerValue | None:
    """The class that a call of a function of the catalog makes; None if it makes none."""
    name = path.rpartition(".")[2]
    if len(call.arguments) < _FEWEST.get(name, _FEWEST_OF_ENUMERATIONS) or call.has_unknown_arguments():
        return None
    positional = call.positional() or ()
    typename = positional[0] if positional else call.keyword(_FIRST.get(name, "value"))
    if typename is None:
        return None
    kind = _KINDS.get(name) or ("flag" if name.endswith("Flag") else "enum")
    return ContainerValue(kind, (Slot(TYPENAME, typename, frame),), call)


def instance_of(class_: ContainerValue, call: Call, frame: Frame) -> ContainerValue:
    """What calling such a class gives: of a namedtuple and of a dataclass, with what it is given; of `Point._make`,
    with the elements of that."""
    if class_.made_by == MAKES_ONE:
        elements = (Item(call.span, each, None) for each in call.positional() or ())
        given = tuple(Slot(SOME_ITEM, each, frame) for each in elements)
    else:
        given = tuple(kept(call, frame)) if class_.kind in ("namedtuple", "dataclass") else ()
    return ContainerValue(f"{class_.kind}()", (*class_.slots, *given), class_.call)


def member_of(class_: ContainerValue) -> ContainerValue:
    """A member of an enumeration."""
    return ContainerValue(f"{class_.kind}()", class_.slots, class_.call)


def is_member(name: str) -> bool:
    """Whether an attribute of an enumeration that a call makes is a member, judging by its name."""
    return name[:1].isupper() or (name[:1] != "_" and name not in _OF_CLASSES)


def enumeration_of(
    class_: ClassValue, line: Iterable[AbstractValue], call: Call, frame: Frame
) -> ContainerValue | None:
    """The enumeration that calling a class without members makes, which derives from one of `enum`; None if it makes
    none. `line` is its method resolution order."""
    if len(call.arguments) < _FEWEST_OF_ENUMERATIONS or class_.facts.body:
        return None
    for each in line:
        if isinstance(each, ExternalValue) and each.path in _ENUMERATIONS:
            return made_class(each.path, call, frame)
    return None


def is_method(made: ContainerValue, name: str, evaluator: Interpreter) -> bool:
    """Whether objects of a class that `type(name, bases, {…})` makes inherit a method of that name."""
    given = made.call.positional() if made.call is not None else None
    home = made.slots[0].frame if made.slots else None
    if given is None or home is None or len(given) < _FEWEST["type"] or not isinstance(given[1], Collection):
        return False
    bases = (traced.value for each in given[1].elements for traced in evaluator.evaluate(each, home))
    return any(isinstance(base, ClassValue) and evaluator.classes.find_method(base, name) is not None for base in bases)


def name_of(value: ContainerValue) -> Slot | None:
    """Where such a class, or the class of such an object, has its name; None for other containers."""
    is_made = value.kind.removesuffix("()") in CLASS_KINDS
    return value.slots[0] if is_made and value.slots and value.slots[0].key == TYPENAME else None


def makes_members(line: Iterable[AbstractValue]) -> bool:
    """Whether the objects of a class are members of an enumeration, by its method resolution order."""
    return any(isinstance(each, ExternalValue) and each.path in _ENUMERATIONS for each in line)


def is_typed_dict(line: Iterable[AbstractValue]) -> bool:
    """Whether what a class makes is a plain dict, by its method resolution order."""
    return any(isinstance(each, ExternalValue) and each.path in _TYPED_DICTS for each in line)


def is_enumeration(kind: str) -> bool:
    """Whether a kind is that of an enumeration, whose attributes and items are its members."""
    return kind in ("enum", "flag")
