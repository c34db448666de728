"""What a file of a project is for, according to its path alone: the library itself, its tests, examples and so on."""

from __future__ import annotations

import os
import re
from functools import lru_cache

from lintpickle.diagnostics import PlaceKind

__all__ = ["PlaceKind", "is_of_commands", "is_shown", "kind_of_place", "order_of_kind"]


_TEST_FOLDER = re.compile(r"(?:.+[_-])?tests?|tests?[_-].+|testsuites?|testcases")
_TEST_FILE = re.compile(r"conftest\.py|tests\.py|test_.+\.py|.+_test\.py")
_TOOLS = frozenset({"tools", "scripts", "bin"})
"""Folders in which `test_net.py` is a program that evaluates a trained model."""
_COMMAND_FOLDERS = frozenset({"command", "commands", "subcommand", "subcommands"})
"""Folders in which `test` is what the command of that name does."""
_EXAMPLE_FOLDERS = frozenset({"example", "examples", "demo", "demos", "tutorial", "tutorials", "samples", "cookbook"})
_MAKES = r"(?:.+_)?(?:gen|generate|make|create|record|collect|convert|build)_(?:.+_)?"
"""What makes examples, or demonstrations to learn from, is none itself: `make_examples.py`, `record_demos.py`."""
_EXAMPLE_FILE = re.compile(rf"(?!{_MAKES}(?:example|demo|tutorial))(?:.+_)?(?:example|demo|tutorial)s?(?:_.+)?\.py")
_DOC_FOLDER = re.compile(r"doc|documentation|(?:(?:api|dev|new|old|test|user|web)[-_]?)?docs")
_BENCHMARK_FOLDERS = frozenset({"benchmark", "benchmarks", "bench", "asv_bench"})
_BENCHMARK_FILE = re.compile(r"bench(?:mark)?s?(?:_.+)?\.py")
_VENDORED_FOLDER = re.compile(
    r"(?:third|3rd)[_-]?party|_?vendor(?:ed|s)?|_?externs?|externals|external[_-](?:libs?|libraries|code|repos?|packages)"
)
"""Folders of code that others write, and keep. Plain `external` may well be what a program does with other services."""
_RETIRED_FOLDER = re.compile(r"(?:.*_)archived?|archived|obsolete|deprecated|attic|(?:.*_)old")
"""Folders of what a project has replaced. Plain `archive` and `old` may well be parts of a library."""


@lru_cache(4096)
def kind_of_place(path: str, root: str, is_program: bool = False) -> PlaceKind:
    """What a file is for. `path` and `root`, the folder of its project, are absolute; the parts of `root` do not count.
    For a file outside the project, only its name counts. A program (`is_program`) is no test for its name alone, nor
    for being part of the command `test`."""
    *folders, name = _below(path, root)
    if is_program:
        folders = [each for place, each in enumerate(folders) if not _is_of_command(each, folders[:place])]
    if any(map(_TEST_FOLDER.fullmatch, folders)):
        return PlaceKind.TESTS
    if not is_program and _TEST_FILE.fullmatch(name) and _TOOLS.isdisjoint(folders):
        return PlaceKind.TESTS
    if any(map(_RETIRED_FOLDER.fullmatch, folders)):
        return PlaceKind.RETIRED
    if any(map(_VENDORED_FOLDER.fullmatch, folders)):
        return PlaceKind.VENDORED
    if name.endswith(".ipynb") or "notebooks" in folders:
        return PlaceKind.NOTEBOOKS
    if any(map(_DOC_FOLDER.fullmatch, folders)):
        return PlaceKind.DOCS
    if _BENCHMARK_FILE.fullmatch(name) or not _BENCHMARK_FOLDERS.isdisjoint(folders[:1]):
        return PlaceKind.BENCHMARKS  # Further down, `benchmarks` may well be a part of a library.
    if _EXAMPLE_FILE.fullmatch(name) or not _EXAMPLE_FOLDERS.isdisjoint(folders):
        return PlaceKind.EXAMPLES
    return PlaceKind.LIBRARY


def is_shown(path: str, root: str) -> bool:
    """Whether a file lies among docs or examples, which are there to be read."""
    return any(each in _EXAMPLE_FOLDERS or _DOC_FOLDER.fullmatch(each) for each in _below(path, root)[:-1])


def is_of_commands(path: str, root: str) -> bool:
    """Whether a file lies where the commands of a program are."""
    return not _COMMAND_FOLDERS.isdisjoint(_below(path, root)[:-1])


def _is_of_command(folder: str, above: list[str]) -> bool:
    return folder == "test" and not _COMMAND_FOLDERS.isdisjoint(above[-1:])


def order_of_kind(kind: PlaceKind) -> int:
    """The rank of a file: 0 for the library, 2 for tests, 1 for everything between. Lower ranks come first in a
    report."""
    return 0 if kind is PlaceKind.LIBRARY else 2 if kind is PlaceKind.TESTS else 1


def _below(path: str, root: str) -> list[str]:
    """The parts of a path below a folder, in lower case; of a path that is not below it, the last one."""
    inside = path.startswith(root.rstrip(os.sep) + os.sep)
    parts = path[len(root) :] if inside else os.path.basename(path)
    return [part for part in parts.lower().replace(os.sep, "/").split("/") if part]
