"""What crosses and why: the records of following a payload."""

from __future__ import annotations

from msgspec import Struct

from lintpickle.catalog import BoundarySpec
from lintpickle.diagnostics import Confidence, StartMethod
from lintpickle.interpreter.abstract_values import AbstractValue, Doubt, Hop, InstanceValue, Site
from lintpickle.interpreter.held import Held
from lintpickle.interpreter.pickle_time import PickleTime


class Root(Struct, frozen=True, eq=False):
    """Why something crosses: a boundary that was found, or the kind of a class.

    `start_methods` are those under which the payload is pickled. `spec` is None for a root by kind. `whole` is
    False where only the root's own attributes are looked at (classes that are merely possible payload). `pickling` is
    when a boundary that was found pickles. `is_offered` says of a torch module by kind whether a library offers its
    class to its users; `is_given`, whether a class is judged as shipped because it is public in a library.
    `asks_length` says that the boundary calls `len()` on the dataset before it pickles that: a DataLoader that shuffles
    makes a RandomSampler, which does so when it is made (measured with torch 2.13).
    """

    confidence: Confidence
    start_methods: tuple[StartMethod, ...]
    spec: BoundarySpec | None
    kind: str
    site: Site
    whole: bool = True
    pickling: PickleTime | None = None
    is_offered: bool = False
    is_given: bool = False
    asks_length: bool = False

    @property
    def is_always_pickled(self) -> bool:
        """Whether the payload is pickled under every start method."""
        return len(self.start_methods) == len(StartMethod)


class Crossing(Struct, frozen=True, eq=False):
    """A value that crosses.

    `path` is how one gets at it from the root ("dataset.eval_detection_configs.class_names"); `holder` and `held`
    say in which instance's attribute it sits, if in any; `role` names the boundary's parameter it came by. `inside` is
    the crossing of what holds it; None for what the root itself ships. `doubts` are what is not understood of the way.
    """

    value: AbstractValue
    site: Site
    hops: tuple[Hop, ...]
    path: str
    root: Root
    role: str | None
    holder: InstanceValue | None = None
    held: Held | None = None
    inside: Crossing | None = None
    doubts: tuple[Doubt, ...] = ()
