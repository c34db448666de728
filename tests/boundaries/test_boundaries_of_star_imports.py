"""Boundaries whose modules only a star import of the program's own gives a file."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support import lint_files

_HELPERS = "import multiprocessing as mp\nimport pickle\n\nimport torch\nimport torch.utils.data as data\n"
_MAIN = """\
from {source} import *


def main(rows):
    {use}


if __name__ == "__main__":
    main([1, 2])
"""


@pytest.mark.parametrize("source", ["helpers", "package.helpers", "package"])
@pytest.mark.parametrize(
    ("use", "code"),
    [
        ("mp.Process(target=lambda: rows).start()", "LP201"),
        ("list(data.DataLoader(rows, collate_fn=lambda batch: batch, num_workers=2))", "LP201"),
        ("torch.save({'key': lambda row: row}, 'rows.pt')", "LP102"),
        ("print(other.save({'key': lambda row: row}, 'rows.pt'))", None),
    ],
)
def test_a_module_by_a_star_import(tmp_path: Path, source: str, use: str, code: str | None) -> None:
    files = {
        "main.py": _MAIN.format(source=source, use=use),
        "helpers.py": _HELPERS,
        "package/__init__.py": "from .helpers import *\n",
        "package/helpers.py": _HELPERS,
    }
    assert [each.code for each in lint_files(tmp_path, files)] == ([code] if code is not None else [])


def test_a_star_import_of_a_library_gives_no_module(tmp_path: Path) -> None:
    text = _MAIN.format(source="os", use="torch.save({'key': lambda row: row}, 'rows.pt')")
    assert not lint_files(tmp_path, {"main.py": text})
