"""The hashes that `@dataclass` writes."""

from __future__ import annotations

from lintpickle.facts.records import FieldFacts
from lintpickle.facts.values import Call, Constant, ending_name
from lintpickle.interpreter.abstract_values import ClassValue


def first_hashed_field(line: tuple[ClassValue, ...]) -> str | None:
    """The first field that the hash of a dataclass reads of the object itself, as the class has no default for it; None
    for classes that are no dataclasses or have no such hash. `line` is the class and its ancestors."""
    if not any(_writes_hash(each) for each in line[0].facts.decorators):
        return None
    fields = {field.name: field for each in reversed(line) for field in each.facts.fields}
    return next((name for name, field in fields.items() if _is_hashed(field)), None)


def _writes_hash(decorator: object) -> bool:
    match decorator:
        case Call(function=function) if ending_name(function) == "dataclass":
            is_frozen = _is(decorator, "frozen", True) and not _is(decorator, "eq", False)
            return is_frozen or _is(decorator, "unsafe_hash", True)
        case _:
            return False


def _is_hashed(field: FieldFacts) -> bool:
    """Whether only the object has it, and the hash is made of it."""
    match field.default:
        case None:
            return True
        case Call(function=function) as made if ending_name(function) == "field":
            is_left_out = _is(made, "hash", False) or (_is(made, "compare", False) and not _is(made, "hash", True))
            return not is_left_out and made.keyword("default") is None
        case _:
            return False


def _is(call: Call, keyword: str, constant: bool) -> bool:
    value = call.keyword(keyword)
    return isinstance(value, Constant) and value.value is constant
