"""LP205: start-method-set-at-import."""

from __future__ import annotations

import json
from pathlib import Path

from lintpickle.api import lint_paths
from lintpickle.settings import SettingsResolver
from tests.pages import PageTests
from tests.support import marks

TEXT = "import multiprocessing as mp\n\nmp.set_start_method('spawn')\n"


class TestPage(PageTests):
    code = "LP205"


def test_no_worker_runs_a_notebook_again(tmp_path: Path) -> None:
    cell: dict[str, object] = {
        "cell_type": "code",
        "source": TEXT,
        "metadata": {},
        "outputs": [],
        "execution_count": None,
    }
    notebook = tmp_path / "a.ipynb"
    notebook.write_text(json.dumps({"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}))
    assert marks(TEXT) == [(3, "LP205")]
    assert lint_paths([str(notebook)], resolver=SettingsResolver(isolated=True)).diagnostics == ()
