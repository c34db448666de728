"""The example of the page "I have an error"."""

from __future__ import annotations

import re
import sys
from pathlib import Path

from .programs import ROOT, lintpickle


def _block(name: str) -> str:
    text = (ROOT / "docs" / "errors.md").read_text(encoding="utf-8")
    found = re.search(rf"<!-- example: {name} -->\n```\w+\n(.*?)```", text, re.DOTALL)
    assert found is not None
    return found[1]


def test_the_report_is_what_the_page_shows(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(_block("probed program"))
    ran = lintpickle(tmp_path, "probe", "--isolated", "--python", sys.executable, "train.py")
    assert ran.returncode == 1
    assert ran.stderr.endswith(_block("report"))
