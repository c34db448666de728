"""What conditions test, as far as the analysis needs it: the main guard, whether something is missing, and the type of
a variable."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst
from msgspec import Struct
from msgspec.structs import replace

from lintpickle.parsing.other_pythons import VERSION_NAMES, on_each_python
from lintpickle.parsing.syntax import BrokenSyntax, parse_expression

_NO_MODULE = cst.Module([])
_INSPECTING = frozenset({"callable", "isfunction", "ismethod", "isgenerator", "isclass", "ismodule", "is_dataclass"})
"""Functions of one argument that test its type, by their last names."""


class Test(Struct, frozen=True):
    """A test of a variable whose result is `holds`: see `lintpickle.facts.values.Narrowed`. It may test an `item` of
    what a variable holds; then `name` is how `item_name` writes it."""

    name: str
    kind: str
    operands: tuple[cst.BaseExpression, ...]
    holds: bool
    item: cst.Subscript | None = None


def is_guard_node(test: cst.BaseExpression) -> bool:
    """Whether the test is `__name__ == "__main__"`, possibly with more conditions joined by `and`. Some switch a script
    off by a name that no module has (`"__main2__"`)."""
    match test:
        case cst.Comparison(left=left, comparisons=[cst.ComparisonTarget(operator=cst.Equal(), comparator=right)]):
            texts = {_text(left), _text(right)}
            return "__name__" in texts and any(text is not None and text.startswith("__main") for text in texts)
        case cst.BooleanOperation(left=left, operator=cst.And(), right=right):
            return is_guard_node(left) or is_guard_node(right)
        case _:
            return False


def on_each_version(test: cst.BaseExpression) -> bool | None:
    """How a condition that asks for the version of Python comes out under each that is read; None if that depends on
    more, or it asks for something else."""
    if not _asks_version(test):
        return None
    try:
        return on_each_python(parse_expression(f"({_NO_MODULE.code_for_node(test)})"))
    except BrokenSyntax:  # libcst reads some numbers that Python does not
        return None


def _asks_version(test: cst.BaseExpression) -> bool:
    match test:
        case cst.UnaryOperation(expression=inner) | cst.Subscript(value=inner):
            return _asks_version(inner)
        case cst.BooleanOperation(left=left, right=right):
            return _asks_version(left) or _asks_version(right)
        case cst.Comparison(left=left):
            return _asks_version(left)
        case cst.Attribute(value=inner, attr=cst.Name("major")):
            return _asks_version(inner)
        case cst.Attribute(attr=cst.Name(value=name)) | cst.Name(value=name):
            return name in VERSION_NAMES
        case _:
            return False


def tests_of(test: cst.BaseExpression, answer: bool) -> Iterator[Test]:
    """The tests of variables that follow from a condition with the result `answer`."""
    match test:
        case cst.UnaryOperation(operator=cst.Not(), expression=inner):
            yield from tests_of(inner, not answer)
        case cst.BooleanOperation(left=left, operator=operator, right=right):
            first, second = tests_of(left, answer), tests_of(right, answer)
            if isinstance(operator, cst.And) is answer:
                yield from first
                yield from second
            else:
                yield from _either(list(first), list(second))
        case cst.Call(func=function, args=[cst.Arg(value=cst.Name(value=name), star=""), *rest]):
            called = function.attr.value if isinstance(function, cst.Attribute) else getattr(function, "value", "")
            if called in ("isinstance", "hasattr") and len(rest) == 1 and _is_dotted(rest[0].value):
                yield Test(name, called, (rest[0].value,), answer)
            elif called in _INSPECTING and not rest:
                yield Test(name, called, (), answer)
        case cst.Call(func=cst.Name("isinstance"), args=[cst.Arg(value=cst.Subscript() as item, star=""), of_types]):
            written = item_name(item)
            if written is not None and _is_dotted(of_types.value):
                yield Test(written, "isinstance", (of_types.value,), answer, item)
        case cst.Comparison(left=left, comparisons=[cst.ComparisonTarget(operator=operator, comparator=right)]):
            yield from _comparing(left, operator, right, answer)
        case cst.Name(value=name) if name not in ("True", "False", "None"):
            yield Test(name, "true", (), answer)
        case _:
            pass


def item_name(node: cst.Subscript) -> str | None:
    """How an item is written of which code tests the type and reads it again: `config["model"]`, `self.parts[name]`;
    None if its key or its container is computed."""
    match node.slice:
        case [cst.SubscriptElement(slice=cst.Index(value=key, star=None))]:
            is_plain = isinstance(key, (cst.Name, cst.SimpleString, cst.Integer))
            base = _dotted(node.value) if is_plain else None
            return f"{base}[{_NO_MODULE.code_for_node(key)}]" if base is not None else None
        case _:
            return None


def _comparing(
    left: cst.BaseExpression, operator: cst.BaseCompOp, right: cst.BaseExpression, answer: bool
) -> Iterator[Test]:
    if not isinstance(operator, (cst.Is, cst.Equal, cst.In)):
        if not isinstance(operator, (cst.IsNot, cst.NotEqual, cst.NotIn)):
            return
        answer = not answer
    match left:
        case cst.Name(value=name) if _text(right) == "None":
            yield Test(name, "none", (), answer)
        case cst.Call(func=cst.Name("type"), args=[cst.Arg(value=cst.Name(value=name))]) if _is_dotted(right):
            yield Test(name, "type", (right,), answer)
        case _:
            pass


def _either(first: list[Test], second: list[Test]) -> Iterator[Test]:
    """What is known of a variable if one of two conditions has the result."""
    for one in first:
        for other in second:
            if (one.name, one.kind, one.holds) == (other.name, other.kind, other.holds) and one.holds:
                yield replace(one, operands=(*one.operands, *other.operands))


def _is_dotted(node: cst.BaseExpression) -> bool:
    """Whether an expression consists of names and constants only, so that evaluating it twice makes no difference."""
    match node:
        case cst.Tuple(elements=elements) | cst.List(elements=elements) | cst.Set(elements=elements):
            return all(_is_dotted(element.value) for element in elements)
        case cst.BinaryOperation(left=left, operator=cst.BitOr(), right=right):
            return _is_dotted(left) and _is_dotted(right)
        case _:
            return isinstance(node, cst.SimpleString) or _dotted(node) is not None


def absent_chains(test: cst.BaseExpression) -> tuple[str, ...]:
    """Dotted names whose absence the test asks for: `x is None`, `not x`, `not hasattr(self, "x")`,
    `"x" not in self.__dict__`."""
    match test:
        case cst.Comparison(
            left=left, comparisons=[cst.ComparisonTarget(operator=cst.Is() | cst.Equal(), comparator=right)]
        ) if _text(right) == "None":
            return _chains(left)
        case cst.Comparison(
            left=cst.SimpleString() as key,
            comparisons=[cst.ComparisonTarget(operator=cst.NotIn(), comparator=holder)],
        ):
            owner = _dotted(holder)
            if owner and owner.endswith(".__dict__"):
                return (f"{owner[: -len('.__dict__')]}.{key.raw_value}",)
            return ()
        case cst.UnaryOperation(operator=cst.Not(), expression=cst.Call(func=cst.Name("hasattr"), args=[owner, key])):
            dotted = _dotted(owner.value)
            name = _text(key.value)
            return (f"{dotted}.{name}",) if dotted and name else ()
        case cst.UnaryOperation(operator=cst.Not(), expression=inner):
            return _chains(inner)
        case cst.BooleanOperation(left=left, right=right):
            return (*absent_chains(left), *absent_chains(right))
        case _:
            return ()


def _chains(node: cst.BaseExpression) -> tuple[str, ...]:
    match node:
        case cst.Call(func=cst.Name("getattr"), args=[owner, key, *_]):
            dotted, name = _dotted(owner.value), _text(key.value)
            return (f"{dotted}.{name}",) if dotted and name else ()
        case cst.NamedExpr(value=value):
            return _chains(value)
        case _:
            dotted = _dotted(node)
            return (dotted,) if dotted else ()


def _dotted(node: cst.BaseExpression) -> str | None:
    match node:
        case cst.Name(value=value):
            return value
        case cst.Attribute(value=base, attr=attr):
            owner = _dotted(base)
            return f"{owner}.{attr.value}" if owner else None
        case _:
            return None


def _text(node: cst.BaseExpression) -> str | None:
    match node:
        case cst.Name(value=value):
            return value
        case cst.SimpleString():
            return node.raw_value
        case _:
            return None
