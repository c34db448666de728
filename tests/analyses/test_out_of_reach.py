"""LP208 where not all that workers run was read: whether they could call what sets the value."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.api import lint_paths
from lintpickle.diagnostics import Confidence
from lintpickle.settings import SettingsResolver

_CONFIG = """\
copies = False


def choose_copies():
    global copies
    copies = True
"""
_STEPS = "".join(f"def step_{number}(row):\n    return step_{number + 1}(row)\n\n\n" for number in range(20))
_ESTIMATE = """\
import multiprocessing

import config
{imports}


def estimate(rows):
    with multiprocessing.Pool(2) as pool:
        return pool.map(work, rows)


def work(row):
    return step_0(row) if config.copies else row


{steps}def step_20(row):
    {last}
    return row
"""
_MANAGER = """\
import sys

import config
import estimate


def run(rows):
    config.choose_copies()
    print(estimate.estimate(rows))


if __name__ == "__main__":
    run(sys.argv)
"""


def _confidences(folder: Path, **files: str) -> list[Confidence]:
    for name, text in files.items():
        (folder / f"{name}.py").write_text(text)
    found = lint_paths([str(folder)], resolver=SettingsResolver(isolated=True, cwd=folder)).diagnostics
    return [each.confidence for each in found if each.code == "LP208"]


@pytest.mark.parametrize(
    ("imports", "last", "fires"),
    [
        ("", "pass", True),
        ("import other", "other.look(row)", True),
        ("import manager", "manager.run([])", False),
        ("", "import manager\n    manager.run([])", False),
        ("import other", "other.choose()", False),
        ("", "config.choose_copies()", False),
        ("", "getattr(config, 'choose_copies')()", False),
    ],
)
def test_what_only_modules_call_that_workers_do_not_import(
    imports: str, last: str, fires: bool, tmp_path: Path
) -> None:
    estimate = _ESTIMATE.format(imports=imports, steps=_STEPS, last=last)
    other = "import config\n\n\ndef look(row):\n    print(row, config.copies)\n"
    if "choose" in last:
        other += "\n\ndef choose():\n    config.choose_copies()\n"
    found = _confidences(tmp_path, config=_CONFIG, estimate=estimate, manager=_MANAGER, other=other)
    assert found == [Confidence.LIKELY] * fires
