"""Expressions as one module sees them: names are not yet resolved across modules.

Every expression carries its `Span` in the file's text. Expressions are compared by identity: the same record is the
same evaluation of the same expression. This connects a later store on a local object with the call that made the
object. Local flow is already applied: a local variable is replaced by what it holds at that point.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from msgspec import Struct

from lintpickle.diagnostics import Span
from lintpickle.limits import MENTIONS, TESTS, Limit
from lintpickle.parsing.imports import ImportedName

_NOWHERE = Span(0, 0)
UNNAMED = "…"
"""The name of an attribute that is stored under a computed name (`setattr(self, f"layer{n}", …)`)."""


class Expr(Struct, frozen=True, eq=False):
    """An expression about which nothing more is known."""

    span: Span


class Constant(Expr, frozen=True, eq=False):
    """A literal number, string, bytes, bool, None or Ellipsis."""

    value: object


class Data(Expr, frozen=True, eq=False):
    """Plain data whose value is not known: an f-string, `x in y`. `kind` is the name of its type. An f-string that only
    puts values between texts has them as `parts`."""

    kind: str
    parts: tuple[Expr, ...] = ()


class Name(Expr, frozen=True, eq=False):
    """A name of the module's scope, or a builtin."""

    name: str


class Imported(Expr, frozen=True, eq=False):
    """A name bound by an import inside a function or class body. A `fallback` is only imported if another import of the
    name fails."""

    target: ImportedName
    fallback: bool = False


class Parameter(Expr, frozen=True, eq=False):
    """A parameter of the function whose qualified name is `owner`."""

    name: str
    owner: str


class Captured(Expr, frozen=True, eq=False):
    """A variable of an enclosing function, read in a nested one: any value that the enclosing function stores in it."""

    name: str
    owner: str


class Attribute(Expr, frozen=True, eq=False):
    """`base.name`."""

    base: Expr
    name: str


class Item(Expr, frozen=True, eq=False):
    """`base[key]`. `key` is None for an element of an iteration or an unpacking at an unknown position, and the
    Ellipsis for a slice. `is_starred` marks all elements of a starred expression in a display (`[*base]`)."""

    base: Expr
    key: Expr | None
    is_starred: bool = False


class Argument(Struct, frozen=True):
    """One argument of a call. `star` is "", "*" or "**"."""

    value: Expr
    keyword: str | None = None
    star: str = ""


class Call(Expr, frozen=True, eq=False):
    """A call. The span covers the whole call expression."""

    function: Expr
    arguments: tuple[Argument, ...]

    def positional(self) -> tuple[Expr, ...] | None:
        """The positional arguments, or None if a `*args` makes their number unknown."""
        if any(argument.star == "*" for argument in self.arguments):
            return None
        return tuple(a.value for a in self.arguments if a.keyword is None and not a.star)

    def keyword(self, name: str) -> Expr | None:
        """The keyword argument `name`, if it is written out."""
        for argument in self.arguments:
            if argument.keyword == name:
                return argument.value
        return None

    def argument(self, name: str, place: int) -> Expr | None:
        """The argument that is given by a name, or at a 0-based place that no `*args` makes unknown."""
        positional = self.positional() or ()
        return self.keyword(name) or (positional[place] if 0 <= place < len(positional) else None)

    def has_unknown_arguments(self) -> bool:
        """Whether `*args` or `**kwargs` pass arguments that are not written out."""
        return any(argument.star for argument in self.arguments)


class Collection(Expr, frozen=True, eq=False):
    """A list, tuple or set display. `kind` is the type's name."""

    kind: str
    elements: tuple[Expr, ...]


class Mapping(Expr, frozen=True, eq=False):
    """A dict display; a None key marks `**value`."""

    items: tuple[tuple[Expr | None, Expr], ...]


class Comprehension(Expr, frozen=True, eq=False):
    """A comprehension; `kind` is "list", "set", "dict" or "generator"; `element` is what it collects."""

    kind: str
    element: Expr


class Awaited(Expr, frozen=True, eq=False):
    """`await value`."""

    value: Expr


class Choice(Expr, frozen=True, eq=False):
    """One of several expressions: branches, `a or b`, `a if c else b`."""

    options: tuple[Expr, ...]


def parameter_value(name: str, owner: str, is_options: bool) -> Expr:
    """The expression for a parameter at the start of its function; for `**options`, a new dict that can be extended."""
    value = Parameter(_NOWHERE, name, owner)
    return Mapping(_NOWHERE, ((None, value),)) if is_options else value


def parameter_name(value: Expr) -> str | None:
    """The name of the parameter that an expression stands for (see `parameter_value`), even if something was put into
    its dict, or taken out."""
    match without_narrowing(value):
        case Parameter(name=name):
            return name
        case Mapping(span=span, items=((None, inner),)) if span == _NOWHERE:
            return parameter_name(inner)
        case Sum(parts=(first, *_)) | Without(held=first) if value.span == _NOWHERE:
            return parameter_name(first)
        case _:
            return None


