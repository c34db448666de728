"""Where a function makes a text of a whole number that may have thousands of digits, or reads such a text, on its `ast`
alone: `str(2**n)`, `f"{math.factorial(n)}"`, `int("9" * n)`."""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Iterator, Sequence

from msgspec import Struct

from lintpickle.parsing.syntax import dotted

_SMALL = 1000
"""Exponents, and arguments of what grows, up to this give numbers of a few thousand digits at most."""
_GROWING = frozenset({"math.factorial", "math.comb", "math.perm", "math.prod", "math.lcm"})
_TO_TEXT = frozenset({"str", "repr", "format", "ascii", "print"})
_OF_ANYTHING = frozenset({"str", "repr", "int"})
"""What makes a text of something, or a number of a text, and what that is cannot always be seen."""
_SHRINKING = frozenset({"len", "bool", "float", "hash", "isinstance", "range", "type", "id"})
_SHRINKING_METHODS = frozenset({"bit_length", "bit_count", "to_bytes", "sqrt", "log", "log2", "log10"})
_LOOPS = (ast.For, ast.AsyncFor, ast.While)


class Conversion(Struct, frozen=True, eq=False):
    """A number that becomes a text, or a text that becomes a number: what does it, as it is written, and where. `given`
    is the parameter that has the value; None if it is seen how that grows."""

    written: str
    node: ast.expr
    given: str | None = None


