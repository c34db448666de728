"""`Settings`: every option with its default and its documentation. Everything else is derived from it."""

# `_option` makes a dataclass field, which the linter cannot know.
# ruff: noqa: RUF009

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from msgspec import Struct

from lintpickle.diagnostics import StartMethod
from lintpickle.disk import LARGEST_SOURCE
from lintpickle.settings.kinds import (
    SELECTOR_PATTERN,
    Boolean,
    ChoiceList,
    GlobTable,
    Megabytes,
    OneOf,
    OptionKind,
    PathList,
    PathValue,
    PythonRange,
    Seconds,
    TextList,
)

DEFAULT_EXCLUDE = (
    ".bzr",
    ".direnv",
    ".eggs",
    ".git",
    ".git-rewrite",
    ".hg",
    ".ipynb_checkpoints",
    ".mypy_cache",
    ".nox",
    ".pants.d",
    ".pyenv",
    ".pytest_cache",
    ".pytype",
    ".ruff_cache",
    ".svn",
    ".tox",
    ".venv",
    ".virtual_documents",
    ".vscode",
    "__pypackages__",
    "_build",
    "buck-out",
    "dist",
    "node_modules",
    "site-packages",
    "venv",
)


def _format_names() -> Sequence[str]:
    from lintpickle.report import format_names

    return format_names()


SELECTORS = TextList(label="list of rule selectors", pattern=SELECTOR_PATTERN)


def _option(kind: OptionKind, default: Any, doc: str, example: str) -> Any:
    """A field that is an option. The first sentence of `doc` is its summary; `example` is TOML."""
    metadata = {"kind": kind, "doc": " ".join(doc.split()), "example": example}
    if isinstance(default, dict):
        return field(default_factory=lambda: dict(default), metadata=metadata, hash=False)
    return field(default=default, metadata=metadata)


class Origin(Struct, frozen=True):
    """Where an option was set: a line of a file, or the command line (`path` is None)."""

    path: Path | None = None
    row: int | None = None

    def __str__(self) -> str:
        if self.path is None:
            return "the CLI"
        return f"{self.path}:{self.row}" if self.row else str(self.path)


@dataclass(frozen=True)
class Selectors:
    """What one source (a configuration file, the command line) says about which rules are on.

    `select` is None when the source does not say it. `origins` maps (option, selector) to where it was
    written."""

    select: tuple[str, ...] | None = None
    ignore: tuple[str, ...] = ()
    extend_select: tuple[str, ...] = ()
    extend_ignore: tuple[str, ...] = ()
    origins: Mapping[tuple[str, str], Origin] = field(default_factory=dict, hash=False, compare=False)


