"""Notebooks through the command line: reported by cell, and fixed so that nothing else in the file changes."""

from __future__ import annotations

import json
import multiprocessing
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from lintpickle.commands import app

CELLS: list[tuple[str, list[str]]] = [
    ("markdown", ["# Frames é 😋\n", "\n", "with lambda x: x in the text"]),
    ("code", ["%matplotlib inline\n", "import torch\n", "from torch.utils.data import DataLoader, Dataset\n"]),
    ("code", ["!pip install torch\n", "files = !ls\n", "'é 😋'"]),
    ("code", ["%%bash\n", "echo lambda: 0"]),
    (
        "code",
        [
            "class Frames(Dataset):\n",
            "    def __init__(self):\n",
            "        self.what = 'é 😋'; self.names = {}.keys()\n",
            "\n",
            "    def __getitem__(self, i):\n",
            "        return i",
        ],
    ),
    ("code", ["DataLoader(Frames(), num_workers=2, multiprocessing_context='spawn')"]),
]


def _notebook(indent: int | None, ascii_only: bool, joined: bool) -> str:
    cells = [
        {"cell_type": kind, "metadata": {}, "source": "".join(rows) if joined else rows}
        | ({"execution_count": 3, "outputs": [{"z": 1, "a": [1.50, 1e3]}]} if kind == "code" else {})
        for kind, rows in CELLS
    ]
    whole = {"nbformat": 4, "nbformat_minor": 5, "metadata": {"language_info": {"name": "python"}}, "cells": cells}
    return json.dumps(whole, indent=indent, ensure_ascii=ascii_only) + "\n"


