"""What the files of a project are for: its library, or tests, examples, docs and benchmarks of it."""

from __future__ import annotations

import re
from collections.abc import Collection

from lintpickle.parsing.main_guard import text_from_guard
from lintpickle.source.file_kinds import PlaceKind, kind_of_place, order_of_kind

_AS_GOOD_AS_LIBRARY = frozenset({PlaceKind.LIBRARY, PlaceKind.NOTEBOOKS})
_HAS_TESTS = re.compile(r"^\s*(?:async\s+)?def test|^class Test|\bpytest\b|\bunittest\b", re.MULTILINE)


def holds_tests(code: str) -> bool:
    """Whether the text of a file contains tests, or uses a test runner."""
    return _HAS_TESTS.search(code) is not None


class FilePurposes:
    """The purposes of a project's files. `root` is its folder; `asked` are the files of the folders that were asked
    for. Files that are named one by one have the same findings as in a run over the whole project."""

    def __init__(self, root: str, asked: Collection[str]) -> None:
        self.root = root
        self._kinds: dict[str, PlaceKind] = {}
        self.are_asked_for = bool(asked) and not any(self.kind(path) in _AS_GOOD_AS_LIBRARY for path in asked)
        """Whether nothing else was asked for than tests, examples, docs and benchmarks."""

    def kind(self, path: str) -> PlaceKind:
        """The purpose of a file; cached."""
        if path not in self._kinds:
            self._kinds[path] = kind_of_place(path, self.root)
        return self._kinds[path]

    def order(self, path: str) -> int:
        """The sort order of a file: 0 for the library, 2 for tests, 1 for everything between."""
        return order_of_kind(self.kind(path))

    def is_library(self, path: str) -> bool:
        """Whether findings in a file keep their confidence: it is library code or a notebook, or only tests and the
        like were asked for."""
        return self.are_asked_for or self.kind(path) in _AS_GOOD_AS_LIBRARY

    def is_run_itself(self, path: str, code: str) -> bool:
        """Whether a file, with this text, may be run as a script; among the tests, most are imported."""
        if self.kind(path) is not PlaceKind.TESTS:
            return True
        return text_from_guard(code) is not None and not holds_tests(code)

    def steps_down(self, home: str, place: str) -> int:
        """By how many steps to lower a finding that one file leads to and that is in another one."""
        is_library = self.is_library(place)
        if is_library and self.is_library(home):
            return 0
        return 2 if is_library and self.kind(home) is PlaceKind.TESTS else 1
