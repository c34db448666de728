"""The value of an expression whose names stand for samples, as far as builtins and a few pure modules of the standard
library make it. No code of the program is run, and nothing is computed that grows large."""

from __future__ import annotations

import ast
import importlib
import operator
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeAlias

from msgspec import Struct

from lintpickle.parsing.imports import ImportedName
from lintpickle.parsing.syntax import dotted

THE_CLASS = object()
"""What the class itself stands for."""
KnownNames: TypeAlias = dict[str, Any]
"""What names stand for: a value, `THE_CLASS`, an `ImportedName`, or the class `Unknown` if it is not known."""
_PURE = re.compile(
    r"base64\.(?:\w+_)?[ab]\d\d(?:hex)?(?:en|de)code|binascii\.(?:hexlify|unhexlify|crc32)|html\.(?:un)?escape"
    r"|hashlib\.(?:md5|sha\w+|blake2\w)|json\.(?:dumps|loads)|math\.\w+|re\.escape|shlex\.quote"
    r"|unicodedata\.normalize|urllib\.parse\.(?:un)?quote(?:_\w+)?"
)
"""Functions of the standard library that do nothing but give a value, and take little time for it."""
_FUNCTIONS: Mapping[str, Callable[..., Any]] = {
    each.__name__: each
    for each in (
        *(str, int, float, bytes, bool, tuple, list, repr, ascii, format, ord, chr, hex, bin),
        *(abs, round, min, max, sum, len, sorted, reversed, divmod, any, all, map, zip, enumerate),
    )
}
_TYPES: Mapping[str, type[Any]] = {
    each.__name__: each for each in (str, int, float, bytes, bool, tuple, list, set, dict, complex)
}
_GIVEN = frozenset({"str", "int", "float"})
"""The functions that may be given to others: `map(int, parts)`."""
_LIMITED = (bytes, format)
_HASHES = ("digest", "hexdigest")
_OPERATORS: Mapping[type[ast.AST], Callable[..., Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: operator.pow,
    ast.LShift: operator.lshift,
    ast.RShift: operator.rshift,
    ast.BitAnd: operator.and_,
    ast.BitOr: operator.or_,
    ast.BitXor: operator.xor,
    ast.USub: operator.neg,
    ast.Not: operator.not_,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Is: operator.is_,
    ast.IsNot: operator.is_not,
    ast.In: lambda left, right: left in right,
    ast.NotIn: lambda left, right: left not in right,
}
_FEW = 1_000
"""The largest number that is given to a method, and the most that a text or list may hold."""
_COMPREHENSIONS = (ast.GeneratorExp, ast.ListComp, ast.SetComp, ast.DictComp)
_POWERS = (ast.Pow, ast.LShift)
_MOST_BITS = 64
_LARGEST = 1 << 128
"""The largest number that is kept: a few, multiplied by the bytes of a tebibyte, and once more."""
_WIDE = re.compile(r"\d{4}|\*")
_RAISED = (TypeError, ValueError, AttributeError, LookupError, ArithmeticError)
_PART_OF_FIELD = re.compile(r"\{[^{}]*[.\[]")


class Unknown(Exception):
    """An expression has a part that is not known here."""


class TooLarge(Unknown):
    """A value would become larger than what is computed here."""


class Failed(Exception):
    """An expression raises an error; its text is that of the error, with its class."""


class Rebuilt(Struct, frozen=True):
    """An object that `super().__new__(cls, …)` or `str.__new__(cls, …)` has made, by its plain value."""

    value: Any


def value_of(node: ast.expr, names: KnownNames, base: type[Any]) -> Any:
    """The value of an expression. `base` is the builtin class whose `__new__` the constructor calls. Raises `Unknown`
    or `Failed`."""
    try:
        return _bounded(_Reading(names, base).value(node))
    except _RAISED as error:
        raise Failed(f"{type(error).__name__}: {error}") from None
    except RecursionError:
        raise Unknown from None


class _Reading(Struct, frozen=True):
    names: KnownNames
    base: type[Any]

    def value(self, node: ast.expr) -> Any:
        match node:
            case ast.Constant(value=value):
                return value
            case ast.Name(id=name):
                return self._named(name)
            case ast.Attribute():
                return self._named(dotted(node))
            case ast.Call():
                return self._call(node)
            case ast.IfExp(test=test, body=then, orelse=other):
                return self.value(then if self.value(test) else other)
            case ast.BoolOp(op=op, values=values):
                result = self.value(values[0])
                for each in values[1:]:
                    if bool(result) is isinstance(op, ast.Or):
                        return result
                    result = self.value(each)
                return result
            case ast.Tuple(elts=elements) | ast.List(elts=elements):
                found = [self.value(each) for each in elements]
                return found if isinstance(node, ast.List) else tuple(found)
            case ast.Subscript(value=owner, slice=ast.Slice(lower=lower, upper=upper, step=step)):
                ends = [self.value(each) if each is not None else None for each in (lower, upper, step)]
                return self.value(owner)[slice(*ends)]
            case ast.Subscript(value=owner, slice=index):
                return self.value(owner)[self.value(index)]
            case ast.JoinedStr(values=parts):
                return "".join(str(self._part(each)) for each in parts)
            case ast.GeneratorExp() | ast.ListComp():
                return list(self._elements(node))
            case _:
                return self._operation(node)

    def _operation(self, node: ast.expr) -> Any:
        match node:
            case ast.BinOp(left=left, op=op, right=right):
                return self._operated(op, self.value(left), self.value(right))
            case ast.UnaryOp(op=op, operand=operand):
                return self._operated(op, self.value(operand))
            case ast.Compare(left=left, ops=[op], comparators=[right]):
                return self._operated(op, self.value(left), self.value(right))
            case _:
                raise Unknown

    def _operated(self, op: ast.AST, *values: Any) -> Any:
        if type(op) not in _OPERATORS:
            raise Unknown
        if isinstance(op, ast.Mod) and isinstance(values[0], str | bytes) and _WIDE.search(repr(values[0])):
            raise Unknown
        if isinstance(op, _POWERS) and not 0 <= values[1] <= _MOST_BITS:
            raise Unknown
        if isinstance(op, ast.Mult) and not all(isinstance(each, int | float | complex) for each in values):
            values = tuple(map(_small, values))
        return _bounded(_OPERATORS[type(op)](*values))

    def _part(self, node: ast.expr) -> Any:
        if not isinstance(node, ast.FormattedValue):
            return self.value(node)
        form = self.value(node.format_spec) if node.format_spec is not None else ""
        if _WIDE.search(form):
            raise Unknown
        value = self.value(node.value)
        return format({-1: value, ord("r"): repr(value), ord("a"): ascii(value)}.get(node.conversion, str(value)), form)

    def _elements(self, node: ast.GeneratorExp | ast.ListComp) -> Iterator[Any]:
        match node.generators:
            case [ast.comprehension(target=ast.Name(id=name), iter=iterable, ifs=tests, is_async=0)]:
                if any(isinstance(each, _COMPREHENSIONS) for each in ast.walk(node) if each is not node):
                    raise Unknown
                for each in self.value(iterable):
                    inner = _Reading({**self.names, name: each}, self.base)
                    if all(inner.value(test) for test in tests):
                        yield inner.value(node.elt)
            case _:
                raise Unknown

    def _named(self, name: str) -> Any:
        value = self.names.get(name, Unknown)
        if value is Unknown and "." in name:
            value = self._imported(name)
        if value is None and name not in self.names:
            raise Unknown
        if value is Unknown or value is THE_CLASS or isinstance(value, ImportedName) or callable(value):
            raise Unknown
        return value

    def _call(self, node: ast.Call) -> Any:
        if any(each.arg is None for each in node.keywords) or any(isinstance(each, ast.Starred) for each in node.args):
            raise Unknown
        match node.func:
            case ast.Attribute(attr="__new__", value=owner) if self._is_base(owner) and node.args:
                given = [self.value(each) for each in node.args[1:]]
                return Rebuilt(
                    self.base(*(map(_small, given) if self.base is bytes else given), **self._keywords(node))
                )
            case ast.Name(id="isinstance"):
                return self._is_instance(node)
            case ast.Name(id=name) if name not in self.names:
                function = _FUNCTIONS.get(name)
            case _:
                function = self._imported(dotted(node.func))
        if function is not None:
            return _bounded(self._called(function, node))
        if not isinstance(node.func, ast.Attribute) or self.names.get(dotted(node.func.value)) is THE_CLASS:
            raise Unknown
        owner, method = self.value(node.func.value), node.func.attr
        is_hash = method in _HASHES and not isinstance(owner, str | bytes)
        if method.startswith("_") or not (is_hash or isinstance(owner, str | bytes | int | float | tuple | list)):
            raise Unknown
        if method == "format" and (not isinstance(owner, str) or _WIDE.search(owner) or _PART_OF_FIELD.search(owner)):
            raise Unknown
        return _bounded(self._called(getattr(owner, method), node))

    def _called(self, function: Callable[..., Any], node: ast.Call) -> Any:
        arguments, keywords = [self._argument(each) for each in node.args], self._keywords(node)
        if function in _LIMITED or function not in _FUNCTIONS.values():
            arguments = [*map(_small, arguments)]
            keywords = {name: _small(each) for name, each in keywords.items()}
        if function is format and any(isinstance(each, str) and _WIDE.search(each) for each in arguments[1:]):
            raise Unknown
        return function(*arguments, **keywords)

    def _argument(self, node: ast.expr) -> Any:
        if isinstance(node, ast.Name) and node.id not in self.names and node.id in _GIVEN:
            return _FUNCTIONS[node.id]
        return self.value(node)

    def _keywords(self, node: ast.Call) -> dict[str, Any]:
        return {each.arg: _bounded(self.value(each.value)) for each in node.keywords if each.arg is not None}

    def _is_base(self, owner: ast.expr) -> bool:
        match owner:
            case ast.Call(func=ast.Name(id="super")):
                return True
            case ast.Name(id=name):
                return name == self.base.__name__ and name not in self.names
            case _:
                return False

    def _is_instance(self, node: ast.Call) -> bool:
        """An object of the class itself is not among the samples, nor is it what pickle passes."""
        value, of = node.args
        classes = of.elts if isinstance(of, ast.Tuple) else [of]
        for each in classes:
            name = dotted(each)
            if self.names.get(name) is not THE_CLASS and (name in self.names or name not in _TYPES):
                raise Unknown
        return isinstance(self.value(value), tuple(_TYPES[dotted(each)] for each in classes if dotted(each) in _TYPES))

    def _imported(self, path: str) -> Any:
        """The pure function, or the constant of `math`, that a dotted name stands for; None if it is no import."""
        head, _, rest = path.partition(".")
        imported = self.names.get(head)
        if not isinstance(imported, ImportedName) or imported.level:
            return None
        if not _PURE.fullmatch(imported.path(rest)):
            raise Unknown
        module, _, name = imported.path(rest).rpartition(".")
        return getattr(importlib.import_module(module), name, None)


def _small(value: Any) -> Any:
    """A value that is no large number."""
    if isinstance(value, int) and abs(value) > _FEW:
        raise TooLarge
    return value


def _bounded(value: Any) -> Any:
    """A value, if it is small; a list instead of an iterator."""
    if isinstance(value, map | zip | enumerate | reversed):
        value = list(value)
    if isinstance(value, int) and abs(value) > _LARGEST:
        raise TooLarge
    if _size(value) > _FEW:
        raise TooLarge
    return value


def _size(value: Any) -> int:
    """How much a value holds, counted to a little more than the limit."""
    if isinstance(value, str | bytes):
        return len(value)
    size = 1
    for each in value if isinstance(value, list | tuple) else ():
        size += _size(each)
        if size > _FEW:
            break
    return size
