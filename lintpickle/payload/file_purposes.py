"""What the files of a project are for: its library, or tests, examples, docs and benchmarks of it, or code that others
keep, or that it has replaced."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection

from lintpickle.imports.declared import Declared
from lintpickle.parsing.main_guard import has_guard
from lintpickle.source.file_kinds import PlaceKind, is_of_commands, is_shown, kind_of_place, order_of_kind

_AS_GOOD_AS_LIBRARY = frozenset({PlaceKind.LIBRARY, PlaceKind.NOTEBOOKS})
_HAS_TESTS = re.compile(r"^\s*(?:async\s+)?def test|^class Test|\bpytest\b|\bunittest\b", re.MULTILINE)
_TESTS_SOMETHING = re.compile(r"^\s*(?:async\s+)?def test_|\bpytest\b|\bunittest\b", re.MULTILINE)
_TEST_RUNNER = re.compile(r"\bpytest\b|\bunittest\b|^class Test", re.MULTILINE)
_RUNS = re.compile(r"^(?:for |while |with |print\(|if __name__\b|\w+ *= *[\w.]+\.parse_args\(\))", re.MULTILINE)
"""Statements of a module that make it a program."""
_COMMAND_LINE = re.compile(r"\bparse_args\(\)|\bsys\.argv\[|^@click\.|\bhydra\.main\b|\bfire\.Fire\(", re.MULTILINE)


def holds_tests(code: str) -> bool:
    """Whether the text of a file contains tests, or uses a test runner."""
    return _HAS_TESTS.search(code) is not None


def is_program(code: str) -> bool:
    """Whether the text of a file named `test_….py` is a program that tests a model, say, and not a test of the project:
    it does something when it is run, and reads the command line or has nothing that pytest would call."""
    if _TEST_RUNNER.search(code) is not None or _RUNS.search(code) is None:
        return False
    return _COMMAND_LINE.search(code) is not None or not holds_tests(code)


class FilePurposes:
    """The purposes of a project's files. `root` is its folder; `asked` are the files of the folders that were asked
    for. Files that are named one by one have the same findings as in a run over the whole project. `read` gives the
    text of a file."""

    def __init__(self, root: str, asked: Collection[str], read: Callable[[str], str]) -> None:
        self.root = root
        self._read = read
        self._declared = Declared(root)
        self._programs: dict[str, tuple[str, bool]] = {}
        """The files that are tests by their names alone: their texts, and whether they are programs, or belong to the
        commands of one."""
        self.are_asked_for = bool(asked) and not any(kind_of_place(path, root) in _AS_GOOD_AS_LIBRARY for path in asked)
        """Whether nothing else was asked for than tests, examples and other such code, as their paths say."""

    def kind(self, path: str) -> PlaceKind:
        """The purpose of a file."""
        by_path = kind_of_place(path, self.root)
        if by_path is PlaceKind.BENCHMARKS and self._is_installed(path):
            return PlaceKind.LIBRARY
        if by_path is not PlaceKind.TESTS:
            return by_path
        otherwise = kind_of_place(path, self.root, is_program=True)
        return otherwise if otherwise is not PlaceKind.TESTS and self._is_program(path) else by_path

    def _is_installed(self, path: str) -> bool:
        """Whether a file is in a package at the top with which scripts begin that the project installs: a program whose
        subject are benchmarks."""
        below = path.removeprefix(self.root.rstrip(os.sep) + os.sep)
        return os.sep in below and self._declared.begins_scripts(below.partition(os.sep)[0])

    def _is_program(self, path: str) -> bool:
        text = self._read(path)
        known = self._programs.get(path)
        if known is None or known[0] is not text:
            is_command = is_of_commands(path, self.root) and _TESTS_SOMETHING.search(text) is None
            known = self._programs[path] = text, is_command or is_program(text)
        return known[1]

    def order(self, path: str) -> int:
        """The sort order of a file: 0 for the library, 2 for tests, 1 for everything between."""
        return order_of_kind(self.kind(path))

    def is_library(self, path: str) -> bool:
        """Whether findings in a file keep their confidence: it is library code or a notebook, or only tests and the
        like were asked for."""
        return self.are_asked_for or self.kind(path) in _AS_GOOD_AS_LIBRARY

    def is_only_shown(self, path: str) -> bool:
        """Whether a notebook is a page of the docs, or an example: a cell that cannot be read disturbs nobody there."""
        return is_shown(path, self.root)

    def is_run_itself(self, path: str, code: str) -> bool:
        """Whether a file, with this text, may be run as a script; among the tests, most are imported."""
        if self.kind(path) is not PlaceKind.TESTS:
            return True
        return has_guard(code) and not holds_tests(code)

    def steps_down(self, home: str, place: str) -> int:
        """By how many steps to lower a finding that one file leads to and that is in another one."""
        is_library = self.is_library(place)
        if is_library and self.is_library(home):
            return 0
        return 2 if is_library and self.kind(home) is PlaceKind.TESTS else 1
