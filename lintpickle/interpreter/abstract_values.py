"""Abstract objects: what an expression's value is once names are resolved across modules."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from enum import Enum

from msgspec import Struct, field

from lintpickle.catalog import Product
from lintpickle.control_flow.paths import Paths
from lintpickle.diagnostics import Span
from lintpickle.facts.records import ClassFacts, Event, FunctionFacts, ItemStore, Store
from lintpickle.facts.values import Call, Expr, without_narrowing
from lintpickle.limits import RECURSION
from lintpickle.program.module import Module


class Site(Struct, frozen=True):
    """A place in the program's source."""

    module: Module
    span: Span

    def contains(self, other: Site) -> bool:
        """Whether another place lies in this one."""
        return self.module is other.module and self.span.contains(other.span)


class Hop(Struct, frozen=True):
    """A step of a trail before it is rendered. What is `guessed` is only likely: nobody sees that it leads there."""

    message: str
    site: Site
    guessed: bool = False


class AbstractValue(Struct, frozen=True, eq=False):
    """An object about which nothing is known. Unknown is not a hazard."""


class PlainValue(AbstractValue, frozen=True, eq=False):
    """Data that crosses, of which nothing else is known: what the catalog calls plain (`torch.load(path)`), and
    whatever is got out of it."""


class DocumentValue(PlainValue, frozen=True, eq=False):
    """What a document in JSON, YAML or TOML says, or any part of it: dicts, lists, texts, numbers, None; no tuple, and
    nothing that can be called."""


class DataValue(PlainValue, frozen=True, eq=False):
    """Plain data of a type that is known, so it is not None: an f-string, what `not x` gives. Of a text, `start` and
    `end` may be known."""

    kind: str
    start: str = ""
    end: str = ""


class ConstantValue(AbstractValue, frozen=True, eq=False):
    """A literal."""

    value: object


class ExternalValue(AbstractValue, frozen=True, eq=False):
    """A module, class, function or value that is not read: known by its dotted path alone."""

    path: str


class ExternalResult(AbstractValue, frozen=True, eq=False):
    """What calling an external value gives, when the catalog says nothing special about it."""

    path: str
    call: Call
    frame: Frame


class ModuleValue(AbstractValue, frozen=True, eq=False):
    """A module object of the program or of a library."""

    name: str


class ProductValue(AbstractValue, frozen=True, eq=False):
    """An object that the catalog knows cannot cross. `path` is the callable or name that gave it; `call` is the
    call, if it was one."""

    product: Product
    path: str
    call: Call | None = None
    frame: Frame | None = None


class GeneratorValue(AbstractValue, frozen=True, eq=False):
    """A generator; `expression` says whether it comes from a generator expression rather than a function. A coroutine
    and an asynchronous generator are of the `kind` that Python calls them. One that `is_endless` never gets to the end
    of its function: `while True: yield …`."""

    expression: bool
    element: Expr | None = None
    frame: Frame | None = None
    kind: str = "generator"
    is_endless: bool = False


class ClassValue(AbstractValue, frozen=True, eq=False):
    """A class whose source is read. `frame` is the enclosing call for a class that is defined in a function."""

    module: Module
    facts: ClassFacts
    frame: Frame | None = None

    @property
    def key(self) -> tuple[str | int, ...]:
        """What tells the class from all others of the program, from run to run."""
        return (self.module.path, self.facts.qualname, self.facts.header.start)


class FunctionValue(AbstractValue, frozen=True, eq=False):
    """A function whose source is read; bound to an instance (or class) if it was looked up there. If it is `opaque`, a
    decorator of which nothing is known has put something in its place: calling that may run it, pickling is unknown.
    `undecorated` is the function itself, as a decorator got it which may have put something else in its place."""

    module: Module
    facts: FunctionFacts
    frame: Frame | None = None
    bound: AbstractValue | None = None
    opaque: bool = False
    undecorated: bool = False

    @property
    def is_nameless(self) -> bool:
        """Whether it is a lambda or a local function, which no module has under its name."""
        return self.bound is None and (self.facts.is_local or self.facts.name == "<lambda>")

    @property
    def names_to_give(self) -> tuple[str, ...]:
        """The names of its parameters that calls give something: of a method, not that of its own object."""
        return tuple(each.name for each in self.facts.parameters)[self.bound is not None :]


