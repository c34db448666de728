"""What moving off fork comes to: plain frozen records."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from typing import Protocol

from msgspec import Struct

from lintpickle.diagnostics import Defect, Diagnostic, Location, StartMethod
from lintpickle.report.context import ReportContext
from lintpickle.settings import Origin


class Verdict(str, Enum):
    """What becomes of the code at a boundary under another start method, the most work first."""

    BREAKS = "breaks"
    CHANGES = "changes silently"
    CANNOT_TELL = "cannot tell"
    READY = "ready"


class Spot(Struct, frozen=True, order=True):
    """A place in a file: its absolute path, and a 1-based row; in a notebook, one of the 1-based cell."""

    path: str
    row: int
    cell: int = 0

    @staticmethod
    def of(location: Location) -> Spot:
        """Where a location begins."""
        return Spot(location.path, location.start.row, location.cell or 0)


class Gap(Struct, frozen=True):
    """Where knowledge ends: what is not known, and the place at which that is so. `is_limit` says that lintpickle was
    not allowed to follow it further."""

    message: str
    spot: Spot
    is_limit: bool = False


class SwitchedOff(Struct, frozen=True):
    """The setting that turns a rule off in a file: the option as it is written in a configuration file, and where."""

    option: str
    origin: Origin


class Finding(Struct, frozen=True):
    """A diagnostic at a boundary. `is_loud` says that something fails, rather than being different; `is_old` that it is
    the same under fork. `hidden_at` is the comment that hides it from `lintpickle check`, `switched_off` the setting
    that does; here it counts."""

    diagnostic: Diagnostic
    is_loud: bool
    is_old: bool = False
    hidden_at: Spot | None = None
    switched_off: SwitchedOff | None = None

    @property
    def is_hidden(self) -> bool:
        """Whether `lintpickle check` does not show it."""
        return self.hidden_at is not None or self.switched_off is not None


class Boundary(Struct, frozen=True):
    """Where processes start, or get something: `what` is the call ("Process(target=work)"), `starts` what runs there.
    `findings` are what breaks or changes, `gaps` what is not known. `methods` are the start methods under which it was
    judged. `is_seen` is False for a class that is made to be shipped, and for code as such, where no call was found.
    `forked_at` are the places that ask for fork for it. `is_making` says that it only makes a pool or executor, whose
    tasks are boundaries of their own."""

    what: str
    starts: str
    spot: Spot
    methods: tuple[StartMethod, ...]
    findings: tuple[Finding, ...] = ()
    gaps: tuple[Gap, ...] = ()
    is_seen: bool = True
    forked_at: tuple[Spot, ...] = ()
    is_making: bool = False

    @property
    def verdict(self) -> Verdict:
        """What becomes of it."""
        if any(finding.is_loud for finding in self.findings):
            return Verdict.BREAKS
        if self.findings:
            return Verdict.CHANGES
        return Verdict.CANNOT_TELL if self.gaps else Verdict.READY

    @property
    def works_pinned(self) -> bool:
        """Whether it works today, because fork is asked for, and would not otherwise."""
        loud = [finding for finding in self.findings if finding.is_loud]
        return bool(self.forked_at and self.findings) and not any(finding.is_old for finding in loud)

    @property
    def work(self) -> tuple[int, int, int]:
        """How much there is to do: the more, the less; what a safe fix mends counts least."""
        by_hand = sum(finding.diagnostic.fix is None for finding in self.findings)
        return (list(Verdict).index(self.verdict), -by_hand, -len(self.findings) - len(self.gaps))


class Pin(Struct, frozen=True):
    """Where fork is asked for: the text that does (`set_start_method("fork")`), of which kind it is, and what it holds.
    `covers` are the spots of the boundaries that it concerns; None if it concerns whatever the program starts.
    `only_on_mac` says that it stands under a test for macOS, and asks for nothing elsewhere."""

    text: str
    kind: str
    spot: Spot
    covers: tuple[Spot, ...] | None = ()
    only_on_mac: bool = False


class Migration(Struct, frozen=True):
    """All that moving a program to a start method comes to: `boundaries` are sorted by work, `pins` by place. `hidden`
    is how many findings to which no boundary leads are hidden by comments, `off_elsewhere` the codes of those whose
    rules the settings switch off, as often as there are such findings: these do not count."""

    to: StartMethod
    python: str
    boundaries: tuple[Boundary, ...]
    pins: tuple[Pin, ...]
    files: int
    notices: tuple[str, ...] = ()
    defects: tuple[Defect, ...] = ()
    hidden: int = 0
    off_elsewhere: tuple[str, ...] = ()

    @property
    def counted(self) -> tuple[Boundary, ...]:
        """The boundaries without the makings of pools of which there is nothing to say: their tasks count."""
        return tuple(each for each in self.boundaries if not each.is_making or each.verdict is not Verdict.READY)

    def count(self, verdict: Verdict) -> int:
        """How many boundaries that count have a verdict."""
        return sum(boundary.verdict is verdict for boundary in self.counted)

    @property
    def hidden_here(self) -> int:
        """How many findings at boundaries comments hide from `lintpickle check`."""
        return len({_key(finding) for finding in self._findings if finding.hidden_at is not None})

    @property
    def off_here(self) -> tuple[str, ...]:
        """The codes of the findings at boundaries whose rules the settings switch off, as often as there are such."""
        told = {_key(finding) for finding in self._findings if finding.switched_off is not None}
        return tuple(sorted(code for code, _ in told))

    @property
    def _findings(self) -> Iterator[Finding]:
        return (finding for boundary in self.boundaries for finding in boundary.findings)

    @property
    def is_ready(self) -> bool:
        """Whether nothing is left to do but to remove the pins, and of each it is seen what it holds."""
        is_seen = not any(self.is_blind(pin) for pin in self.pins)
        return is_seen and all(boundary.verdict is Verdict.READY for boundary in self.boundaries)

    def is_blind(self, pin: Pin) -> bool:
        """Whether no process is seen that a pin concerns: then nothing is known of what it holds."""
        return not any(pin.covers is None or boundary.spot in pin.covers for boundary in self.boundaries)

    def left(self, pin: Pin) -> tuple[Boundary, ...]:
        """The boundaries that are not ready, of those that a pin concerns."""
        return tuple(
            boundary
            for boundary in self.boundaries
            if boundary.verdict is not Verdict.READY and (pin.covers is None or boundary.spot in pin.covers)
        )


def _key(finding: Finding) -> tuple[str, Location]:
    return finding.diagnostic.code, finding.diagnostic.location


class MigrationFormat(Protocol):
    """A format. `human` ones go to a terminal and may be coloured."""

    @property
    def name(self) -> str: ...

    @property
    def human(self) -> bool: ...

    def render(self, migration: Migration, context: ReportContext) -> str:
        """The whole report, ending in a newline."""