class LongNumbers:
    """The whole numbers of one function that may be long. `path_of` says what a written name is imported from, and
    `returning` are the names of functions that return such numbers."""

    def __init__(
        self, nodes: Sequence[ast.AST], path_of: Callable[[str], str | None], returning: Collection[str]
    ) -> None:
        self._nodes = nodes
        self._path_of = path_of
        self._returning = returning
        self._long = frozenset(self._grown_in_loops())
        while (more := self._long.union(self._assigned())) != self._long:
            self._long = more

    @property
    def is_returned(self) -> bool:
        """Whether the function returns one."""
        return any(
            isinstance(node, ast.Return | ast.Yield) and node.value is not None and self.is_long(node.value)
            for node in self._nodes
        )

    @property
    def conversions(self) -> Iterator[Conversion]:
        """The texts that it makes of such numbers, and of what it is given, and the other way round."""
        for written, node, value in self._converted():
            if self.is_long(value) or (written == "int" and self._is_long_text(value)):
                yield Conversion(written, node)
            elif written in _OF_ANYTHING and isinstance(value, ast.Name) and self._is_given(value.id, written):
                yield Conversion(written, node, value.id)

    def is_long(self, value: ast.expr) -> bool:
        """Whether a value is such a number, or is made of one."""
        match value:
            case ast.Name(id=name):
                return name in self._long
            case ast.BinOp(op=ast.Pow(), left=left, right=right):
                return not _is_fraction(left) and _may_be_large(right)
            case ast.BinOp(op=ast.LShift(), right=right) if _may_be_large(right):
                return True
            case ast.BinOp(op=ast.Mod(), left=left, right=right):
                return self.is_long(right) and not isinstance(left, ast.Constant)
            case ast.BinOp(op=ast.Div()):
                return False
            case ast.BinOp(left=left, right=right):
                return (
                    not _is_fraction(left) and not _is_fraction(right) and (self.is_long(left) or self.is_long(right))
                )
            case ast.Call(func=function, args=arguments):
                return self._is_made(dotted(function) or "", function, arguments)
            case ast.UnaryOp(op=ast.USub() | ast.UAdd() | ast.Invert(), operand=inner) | ast.NamedExpr(value=inner):
                return self.is_long(inner)
            case ast.IfExp(body=body, orelse=otherwise):
                return self.is_long(body) or self.is_long(otherwise)
            case ast.Tuple(elts=elements) | ast.List(elts=elements) | ast.Set(elts=elements):
                return any(map(self.is_long, elements))
            case ast.Dict(values=values):
                return any(map(self.is_long, values))
            case _:
                return False

    def _is_made(self, written: str, function: ast.expr, arguments: Sequence[ast.expr]) -> bool:
        """Whether a call gives a long number."""
        last = function.attr if isinstance(function, ast.Attribute) else written
        if written in _SHRINKING or last in _SHRINKING_METHODS:
            return False
        if written == "pow":
            return len(arguments) == 2 and not _is_fraction(arguments[0]) and _may_be_large(arguments[1])
        if self._path_of(written) in _GROWING:
            return any(map(_may_be_large, arguments))
        if written in ("abs", "int", "max", "min", "sum"):
            return any(map(self.is_long, arguments))
        return last in self._returning

    def _is_given(self, name: str, converting: str) -> bool:
        """Whether a name is a parameter that may have what is converted: its type is that, or is not said."""
        wanted = "str" if converting == "int" else "int"
        declared = (node.annotation for node in self._nodes if isinstance(node, ast.arg) and node.arg == name)
        return any(each is None or ast.unparse(each) == wanted for each in declared)

    def _is_long_text(self, value: ast.expr) -> bool:
        """Whether a text repeats another one often (`"9" * n`), or is that of a long number."""
        match value:
            case ast.BinOp(op=ast.Mult(), left=ast.Constant(value=str()), right=times):
                return _may_be_large(times)
            case ast.BinOp(op=ast.Add(), left=left, right=right):
                return self._is_long_text(left) or self._is_long_text(right)
            case _:
                return False

    def _converted(self) -> Iterator[tuple[str, ast.expr, ast.expr]]:
        """What becomes a text or a number: what does that, where, and of which value."""
        for node in self._nodes:
            match node:
                case ast.Call(func=ast.Name(id=name), args=arguments) if name in _TO_TEXT:
                    yield from ((name, node, each) for each in arguments)
                case ast.Call(func=ast.Name(id="int"), args=[text], keywords=[]):
                    yield "int", node, text
                case ast.Call(func=function, args=[value, *_]) if self._path_of(dotted(function) or "") == "json.dumps":
                    yield ast.unparse(function), node, value
                case ast.Call(func=ast.Attribute(value=ast.Constant(value=str()), attr="format"), args=arguments):
                    yield from (("format", node, each) for each in arguments)
                case ast.FormattedValue(value=value, format_spec=None):
                    yield "f-string", value, value
                case ast.BinOp(left=ast.Constant(value=str()), op=ast.Mod(), right=right):
                    values = right.elts if isinstance(right, ast.Tuple) else [right]
                    yield from (("%", node, each) for each in values)
                case _:
                    pass

    def _assigned(self) -> Iterator[str]:
        """The variables that are given one."""
        for node in self._nodes:
            match node:
                case ast.Assign(targets=targets, value=value):
                    for target in targets:
                        yield from self._given(target, value)
                case (
                    ast.AnnAssign(target=target, value=ast.expr() as value) | ast.NamedExpr(target=target, value=value)
                ):
                    yield from self._given(target, value)
                case ast.AugAssign(target=ast.Name(id=name), op=ast.Add() | ast.Sub() | ast.Mult(), value=value):
                    if self.is_long(value):
                        yield name
                case _:
                    pass

    def _given(self, target: ast.expr, value: ast.expr) -> Iterator[str]:
        match target, value:
            case ast.Name(id=name), _:
                if self.is_long(value):
                    yield name
            case (ast.Tuple(elts=names), ast.Tuple(elts=values)) if len(names) == len(values):
                for inner, each in zip(names, values, strict=True):
                    yield from self._given(inner, each)
            case _:
                pass

    def _grown_in_loops(self) -> Iterator[str]:
        """The variables that each round of a loop multiplies (`product *= n`), shifts, or adds to one another
        (`a, b = b, a + b`)."""
        loops = (node for node in self._nodes if isinstance(node, _LOOPS))
        for node in (inner for loop in loops for each in loop.body for inner in ast.walk(each)):
            match node:
                case ast.AugAssign(target=ast.Name(id=name), op=ast.Mult() | ast.LShift(), value=value):
                    if not _is_fraction(value):
                        yield name
                case ast.Assign(targets=[ast.Name(id=name)], value=ast.BinOp(op=ast.Mult()) as product):
                    sides = (product.left, product.right)
                    if _names(sides, name) and not any(map(_is_fraction, sides)):
                        yield name
                case ast.Assign(targets=[ast.Tuple(elts=targets)], value=ast.Tuple(elts=values)):
                    names = {each.id for each in targets if isinstance(each, ast.Name)}
                    if any(_adds(each, names) for each in values):
                        yield from names
                case _:
                    pass


def _adds(value: ast.expr, names: Collection[str]) -> bool:
    match value:
        case ast.BinOp(op=ast.Add(), left=ast.Name(id=left), right=ast.Name(id=right)):
            return left in names and right in names
        case _:
            return False


def _names(sides: Collection[ast.expr], name: str) -> bool:
    return any(isinstance(side, ast.Name) and side.id == name for side in sides)


def _may_be_large(value: ast.expr) -> bool:
    """Whether an exponent, or what a factorial is made of, is not seen to be small or a fraction."""
    match value:
        case ast.Constant(value=number):
            return isinstance(number, int) and number > _SMALL
        case ast.UnaryOp(op=ast.USub()) | ast.BinOp(op=ast.Div() | ast.Mod()):
            return False
        case _:
            return not _is_fraction(value)


def _is_fraction(value: ast.expr) -> bool:
    """Whether a value is seen to be no whole number."""
    return any(
        (isinstance(node, ast.Constant) and isinstance(node.value, float | complex))
        or (isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div))
        or (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "float")
        for node in ast.walk(value)
    )
