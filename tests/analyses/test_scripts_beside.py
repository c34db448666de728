"""LP208 and LP210: what another script sets when it runs says nothing of the workers of this one, unless this one
imports it. Measured with CPython 3.11 under spawn and forkserver."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.api import lint_paths
from lintpickle.settings import SettingsResolver

CONFIG = """\
LIMIT = None
NAMES = {"none": 0}


def configure():
    global LIMIT
    LIMIT = 3


def register(name):
    NAMES[name] = len(NAMES)


def limited(value):
    return value % LIMIT


def known(value):
    return NAMES["first"] + value
"""
TRAIN = """\
import multiprocessing

import config
{also}

def work(value):
    return config.{read}(value)


def {main}():
    {also_inside}config.{setter}
    with multiprocessing.Pool(2) as pool:
        print(pool.map(work, range(4)))


if __name__ == "__main__":
    {main}()
"""
SCRIPT = "import config\n\nconfig.{setter}\n"
READS = [("limited", "configure()", "LP208"), ("known", "register('first')", "LP210")]


def _codes(tmp_path: Path, files: dict[str, str]) -> list[str]:
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    resolver = SettingsResolver(cwd=tmp_path, isolated=True)
    return [each.code for each in lint_paths([str(tmp_path)], resolver=resolver).diagnostics]


def _train(read: str, setter: str, main: str = "run", also: str = "", also_inside: str = "") -> str:
    return TRAIN.format(read=read, setter=setter, main=main, also=also, also_inside=also_inside)


@pytest.mark.parametrize(("read", "setter", "code"), READS)
@pytest.mark.parametrize("script", ["run.py", "main.py", "pool.py"])
def test_a_script_whose_name_is_a_word_of_others(
    tmp_path: Path, read: str, setter: str, code: str, script: str
) -> None:
    """`run` is a function of `train.py`, and `main` of a third script, but nobody imports `run.py` or `main.py`."""
    other = 'def main():\n    print("run the pool")\n\n\nif __name__ == "__main__":\n    main()\n'
    files = {"config.py": CONFIG, "train.py": _train(read, setter), script: SCRIPT.format(setter=setter)}
    assert _codes(tmp_path, {**files, "eval.py": other}) == [code]


@pytest.mark.parametrize(("read", "setter", "code"), READS)
@pytest.mark.parametrize(
    ("also", "also_inside"),
    [
        ("import first", ""),
        ("import os, first as begun", ""),
        ("from first import config as same", ""),
        ("from first import (\n    config as same,\n)", ""),
    ],
)
def test_a_module_that_the_script_imports(
    tmp_path: Path, read: str, setter: str, code: str, also: str, also_inside: str
) -> None:
    """It sets that in workers too, which import it."""
    files = {"config.py": CONFIG, "first.py": SCRIPT.format(setter=setter)}
    assert _codes(tmp_path, {**files, "train.py": _train(read, setter, also=also, also_inside=also_inside)}) == []


@pytest.mark.parametrize(
    "importing",
    [
        "def later():\n    from jobs.first import config\n    return config\n",
        "from .first import config\n",
        "from . import (\n    first,\n)\n",
        "import importlib\n\n\ndef later(name):\n    return importlib.import_module('jobs.first')\n",
        "ENTRIES = {'first': 'jobs.first:main'}\n",
    ],
)
def test_a_module_that_another_one_imports(tmp_path: Path, importing: str) -> None:
    """Whether workers do is not known: nothing is said."""
    files = {
        "jobs/__init__.py": "",
        "jobs/config.py": CONFIG,
        "jobs/first.py": SCRIPT.format(setter="configure()").replace("import config", "from jobs import config"),
        "jobs/second.py": importing,
        "jobs/train.py": _train("limited", "configure()").replace("import config\n", "from jobs import config\n"),
    }
    assert _codes(tmp_path, files) == []


def test_a_script_of_the_same_name_elsewhere(tmp_path: Path) -> None:
    """`tools/run.py` is imported by a script beside it, not the `run.py` that sets the limit."""
    files = {
        "config.py": CONFIG,
        "train.py": _train("limited", "configure()", main="main"),
        "run.py": SCRIPT.format(setter="configure()"),
        "tools/run.py": "def fast():\n    return 1\n",
        "tools/all.py": "import run\n\nprint(run.fast())\n",
    }
    assert _codes(tmp_path, files) == ["LP208"]
