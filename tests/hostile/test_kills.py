"""A few kills of `--fix`; `python -m tests.hostile.kills` does as many as wanted."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from .kills import Folder, kills

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals as on POSIX")


def test_a_kill_loses_no_file_and_the_next_run_tidies_up(tmp_path: Path) -> None:
    assert [kill.wrong for kill in kills(Folder(tmp_path, 4), 4, seed=25)] == [[]] * 4
