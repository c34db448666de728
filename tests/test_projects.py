"""Which files make up the program behind the files that are asked about."""

from __future__ import annotations

from pathlib import Path

from lintpickle.engine.project import Analysis
from lintpickle.engine.roots import projects
from lintpickle.settings import SettingsResolver
from lintpickle.source.discovery import discover

SCRIPT = "print(1)\n"


def _program(folder: Path, asked: str, named: bool = False) -> set[str]:
    resolver = SettingsResolver(cwd=folder)
    files = discover([folder], resolver).files if named else [str(folder / asked)]
    (project,) = projects(files, resolver, [folder] if named else [])
    analysis = Analysis(project, resolver)
    analysis.diagnostics()
    return {Path(module.path).relative_to(folder).as_posix() for module in analysis.linked().program.loaded()}


def _tree(folder: Path) -> None:
    for name in ("train.py", "helper.py", "elsewhere/big.py"):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(SCRIPT)


def test_a_script_in_an_unmarked_folder_sees_its_siblings_only(tmp_path: Path) -> None:
    _tree(tmp_path)
    assert _program(tmp_path, "train.py") == {"train.py", "helper.py"}


def test_a_folder_that_is_named_is_read_whole(tmp_path: Path) -> None:
    _tree(tmp_path)
    assert _program(tmp_path, "train.py", named=True) == {"train.py", "helper.py", "elsewhere/big.py"}


def test_a_marked_project_is_read_whole(tmp_path: Path) -> None:
    _tree(tmp_path)
    (tmp_path / "pyproject.toml").write_text("[project]\nname = 'x'\n")
    assert _program(tmp_path, "train.py") == {"train.py", "helper.py", "elsewhere/big.py"}


def test_a_package_is_read_from_its_top(tmp_path: Path) -> None:
    _tree(tmp_path)
    for name in ("pack/__init__.py", "pack/inner/__init__.py", "pack/inner/small.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(SCRIPT)
    names = _program(tmp_path, "pack/inner/small.py")
    assert {"pack/__init__.py", "pack/inner/__init__.py", "pack/inner/small.py"} <= names
    assert "elsewhere/big.py" not in names


def test_a_module_that_is_called_setup_does_not_make_a_project_of_its_package(tmp_path: Path) -> None:
    for name in ("pack/__init__.py", "pack/parts/__init__.py", "pack/parts/setup.py", "pack/other.py", "setup.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(SCRIPT)
    assert "pack/other.py" in _program(tmp_path, "pack/parts/setup.py")


def test_a_project_in_the_folder_of_another_one_is_one_of_its_own(tmp_path: Path) -> None:
    for name in ("setup.py", "main.py", "vendored/setup.py", "vendored/pack/__init__.py", "vendored/__init__.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(SCRIPT)
    resolver = SettingsResolver(cwd=tmp_path)
    (project,) = projects([str(tmp_path / "vendored/pack/__init__.py")], resolver)
    assert project.root == tmp_path / "vendored"
