"""What plugins ask for: one file at a time, with the text that the host holds."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.diagnostics import LintpickleError
from lintpickle.integrations._hint import mentions_boundaries
from lintpickle.integrations._host import Host
from lintpickle.rulebook.pages import load_pages
from tests.integrations.conftest import CONFIG, DATA


def codes(host: Host, path: str, text: str) -> list[str]:
    return [each.code for each in host.diagnostics(path, text)]


def test_a_finding_whose_cause_lies_in_another_file(project: Path) -> None:
    assert codes(Host(project), "pkg/config.py", CONFIG) == ["LP101"]


def test_file_only_knows_no_other_file(project: Path) -> None:
    host = Host(project, file_only=True)
    assert codes(host, "pkg/config.py", CONFIG) == []
    assert codes(host, "pkg/data.py", DATA) == ["LP102"]


def test_file_only_does_not_call_a_comment_unused(project: Path) -> None:
    """Whether it is depends on the other files."""
    assert "# noqa: LP101" in CONFIG
    assert codes(Host(project, file_only=True), "pkg/config.py", CONFIG + "# lintpickle: file-ignore[LP102]\n") == []


def test_the_text_of_the_host_counts(project: Path) -> None:
    host = Host(project)
    assert codes(host, "pkg/config.py", CONFIG) == ["LP101"]
    assert codes(host, "pkg/config.py", CONFIG.replace("self.ranges.keys()", "list(ranges)")) == []
    assert codes(host, "pkg/config.py", CONFIG) == ["LP101"]


def test_an_edit_shows_in_other_files(project: Path) -> None:
    host = Host(project)
    assert codes(host, "pkg/data.py", DATA.replace("Config({", "dict({")) == ["LP102"]
    assert codes(host, "pkg/config.py", CONFIG) == []


def test_newlines_of_the_file_do_not_matter(project: Path) -> None:
    (project / "pkg" / "config.py").write_bytes(CONFIG.replace("\n", "\r\n").encode())
    found = Host(project).diagnostics("pkg/config.py", CONFIG)
    assert [(each.code, each.location.start.row) for each in found] == [("LP101", 4)]


def test_changes_on_disk_are_seen_after_forgetting(project: Path) -> None:
    host = Host(project)
    assert codes(host, "pkg/config.py", CONFIG) == ["LP101"]
    (project / "pkg" / "data.py").write_text("x = 1\n")
    assert codes(host, "pkg/config.py", CONFIG) == ["LP101"]
    host.forget()
    assert "LP101" not in codes(host, "pkg/config.py", CONFIG)


def test_a_new_file_joins_the_project(project: Path) -> None:
    host = Host(project)
    assert codes(host, "pkg/data.py", DATA) == ["LP102"]
    assert codes(host, "pkg/new.py", DATA) == ["LP102"]


def test_excluded_files_are_left_alone(project: Path) -> None:
    (project / "lintpickle.toml").write_text('extend-exclude = ["data.py"]\n')
    assert codes(Host(project), "pkg/data.py", DATA) == []


def test_a_project_without_a_hint_is_not_read(project: Path) -> None:
    (project / "pkg" / "data.py").write_text("x = 1\n")
    plain = CONFIG.replace("# noqa: LP101", "")
    (project / "pkg" / "config.py").write_text(plain)
    host = Host(project)
    assert codes(host, "pkg/config.py", plain) == []
    assert [program.session for program in host._programs.values()] == [None]
    assert codes(host, "pkg/data.py", DATA) == ["LP102"]


def test_folders_hold_together_what_nothing_else_does(project: Path) -> None:
    (project / "pyproject.toml").unlink()
    (project / "pkg" / "__init__.py").unlink()
    (project / "train").mkdir()
    (project / "train" / "data.py").write_text(DATA)
    (project / "pkg" / "data.py").unlink()
    assert codes(Host(project, [project]), "pkg/config.py", CONFIG) == ["LP101"]
    assert "LP101" not in codes(Host(project), "pkg/config.py", CONFIG)


def test_a_bad_configuration_is_an_error(project: Path) -> None:
    (project / "lintpickle.toml").write_text("selct = []\n")
    with pytest.raises(LintpickleError, match="selct"):
        Host(project).diagnostics("pkg/data.py", DATA)


def test_text_that_cannot_be_python_says_nothing(project: Path) -> None:
    assert codes(Host(project), "pkg/data.py", "x = '\0'\nimport torch\n") in ([], ["LP900"])


class TestHint:
    def test_whatever_a_rule_finds_is_hinted_at(self) -> None:
        pages = [page for page in load_pages() if page.code != "LP900"]
        silent = [
            (page.code, block.label)
            for page in pages
            for block in page.of_kind("bad")
            if not mentions_boundaries(block.code.encode())
        ]
        assert len(pages) > 10
        assert silent == []

    @pytest.mark.parametrize("text", ["import torch\n", "class A(MyDataset): ...\n", "x = 1  # noqa: E501, LP101\n"])
    def test_hints(self, text: str) -> None:
        assert mentions_boundaries(text.encode())

    @pytest.mark.parametrize("text", ["", "import os\n\n\nclass A:\n    pass\n", "x = 1  # noqa: E501\n"])
    def test_no_hint(self, text: str) -> None:
        assert not mentions_boundaries(text.encode())
