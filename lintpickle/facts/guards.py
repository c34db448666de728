"""What a condition tests, as far as the analysis cares: the main guard, and "is this not there yet?"."""

from __future__ import annotations

import libcst as cst

_CALLABLE_TESTS = frozenset({"callable", "isfunction", "ismethod"})


def is_main_guard(test: cst.BaseExpression) -> bool:
    """Whether the test is `__name__ == "__main__"`, possibly with more conditions joined by `and`."""
    match test:
        case cst.Comparison(left=left, comparisons=[cst.ComparisonTarget(operator=cst.Equal(), comparator=right)]):
            return {_text(left), _text(right)} == {"__name__", "__main__"}
        case cst.BooleanOperation(left=left, operator=cst.And(), right=right):
            return is_main_guard(left) or is_main_guard(right)
        case _:
            return False


def callable_name(test: cst.BaseExpression) -> tuple[str, bool] | None:
    """The variable that the test asks to be callable, and whether it does so positively: `callable(f)` gives
    ("f", True), `not callable(f)` ("f", False)."""
    match test:
        case cst.UnaryOperation(operator=cst.Not(), expression=inner):
            found = callable_name(inner)
            return (found[0], not found[1]) if found is not None else None
        case cst.BooleanOperation(left=left, operator=cst.And(), right=right):
            return callable_name(right) or callable_name(left)
        case cst.Call(func=func, args=[cst.Arg(value=cst.Name(value=name)), *_]):
            called = func.attr.value if isinstance(func, cst.Attribute) else getattr(func, "value", "")
            return (name, True) if called in _CALLABLE_TESTS else None
        case _:
            return None


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
