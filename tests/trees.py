"""Builds small file trees, and environments as the real tools write them (recorded from pip installs)."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from lintpickle.imports.environment import Environment
from lintpickle.imports.environment_search import find_environment

SITE_PACKAGES = "lib/python3.11/site-packages"

SETUPTOOLS_FINDER = """\
from __future__ import annotations
import sys
from importlib.machinery import ModuleSpec, PathFinder

MAPPING: dict[str, str] = {mapping!r}
NAMESPACES: dict[str, list[str]] = {namespaces!r}
PATH_PLACEHOLDER = '__editable__.{name}.finder' + ".__path_hook__"


def install():
    raise SystemExit("this code must never run")
"""


def plant(folder: Path, *empty: str) -> Path:
    """Make empty files (folders, if the name ends in a slash) below `folder`."""
    for name in empty:
        write(folder, {name: ""})
    return folder


def write(folder: Path, files: Mapping[str, str]) -> Path:
    """Make files with the given text below `folder`; a name that ends in a slash is an empty folder."""
    for name, text in files.items():
        path = folder / name
        if name.endswith("/"):
            path.mkdir(parents=True, exist_ok=True)
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def virtual_environment(prefix: Path, *files: str, config: str = "") -> Path:
    """A virtual environment of Python 3.11 with empty files in its site-packages, which is returned."""
    write(prefix, {"pyvenv.cfg": f"home = /nowhere/bin\nversion = 3.11.7\n{config}", f"{SITE_PACKAGES}/": ""})
    return plant(prefix / SITE_PACKAGES, *files)


def setuptools_editable(
    site: Path, name: str, mapping: Mapping[str, Path], namespaces: Mapping[str, list[Path]] | None = None
) -> None:
    """What `pip install -e` leaves behind of a setuptools project with a flat or mapped layout."""
    finder = f"__editable___{name}_0_1_finder"
    text = SETUPTOOLS_FINDER.format(
        name=name,
        mapping={module: str(path) for module, path in mapping.items()},
        namespaces={module: [str(path) for path in paths] for module, paths in (namespaces or {}).items()},
    )
    pth = f"import {finder}; {finder}.install()"
    write(site, {f"__editable__.{name}-0.1.pth": pth, f"{finder}.py": text})


def read(prefix: Path) -> Environment:
    """The environment in a folder, whatever surrounds it."""
    return find_environment(str(prefix), prefix, {}, "/nowhere")
