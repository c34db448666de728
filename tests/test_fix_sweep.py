"""The sweep of fixes notices tests that give something else after fixing."""

from __future__ import annotations

import csv
import sys
from pathlib import Path

from tools import fix_sweep
from tools.tested_packages import TABLE


def test_the_table_pins_at_least_ten_packages() -> None:
    with TABLE.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    assert len({row["name"] for row in rows}) == len(rows) >= 10
    assert all(row["version"] and row["arguments"] for row in rows)


def test_outcomes_are_compared_test_by_test(tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    (tree / "src").mkdir(parents=True)
    (tree / "src" / "package.py").write_text("VALUE = 1\n", encoding="utf-8")
    source = "import package\n\n\ndef test_it():\n    assert package.VALUE == 1\n\n\ndef test_other():\n    pass\n"
    (tree / "test_it.py").write_text(source, encoding="utf-8")
    tests = fix_sweep.Tests(sys.executable, ["test_it.py"], "src")
    before = tests.outcomes(tree)
    assert before == {"test_it.py::test_it": "PASSED", "test_it.py::test_other": "PASSED"}
    assert tests.compared(tree, before) == (before, [])
    (tree / "src" / "package.py").write_text("VALUE = 2\n", encoding="utf-8")
    assert tests.compared(tree, before)[1] == ["test_it.py::test_it: PASSED, now FAILED"]