class Bound(Struct, frozen=True, eq=False):
    """What a parameter is bound to: an expression in the caller's frame, or a value; neither means unknown."""

    expr: Expr | None = None
    frame: Frame | None = None
    value: AbstractValue | None = None


class Frame(Struct, frozen=True, eq=False):
    """One activation of a function: where its names are read and what its parameters are bound to.

    A parameter without binding has its default; if the frame is `open` (not all arguments are known), it may have
    any other value too. `parent` is the frame of the lexically enclosing function. `active` are the identities of the
    functions that have been called on the way here, this one last; `called_by` is the call that has come here, and the
    frame in which it stands.
    """

    module: Module
    function: FunctionFacts
    bindings: dict[str, Bound] = field(default_factory=dict)
    parent: Frame | None = None
    depth: int = 0
    open: bool = False
    active: tuple[int, ...] = ()
    called_by: tuple[Frame, Call] | None = None

    @property
    def paths(self) -> Paths:
        """The paths through its function."""
        return Paths(self.module, self.function.span)

    def is_active(self, function: FunctionFacts) -> bool:
        """Whether a function has been entered so often on the way here that it is recursive."""
        return self.active.count(id(function)) >= RECURSION.most

    def given(self, caller: Frame, is_it: Callable[[Expr], bool]) -> list[str]:
        """The parameters that are bound to such an expression of the caller."""
        return [
            name
            for name, bound in self.bindings.items()
            if bound.frame is caller and bound.expr is not None and is_it(without_narrowing(bound.expr))
        ]

    def way(self) -> Iterator[Frame]:
        """This frame, and those by whose calls the program came here, the nearest first."""
        frame: Frame | None = self
        while frame is not None:
            yield frame
            frame = frame.called_by[0] if frame.called_by is not None else None

    def enclosing(self, owner: str) -> Frame | None:
        """The frame of the enclosing function with that qualified name."""
        frame: Frame | None = self
        while frame is not None:
            if frame.function.qualname == owner:
                return frame
            frame = frame.parent
        return None


class Stored(Struct, frozen=True, eq=False):
    """`object.attribute = value`, or something put into what an attribute holds, run in a frame. `conditional` says
    that it is not done on every way, `doubts` are what else is not understood of the way there. With a `path`, it is
    stored on the part of the object to which these steps lead (as in `Done`)."""

    event: Store | ItemStore
    frame: Frame
    conditional: bool
    path: tuple[str, ...] = ()
    doubts: tuple[Doubt, ...] = ()

    @property
    def done(self) -> Done:
        """What it does to the object."""
        doubts = joined(self.doubts, (Doubt.CONDITION,)) if self.conditional else self.doubts
        return Done(self.event, self.frame, self.path, doubts=doubts)


class InstanceValue(AbstractValue, frozen=True, eq=False):
    """An instance of a class whose source is read. `call` is the expression that made it, in `frame`; both are
    None for an instance that is only known to exist. `later` is what code stored on it that got it from another
    function; `ran` is what a method of its own has done; `done` is what others have done to it since it was made.
    `copies` are the calls that copied it, with their frames, if it is a copy."""

    class_: ClassValue
    call: Call | None = None
    frame: Frame | None = None
    later: tuple[Stored, ...] = ()
    ran: Ran | None = None
    done: tuple[Done, ...] = ()
    copies: tuple[tuple[Frame, Call], ...] = ()


class Ran(Struct, frozen=True, eq=False):
    """What a method has done to its object so far: `events` are some of those of the method, in order. `owner` is the
    class that defines it, and `me` its name for the object. With `again`, they include what it did behind that place
    when it ran before. `first` is what its decorators have done before they called it."""

    frame: Frame
    events: tuple[Event, ...]
    owner: ClassValue
    me: str
    again: bool = False
    first: tuple[Ran, ...] = ()


class Done(Struct, frozen=True, eq=False):
    """Something that a function does to an object, or to a part of it to which the steps `path` lead (attributes, and
    items as `parts` writes them): a store, or the call of the method named. `doubts` are what is not understood of the
    way there; `to_each` says that a loop does it to each item of a container, so also to this one."""

    event: Event
    frame: Frame
    path: tuple[str, ...] = ()
    method: str = ""
    doubts: tuple[Doubt, ...] = ()
    to_each: bool = False