@dataclass(frozen=True)
class Settings:
    """The settings of a file. Fields that carry documentation are options; the rest is provenance.

    All paths are absolute. Globs are relative to `root`.
    """

    select: tuple[str, ...] = _option(
        SELECTORS,
        ("LP",),
        """Rules to turn on: codes (LP101), prefixes (LP1), names (dict-view-attribute) or "ALL". The bare
        prefix "LP" stands for the rules that are on by default; "ALL" and longer selectors also reach the
        others. Where select and ignore both match a rule, the more specific selector wins, and ignore wins a
        tie.""",
        'select = ["LP1", "unguarded-worker-start"]',
    )
    ignore: tuple[str, ...] = _option(
        SELECTORS, (), "Rules to turn off, written as in select.", 'ignore = ["dict-view-attribute"]'
    )
    extend_select: tuple[str, ...] = _option(
        SELECTORS,
        (),
        "Rules to turn on in addition to those of select.",
        'extend-select = ["LP4"]',
    )
    extend_ignore: tuple[str, ...] = _option(
        SELECTORS, (), "Rules to turn off in addition to those of ignore.", 'extend-ignore = ["LP301"]'
    )
    per_file_ignores: Mapping[str, tuple[str, ...]] = _option(
        GlobTable(label="table from glob to rule selectors", pattern=SELECTOR_PATTERN),
        {},
        """Rules to turn off in the files that a glob matches. Globs are written as in .gitignore, relative to the
        folder of the configuration; one that starts with "!" applies to all files that do not match.""",
        '[tool.lintpickle.per-file-ignores]\n"tests/" = ["LP1"]',
    )
    exclude: tuple[str, ...] = _option(
        TextList(label="list of globs"),
        DEFAULT_EXCLUDE,
        """Files and folders to exclude, written as in .gitignore, relative to the folder of the configuration. A path
        named on the command line is checked anyway, unless force-exclude is on.""",
        'exclude = ["third_party", ".venv"]',
    )
    extend_exclude: tuple[str, ...] = _option(
        TextList(label="list of globs"),
        (),
        "Files and folders to exclude in addition to those of exclude.",
        'extend-exclude = ["third_party"]',
    )
    force_exclude: bool = _option(
        Boolean(),
        False,
        "Leave out excluded files even when they are named on the command line, as pre-commit does.",
        "force-exclude = true",
    )
    respect_gitignore: bool = _option(
        Boolean(), True, "Exclude what .gitignore and .ignore files exclude.", "respect-gitignore = false"
    )
    max_file_size: int = _option(
        Megabytes(),
        LARGEST_SOURCE,
        """The maximum size of a source file or notebook, in megabytes. Larger files are not read, and LP900 reports
        them.""",
        "max-file-size = 50",
    )
    max_file_seconds: int = _option(
        Seconds(),
        60,
        """The maximum processor time for checking one file, in seconds. LP904 reports a file that takes longer, and the
        others are checked without it.""",
        "max-file-seconds = 300",
    )
    max_run_seconds: int = _option(
        Seconds(),
        3600,
        """The maximum elapsed time for checking a project, in seconds. LP904 then says so once, and the findings so far
        are reported. Editors ignore this limit.""",
        "max-run-seconds = 600",
    )
    max_memory: int = _option(
        Megabytes(most=1_000_000),
        4000,
        """The number of megabytes by which a process may grow while it checks one file (Linux only). LP904 reports a
        file that takes more.""",
        "max-memory = 1000",
    )
    start_methods: tuple[StartMethod, ...] = _option(
        ChoiceList(tuple(method.value for method in StartMethod), StartMethod),
        tuple(StartMethod),
        """The multiprocessing start methods that the program may run under. Rules that apply only under other methods
        report nothing.""",
        'start-methods = ["spawn", "forkserver"]',
    )
    pedantic: bool = _option(
        Boolean(),
        False,
        "Also report hazards in classes that are not known to cross a boundary (confidence: possible).",
        "pedantic = true",
    )
    library: bool = _option(
        Boolean(),
        False,
        """The project is a library whose users ship objects of its classes: treat its public classes as shipped, even
        if nothing in the project starts a process. Classes that hold an object tied to one process (a lock, a thread,
        an open file) are left out, unless they are datasets, transforms, modules or the like.""",
        "library = true",
    )
    python: Path | None = _option(
        PathValue(label="path of an environment or an interpreter"),
        None,
        """The Python environment whose installed packages the program uses. It is read, never run. By default,
        lintpickle uses an active environment, or else .venv in the project.""",
        'python = ".venv"',
    )
    src: tuple[Path, ...] = _option(
        PathList(label="list of folders"),
        (Path(), Path("src")),
        "The folders in which first-party imports are resolved. Modules that are not there are searched for in the "
        "folder of the importing file and its parents, and in folders called lib, libs or src there.",
        'src = [".", "lib"]',
    )
    catalog: tuple[Path, ...] = _option(
        PathList(label="list of TOML files"),
        (),
        "More catalog files, which say what third-party calls return and where objects cross a boundary.",
        'catalog = ["lintpickle-catalog.toml"]',
    )
    unsafe_fixes: bool = _option(
        Boolean(),
        False,
        "Let --fix also apply fixes that may change behaviour.",
        "unsafe-fixes = true",
    )
    fixable: tuple[str, ...] = _option(
        SELECTORS, ("ALL",), "Rules whose fixes may be applied, written as in select.", 'fixable = ["LP101"]'
    )
    unfixable: tuple[str, ...] = _option(
        SELECTORS, (), "Rules whose fixes are shown but never applied.", 'unfixable = ["LP110"]'
    )
    extend: Path | None = _option(
        PathValue(label="path of a configuration file"),
        None,
        """Another configuration file to start from; what this file sets wins. Without it, configuration files
        in parent folders are not merged.""",
        'extend = "../lintpickle.toml"',
    )
    target_version: str | None = _option(
        PythonRange(),
        None,
        """The Python versions that the program supports: the oldest one, or a range as in requires-python. A failure on
        any of them is reported, with the error message of the oldest. By default requires-python of the nearest
        pyproject.toml, or else the Python of the environment and later versions.""",
        'target-version = "3.12"',
    )
    output_format: str = _option(
        OneOf(_format_names),
        "full",
        "The output format of findings.",
        'output-format = "github"',
    )

    root: Path = field(default_factory=Path.cwd)
    source: Path | None = None
    origins: Mapping[str, Origin] = field(default_factory=dict, hash=False, compare=False, repr=False)
    selector_layers: tuple[Selectors, ...] = field(default=(), repr=False)

    def __post_init__(self) -> None:
        for item in dataclasses.fields(self):
            if isinstance(item.metadata.get("kind"), (PathValue, PathList)):
                value = getattr(self, item.name)
                joined = tuple(self.root / path for path in value) if isinstance(value, tuple) else value
                if isinstance(value, Path):
                    joined = self.root / value
                object.__setattr__(self, item.name, joined)

    def layers(self) -> tuple[Selectors, ...]:
        """The sources of rule selection, weakest first."""
        own = Selectors(self.select, self.ignore, self.extend_select, self.extend_ignore)
        return self.selector_layers or (own,)
