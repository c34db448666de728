"""What is found in a saved file: plain records."""

from __future__ import annotations

from enum import Enum

from msgspec import Struct, field

from lintpickle.diagnostics import Location


class Global(Struct, frozen=True, order=True):
    """A module and a name in it (dotted from protocol 4 on), as a pickle asks for them."""

    module: str
    name: str

    @property
    def path(self) -> str:
        return f"{self.module}.{self.name}" if self.module else self.name


class GlobalUse(Struct):
    """How often a global is asked for (as often as `find_class` would be), how often it is called to make something,
    and the offset at which it is first asked for."""

    first: int
    asked: int = 0
    called: int = 0


class PickleFacts(Struct):
    """What one pickle says, found by reading its opcodes.

    `offset` is where it begins in its file or member, `size` its length in bytes, data between its opcodes included.
    `protocol` is the one that it names, 0 if it names none. `reached` are attributes of globals that it gets by
    `getattr`. `opcodes` maps those that occur to the offset at which they first do, by their names in `pickletools`.
    `fills` and `builds` say which objects are given items (opcode, what made the object) or a state (what made it),
    with the first offset; `dtypes` are the codes of NumPy dtypes that are given a state. `persistent` counts persistent
    ids by their kind, `extensions` are codes of copyreg's extension registry. `unnamed` counts globals whose name is
    not known: it is computed while loading, or was not remembered. `odd_calls` counts calls of what is not a global.
    `arrays` counts joblib's arrays between the opcodes. `problem` says why it cannot be read further, if that is so,
    and `cut` which bound was reached."""

    offset: int = 0
    size: int = 0
    protocol: int = 0
    frames: int = 0
    count: int = 0
    globals: dict[Global, GlobalUse] = field(default_factory=dict)
    reached: dict[Global, GlobalUse] = field(default_factory=dict)
    opcodes: dict[str, int] = field(default_factory=dict)
    fills: dict[tuple[str, str], int] = field(default_factory=dict)
    builds: dict[str, int] = field(default_factory=dict)
    dtypes: dict[str, int] = field(default_factory=dict)
    persistent: dict[str, int] = field(default_factory=dict)
    extensions: dict[int, int] = field(default_factory=dict)
    unnamed: int = 0
    odd_calls: int = 0
    arrays: int = 0
    result: int | None = None
    problem: str | None = None
    cut: str | None = None

    @property
    def is_whole(self) -> bool:
        """Whether it was read to its end."""
        return self.problem is None and self.cut is None


class PickledPart(Struct, frozen=True):
    """A pickle of a file: `member` is where in an archive it is ("" if the file is none), `role` what it is there
    for."""

    member: str
    role: str
    facts: PickleFacts


class FileContents(Struct):
    """What a file is, and the pickles in it.

    `kind` says what it is, for people. `loads_with` is the function that reads such a file. `torch` is how `torch.load`
    treats it: "zip", "legacy", "tar", "torchscript", or None if it reads no such file. `modules` are the modules that
    the file brings along (torch.package), `extern` those that it expects. `notes` are remarks, `problems` what cannot
    be read."""

    kind: str = ""
    loads_with: str = ""
    torch: str | None = None
    parts: list[PickledPart] = field(default_factory=list)
    modules: set[str] = field(default_factory=set)
    notes: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)


class Standing(Enum):
    """What is known of a global here, without importing anything."""

    PROJECT = "project"
    ENVIRONMENT = "environment"
    STANDARD_LIBRARY = "standard library"
    ARCHIVE = "in the file itself"
    UNSEEN = "not visible in source"
    GONE = "gone"
    MODULE_GONE = "module gone"
    MAIN = "__main__"

    @property
    def is_missing(self) -> bool:
        """Whether loading fails for it."""
        return self in (Standing.GONE, Standing.MODULE_GONE, Standing.MAIN)


class Place(Struct, frozen=True):
    """Where something of a name is defined: its dotted path as one imports it, and the place in the source."""

    module: str
    name: str
    location: Location

    @property
    def path(self) -> str:
        return f"{self.module}.{self.name}"


class Danger(Struct, frozen=True):
    """A global that does more than make an object when it is called, and what it does."""

    path: str
    does: str


class Need(Struct, frozen=True):
    """A global that a file needs, from all of its pickles.

    `written` is the name in the file; `path` the one that is looked for, which is another for names of Python 2.
    `place` is where it is defined, if that was found; `elsewhere` where things of that name are, for one that is
    missing. `why` explains the standing. `by_getattr` says that it is got from its class by `getattr`. `parent` is the
    closest package above a module that is gone which is still there."""

    written: str
    path: str
    module: str
    name: str
    asked: int
    called: int
    standing: Standing
    why: str = ""
    place: Place | None = None
    elsewhere: tuple[Place, ...] = ()
    danger: Danger | None = None
    by_getattr: bool = False
    parent: str = ""


class Refusal(Struct, frozen=True):
    """Why `torch.load(weights_only=True)` refuses a file and no allow-list helps."""

    what: str


class TorchVerdict(Struct, frozen=True):
    """What `torch.load(path, weights_only=True)` of one torch version does with a file.

    `loads` says that it loads as it is; None: that cannot be told. `refused` are the globals that are not allowed by
    default; `imports` and `allow` are the lines that allow all that can be allowed, `never` what no such line helps
    against, and `unsure` what may be refused besides."""

    torch: str
    loads: bool | None
    refused: tuple[str, ...] = ()
    imports: tuple[str, ...] = ()
    allow: str | None = None
    never: tuple[Refusal, ...] = ()
    unsure: tuple[str, ...] = ()


class Inspection(Struct, frozen=True):
    """All that is told of one file. `size` is in bytes."""

    path: str
    size: int
    contents: FileContents
    needs: tuple[Need, ...] = ()
    verdicts: tuple[TorchVerdict, ...] = ()
    cures: tuple[str, ...] = ()

    @property
    def missing(self) -> tuple[Need, ...]:
        return tuple(need for need in self.needs if need.standing.is_missing)

    @property
    def dangers(self) -> tuple[Need, ...]:
        return tuple(need for need in self.needs if need.danger is not None)

    @property
    def is_whole(self) -> bool:
        """Whether all pickles in it were read to their ends."""
        return not self.contents.problems and all(part.facts.is_whole for part in self.contents.parts)

    @property
    def is_good(self) -> bool:
        """Whether all that it needs is here, as far as that can be told."""
        return self.is_whole and not self.missing
