"""The abstract values of expressions, as one module knows them: names are not yet resolved across modules.

Every value carries the `Span` of its expression in the file's text. Values are compared by identity: the same
record is the same evaluation of the same expression, which is how a later store on a local object is matched
with the call that made it. Local flow is already applied: a local variable is replaced by what it holds there.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from lintpickle.diagnostics import Span

if TYPE_CHECKING:
    from lintpickle.facts.records import ClassFacts, FunctionFacts
    from lintpickle.source.imports import ImportedName


@dataclass(frozen=True, slots=True, eq=False)
class Value:
    """An expression about which nothing more is known."""

    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Constant(Value):
    """A literal number, string, bytes, bool, None or Ellipsis."""

    value: object


@dataclass(frozen=True, slots=True, eq=False)
class Name(Value):
    """A name of the module's scope, or a builtin."""

    name: str


@dataclass(frozen=True, slots=True, eq=False)
class Imported(Value):
    """A name bound by an import inside a function or class body."""

    target: ImportedName


@dataclass(frozen=True, slots=True, eq=False)
class Parameter(Value):
    """A parameter of the function whose qualified name is `owner`."""

    name: str
    owner: str


@dataclass(frozen=True, slots=True, eq=False)
class Captured(Value):
    """A variable of an enclosing function, read in a nested one: whatever that function stores in it."""

    name: str
    owner: str


@dataclass(frozen=True, slots=True, eq=False)
class Attribute(Value):
    """`base.name`."""

    base: Value
    name: str


@dataclass(frozen=True, slots=True, eq=False)
class Item(Value):
    """`base[key]`; `key` is None for an element met by iteration or unpacking at an unknown place."""

    base: Value
    key: Value | None


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument of a call. `star` is "", "*" or "**"."""

    value: Value
    keyword: str | None = None
    star: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Call(Value):
    """A call. The span covers the whole call expression."""

    function: Value
    arguments: tuple[Argument, ...]

    def positional(self) -> tuple[Value, ...] | None:
        """The positional arguments, or None if a `*args` makes their number unknown."""
        if any(argument.star == "*" for argument in self.arguments):
            return None
        return tuple(a.value for a in self.arguments if a.keyword is None and not a.star)

    def keyword(self, name: str) -> Value | None:
        """The keyword argument `name`, if it is written out."""
        for argument in self.arguments:
            if argument.keyword == name:
                return argument.value
        return None

    def has_unknown_arguments(self) -> bool:
        """Whether `*args` or `**kwargs` pass arguments that are not written out."""
        return any(argument.star for argument in self.arguments)


@dataclass(frozen=True, slots=True, eq=False)
class Lambda(Value):
    """A lambda expression."""

    function: FunctionFacts


@dataclass(frozen=True, slots=True, eq=False)
class NestedFunction(Value):
    """A name that holds a function defined inside a function. The span is where the name is used."""

    function: FunctionFacts


@dataclass(frozen=True, slots=True, eq=False)
class NestedClass(Value):
    """A name that holds a class defined inside a function. The span is where the name is used."""

    class_: ClassFacts


@dataclass(frozen=True, slots=True, eq=False)
class Collection(Value):
    """A list, tuple or set display. `kind` is the type's name."""

    kind: str
    elements: tuple[Value, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Mapping(Value):
    """A dict display; a None key marks `**value`."""

    items: tuple[tuple[Value | None, Value], ...]


@dataclass(frozen=True, slots=True, eq=False)
class Comprehension(Value):
    """A comprehension; `kind` is "list", "set", "dict" or "generator"; `element` is what it collects."""

    kind: str
    element: Value


@dataclass(frozen=True, slots=True, eq=False)
class Choice(Value):
    """One of several values: branches, `a or b`, `a if c else b`."""

    options: tuple[Value, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Sum(Value):
    """`a + b` or `a | b`: of two containers, the result holds what both hold."""

    parts: tuple[Value, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Super(Value):
    """`super()` in a method of the class `owner` (qualified name)."""

    owner: str


def chain(value: Value) -> tuple[str, ...] | None:
    """`("self", "a", "b")` for `self.a.b`; None unless the value is a chain of attributes on a name or parameter."""
    parts: list[str] = []
    while isinstance(value, Attribute):
        parts.append(value.name)
        value = value.base
    match value:
        case Name(name=name) | Parameter(name=name) | Captured(name=name):
            return (name, *reversed(parts))
        case _:
            return None


def mentions_parameter(value: Value, me: str | None, depth: int = 6) -> bool:
    """Whether an expression depends on a parameter other than `me` (the instance of a method)."""
    if depth == 0:
        return False
    inner: tuple[Value, ...]
    match value:
        case Parameter(name=name):
            return name != me
        case Attribute(base=base) | Item(base=base):
            inner = (base,)
        case Call(function=function, arguments=arguments):
            inner = (function, *(argument.value for argument in arguments))
        case Collection(elements=elements):
            inner = elements
        case Choice(options=options):
            inner = options
        case Sum(parts=parts):
            inner = parts
        case Mapping(items=items):
            inner = tuple(item for _, item in items)
        case _:
            return False
    return any(mentions_parameter(item, me, depth - 1) for item in inner)
