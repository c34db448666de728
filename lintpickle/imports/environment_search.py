"""Which Python environment a project has: the one that a setting names, else the first one found."""

# Links must not be followed, and many thousands of paths pass here: os.path, not pathlib.

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from lintpickle import disk
from lintpickle.diagnostics import LintpickleError
from lintpickle.imports.environment import NO_ENVIRONMENT, Environment, prefix_of_interpreter, read_environment
from lintpickle.imports.installed import required_by

_INSTALLERS = frozenset({"pip", "setuptools", "wheel", "uv"})
_TOOL = "lintpickle"
_OWN = "lintpickle's own"


def find_environment(
    setting: str | None, project_root: Path, environ: Mapping[str, str], own_prefix: str
) -> Environment:
    """Find the environment of the project at `project_root`; `NO_ENVIRONMENT` when there is none.

    `setting` is the user's `python` setting: an environment's folder, an interpreter, or the name of one on
    PATH (relative paths start at `project_root`). `own_prefix` is the `sys.prefix` of lintpickle, which is
    not believed when it comes as VIRTUAL_ENV: pre-commit announces the hook's own environment in that way.

    Raises LintpickleError when `setting` is given and no environment is there.
    """
    if setting is not None:
        return _environment_of_setting(setting, project_root, environ)
    for origin, prefix, interpreter in _candidates(project_root, environ, own_prefix):
        found = read_environment(prefix, origin, environ, interpreter)
        if found is not None and not (origin == _OWN and _is_home_of_tool(found)):
            return found
    return NO_ENVIRONMENT


def _candidates(
    project_root: Path, environ: Mapping[str, str], own_prefix: str
) -> Iterator[tuple[str, str, str | None]]:
    """Origin, prefix and (if known) interpreter of every environment to try, the best first."""
    own = disk.real_path(own_prefix)
    active = environ.get("VIRTUAL_ENV")
    if active and disk.real_path(active) != own:
        yield "VIRTUAL_ENV", active, None
    conda = environ.get("CONDA_PREFIX")
    if conda and disk.real_path(conda) == own:
        conda = None
    if conda and not _is_conda_base(conda, environ):
        yield "conda", conda, None
    for folder in _up_to_repository(project_root):
        for name in (".venv", "venv"):
            prefix = str(folder / name)
            is_virtual = disk.is_file(os.path.join(prefix, "pyvenv.cfg"))
            if is_virtual or disk.is_folder(os.path.join(prefix, "conda-meta")):
                yield ".venv", prefix, None
    yield _OWN, own_prefix, None
    if conda:
        yield "conda", conda, None
    for folder_on_path in environ.get("PATH", "").split(os.pathsep):
        for name in ("python3", "python", "python3.exe", "python.exe"):
            interpreter = os.path.join(folder_on_path, name)
            prefix_on_path = prefix_of_interpreter(interpreter) if folder_on_path else None
            if prefix_on_path is not None and disk.real_path(prefix_on_path) != own:
                yield "PATH", prefix_on_path, interpreter


def _environment_of_setting(setting: str, project_root: Path, environ: Mapping[str, str]) -> Environment:
    path = os.path.join(os.path.abspath(project_root), os.path.expanduser(setting))
    if not disk.exists(path) and os.path.basename(setting) == setting:
        path = _on_path(setting, environ) or path
    found = None
    if disk.is_folder(path):
        found = read_environment(os.path.normpath(path), "--python", environ, None)
    else:
        prefix = prefix_of_interpreter(path)
        if prefix is not None:
            found = read_environment(prefix, "--python", environ, path)
    if found is None:
        what = "has no site-packages folder" if disk.exists(path) else "does not exist"
        raise LintpickleError(
            f"python = {setting!r}: no Python environment there ({path} {what}); "
            "name the folder of an environment (such as .venv) or its interpreter (such as .venv/bin/python)"
        )
    return found


def _on_path(name: str, environ: Mapping[str, str]) -> str | None:
    import shutil

    path = environ.get("PATH", "")
    for folder in path.split(os.pathsep):
        disk.exists(os.path.join(folder, name))  # remembered: it may appear
    return shutil.which(name, path=path)


def _is_home_of_tool(environment: Environment) -> bool:
    """Whether an environment contains only lintpickle and its requirements. Such an environment was made by pipx, uvx
    or pre-commit, and says nothing about the project."""
    expected, installed = required_by(_TOOL, environment.site_packages)
    return installed <= expected | _INSTALLERS


def _is_conda_base(prefix: str, environ: Mapping[str, str]) -> bool:
    if environ.get("CONDA_DEFAULT_ENV") in ("base", "root"):
        return True
    root = environ.get("_CONDA_ROOT")
    return bool(root) and disk.real_path(str(root)) == disk.real_path(prefix)


def _up_to_repository(project_root: Path) -> list[Path]:
    """`project_root` and its parents up to the root of the repository; itself alone outside of a
    repository."""
    start = Path(os.path.abspath(project_root))
    folders = [start, *start.parents]
    for index, folder in enumerate(folders):
        if any(disk.exists(folder / marker) for marker in (".git", ".hg", ".jj")):
            return folders[: index + 1]
    return [start]
