"""What is read from a traceback, and what is told of it."""

from __future__ import annotations

from msgspec import Struct

from lintpickle.catalog import ErrorKind
from lintpickle.diagnostics import Defect, Diagnostic, FileChange, Location


class TracebackFrame(Struct, frozen=True):
    """A frame as the text shows it: the path on the machine of the traceback, the 1-based row and the source line, if
    they are shown. `path` is "" where only a notebook's cell is named."""

    path: str
    row: int | None
    function: str = ""
    line: str | None = None
    cell: int | None = None
    """The number with which a notebook's cell ran (`Cell In[3]`), which is not its place in the notebook."""


class RaisedError(Struct, frozen=True):
    """One error with the frames that led to it, outermost first. `message` may have several lines; `notes` are those
    that Python 3.14 adds while pickling, innermost first."""

    type: str
    message: str
    frames: tuple[TracebackFrame, ...]
    notes: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The error as Python prints it."""
        return f"{self.type}: {self.message}" if self.type and self.message else self.type or self.message


class Recognised(Struct, frozen=True):
    """An error that the catalog knows. `type` is the type that cannot cross, `name` the qualified name of a function or
    class, `module` where it was looked for; each None if the message does not say."""

    kind: ErrorKind
    raised: RaisedError
    text: str
    type: str | None = None
    name: str | None = None
    module: str | None = None


class Crossed(Struct, frozen=True):
    """The boundary that the frames show. `kind` is that of a `BoundarySpec`; `caller` is the last frame before the
    library's own, and `own` the last one that is in no library; None if no such frame is shown."""

    kind: str | None
    caller: TracebackFrame | None
    own: TracebackFrame | None


class Read(Struct, frozen=True):
    """What a text says: the error to explain, and the boundary that its frames show; `all` are all errors in it."""

    error: Recognised | None
    boundary: Crossed
    all: tuple[RaisedError, ...]


class MatchedFrame(Struct, frozen=True):
    """A frame whose file is here. `row` is where its line stands now; `is_moved` if that is another row than in the
    traceback, `is_sure` if the line that the traceback quotes stands there."""

    frame: TracebackFrame
    path: str
    row: int | None
    is_moved: bool
    is_sure: bool


class Candidate(Struct, frozen=True):
    """A finding that gives the error, and why it is taken for the one: phrases, the strongest first."""

    diagnostic: Diagnostic
    path: str
    """How one gets at what cannot cross ("dataset.eval_detection_configs.class_names"); "" if that is not known."""
    reasons: tuple[str, ...]
    score: int


class NamedPlace(Struct, frozen=True):
    """A line that the traceback itself leads to, where no rule finds fault: what is there, in a phrase."""

    what: str
    location: Location


class KnowledgeEnd(Struct, frozen=True):
    """Where following ended: by which path, and what stands there."""

    path: str
    what: str
    location: Location


class Explanation(Struct, frozen=True):
    """What can be said of a traceback. `candidates` are ranked, best first; `named` are places without a finding.
    `followed` counts what was followed where nothing was found; `probe` is the command that asks the live program."""

    read: Read
    frames: tuple[MatchedFrame, ...] = ()
    boundary: MatchedFrame | None = None
    candidates: tuple[Candidate, ...] = ()
    named: tuple[NamedPlace, ...] = ()
    ends: tuple[KnowledgeEnd, ...] = ()
    followed: int = 0
    probe: str = ""
    changes: tuple[FileChange, ...] = ()
    notices: tuple[str, ...] = ()
    defects: tuple[Defect, ...] = ()

    @property
    def is_found(self) -> bool:
        """Whether there is a line to look at."""
        return bool(self.candidates or self.named)
