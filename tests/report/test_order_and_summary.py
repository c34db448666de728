"""In which order people are told, and what the last lines say."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from lintpickle.diagnostics import Confidence, Diagnostic, Outcome, PlaceKind
from lintpickle.report import render
from lintpickle.report.summary import summary

from .conftest import Project

CERTAIN, LIKELY, POSSIBLE = Confidence.CERTAIN, Confidence.LIKELY, Confidence.POSSIBLE
LIBRARY, EXAMPLES, TESTS = PlaceKind.LIBRARY, PlaceKind.EXAMPLES, PlaceKind.TESTS
NAMES = "abcdefgh"


@pytest.fixture
def project() -> Project:
    return Project({f"{name}.py": "self.k = d.keys()\n" for name in NAMES})


def finding(project: Project, name: str, confidence: Confidence, where: PlaceKind, code: str = "LP101") -> Diagnostic:
    return replace(project.finding(f"{name}.py", "d.keys()", confidence=confidence, code=code), where=where)


def test_what_is_most_certain_comes_first_then_the_library(project: Project) -> None:
    findings = (
        finding(project, "a", CERTAIN, LIBRARY, "LP900"),
        finding(project, "b", POSSIBLE, LIBRARY),
        finding(project, "c", LIKELY, TESTS),
        finding(project, "d", LIKELY, EXAMPLES),
        finding(project, "e", LIKELY, LIBRARY),
        finding(project, "f", CERTAIN, TESTS),
        finding(project, "g", CERTAIN, LIBRARY),
        finding(project, "h", CERTAIN, LIBRARY),
    )
    assert _files(render("concise", Outcome(findings), project.context(quiet=True))) == "ghfedcba"
    assert _files(render("grouped", Outcome(findings[::-1]), project.context(quiet=True))) == "ghfedcba"
    assert _files(render("gitlab", Outcome(findings[::-1]), project.context())) == NAMES


def test_grouped_names_each_file_once() -> None:
    project = Project({"a.py": "d.keys()\nd.items()\n", "b.py": "d.keys()\n"})
    findings = (
        project.finding("a.py", "d.keys()", confidence=LIKELY),
        project.finding("a.py", "d.items()"),
        project.finding("b.py", "d.keys()"),
    )
    text = render("grouped", Outcome(findings), project.context(quiet=True))
    assert [line for line in text.splitlines() if line.endswith(":")] == ["a.py:", "b.py:"]
    assert text.index("2:1") < text.index("1:1")


def test_the_summary_of_many(project: Project) -> None:
    codes = ["LP101", "LP101", "LP101", "LP102", "LP102", "LP103", "LP104", "LP105"]
    places = [LIBRARY, LIBRARY, LIBRARY, LIBRARY, EXAMPLES, TESTS, TESTS, TESTS]
    findings = [
        finding(project, name, CERTAIN, where, code) for name, code, where in zip(NAMES, codes, places, strict=True)
    ]
    text = summary(Outcome(tuple(findings), held_back=2), project.context())
    assert text == (
        "Found 8 errors.\n"
        "  by rule: 3 LP101 dict-view-attribute, 2 LP102 dict-view-attribute, 1 LP103 dict-view-attribute, "
        "2 of 2 more (`--statistics`)\n"
        "  where: 4 in the library, 1 in examples, 3 in tests\n"
        "`lintpickle rule LP101` says why it breaks, and what to do instead.\n"
        "At least 2 findings more are only possible: `--pedantic` shows them.\n"
    )


def test_the_summary_of_few_says_no_more_than_is_seen(project: Project) -> None:
    outcome = Outcome((finding(project, "a", CERTAIN, TESTS),))
    assert summary(outcome, project.context()) == "Found 1 error.\n"


def test_nothing_is_said_of_places_if_all_are_in_the_library(project: Project) -> None:
    findings = tuple(finding(project, name, CERTAIN, LIBRARY) for name in NAMES)
    assert "where" not in summary(Outcome(findings), project.context())


def test_nothing_but_what_is_held_back(project: Project) -> None:
    text = summary(Outcome((), files=3, held_back=1), project.context())
    assert text == "All checks passed! (3 files)\nAt least 1 finding more is only possible: `--pedantic` shows it.\n"


def _files(text: str) -> str:
    """The names of the files in a report, in order."""
    found = [name for line in text.splitlines() for name in NAMES if f"{name}.py" in line]
    return "".join(dict.fromkeys(found))