def _run(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(app, ["check", "--isolated", *arguments])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result.exit_code, result.output


@pytest.fixture
def path(tmp_path: Path) -> Path:
    (tmp_path / "pyproject.toml").touch()
    return tmp_path / "frames.ipynb"


def test_the_cell_and_its_own_row_are_reported(path: Path) -> None:
    path.write_text(_notebook(1, True, False), encoding="utf-8")
    code, output = _run("--output-format", "concise", "--select", "LP101", str(path))
    assert code == 1
    assert f"{path}:cell 5:3:41: LP101" in output


@pytest.mark.parametrize("indent", [None, 1, 4])
@pytest.mark.parametrize("ascii_only", [True, False])
@pytest.mark.parametrize("joined", [True, False])
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_only_the_edited_row_changes(
    path: Path, indent: int | None, ascii_only: bool, joined: bool, newline: str
) -> None:
    before = _notebook(indent, ascii_only, joined).replace("\n", newline).encode()
    path.write_bytes(before)
    code, _ = _run("--fix", "--select", "LP101", str(path))
    assert code == 0
    assert path.read_bytes() == before.replace(b"self.names = {}.keys()", b"self.names = list({}.keys())")


def test_a_notebook_without_hazards_is_left_alone(path: Path) -> None:
    before = _notebook(2, False, False).replace("{}.keys()", "sorted({})").encode()
    path.write_bytes(before)
    assert _run("--fix", "--select", "LP101", str(path))[0] == 0
    assert path.read_bytes() == before


def test_a_comment_in_a_cell_suppresses_there_and_nowhere_else(path: Path) -> None:
    row = "self.names = {}.keys()"
    before = _notebook(1, True, False).replace(row, f"{row}  # lintpickle: ignore[LP101]")
    path.write_text(before, encoding="utf-8")
    assert _run("--select", "LP101,LP901", str(path))[0] == 0
    path.write_text(before.replace("{}.keys()", "list({})"), encoding="utf-8")
    code, output = _run("--output-format", "concise", "--select", "LP101,LP901", str(path))
    assert (code, "cell 5:3" in output, "LP901" in output) == (1, True, True)


WORK = "import multiprocessing as mp\ndef work(number):\n    return number + 1\n"
SQUARES = """\
import multiprocessing as mp
from collections.abc import Sequence
class Squares(Sequence):
    def __len__(self):
        return 2
    def __getitem__(self, index):
        return [0, 1][index]
"""
FRAMES = """\
from torch.utils.data import DataLoader, Dataset
class Frames(Dataset):
    def __len__(self):
        return 2
    def __getitem__(self, index):
        return index
"""
MODULE = "def work(number):\n    return number + 1\n"
POOL = """\
from concurrent.futures import ProcessPoolExecutor
with ProcessPoolExecutor(1, mp_context=mp.get_context({method!r})) as pool:
    pool.submit(work, 1).result()
"""
PROCESS = """\
context = mp.get_context({method!r})
process = context.Process(target=print, args=(Squares(),))
process.start()
process.join()
assert process.exitcode == 0
"""
NOT_IN_MAIN = (
    "AttributeError: module '__main__' has no attribute"
    if sys.version_info >= (3, 14)
    else "on <module '__main__' (<class '_frozen_importlib.BuiltinImporter'>)>"
    if sys.version_info >= (3, 12)
    else "on <module '__main__' (built-in)>"
)


def _cells(path: Path, *sources: str) -> None:
    cells = [{"cell_type": "code", "metadata": {}, "outputs": [], "source": source} for source in sources]
    path.write_text(json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": cells}), encoding="utf-8")


def _about_main(path: Path) -> list[tuple[str, int, str]]:
    """Code, cell and name of what is reported because workers cannot find it."""
    ours = "target-version = '{}.{}'".format(*sys.version_info)
    _, output = _run("--output-format", "json", "--select", "ALL", "--config", ours, str(path))
    found = [item for item in json.loads(output) if NOT_IN_MAIN in (item["error"] or "")]
    return [(item["code"], item["cell"], item["message"].split("`")[1]) for item in found]


def _succeeds(folder: Path, *sources: str) -> bool:
    """Whether the cells run, one after the other, as a kernel runs them: in a `__main__` that has no file."""
    command = [sys.executable, "-c", "\n".join(sources)]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0 or NOT_IN_MAIN in done.stderr, done.stderr
    return done.returncode == 0


@pytest.mark.parametrize(("cell", "use", "name"), [(WORK, POOL, "work"), (SQUARES, PROCESS, "Squares")])
@pytest.mark.parametrize("method", ["spawn", "forkserver", "fork"])
def test_what_a_notebook_defines_does_not_reach_workers_unless_they_are_forked(
    path: Path, cell: str, use: str, name: str, method: str
) -> None:
    if method not in multiprocessing.get_all_start_methods():
        pytest.skip(f"this system has no {method}")
    use = use.format(method=method)
    _cells(path, "1 + 1", cell, use)
    assert _succeeds(path.parent, cell, use) == (method == "fork")
    assert _about_main(path) == ([] if method == "fork" else [("LP204", 2, name)])


@pytest.mark.parametrize("method", ["spawn", "forkserver", "fork"])
def test_what_it_imports_reaches_them(path: Path, method: str) -> None:
    if method not in multiprocessing.get_all_start_methods():
        pytest.skip(f"this system has no {method}")
    (path.parent / "workers.py").write_text(MODULE, encoding="utf-8")
    cells = "import multiprocessing as mp\nfrom workers import work\n", POOL.format(method=method)
    _cells(path, *cells)
    assert _succeeds(path.parent, *cells)
    assert _about_main(path) == []


@pytest.mark.parametrize(
    ("use", "found"),
    [
        ("DataLoader(Frames(), num_workers=2, multiprocessing_context='spawn')", True),
        ("DataLoader(Frames(), num_workers=2)", True),  # Python 3.14 does not fork, and macOS and Windows never did
        ("DataLoader(Frames(), num_workers=2, multiprocessing_context='fork')", False),
        ("DataLoader(Frames())", False),
        ("import torch.multiprocessing as mp\nmp.spawn(print, args=(Frames(),), nprocs=2)", True),
        ("import copy\ncopy.deepcopy(Frames())", False),
    ],
)
def test_datasets_of_a_notebook(path: Path, use: str, found: bool) -> None:
    _cells(path, "# data", FRAMES, use)
    assert _about_main(path) == ([("LP204", 2, "Frames")] if found else [])


@pytest.mark.parametrize(
    ("content", "says"),
    [("{", "not valid JSON"), ("{}", "no list of cells"), ('{"cells": [1]}', "not a JSON object")],
)
def test_what_is_no_notebook_is_reported_and_left_alone(path: Path, content: str, says: str) -> None:
    path.write_text(content, encoding="utf-8")
    code, output = _run("--fix", "--output-format", "concise", str(path))
    assert code == 1
    assert "LP900" in output and says in output
    assert path.read_text(encoding="utf-8") == content


BROKEN_AFTER = "parts = 3 // 2)\nhandle = open('a.txt')\n"


def test_a_broken_cell_costs_that_cell_alone(path: Path) -> None:
    _cells(
        path,
        "import torch",
        BROKEN_AFTER,
        FRAMES,
        "    indented = (",
        "DataLoader(Frames())\ntorch.save({}.keys(), 'a')",
    )
    code, output = _run("--output-format", "concise", str(path))
    assert code == 1
    found = {place: rest[:5] for place, _, rest in (line.partition(": ") for line in output.splitlines())}
    assert found[f"{path}:cell 2:1:15"] == found[f"{path}:cell 4:1:16"] == "LP900"
    assert found[f"{path}:cell 5:2:12"] == "LP101"
    assert output.count("LP900") == 2


@pytest.mark.parametrize(
    ("first", "second", "told"), [(1, 2, True), (1, None, False), (None, None, True), (None, 1, True)]
)
def test_a_broken_cell_that_was_never_run_may_be_notes(
    path: Path, first: int | None, second: int | None, told: bool
) -> None:
    _cells(path, "import torch", "the data lies\non the server")
    notebook = json.loads(path.read_text(encoding="utf-8"))
    for cell, count in zip(notebook["cells"], (first, second), strict=True):
        cell["execution_count"] = count
    path.write_text(json.dumps(notebook), encoding="utf-8")
    _, output = _run("--output-format", "concise", str(path))
    assert ("LP900" in output) is told


_KERNEL_2 = {"kernelspec": {"language": "python", "name": "python2"}, "language_info": {"version": "2.7.13"}}
_KERNEL_3 = {"kernelspec": {"language": "python", "name": "python3"}, "language_info": {"version": "3.6.10"}}


@pytest.mark.parametrize(
    ("cell", "metadata", "told"),
    [
        ("print data.shape", _KERNEL_2, False),
        ("print data.shape", _KERNEL_3, False),
        ("print data.shape", {}, False),
        ("rows = read('rows.txt)", _KERNEL_2, False),
        ("rows = read('rows.txt)", _KERNEL_3, True),
        ("# Put the path here\npath = \nrows = read(path)", _KERNEL_3, False),
        ("path =  # where the files are\nrows = read(path)", _KERNEL_3, False),
        ("path = )\nrows = read(path)", _KERNEL_3, True),
        ("path == \nrows = read(path)", _KERNEL_3, True),
        ("# model.yaml\nmodel:\n    name: DeepFM\n    sizes: [64, 32]\n    rate: 1.e-3", _KERNEL_3, False),
        ('{\n    "name": "tiny",\n    "index": {\n        "first": 0\n    },\n}}', _KERNEL_3, False),
        ("!cd demo\npython train.py --config demo.yaml", _KERNEL_3, False),
        ("model: Model\nname: str\nrows = read('rows.txt)", _KERNEL_3, True),
        ("if model:\n    fit(model))\nelse:\n    load(model)", _KERNEL_3, True),
        ("python = 3\nprint(python", _KERNEL_3, True),
    ],
)
def test_a_broken_cell_that_is_meant_to_be_so(path: Path, cell: str, metadata: dict[str, object], told: bool) -> None:
    _cells(path, "import torch", cell)
    notebook = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps({**notebook, "metadata": metadata}), encoding="utf-8")
    _, output = _run("--output-format", "concise", str(path))
    assert ("LP900" in output) is told


def test_what_is_found_beside_a_broken_cell_is_mended(path: Path) -> None:
    _cells(path, "import torch", BROKEN_AFTER, "torch.save({}.keys(), 'a')")
    before = path.read_text(encoding="utf-8")
    _run("--fix", "--unsafe-fixes", "--select", "LP101", str(path))
    after = path.read_text(encoding="utf-8")
    assert "list({}.keys())" in after
    assert after.replace("list({}.keys())", "{}.keys()") == before


def test_cells_that_only_hold_together_are_read_together(path: Path) -> None:
    _cells(path, "if True:\n    pass\n", "x = (\n", "1)\n")
    assert _run(str(path))[0] == 0
