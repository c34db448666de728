"""How the formats show the places that lead to one culprit."""

from __future__ import annotations

import json

import pytest

from lintpickle.diagnostics import Outcome
from lintpickle.report import render

from .conftest import Project


@pytest.fixture
def project() -> Project:
    users = {f"user{number}.py": f"def hold():\n    keep(make({number}))\n" for number in range(1, 6)}
    return Project({"makers.py": "def make(name):\n    return lambda x: x\n", **users})


def shown(project: Project, name: str, count: int = 5) -> str:
    related = tuple(
        project.related(f"lambda `make({number})` is kept", f"user{number}.py", f"make({number})")
        for number in range(1, count + 1)
    )
    finding = project.finding(
        "makers.py", "lambda x: x", code="LP102", message="lambda `lambda x: x` is kept", error=None, related=related
    )
    return render(name, Outcome((finding,)), project.context(quiet=True))


def test_full_shows_some(project: Project) -> None:
    lines = shown(project, "full").splitlines()
    start = lines.index("  = and 4 more places:")
    assert lines[start + 1 : start + 5] == [
        "    user2.py:2  lambda `make(2)` is kept",
        "    user3.py:2  lambda `make(3)` is kept",
        "    user4.py:2  lambda `make(4)` is kept",
        "    … `--output-format json` lists all",
    ]


def test_full_shows_all_if_they_are_few(project: Project) -> None:
    text = shown(project, "full", 2)
    assert "= and 1 more place:\n    user2.py:2  lambda `make(2)` is kept\n" in text
    assert "…" not in text


@pytest.mark.parametrize("name", ["concise", "grouped", "github", "gitlab", "azure", "junit", "rdjson", "sarif", "lsp"])
def test_messages_count_them(project: Project, name: str) -> None:
    assert "is kept (and 4 more places)" in shown(project, name)
    assert "(and 1 more place)" in shown(project, name, 2)


def test_json_has_all(project: Project) -> None:
    [finding] = json.loads(shown(project, "json"))
    assert finding["message"] == "lambda `lambda x: x` is kept"
    assert [each["filename"] for each in finding["related"]] == [project.path(f"user{n}.py") for n in range(1, 6)]
    assert finding["related"][0] == {
        "message": "lambda `make(1)` is kept",
        "filename": project.path("user1.py"),
        "cell": None,
        "location": {"row": 2, "column": 10},
        "end_location": {"row": 2, "column": 17},
    }


def test_sarif_and_lsp_and_rdjson_have_all(project: Project) -> None:
    [result] = json.loads(shown(project, "sarif"))["runs"][0]["results"]
    assert [each["id"] for each in result["relatedLocations"]] == [1, 2, 3, 4, 5]
    assert "codeFlows" not in result
    [diagnostic] = json.loads(shown(project, "lsp"))["diagnostics"]
    assert len(diagnostic["relatedInformation"]) == 5
    [entry] = json.loads(shown(project, "rdjson"))["diagnostics"]
    assert [each["location"]["path"] for each in entry["related_locations"]] == [f"user{n}.py" for n in range(1, 6)]
