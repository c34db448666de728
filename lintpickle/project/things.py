"""Abstract objects: what an expression's value is once names are resolved across modules."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from lintpickle.catalog import Product
from lintpickle.diagnostics import Span
from lintpickle.facts.records import ClassFacts, FunctionFacts
from lintpickle.facts.values import Call, Value

if TYPE_CHECKING:
    from lintpickle.project.frames import Frame
    from lintpickle.project.program import Module


@dataclass(frozen=True, slots=True)
class Site:
    """A place in the program's source."""

    module: Module
    span: Span


@dataclass(frozen=True, slots=True)
class Hop:
    """A step of a trail before it is rendered."""

    message: str
    site: Site


@dataclass(frozen=True, slots=True, eq=False)
class Thing:
    """An object about which nothing is known. Unknown is not a hazard."""


@dataclass(frozen=True, slots=True, eq=False)
class ConstantThing(Thing):
    """A literal."""

    value: object


@dataclass(frozen=True, slots=True, eq=False)
class ExternalThing(Thing):
    """A module, class, function or value that is not read: known by its dotted path alone."""

    path: str


@dataclass(frozen=True, slots=True, eq=False)
class ExternalResult(Thing):
    """What calling an external thing gives, when the catalog says nothing special about it."""

    path: str
    call: Call
    frame: Frame


@dataclass(frozen=True, slots=True, eq=False)
class ModuleThing(Thing):
    """A module object of the program or of a library."""

    name: str


@dataclass(frozen=True, slots=True, eq=False)
class ProductThing(Thing):
    """An object that the catalog knows cannot cross. `path` is the callable or name that gave it; `call` is the
    call, if it was one."""

    product: Product
    path: str
    call: Call | None = None
    frame: Frame | None = None


@dataclass(frozen=True, slots=True, eq=False)
class GeneratorThing(Thing):
    """A generator; `expression` says whether it comes from a generator expression rather than a function."""

    expression: bool
    element: Value | None = None
    frame: Frame | None = None


@dataclass(frozen=True, slots=True, eq=False)
class ClassThing(Thing):
    """A class whose source is read. `frame` is the enclosing call for a class that is defined in a function."""

    module: Module
    facts: ClassFacts
    frame: Frame | None = None


@dataclass(frozen=True, slots=True, eq=False)
class FunctionThing(Thing):
    """A function whose source is read; bound to an instance (or class) if it was looked up there."""

    module: Module
    facts: FunctionFacts
    frame: Frame | None = None
    bound: Thing | None = None


@dataclass(frozen=True, slots=True, eq=False)
class InstanceThing(Thing):
    """An instance of a class whose source is read. `call` is the expression that made it, in `frame`; both are
    None for an instance that is only known to exist."""

    class_: ClassThing
    call: Call | None = None
    frame: Frame | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Piece:
    """Something that a container holds: `label` is how one gets at it ("[0]", "['key']", ".func")."""

    label: str
    value: Value
    frame: Frame


@dataclass(frozen=True, slots=True, eq=False)
class ContainerThing(Thing):
    """A container, partial or wrapper that pickles what it holds. `kind` names its type ("list", "dict",
    "functools.partial")."""

    kind: str
    pieces: tuple[Piece, ...]
    call: Call | None = None


@dataclass(frozen=True, slots=True, eq=False)
class SuperThing(Thing):
    """`super()` for an instance (or class), starting after the class `owner` in its method resolution order."""

    instance: Thing
    owner: ClassThing


@dataclass(frozen=True, slots=True)
class Reached:
    """A thing, where it came to be, and the hops that lead there."""

    thing: Thing
    site: Site
    hops: tuple[Hop, ...] = ()

    def after(self, *hops: Hop) -> Reached:
        """The same thing, reached by way of more hops first."""
        return Reached(self.thing, self.site, (*hops, *self.hops))


UNKNOWN = Thing()
