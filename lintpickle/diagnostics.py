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
    """How sure linking is that the hazard crosses a boundary (DESIGN: certain, likely, possible)."""

    CERTAIN = "certain"
    LIKELY = "likely"
    POSSIBLE = "possible"


class PlaceKind(str, Enum):
    """What a file is there for. Whatever is nothing else is library."""

    LIBRARY = "library"
    EXAMPLES = "examples"
    NOTEBOOKS = "notebooks"
    DOCS = "docs"
    BENCHMARKS = "benchmarks"
    TESTS = "tests"


STRENGTH = {confidence: place for place, confidence in enumerate(Confidence)}
"""How strong a confidence is, the strongest first: 0 for certain."""


class Applicability(str, Enum):
    """Who may apply a fix: anybody (safe), on request (unsafe), nobody but a human reader (display)."""

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
    """One step of a trail: where, and a phrase that a reader understands ("passed as dataset")."""

    message: str
    location: Location


class Related(Step, frozen=True):
    """A place from which the culprit of a diagnostic is reached: what it does there ("lambda `get(name)` is kept
    in `Head.activation`"), and the place, which `span`, `location` and `noqa_row` tell as those of a `Diagnostic`."""

    span: Span
    noqa_row: int


class Edit(Struct, frozen=True, order=True):
    """Replace the text of `span` by `content`. An empty span inserts."""

    span: Span
    content: str


class Fix(Struct, frozen=True):
    """Edits of one file that mend one diagnostic, sorted and not overlapping each other.

    `message` is an imperative phrase ("Convert to a list"). Two fixes may carry an identical insertion (the same
    import): it is applied once. `is_the_help` says that it does what the help of the diagnostic advises, and that
    nothing else is advised: who is shown the one need not be told the other.
    """

    message: str
    applicability: Applicability
    edits: tuple[Edit, ...]
    is_the_help: bool = False


class Diagnostic(Struct, frozen=True):
    """What a run reports.

    `span` and `location` are the same range in the same file. `error` is the run-time error that the user would
    have met, word for word, or None. `trail` runs from the boundary to the hazard and may visit other files.
    `noqa_row` is the 1-based row (in the cell, for notebooks) that a suppression comment must end. `related` are the
    places that lead to it, if these are several, and the one that the message tells of is the first; it then stands at
    what they have in common.
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
    """What the file is there for."""

    @property
    def told(self) -> str:
        """The message without the run-time error at its end (or before "from Python 3.14 on")."""
        return without_error(self.message, self.error)


def without_error(message: str, error: str | None) -> str:
    """A message of a rule without the run-time error at its end (or before "from Python 3.14 on")."""
    if error is None:
        return message
    return re.sub(rf"(?:: | - | — |; ){re.escape(error)}\.?(?=$|, from)", "", message)


def told_at(diagnostic: Diagnostic, related: Related) -> Diagnostic:
    """A diagnostic as if it stood at one of the places that are related to it."""
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
    """What fixing did (or, with a diff, would do) to one file: decoded text before and after, and the
    diagnostics that are gone with it."""

    path: str
    before: str
    after: str
    fixed: tuple[Diagnostic, ...]


class Defect(Struct, frozen=True):
    """Something in lintpickle itself that failed: while which task was done (a rule, or linking) for the module at
    `path` ("" if for none), with which error, and at which place of our source. If the module was given up because it
    takes too long or too much, that is no failure, and `given_up` says why."""

    path: str
    task: str
    error: str
    place: str
    given_up: str = ""


class Outcome(Struct, frozen=True):
    """The result of a run.

    `diagnostics` are those that remain, sorted by path, row, column and code; `held_back` is how many more were found
    that are only possible. `changes` are sorted by path.
    `notices` are one-line remarks about the run itself ("no Python environment was found: …").
    `files` counts the files that were checked. `defects` are failures of lintpickle itself: what those tasks would have
    found in those modules is missing. `unread` are files in tests and the like that cannot be read, which is only shown
    when asked for. `cuts` are the limits that were reached: what is beyond them is unknown. `suggests_library` says
    that the setting `library` would judge more.
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


class LintpickleError(Exception):
    """Bad input from the user (configuration, selector, path): the message names the place and the remedy.

    Faces print it and exit with 2.
    """
