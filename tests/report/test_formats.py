"""What all output formats have in common."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from lintpickle.diagnostics import LintpickleError, Outcome
from lintpickle.report import format_names, get_format, render
from tests.report.conftest import Project

WANTED = [
    "azure",
    "concise",
    "full",
    "github",
    "gitlab",
    "grouped",
    "json",
    "json-lines",
    "junit",
    "lsp",
    "rdjson",
    "sarif",
]


def test_all_formats_are_found() -> None:
    assert list(format_names()) == WANTED


@pytest.mark.parametrize("name", WANTED)
def test_file_and_class_agree_on_the_name(name: str) -> None:
    assert get_format(name).name == name


def test_unknown_format() -> None:
    with pytest.raises(LintpickleError, match='unknown output format "xml"'):
        get_format("xml")


@pytest.mark.parametrize("name", WANTED)
def test_order_of_findings_does_not_matter(name: str, mixed_project: Project, mixed_outcome: Outcome) -> None:
    context = mixed_project.context()
    backwards = replace(mixed_outcome, diagnostics=mixed_outcome.diagnostics[::-1])
    assert render(name, backwards, context) == render(name, mixed_outcome, context)


@pytest.mark.parametrize("name", WANTED)
def test_every_finding_is_there(name: str, mixed_project: Project, mixed_outcome: Outcome) -> None:
    text = render(name, mixed_outcome, mixed_project.context())
    assert text.endswith("\n")
    for finding in mixed_outcome.diagnostics:
        assert finding.code in text


@pytest.mark.parametrize("name", WANTED)
def test_colour_only_in_formats_for_people(name: str, mixed_project: Project, mixed_outcome: Outcome) -> None:
    text = render(name, mixed_outcome, mixed_project.context(color=True, links=True))
    assert ("\033" in text) is get_format(name).human


@pytest.mark.parametrize("name", WANTED)
def test_sources_that_cannot_be_had(name: str, mixed_project: Project, mixed_outcome: Outcome) -> None:
    gone = Project()
    text = render(name, mixed_outcome, gone.context(show_fixes=True))
    assert text.count("LP302") >= 1


@pytest.mark.parametrize("name", WANTED)
def test_notebooks(name: str, notebook_project: Project, notebook_outcome: Outcome) -> None:
    text = render(name, notebook_outcome, notebook_project.context())
    assert "cell 2" in text or '"cell": 2' in text or '"cell":2' in text


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("full", "All checks passed!\n"),
        ("concise", "All checks passed!\n"),
        ("grouped", "All checks passed!\n"),
        ("json", "[]\n"),
        ("gitlab", "[]\n"),
        ("json-lines", ""),
        ("lsp", ""),
        ("github", ""),
        ("azure", ""),
    ],
)
def test_nothing_found(name: str, expected: str) -> None:
    assert render(name, Outcome(()), Project().context()) == expected
