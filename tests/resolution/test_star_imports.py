"""Which star imports can bind a name."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.engine.project import Analysis
from lintpickle.engine.roots import projects
from lintpickle.program.module import Module
from lintpickle.program.program import Program
from lintpickle.resolution.star_imports import StarImports
from lintpickle.settings import SettingsResolver
from tests.trees import write

TREE = {
    "pyproject.toml": "",
    "main.py": "from first import *\nfrom package.second import *\nfrom nowhere import *\nfrom main import *\n",
    "first.py": "def made(): ...\nvalue = 1\n",
    "package/__init__.py": "",
    "package/second.py": "from .deep import *\nfrom first import value\n\ndef only_named():\n    made()\n",
    "package/deep.py": "from package.second import *\n\nclass Inner: ...\n",
}


@pytest.fixture
def program(tmp_path: Path) -> Program:
    write(tmp_path, TREE)
    resolver = SettingsResolver(isolated=True)
    (project,) = projects([str(tmp_path / name) for name in TREE if name.endswith(".py")], resolver, [tmp_path])
    return Analysis(project, resolver).linked().program


@pytest.mark.parametrize(
    ("name", "sources"),
    [
        ("made", ["first"]),
        ("value", ["first", "package.second"]),
        ("Inner", ["package.second"]),
        ("only_named", ["package.second"]),
        ("unknown", []),
    ],
)
def test_sources(program: Program, name: str, sources: list[str]) -> None:
    main = program.load(str(next(path for path in program.reads if path.endswith("main.py"))))
    assert isinstance(main, Module)
    assert [star.module for star in StarImports(program).binding(main, name)] == [
        *sources,
        *(["main"] if sources else []),
    ]


def test_files_without_the_name_are_not_read(tmp_path: Path) -> None:
    tree = {
        "main.py": "from parts import *\n",
        "parts/__init__.py": "from .first import *\nfrom .second import *\nfrom .third import *\n",
        "parts/first.py": "def made(): ...\n",
        "parts/second.py": "def other(): ...\n",
        "parts/third.py": '"""from parts.second import *"""\n\ndef made_too(): ...\n',
    }
    write(tmp_path, {"pyproject.toml": "", **tree})
    resolver = SettingsResolver(isolated=True)
    (project,) = projects([str(tmp_path / "main.py")], resolver, [tmp_path])
    program = Analysis(project, resolver, universe=(), read_by=None)._program
    main = program.load(str(tmp_path / "main.py"))
    assert isinstance(main, Module)
    assert len(StarImports(program).binding(main, "made")) == 1
    assert {Path(path).name for path in program.reads} == {"main.py", "first.py", "third.py"}
