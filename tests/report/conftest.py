"""Findings in small files that exist only here, for the tests of the output formats."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from lintpickle.diagnostics import (
    Applicability,
    Confidence,
    Diagnostic,
    Edit,
    FileChange,
    Fix,
    Outcome,
    Related,
    Severity,
    Span,
    StartMethod,
    Step,
)
from lintpickle.report import ReportContext
from lintpickle.source.document import Document, document_from_text

ROOT = Path("/project").absolute()
KEYS_ERROR = "TypeError: cannot pickle 'dict_keys' object"


@dataclass
class Project:
    """Files by their path from `ROOT` (or by absolute path), and the findings in them."""

    files: dict[str, str] = field(default_factory=dict)

    def path(self, name: str) -> str:
        return str(ROOT / name)

    def document(self, path: str) -> Document | None:
        for name, text in self.files.items():
            if self.path(name) == path:
                return document_from_text(text, path)
        return None

    def span(self, name: str, found: str) -> Span:
        document = self.document(self.path(name))
        assert document is not None
        start = document.text.index(found)
        return Span(start, start + len(found))

    def step(self, message: str, name: str, found: str) -> Step:
        document = self.document(self.path(name))
        assert document is not None
        return Step(message, document.location(self.span(name, found)))

    def related(self, message: str, name: str, found: str) -> Related:
        step, span = self.step(message, name, found), self.span(name, found)
        return Related(step.message, step.location, span, step.location.start.row)

    def fix(self, name: str, found: str, content: str, applicability: Applicability = Applicability.SAFE) -> Fix:
        return Fix("Convert to a list", applicability, (Edit(self.span(name, found), content),))

    def finding(
        self,
        name: str,
        found: str,
        *,
        code: str = "LP101",
        rule: str = "dict-view-attribute",
        message: str = "`self.k` stores a dict view",
        severity: Severity = Severity.ERROR,
        confidence: Confidence = Confidence.CERTAIN,
        start_methods: tuple[StartMethod, ...] = (StartMethod.SPAWN, StartMethod.FORKSERVER),
        error: str | None = KEYS_ERROR,
        help: str | None = None,
        trail: tuple[Step, ...] = (),
        fix: Fix | None = None,
        related: tuple[Related, ...] = (),
    ) -> Diagnostic:
        document = self.document(self.path(name))
        assert document is not None
        span = self.span(name, found)
        return Diagnostic(
            code=code,
            name=rule,
            message=message,
            severity=severity,
            confidence=confidence,
            location=document.location(span),
            span=span,
            noqa_row=document.noqa_row(span.start),
            start_methods=start_methods,
            error=error,
            help=help,
            trail=trail,
            fix=fix,
            related=related,
        )

    def context(self, **options: object) -> ReportContext:
        return ReportContext(cwd=ROOT, source=self.document, **options)  # type: ignore[arg-type]


TRAIL_FILES = {
    "train.py": "import data\n\nds = data.Roads(cfg)\nloader = DataLoader(ds, num_workers=4)\n",
    "data.py": (
        "class Roads(Base):\n"
        "    def __init__(self, cfg):\n"
        "        super().__init__()\n"
        "        self.config = config_factory(cfg)\n"
        "\n"
        "    def __len__(self):\n"
        "        return 1\n"
    ),
    "/env/site-packages/kit/config.py": (
        "class Config:\n    def __init__(self, ranges):\n        self.names = ranges.keys()\n"
    ),
}


@pytest.fixture
def trail_project() -> Project:
    return Project(dict(TRAIL_FILES))


@pytest.fixture
def trail_outcome(trail_project: Project) -> Outcome:
    """One finding whose trail visits three files, one of them outside the project."""
    make = trail_project
    kit = "/env/site-packages/kit/config.py"
    finding = make.finding(
        "data.py",
        "self.config = config_factory(cfg)",
        message=f"`self.config` holds an object that stores a dict view: {KEYS_ERROR}",
        trail=(
            make.step("a DataLoader with workers pickles its dataset", "train.py", "DataLoader(ds, num_workers=4)"),
            make.step("passed as dataset", "train.py", "data.Roads(cfg)"),
            make.step("stores the result of config_factory()", "data.py", "config_factory(cfg)"),
            make.step("stores a dict view in `names`", kit, "ranges.keys()"),
        ),
        help="Turn it into plain values before storing it",
    )
    return Outcome((finding,), files=2)


@pytest.fixture
def mixed_project() -> Project:
    """A file with tabs, wide and combining characters, and a span of several rows."""
    return Project(
        {
            "pkg/mixed.py": (
                "class Wide(Dataset):\n"
                "\tdef __init__(self):\n"
                "\t\té = '你好😋'; self.k = d.keys()\n"
                "\t\tself.f = partial(\n"
                "\t\t\tlambda x: x,\n"
                "\t\t\t1,\n"
                "\t\t)\n"
            ),
            "a.py": "import torch\n\n\nself.k = d.keys()\nself.v = d.values()\n",
        }
    )


@pytest.fixture
def mixed_outcome(mixed_project: Project) -> Outcome:
    """Three errors and a warning: a safe, an unsafe and a display fix, and none."""
    make = mixed_project
    return Outcome(
        (
            make.finding(
                "a.py",
                "d.keys()",
                fix=make.fix("a.py", "d.keys()", "list(d.keys())"),
            ),
            make.finding(
                "a.py",
                "d.values()",
                message="`self.v` stores a dict view",
                confidence=Confidence.LIKELY,
                fix=make.fix("a.py", "d.values()", "tuple(d.values())", Applicability.UNSAFE),
            ),
            make.finding("pkg/mixed.py", "d.keys()", confidence=Confidence.POSSIBLE, start_methods=()),
            make.finding(
                "pkg/mixed.py",
                "partial(\n\t\t\tlambda x: x,\n\t\t\t1,\n\t\t)",
                code="LP302",
                rule="slow-partial",
                message="50% slower: a, b",
                severity=Severity.WARNING,
                start_methods=tuple(StartMethod),
                error=None,
                fix=make.fix("pkg/mixed.py", "lambda x: x", "identity", Applicability.DISPLAY),
            ),
        ),
        files=2,
    )


def notebook(*cells: str) -> str:
    """A notebook with these Python cells, as JSON."""
    return json.dumps(
        {
            "cells": [
                {
                    "cell_type": "code",
                    "execution_count": None,
                    "metadata": {},
                    "outputs": [],
                    "source": cell.splitlines(keepends=True),
                }
                for cell in cells
            ],
            "metadata": {"language_info": {"name": "python"}},
            "nbformat": 4,
            "nbformat_minor": 5,
        }
    )


@pytest.fixture
def notebook_project() -> Iterator[Project]:
    cells = ("import torch\n", "d = {}\n\nself.k = d.keys()\n", "loader = DataLoader(ds)\nafter = 1\n")
    yield Project({"nb.ipynb": notebook(*cells)})


@pytest.fixture
def notebook_outcome(notebook_project: Project) -> Outcome:
    make = notebook_project
    finding = make.finding(
        "nb.ipynb",
        "d.keys()",
        fix=make.fix("nb.ipynb", "d.keys()", "list(d.keys())"),
        trail=(make.step("passed as dataset", "nb.ipynb", "DataLoader(ds)"),),
    )
    return Outcome((finding,), files=1)


@pytest.fixture
def change(mixed_project: Project, mixed_outcome: Outcome) -> FileChange:
    """What applying the safe fix to `a.py` does."""
    before = mixed_project.files["a.py"]
    after = before.replace("d.keys()", "list(d.keys())")
    return FileChange(mixed_project.path("a.py"), before, after, mixed_outcome.diagnostics[:1])