class Unfollowed(Expr, frozen=True, eq=False):
    """Values beyond a limit: nothing is known of them. `limit` is its name."""

    limit: str


def options_of(value: Expr) -> tuple[Expr, ...]:
    """The alternatives of a choice; of any other expression, itself."""
    return value.options if isinstance(value, Choice) else (value,)


UNTESTED = "further"
"""The test that stands for all those beyond `limits.TESTS`: it says nothing."""


class Narrowed(Expr, frozen=True, eq=False):
    """A value after a test with the result `holds`. `test` is "isinstance", "type" (`type(x) is`), "callable",
    "hasattr", "true", a function of `inspect` ("isgenerator"), "is_dataclass", "entered" (by `with`), "caught" (by
    `except`), or `UNTESTED`; `operands` are the other operands of the test (types, a name; for "entered", the call of
    `__enter__`, or what `__aenter__` gives that is awaited)."""

    value: Expr
    test: str
    operands: tuple[Expr, ...]
    holds: bool


def says_none(value: Expr | None) -> bool:
    """Whether an expression is the word `None`."""
    return isinstance(value, Constant) and value.value is None


def without_narrowing(value: Expr) -> Expr:
    """The value without the tests that were applied to it."""
    while isinstance(value, Narrowed):
        value = value.value
    return value


def attribute_read(value: Expr) -> tuple[Expr, str] | None:
    """Of what an expression reads an attribute, and which: `base.name`, or `getattr(base, "name", default)`. Without
    narrowing."""
    match without_narrowing(value):
        case Attribute(base=base, name=name):
            return base, name
        case Call(
            function=Name(name="getattr"),
            arguments=(Argument(value=base, star=""), Argument(value=Constant(value=str() as name)), *_),
        ):
            return base, name
        case _:
            return None


def whole_of(value: Expr) -> Expr:
    """What an expression is an item or a slice of, at whatever depth (`counts` of `counts[word][1:]`); else the
    expression. Without narrowing."""
    inner = without_narrowing(value)
    return whole_of(inner.base) if isinstance(inner, Item) else inner


def holder_of(target: Expr) -> Expr:
    """What a store into an item changes: what has the item, or the item in which that is. Without narrowing."""
    inner = without_narrowing(target)
    return without_narrowing(inner.base) if isinstance(inner, Item) else inner


def narrowed(value: Expr, test: str, operands: tuple[Expr, ...], holds: bool) -> Expr:
    """The value after a test with this result; the test applies to each alternative of a choice."""
    if isinstance(value, Choice):
        return Choice(value.span, tuple(narrowed(option, test, operands, holds) for option in value.options))
    if isinstance(value, (Constant, Collection, Mapping, Sum)):
        return value
    tests, tested = 0, value
    while isinstance(tested, Narrowed):
        tests, tested = tests + 1, tested.value
    if tests > TESTS.most or type(tested) in (Expr, Unfollowed):
        return value
    if tests == TESTS.most:
        return Narrowed(value.span, value, UNTESTED, (), True)
    return Narrowed(value.span, value, test, operands, holds)


def is_made_by_a_call(value: Expr) -> bool:
    """Whether a value is what calls give of functions and classes that the code names (`make(x)`, `make(x).part`), and
    not a part of a parameter or of an object, nor what a method of one gives."""
    match without_narrowing(value):
        case Attribute(base=base) | Item(base=base) | Call(function=Attribute(base=base)):
            return is_made_by_a_call(base)
        case Choice(options=options):
            return all(map(is_made_by_a_call, options))
        case each:
            return isinstance(each, Call | Imported)


class Sum(Expr, frozen=True, eq=False):
    """`a + b` or `a | b`: of two containers, the result holds what both hold."""

    parts: tuple[Expr, ...]


class Without(Expr, frozen=True, eq=False):
    """A mapping without the items under some keys: what is left after `del held["a"]` or `held.pop("a", None)`, or what
    a comprehension takes of it (`is_filter`)."""

    held: Expr
    keys: tuple[Expr, ...]
    is_filter: bool = False


class PutInto(Expr, frozen=True, eq=False):
    """A container with what a call puts into the one that is its argument `held`, and nothing else."""

    call: Call
    held: Expr


class Super(Expr, frozen=True, eq=False):
    """`super()` in a method of the class `owner` (qualified name)."""

    owner: str


def chain(value: Expr) -> tuple[str, ...] | None:
    """`("self", "a", "b")` for `self.a.b`; None unless the value is a chain of attributes on a name or parameter."""
    root, names = rooted(value)
    match root:
        case Name(name=name) | Parameter(name=name) | Captured(name=name):
            return (name, *names)
        case _:
            return None


def uncalled(value: Expr) -> Expr:
    """What is called, if the value is a call, however often: of `@define(slots=True)`, what decorates."""
    while isinstance(value, Call):
        value = value.function
    return value


