"""The plain frozen records that pass between the layers: no behaviour, no imports from above.

Units, everywhere in lintpickle: a `Span` counts code points from 0 in the *decoded* text of a file (byte order
mark removed, newlines as they are); a `Position` is 1-based and its column counts code points too.
"""

from __future__ import annotations

import re
from enum import Enum

from msgspec import Struct
from msgspec.structs import replace

from lintpickle.limits import Cut


class Severity(str, Enum):
    """How bad the outcome is: an error fails, hangs or corrupts; a warning is slow or fragile."""

    ERROR = "error"
    WARNING = "warning"


class Confidence(str, Enum):
    """How sure linking is that the hazard crosses a boundary; `lintpickle.payload.confidence` defines the levels."""

    CERTAIN = "certain"
    LIKELY = "likely"
    POSSIBLE = "possible"


class PlaceKind(str, Enum):
    """The purpose of a file. A file without another purpose is library code."""

    LIBRARY = "library"
    EXAMPLES = "examples"
    NOTEBOOKS = "notebooks"
    DOCS = "docs"
    BENCHMARKS = "benchmarks"
    VENDORED = "vendored code"
    RETIRED = "retired code"
    TESTS = "tests"


STRENGTH = {confidence: place for place, confidence in enumerate(Confidence)}
"""The rank of each confidence, the strongest first: 0 for certain."""


class Applicability(str, Enum):
    """When a fix may be applied: always (safe), on request (unsafe), or only by a human reader (display)."""

    SAFE = "safe"
    UNSAFE = "unsafe"
    DISPLAY = "display"


class StartMethod(str, Enum):
    """A multiprocessing start method."""

    FORK = "fork"
    SPAWN = "spawn"
    FORKSERVER = "forkserver"


class Span(Struct, frozen=True, order=True):
    """A half-open range of code-point offsets, from 0, into the decoded text of one file."""

    start: int
    end: int

    def contains(self, other: Span) -> bool:
        """Whether another range lies in this one."""
        return self.start <= other.start and other.end <= self.end


class Position(Struct, frozen=True, order=True):
    """A 1-based row and a 1-based column in code points."""

    row: int
    column: int


class Location(Struct, frozen=True):
    """A range of positions in a file. `path` is absolute; `cell` is the 1-based notebook cell, if any
    (rows then count from the start of that cell)."""

    path: str
    start: Position
    end: Position
    cell: int | None = None


class Step(Struct, frozen=True):
    """One step of a trail: its place, and a phrase for the reader ("passed as dataset")."""

    message: str
    location: Location


class Related(Step, frozen=True):
    """A place that leads to the culprit of a diagnostic: a message ("lambda `get(name)` is kept in `Head.activation`"),
    and the place, with `span`, `location` and `noqa_row` as in `Diagnostic`."""

    span: Span
    noqa_row: int


class Edit(Struct, frozen=True, order=True):
    """Replace the text of `span` by `content`. An empty span inserts."""

    span: Span
    content: str


class Fix(Struct, frozen=True):
    """Edits of one file that fix one diagnostic, sorted and without overlaps.

    `message` is an imperative phrase ("Convert to a list"). Two fixes may carry an identical insertion (the same
    import): it is applied once. `is_the_help` says that the fix does exactly what the help of the diagnostic advises,
    so that only one of them need be shown.
    """

    message: str
    applicability: Applicability
    edits: tuple[Edit, ...]
    is_the_help: bool = False


class Diagnostic(Struct, frozen=True):
    """A reported finding. `span` and `location` are the same range in the same file. `error` is the exact run-time
    error that the code would raise, or None. `trail` runs from the boundary to the hazard and may visit other files.
    `noqa_row` is the 1-based row (in the cell, for notebooks) that a suppression comment must end. If several places
    lead to the finding, it is reported at what they share, and `related` lists them, beginning with the one in the
    message.
    """

    code: str
    name: str
    message: str
    severity: Severity
    confidence: Confidence
    location: Location
    span: Span
    noqa_row: int
    start_methods: tuple[StartMethod, ...] = ()
    error: str | None = None
    help: str | None = None
    trail: tuple[Step, ...] = ()
    fix: Fix | None = None
    related: tuple[Related, ...] = ()
    where: PlaceKind = PlaceKind.LIBRARY
    """The purpose of the file."""

    @property
    def told(self) -> str:
        """The message without the run-time error at its end (or before "from Python 3.14 on")."""
        return without_error(self.message, self.error)


def without_error(message: str, error: str | None) -> str:
    """A rule's message without the run-time error at its end (or before "from Python 3.14 on")."""
    if error is None:
        return message
    return re.sub(rf"(?:: | - | — |; ){re.escape(error)}\.?(?=$|, from)", "", message)


def told_at(diagnostic: Diagnostic, related: Related) -> Diagnostic:
    """A diagnostic moved to one of its related places."""
    return replace(
        diagnostic,
        message=related.message,
        location=related.location,
        span=related.span,
        noqa_row=related.noqa_row,
        trail=(),
        fix=None,
        related=(),
    )


class FileChange(Struct, frozen=True):
    """The result of fixing one file (or, with a diff, what it would be): decoded text before and after, and the fixed
    diagnostics."""

    path: str
    before: str
    after: str
    fixed: tuple[Diagnostic, ...]


class Defect(Struct, frozen=True):
    """A failure of lintpickle itself: the task (a rule, or linking), the module at `path` ("" if none), the error, and
    the place in lintpickle's source. If the module was only given up for time or memory, `given_up` says why."""

    path: str
    task: str
    error: str
    place: str
    given_up: str = ""


class Outcome(Struct, frozen=True):
    """The result of a run.

    `diagnostics` are those that remain, sorted by path, row, column and code; `held_back` counts further findings that
    are only possible. `changes` are sorted by path. `notices` are one-line remarks about the run itself ("no Python
    environment was found: …"). `files` counts the files that were checked. `defects` are failures of lintpickle itself:
    the findings of those tasks in those modules are missing. `unread` are unreadable files in tests and the like, shown
    only on request. `cuts` are the limits that were reached; values beyond them are unknown. `suggests_library` says
    that the setting `library` would check more. `pinned` counts the findings that there would be if processes
    were not forked. `unwritten` says which files could not be written, and why: their findings remain.
    """

    diagnostics: tuple[Diagnostic, ...]
    changes: tuple[FileChange, ...] = ()
    notices: tuple[str, ...] = ()
    files: int = 0
    defects: tuple[Defect, ...] = ()
    held_back: int = 0
    cuts: tuple[Cut, ...] = ()
    unread: tuple[Diagnostic, ...] = ()
    suggests_library: bool = False
    pinned: int = 0
    unwritten: tuple[str, ...] = ()


class LintpickleError(Exception):
    """Bad input from the user (configuration, selector, path): the message names the place and the remedy.

    Faces print it and exit with 2.
    """