class SlotKey(Struct, frozen=True):
    """How one gets at what a container holds: by the name of an attribute, or else by the index or key of an item; of
    `SOME_ITEM`, it is not known by which."""

    attribute: str | None = None
    item: int | str | None = None

    @property
    def label(self) -> str:
        """How trails write it: ".func", "[0]", "['key']", "[…]"."""
        match self:
            case SlotKey(attribute=str(name)):
                return f".{name}"
            case SlotKey(item=str(name)):
                return f"['{name}']"
            case SlotKey(item=int(index)):
                return f"[{index}]"
            case _:
                return "[…]"


SOME_ITEM = SlotKey()


class Slot(Struct, frozen=True, eq=False):
    """Something that a container holds, how one gets at it, and what was done to it since. It `is_optional` if the
    container may do without it: it was made of one of several mappings, of which only some have the key."""

    key: SlotKey
    value: Expr
    frame: Frame
    done: tuple[Done, ...] = ()
    is_optional: bool = False

    @property
    def is_item(self) -> bool:
        """Whether it is one of the container's items, no attribute."""
        return self.key.attribute is None


class ContainerValue(AbstractValue, frozen=True, eq=False):
    """A container, partial or wrapper that pickles what it holds. `kind` names its type ("list", "dict",
    "functools.partial"); of an iterator, `made_by` is the function that was called, `slots` what it was given, and
    `gives` the calls that it makes for each thing that it gives (`map`). Of a class, `made_by` is its method that is
    meant (`Point._make`)."""

    kind: str
    slots: tuple[Slot, ...]
    call: Call | None = None
    made_by: str = ""
    gives: Call | None = None


class SuperValue(AbstractValue, frozen=True, eq=False):
    """`super()` for an instance (or class), starting after the class `owner` in its method resolution order."""

    instance: AbstractValue
    owner: ClassValue


class Doubt(str, Enum):
    """Why a step on the way to a value is not fully understood. What is reached with a doubt is never certain."""

    BRANCH = "it is one of several values"
    CONDITION = "a condition on the way is not decided"
    DEFAULT = "it is a default, and what callers pass is not known"
    DECORATOR = "a decorator may replace it"
    WORKERS = "how many workers there are is not known"
    CALL = "a call on the way may replace it"
    EXCLUDED = "none of the calls that are seen leads there"
    FALLBACK = "it is only there where another import fails"
    MACHINERY = "its class replaces how the library makes workers, or sends to them and gets back"


class TracedValue(Struct, frozen=True):
    """A value, where it came to be, the hops that lead there, and what is not understood on the way."""

    value: AbstractValue
    site: Site
    hops: tuple[Hop, ...] = ()
    doubts: tuple[Doubt, ...] = ()

    def after(self, *hops: Hop) -> TracedValue:
        """The same value, reached by way of more hops first."""
        return TracedValue(self.value, self.site, (*hops, *self.hops), self.doubts)

    def by_way_of(self, before: TracedValue) -> TracedValue:
        """The same value, reached by way of another one first."""
        if not before.hops and not before.doubts:
            return self
        return TracedValue(self.value, self.site, (*before.hops, *self.hops), joined(before.doubts, self.doubts))

    def doubted(self, *doubts: Doubt) -> TracedValue:
        """The same value, reached by a step that is not fully understood."""
        if not doubts:
            return self
        return TracedValue(self.value, self.site, self.hops, joined(self.doubts, doubts))


def joined(first: tuple[Doubt, ...], second: tuple[Doubt, ...]) -> tuple[Doubt, ...]:
    """The doubts of two steps, each once."""
    if not first or not second:
        return first or second
    return (*first, *(doubt for doubt in second if doubt not in first))


UNKNOWN = AbstractValue()
PLAIN = PlainValue()
DOCUMENT = DocumentValue()


def is_indefinite(abstract: AbstractValue) -> bool:
    """Whether nothing is known of the value, or nothing but that it is data."""
    return abstract is UNKNOWN or abstract is PLAIN or abstract is DOCUMENT


def is_none(abstract: AbstractValue) -> bool:
    """Whether the value is None."""
    return isinstance(abstract, ConstantValue) and abstract.value is None


def part_of_data(data: PlainValue) -> PlainValue:
    """What is got out of data: of a document, another one."""
    return data if isinstance(data, DocumentValue) else PLAIN
