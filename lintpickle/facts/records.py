"""The facts of one parsed block: its functions, classes and module-level values, and the events when its code runs."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct, field

from lintpickle.diagnostics import Span
from lintpickle.facts.values import Call, Expr, ending_name, uncalled

MODULE_BODY = "<module>"
"""The name of the function that represents module-level code."""


class Event(Struct, frozen=True, eq=False):
    """Something that happens while a function body (or module body) runs.

    `span` is the whole statement, or the expression for calls. `conditional` says that it does not happen on
    every run (a branch, a loop, an exception handler); `guards` are the attribute or variable chains whose
    absence the surrounding conditions test (`if self.env is None`, `if not hasattr(self, "env")`).
    """

    span: Span
    conditional: bool
    guards: tuple[str, ...]


class Store(Event, frozen=True, eq=False):
    """`target.attribute = value`. If the name is not a literal, `key` is the expression for it, and the attribute is
    called `UNNAMED`."""

    target: Expr
    attribute: str
    value: Expr
    key: Expr | None = None


class ItemStore(Event, frozen=True, eq=False):
    """`target[key] = value`, `target.append(value)` and the like (key None)."""

    target: Expr
    key: Expr | None
    value: Expr


class Delete(Event, frozen=True, eq=False):
    """`del target.attribute`."""

    target: Expr
    attribute: str


class Called(Event, frozen=True, eq=False):
    """A call, in order of evaluation."""

    call: Call
    main_guard: bool = False
    """Whether the call is under `if __name__ == "__main__"`."""


class Implied(Event, frozen=True, eq=False):
    """The call of a special method that the code does not write out: `len(x)`, `with x`, `x += y`. If it `reads`, it is
    the call of a property. `call` is the equivalent call."""

    target: Expr
    call: Call
    method: str
    reads: bool = False


class PartRead(Event, frozen=True, eq=False):
    """`target.attribute`, read where `target` is a part of what a parameter is: `self.file.shape`."""

    target: Expr
    attribute: str


class Iterated(Event, frozen=True, eq=False):
    """`for … in iterable` (and comprehensions, `iter(x)` excluded)."""

    iterable: Expr
    main_guard: bool = False


class Raised(Event, frozen=True, eq=False):
    """`raise value`."""

    value: Expr


class ParameterFacts(Struct, frozen=True):
    """A parameter; `kind` is "positional-only", "positional", "*", "keyword-only" or "**"."""

    name: str
    kind: str
    default: Expr | None


class FunctionFacts(Struct, frozen=True, eq=False):
    """A function, method, lambda or module body.

    `qualname` is Python's (`Outer.__init__.<locals>.<lambda>`); `MODULE_BODY` for a module body. `header` is what
    trails point at: `def` and the name (the name alone of a decorated function), all of a lambda, an empty span at the
    start of a module body. `captures` are names of enclosing functions that it reads. `variables` holds, for each local
    variable, every value stored in it.
    """

    name: str
    qualname: str
    span: Span
    header: Span
    parameters: tuple[ParameterFacts, ...]
    decorators: tuple[Expr, ...]
    events: tuple[Event, ...]
    returns: tuple[Expr, ...]
    yields: tuple[Expr, ...]
    captures: tuple[str, ...]
    variables: dict[str, Expr]
    globals_declared: tuple[str, ...]
    functions: tuple[FunctionFacts, ...]
    classes: tuple[ClassFacts, ...]
    is_generator: bool = False
    is_async: bool = False
    main_guard: bool = False
    """Whether it is defined at module level under `if __name__ == "__main__"`."""
    reads: dict[str, Span] = field(default_factory=dict)
    """The names of the module's scope (or builtins) that the body itself reads, each with the first place."""
    may_give_none: bool = False
    """Whether the function can reach its end or a bare `return`, and so returns None."""
    return_places: tuple[Span, ...] = ()
    """Where the statements stand that give what is in `returns`; a lambda has none."""

    @property
    def is_module_body(self) -> bool:
        """Whether it represents module-level code."""
        return self.name == MODULE_BODY

    @property
    def is_local(self) -> bool:
        """Whether pickle cannot find the function by its qualified name."""
        return "<locals>" in self.qualname

    def is_inner(self, place: int) -> bool:
        """Whether a place stands in a function or class that is defined in it."""
        return any(each.span.start <= place < each.span.end for each in self.functions) or any(
            each.span.start <= place < each.span.end for each in self.classes
        )

    def parameter(self, name: str) -> ParameterFacts | None:
        """The parameter of that name."""
        for parameter in self.parameters:
            if parameter.name == name:
                return parameter
        return None

    def decorated_by(self, *names: str) -> bool:
        """Whether a decorator's last name component is one of `names`."""
        return any(ending_name(uncalled(decorator)) in names for decorator in self.decorators)


class FieldFacts(Struct, frozen=True):
    """An annotated name in a class body: a field, if the class is a dataclass or an attrs class. `stored` is False for
    an `InitVar`, which is only passed to `__post_init__`."""

    name: str
    default: Expr | None
    stored: bool = True
    keyword_only: bool = False


class ClassFacts(Struct, frozen=True, eq=False):
    """A class. `methods` maps a name to its last plain definition; property setters are left out. The methods of a
    top-level class are read on demand (`lintpickle.facts.methods`). `body` holds the values of plain assignments in the
    class body."""

    name: str
    qualname: str
    span: Span
    header: Span
    bases: tuple[Expr, ...]
    keywords: tuple[tuple[str, Expr], ...]
    decorators: tuple[Expr, ...]
    methods: Mapping[str, FunctionFacts]
    body: dict[str, Expr]
    fields: tuple[FieldFacts, ...]
    classes: tuple[ClassFacts, ...]
    main_guard: bool = False
    """Whether it is defined at module level under `if __name__ == "__main__"`."""

    @property
    def is_local(self) -> bool:
        """Whether pickle cannot find the class by its qualified name."""
        return "<locals>" in self.qualname


class BlockFacts(Struct, frozen=True, eq=False):
    """The facts of one parsed block. `body` represents its module-level code as a function; `functions`, `classes` and
    `values` are what it binds at module level, by name."""

    body: FunctionFacts
    functions: dict[str, FunctionFacts]
    classes: dict[str, ClassFacts]
    values: dict[str, Expr]
    exact: bool


class Lambda(Expr, frozen=True, eq=False):
    """A lambda expression."""

    function: FunctionFacts


class NestedFunction(Expr, frozen=True, eq=False):
    """A name that holds a function defined inside a function. The span is where the name is used."""

    function: FunctionFacts


class NestedClass(Expr, frozen=True, eq=False):
    """A name that holds a class defined inside a function. The span is where the name is used."""

    class_: ClassFacts
