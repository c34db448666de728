from __future__ import annotations

import time

import pytest

from lintpickle.source.patterns import Patterns


@pytest.mark.parametrize(
    ("line", "path", "is_folder"),
    [
        ("a.py", "a.py", False),
        ("a.py", "x/y/a.py", False),
        ("a.py ", "a.py", False),
        ("a.py\r", "a.py", False),
        ("a b.py", "a b.py", False),
        ("a\\ ", "a ", False),
        ("*.py", "x/a.py", False),
        ("/a.py", "a.py", False),
        ("x/a.py", "x/a.py", False),
        ("x/*/a.py", "x/y/a.py", False),
        ("**/a.py", "a.py", False),
        ("**/a.py", "x/y/a.py", False),
        ("x/**/a.py", "x/a.py", False),
        ("x/**/a.py", "x/y/z/a.py", False),
        ("x/**", "x/y/a.py", False),
        ("build/", "x/build", True),
        ("b?ild", "build", True),
        ("[ab].py", "b.py", False),
        ("[!a].py", "b.py", False),
        ("[^a-c].py", "d.py", False),
        ("[]x].py", "].py", False),
        ("[[:digit:]-].py", "7.py", False),
        ("[[:digit:]-].py", "-.py", False),
        ("[\\]].py", "].py", False),
        ("\\#a.py", "#a.py", False),
        ("\\!a.py", "!a.py", False),
        ("a\\*.py", "a*.py", False),
        ("a**b", "axxb", False),
        ("é.py", "é.py", False),
        ("a+(b).py", "a+(b).py", False),
    ],
)
def test_fits(line: str, path: str, is_folder: bool) -> None:
    assert Patterns([line]).verdict(path, is_folder) is True


@pytest.mark.parametrize(
    ("line", "path", "is_folder"),
    [
        ("a.py", "aa.py", False),
        ("a.py", "a.pyi", False),
        ("/a.py", "x/a.py", False),
        ("x/a.py", "y/x/a.py", False),
        ("x/*.py", "x/y/a.py", False),
        ("x/**", "x", True),
        ("build/", "build", False),
        ("build/", "build/a.py", False),
        ("build", "build/a.py", False),
        ("a?b", "a/b", False),
        ("a[/]b", "a/b", False),
        ("[!a].py", "a.py", False),
        ("a.py", "axpy", False),
        ("# a.py", "# a.py", False),
        ("", "a.py", False),
        ("   ", "a.py", False),
        ("a\\*.py", "ab.py", False),
    ],
)
def test_does_not_fit(line: str, path: str, is_folder: bool) -> None:
    assert Patterns([line]).verdict(path, is_folder) is None


def test_the_last_fitting_pattern_decides() -> None:
    patterns = Patterns(["*.py", "!keep.py", "lib/keep.py"])
    assert patterns.verdict("a.py", False) is True
    assert patterns.verdict("keep.py", False) is False
    assert patterns.verdict("lib/keep.py", False) is True
    assert patterns.verdict("a.txt", False) is None


@pytest.mark.parametrize("line", ["!", "/", "a\\", "[", "a[b", "[z-a]"])
def test_lines_that_are_no_pattern_are_skipped(line: str) -> None:
    patterns = Patterns([line, "a.py"])
    assert patterns.invalid == [line]
    assert patterns.verdict("a.py", False) is True
    assert patterns.verdict("b.py", False) is None


@pytest.mark.parametrize(
    ("pattern", "path"),
    [
        ("*a*a*a*a*ab", "a" * 200),
        ("*a" * 20 + "b", "a" * 4000),
        ("**/a/" * 20 + "b", "/".join("a" * 2000)),
        ("**/*a*a*a/" * 10 + "b", "/".join(["aaaa"] * 500)),
        ("x/" + "*a" * 30 + "/b", "x/" + "a" * 2000 + "/c"),
        ("**/" + "[ab]*?" * 30 + "c", "/".join(["ab" * 50] * 20)),
    ],
)
def test_no_path_takes_long(pattern: str, path: str) -> None:
    patterns = Patterns([pattern])
    started = time.process_time()
    assert patterns.verdict(path, False) is None
    assert time.process_time() - started < 1


@pytest.mark.parametrize("line", [" " * 500_000 + "x", "[" * 500_000, "a" * 5000, "*" * 100_000])
def test_no_line_takes_long_to_read(line: str) -> None:
    started = time.process_time()
    Patterns([line]).verdict("a/b", False)
    assert time.process_time() - started < 1
