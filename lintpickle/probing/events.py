"""What the runtime part tells, as it is written in JSON by `lintpickle_probe.recording`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

from lintpickle import disk

LARGEST_EVENT = 16_000_000


class ClassRef(Struct, frozen=True):
    """A class of the live program: where Python says that it is."""

    module: str
    name: str
    file: str | None = None


class ProbedOwner(Struct, frozen=True):
    """The class of the object that has an attribute, and those from which it derives, itself first."""

    module: str
    name: str
    attribute: str
    bases: tuple[ClassRef, ...]
    file: str | None = None

    @property
    def short(self) -> str:
        """`Class.attribute`."""
        return f"{self.name.rpartition('.')[2]}.{self.attribute}"


class PathStep(Struct, frozen=True):
    """An object on the way to a culprit; `owner` is set if it is an attribute."""

    path: str
    type: str
    owner: ProbedOwner | None = None


class Definition(Struct, frozen=True):
    """Where a function or class is defined; `line` is 1-based."""

    name: str
    what: str
    file: str | None = None
    line: int | None = None


class ProbedCulprit(Struct, frozen=True):
    """An object that does not pickle. `places` are some of the paths to it, or to others of its kind in the same
    container; `count` is how many there are."""

    path: str
    places: tuple[str, ...]
    count: int
    type: str
    error: str
    steps: tuple[PathStep, ...]
    owner: ProbedOwner | None = None
    defined: Definition | None = None


class StackFrame(Struct, frozen=True):
    """A call that was running; `line` is 1-based."""

    file: str
    line: int
    function: str


class ProbedSite(Struct, frozen=True):
    """The stack, innermost first; `own` is the place in it of the first frame that is no library's."""

    frames: tuple[StackFrame, ...] = ()
    own: int | None = None

    @property
    def frame(self) -> StackFrame | None:
        """The place in the program where the object is passed on."""
        return self.frames[self.own] if self.own is not None and self.own < len(self.frames) else None


class ProbeEvent(Struct, frozen=True):
    """Something that does not cross. `beside` says that the program did not pickle it itself: it was asked what
    `start_method` would make of it. `stopped` names the limit that was reached, if one was."""

    boundary: str
    kind: str
    culprits: tuple[ProbedCulprit, ...]
    more: int = 0
    error: str | None = None
    site: ProbedSite = ProbedSite()
    beside: bool = False
    start_method: str | None = None
    stopped: str | None = None
    on_the_way_back: bool = False
    objects: int = 0
    seconds: float = 0.0
    pid: int = 0
    python: tuple[int, ...] = ()


class Seen(Struct, frozen=True):
    """All that was told of a run: events, and how often something was asked."""

    events: tuple[ProbeEvent, ...] = ()
    counts: dict[str, int] = {}


def event_of(value: object) -> ProbeEvent:
    """An event of this process. Raises msgspec.ValidationError."""
    return msgspec.convert(value, ProbeEvent)


def read_seen(folder: Path) -> Seen:
    """What the processes of a run have written. What cannot be read (a process was killed while it wrote) is left
    out."""
    events: list[ProbeEvent] = []
    counts: dict[str, int] = {}
    for path in _in_order(disk.names(folder)):
        try:
            data = disk.read(folder / path, LARGEST_EVENT)
            if path.startswith("event-"):
                events.append(msgspec.json.decode(data, type=ProbeEvent))
            else:
                for what, count in msgspec.json.decode(data, type=dict[str, int]).items():
                    counts[what] = counts.get(what, 0) + count
        except (OSError, msgspec.DecodeError):
            continue
    return Seen(tuple(events), counts)


def _in_order(names: Sequence[str]) -> Iterator[str]:
    wanted = (name for name in names if name.endswith(".json"))
    return iter(sorted(wanted, key=lambda name: [int(part) for part in name[:-5].split("-")[1:]]))