def ending_name(value: Expr) -> str | None:
    """The last name by which an expression names something: "compile" of `torch.compile`, also if that is imported."""
    match value:
        case Attribute(name=name) | Name(name=name):
            return name
        case Imported(target=target):
            return target.name or target.module.rpartition(".")[2]
        case _:
            return None


def rooted(value: Expr) -> tuple[Expr, tuple[str, ...]]:
    """What a chain of attributes begins with, and their names: `("table", "rows")` for those of `make().table.rows`."""
    names: list[str] = []
    value = without_narrowing(value)
    while isinstance(value, Attribute):
        names.append(value.name)
        value = without_narrowing(value.base)
    return value, tuple(reversed(names))


def chained(value: Expr, names: Iterable[str], span: Span) -> Expr:
    """The chain of attributes of these names on an expression, as it stands at a place: what `rooted` takes apart."""
    for name in names:
        value = Attribute(span, value, name)
    return value


def reads_the_same(first: Expr, second: Expr) -> bool:
    """Whether two expressions of one function give the same object, as far as can be seen."""
    first, second = without_narrowing(first), without_narrowing(second)
    names = chain(first)
    return first is second or (names is not None and names == chain(second))


def may_be(value: Expr, call: Call) -> bool:
    """Whether a value can be the result of a call."""
    return any(option is call for option in before_puts(value))


def before_puts(value: Expr, through_sums: bool = False) -> Iterator[Expr]:
    """What a variable can hold, whatever has been put into that since: of `plan`, behind `plan.add(step)`, what was
    assigned to it. (`a + b` and `a | b` are other objects than `a`; `through_sums` takes them for it, as where all are
    containers, or `+=` made them.)"""
    waiting, seen = [value], set[int]()
    while waiting:
        inner = without_narrowing(waiting.pop())
        if id(inner) in seen:
            continue  # Each branch that puts something in has what was there before.
        seen.add(id(inner))
        match inner:
            case Choice(options=options):
                waiting += reversed(options)
            case Sum(span=span, parts=(first, *_)) if through_sums or span == first.span:
                waiting.append(first)
            case PutInto(held=held) | Without(held=held, is_filter=False):
                waiting.append(held)
            case _:
                yield inner


def merged_mapping(value: Expr) -> Expr | None:
    """The mapping of which an expression is any item, as after `update`; None of all others."""
    match value:
        case Item(base=base, key=Expr() as key) if type(key) is Expr:
            return base
        case _:
            return None


def mentions_parameter(value: Expr, me: str | None, note: Callable[[Limit], None]) -> bool:
    """Whether an expression depends on a parameter other than `me` (the instance of a method). `note` is told if a
    limit is reached."""
    return _mentions(value, lambda name: name != me, note)


def mentions_object(value: Expr, me: str, note: Callable[[Limit], None]) -> bool:
    """Whether an expression depends on the parameter `me` (the instance of a method). `note` is as above."""
    return _mentions(value, lambda name: name == me, note)


def _mentions(value: Expr, is_sought: Callable[[str], bool], note: Callable[[Limit], None], depth: int = 0) -> bool:
    if depth == MENTIONS.most:
        note(MENTIONS)
        return False
    parts = parts_of(value)
    while len(parts) == 1:  # A chain costs no more than it is long: `each` of a loop over `self.handlers.items()`.
        value = parts[0]
        parts = parts_of(value)
    if isinstance(value, Parameter):
        return is_sought(value.name)
    return any(_mentions(part, is_sought, note, depth + 1) for part in parts)


def parts_of(value: Expr) -> tuple[Expr, ...]:
    """What an expression is evaluated from."""
    match value:
        case Narrowed(value=inner) | Awaited(value=inner):
            return (inner,)
        case Attribute(base=base) | Item(base=base):
            return (base,)
        case Call(function=function, arguments=arguments):
            return (function, *(argument.value for argument in arguments))
        case Collection(elements=elements):
            return elements
        case Comprehension(element=element):
            return (element,)
        case Choice(options=options):
            return options
        case Sum(parts=parts):
            return parts
        case Without(held=held):
            return (held,)
        case PutInto(call=call, held=held):  # which the container has anyway
            return tuple(argument.value for argument in call.arguments if argument.value is not held)
        case Mapping(items=items):
            return tuple(item for _, item in items)
        case _:
            return ()


def evaluates(value: Expr, place: Span, depth: int = 0) -> bool:
    """Whether an expression is evaluated from the one that stands at a place. (Names of variables are that by which
    they are bound, wherever it stands.)"""
    return value.span == place or (
        depth < MENTIONS.most and any(evaluates(part, place, depth + 1) for part in parts_of(value))
    )


def first_part_of(value: Expr) -> Expr:
    """What a name was given first, of a value that holds also what was added to it since. Without narrowing."""
    inner = without_narrowing(value)
    return first_part_of(inner.parts[0]) if isinstance(inner, Sum) and inner.parts else inner
