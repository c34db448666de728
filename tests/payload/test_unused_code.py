"""A boundary in a function, class or module that nothing in a program of scripts uses is only possible."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support import lint_files

SCRIPT = """\
from {imported}

{more}

if __name__ == "__main__":
    work([1, 2])
"""
PARALLEL = """\
import multiprocessing as mp


def work(rows):
    print(rows)


def begin_all(rows):
    mp.Process(target=lambda: print(rows)).start()


class Starter{bases}:
    def begin(self, rows):
        mp.Process(target=lambda: print(rows)).start()
{end}
"""


def _codes(folder: Path, files: dict[str, str]) -> list[int]:
    """The lines of `parallel.py` in which a lambda is found."""
    found = lint_files(folder, files)
    return [each.location.start.row for each in found if each.code == "LP201"]


def _in_parallel(
    folder: Path, more: str, imported: str = "parallel import work", other: str = "", bases: str = "", end: str = ""
) -> list[int]:
    files = {"main.py": SCRIPT.format(imported=imported, more=more), "other.py": other}
    return _codes(folder, {**files, "parallel.py": PARALLEL.format(bases=bases, end=end)})


@pytest.mark.parametrize(
    "more",
    [
        "",
        "def build(name):\n    return globals()[name]()",
        "def ask(environment, name):\n    return getattr(environment, name)",
        "def show(function_text):\n    exec(function_text)",
        "import importlib\n\ndef load(task):\n    return importlib.import_module(f'engines.{task}').engine()",
        "def run(begin_all=None):\n    return begin_all",
        "def run(rows):\n    begin_all = rows.begin\n    begin_all()",
    ],
)
def test_what_the_program_never_names(tmp_path: Path, more: str) -> None:
    assert _in_parallel(tmp_path, more) == []


@pytest.mark.parametrize(
    ("more", "rows"),
    [
        ("from parallel import begin_all\n\nbegin_all([1])", [9]),
        ("from parallel import Starter\n\nStarter().begin([1])", [14]),
        ("import parallel\n\nparallel.begin_all([1])", [9]),
        ("KINDS = ['begin_all', 'Starter']", [9, 14]),
        ("import parallel\n\ndef build(name):\n    return getattr(parallel, name)()", [9, 14]),
        ("import parallel\n\ndef build(module, name):\n    return getattr(module, name)()", [9, 14]),
        ("from parallel import *\n\ndef build(name):\n    return globals()[name]()", [9, 14]),
        ("import importlib\n\ndef load(task):\n    return importlib.import_module(task).engine()", [9, 14]),
        ("import importlib\n\ndef load(task):\n    return importlib.import_module(f'para{task}').engine()", [9, 14]),
        ("from hydra.utils import instantiate\n\ndef load(options):\n    return instantiate(options.model)", [9, 14]),
    ],
)
def test_what_the_program_may_get(tmp_path: Path, more: str, rows: list[int]) -> None:
    assert _in_parallel(tmp_path, more) == rows


@pytest.mark.parametrize(
    "other",
    [
        "from parallel import begin_all as begin\n\n\ndef run(rows):\n    begin(rows)\n",
        "def run(functions, rows):\n    functions.begin_all(rows)\n",
        "def run(functions, rows):\n    functions['begin_all'](rows)\n",
    ],
)
def test_another_file_names_it(tmp_path: Path, other: str) -> None:
    assert 9 in _in_parallel(tmp_path, "", other=other)


@pytest.mark.parametrize(
    ("bases", "end", "rows"),
    [
        ("(object)", "", []),
        ("(mp.Process)", "", []),
        ("(commands.BaseCommand)", "", [14]),
        ("(Base)", "\n\nclass Base:\n    pass\n", []),
        ("(Base)", "\n\nclass Base(commands.BaseCommand):\n    pass\n", [14]),
        ("", "\n\ndef build(name):\n    return globals()[name]()\n", [9, 14]),
        ("", "\n\nif __name__ == '__main__':\n    import fire\n\n    fire.Fire()\n", [9, 14]),
    ],
)
def test_what_classes_and_modules_do_themselves(tmp_path: Path, bases: str, end: str, rows: list[int]) -> None:
    assert _in_parallel(tmp_path, "", bases=bases, end=end) == rows


def test_users_of_a_library_may_name_it(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "parallel"\nversion = "1"\n')
    assert _in_parallel(tmp_path, "") == [9, 14]


AGENT = """\
import multiprocessing as mp


class State:
    def __init__(self, rows):
        self.value = evaluate() + rows


def evaluate():
    with mp.Pool(2) as pool:
        return pool.map(lambda row: row + 1, [1, 2])


class Agent{bases}:
    def act(self, rows):
        return State(rows).value
{end}
"""


def _in_agent(folder: Path, name: str = "filter_agent", main: str = "", bases: str = "", end: str = "") -> list[int]:
    script = f"{main}\n\nif __name__ == '__main__':\n    print('nothing')\n"
    return _codes(folder, {"main.py": script, f"agents/{name}.py": AGENT.format(bases=bases, end=end)})


@pytest.mark.parametrize("end", ["", "\n\nKINDS = {'a': 1}\n", "\n\nimport sys\n"])
def test_a_module_that_nothing_imports(tmp_path: Path, end: str) -> None:
    assert _in_agent(tmp_path, end=end) == []


@pytest.mark.parametrize(
    "parts",
    [
        pytest.param({"main": "from agents.filter_agent import Agent"}, id="imported"),
        pytest.param({"main": "from agents import (\n    filter_agent,\n)"}, id="imported among others"),
        pytest.param({"main": "KIND = 'agents.filter_agent:Agent'"}, id="named in a text"),
        pytest.param({"main": "import importlib\n\nimportlib.import_module(input())"}, id="by any name"),
        pytest.param({"main": "import pkgutil\n\nprint(pkgutil.iter_modules(['agents']))"}, id="by its folder"),
        pytest.param({"end": "\n\nprint(Agent().act([1]))\n"}, id="it runs something"),
        pytest.param({"end": "\n\nRUN = Agent().act([1])\n"}, id="it makes something"),
        pytest.param({"end": "\n\n@app.route('/')\ndef page():\n    return Agent().act([1])\n"}, id="a route"),
        pytest.param({"end": "\n\nif __name__ == '__main__':\n    Agent().act([1])\n"}, id="a script"),
        pytest.param({"bases": "(BaseAgent)"}, id="derived from something"),
        pytest.param({"name": "submission"}, id="what judges import"),
    ],
)
def test_a_module_that_something_may_import(tmp_path: Path, parts: dict[str, str]) -> None:
    assert _in_agent(tmp_path, **parts) == [11]
