"""What an attribute of an object may hold, and under which name."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from msgspec import Struct

from lintpickle.diagnostics import Span
from lintpickle.facts.records import FunctionFacts
from lintpickle.facts.values import Constant, Expr, evaluates
from lintpickle.interpreter.abstract_values import (
    ClassValue,
    Done,
    Doubt,
    Frame,
    Site,
    SlotKey,
    TracedValue,
)
from lintpickle.interpreter.parts import after_all

OWN_ITEMS = "[]"
"""What stands for the name of an attribute where an object holds items of its own: its class derives from `dict`."""


def mangled(name: str, class_name: str) -> str:
    """A name as Python writes it for code in the class: private ones begin with the class's."""
    owner = class_name.lstrip("_")
    is_private = name.startswith("__") and not name.endswith("__") and "." not in name
    return f"_{owner}{name}" if is_private and owner else name


def ways_into(frame: Frame, place: Span) -> Iterator[tuple[Frame, Span]]:
    """The functions that led to a place in a frame, the innermost first, and where in them it is, or what leads
    there."""
    yield frame, place
    while frame.called_by is not None:
        frame, call = frame.called_by
        yield frame, call.span


class Held(Struct, frozen=True, eq=False):
    """A value that an attribute of an instance may hold after construction.

    `site` is the store; `owner` the class whose code stores it; `method` the method that does; `direct` says that
    the store replaces the attribute (False for something put into the container that it holds). `doubts` are what is
    not understood of the way from the constructor to the store; `done` is what was done to the value since.
    """

    attribute: str
    value: Expr
    frame: Frame
    site: Site
    owner: ClassValue | None
    method: str
    direct: bool = True
    key: SlotKey | None = None
    """Under which key the value was put into the container that the attribute holds; None if it is what it holds."""
    doubts: tuple[Doubt, ...] = ()
    done: tuple[Done, ...] = ()
    is_of_other: bool = False
    """Whether another object of the class has put it into the container that the attribute holds."""
    before: tuple[Held, ...] = ()
    """What the attribute held, and what was put into that, before this store replaced it."""

    @property
    def name(self) -> str:
        """What the attribute is called in the instance's `__dict__`."""
        return self.attribute if self.owner is None else mangled(self.attribute, self.owner.facts.name)

    @property
    def is_none(self) -> bool:
        """Whether the value is None as it is written."""
        return isinstance(self.value, Constant) and self.value.value is None

    @property
    def way(self) -> Iterator[tuple[Frame, Span]]:
        """The functions that led to the store, the innermost first, and where in them it is made, or called for."""
        ways = ways_into(self.frame, self.site.span)
        yield from ways if self.site.module is self.frame.module else islice(ways, 1, None)

    def is_stored_behind(self, place: Span, function: FunctionFacts) -> bool:
        """Whether the store is made by a function when it has been at a place, and never before."""
        return any(
            frame.function is function
            and stored.start > place.end
            and not frame.paths.share_a_loop(place.start, stored.start)
            for frame, stored in self.way
        )

    @property
    def label(self) -> str:
        """How trails write the key; empty if there is none."""
        return self.key.label if self.key is not None else ""

    @property
    def place(self) -> str:
        """How messages write, behind the name of the class, where the value is kept: the attribute, or the own item."""
        return self.label if self.attribute == OWN_ITEMS else f".{self.attribute}"

    @property
    def step(self) -> str:
        """How trails write the way from the object to the value."""
        return self.place if self.attribute == OWN_ITEMS else f"{self.place}{self.label}"

    def is_made_from(self, site: Site) -> bool:
        """Whether the value is made of what an expression there gives: that is a part of it, or is evaluated on the way
        to the store (`read = self.read`, then `self.read = logged(read)`)."""
        if Site(self.frame.module, self.value.span).contains(site):
            return True
        around = Site(self.frame.module, self.frame.function.span)
        is_before = site.span.start < self.site.span.start and around.contains(site) and around.contains(self.site)
        return is_before and evaluates(self.value, site.span)

    def after_all(self, traced: TracedValue) -> TracedValue:
        """A value that it can be, after what was done to it since."""
        return after_all(traced, self.done)
