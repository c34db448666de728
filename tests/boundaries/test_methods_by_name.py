"""Boundaries that are methods of a context, called by a name that a module gives to one."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.api import lint_paths
from lintpickle.settings import SettingsResolver
from tests.support import marks

START = "\n\ndef main():\n    {0}(target=lambda: 1).start()\n\n\nif __name__ == '__main__':\n    main()\n"


@pytest.mark.parametrize(
    "above",
    [
        "Process = multiprocessing.get_context('spawn').Process",
        "context = multiprocessing.get_context('spawn')\nProcess = context.Process",
    ],
)
def test_a_name_of_a_method_is_the_method(above: str) -> None:
    code = f"import multiprocessing\n\n{above}\n{START.format('Process')}"
    assert [found for _, found in marks(code)] == ["LP201"]


@pytest.mark.parametrize(
    "above",
    [
        pytest.param("Process = multiprocessing.get_context('fork').Process", id="a forked process pickles nothing"),
        pytest.param("Process = multiprocessing.dummy.Process", id="a thread"),
        pytest.param("Process = multiprocessing.get_context('spawn').Value", id="another method of a context"),
        pytest.param("Process = make().Process", id="a method of whatever"),
    ],
)
def test_other_names(above: str) -> None:
    code = f"import multiprocessing\nimport multiprocessing.dummy\nfrom somewhere import make\n\n{above}\n"
    assert marks(code + START.format("Process")) == []


def test_a_name_that_another_module_gives(tmp_path: Path) -> None:
    (tmp_path / "contexts.py").write_text(
        "from multiprocessing import get_context\n\nWorker = get_context('spawn').Process\n"
    )
    main = tmp_path / "main.py"
    main.write_text("from contexts import Worker\n" + START.format("Worker"))
    found = lint_paths([str(tmp_path)], resolver=SettingsResolver(cwd=tmp_path, isolated=True)).diagnostics
    assert [(each.code, Path(each.location.path).name) for each in found] == [("LP201", "main.py")]


@pytest.mark.parametrize(("method", "expected"), [("spawn", ["LP201"]), ("fork", [])])
def test_a_name_that_the_body_of_a_class_gives(method: str, expected: list[str]) -> None:
    code = (
        f"import multiprocessing\n\n\nclass Runner:\n    Process = multiprocessing.get_context('{method}').Process\n\n"
        "    def go(self):\n        self.Process(target=lambda: 1).start()\n\n\n"
        "if __name__ == '__main__':\n    Runner().go()\n"
    )
    assert [found for _, found in marks(code)] == expected
