"""What is installed in site-packages folders: `.pth` files, editable installs, distributions. Nothing is executed."""

# Links must not be followed, and many thousands of paths pass here: os.path, not pathlib.

from __future__ import annotations

import ast
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from lintpickle import disk
from lintpickle.parsing.syntax import BrokenSyntax, parse

_IMPORT = re.compile(r"import[ \t]+(\w*editable\w*)")
_REQUIREMENT = re.compile(r"Requires-Dist:\s*([\w.-]+)([^\n]*)")
_VERSION = re.compile(r"-(\d[^-]*?)(?:-py\d[\d.]*)?\.(?:dist|egg)-info$")
_RECORDED = re.compile(r"^([^,\n]+\.py),", re.MULTILINE)
_METADATA = re.compile(r"(?P<name>.+?)(?:-\d.*)?\.(?:dist-info|egg-info|egg-link)")


class Contents(Struct, frozen=True):
    """What `.pth` files add: `folders` in import order (including those read), and the names and namespaces of editable
    installs (see Environment)."""

    folders: tuple[str, ...]
    editables: Mapping[str, str]
    namespaces: Mapping[str, tuple[str, ...]]


def read_pth_files(site_packages: Sequence[str]) -> Contents:
    """Read the `.pth` files of site-packages folders as `site` does, but without running their `import` lines. Instead,
    modules named there that belong to editable installs are read for the names that they provide."""
    folders: dict[str, None] = {}
    editables: dict[str, str] = {}
    namespaces: dict[str, tuple[str, ...]] = {}
    for site in site_packages:
        folders[site] = None
        for line in _pth_lines(site):
            if line.startswith(("import ", "import\t")):
                finder = _IMPORT.match(line)
                if finder:
                    _read_finder(Path(site, f"{finder[1]}.py"), editables, namespaces)
                continue
            folder = os.path.abspath(os.path.join(site, line))
            if "\0" not in folder and disk.is_folder(folder):
                folders[folder] = None
    return Contents(tuple(folders), editables, namespaces)


def _pth_lines(site: str) -> Iterable[str]:
    try:
        names = sorted(name for name in disk.names(site) if name.endswith(".pth") and name[0] != ".")
    except OSError:
        return
    for name in names:
        for line in _text(Path(site, name)).splitlines():
            if line.strip() and not line.startswith("#"):
                yield line.rstrip()


def _read_finder(path: Path, editables: dict[str, str], namespaces: dict[str, tuple[str, ...]]) -> None:
    """Add the names that the import hook in `path` provides. Three tools write such files: setuptools (`MAPPING` and
    `NAMESPACES`), editables for hatchling and pdm (`F.map_module(name, file)`), scikit-build-core (`install({name:
    file}, …)`)."""
    try:
        body = parse(_text(path)).body
    except BrokenSyntax:
        return
    for statement in body:
        match statement:
            case (
                ast.Assign(targets=[ast.Name(id=target)], value=value)
                | ast.AnnAssign(target=ast.Name(id=target), value=ast.expr() as value)
            ):
                if target == "MAPPING":
                    _add_modules(_literal(value), editables)
                elif target == "NAMESPACES":
                    _add_namespaces(_literal(value), namespaces)
            case ast.Expr(
                value=ast.Call(
                    func=ast.Attribute(attr="map_module"),
                    args=[ast.Constant(value=str(name)), ast.Constant(value=str(file))],
                )
            ):
                _add_modules({name: file}, editables)
            case ast.Expr(value=ast.Call(func=ast.Name(id="install"), args=[modules, *_])):
                _add_modules(_literal(modules), editables)


def _add_modules(found: object, editables: dict[str, str]) -> None:
    """Add the packages and modules. Tools name a package by its folder or its `__init__.py`, and a module by its file
    with or without suffix."""
    for name, path in found.items() if isinstance(found, dict) else ():
        if not (isinstance(name, str) and isinstance(path, str)) or "\0" in path:
            continue
        folder, base = os.path.split(path)
        if base == "__init__.py":
            editables[name] = folder
        elif not disk.is_folder(path) and disk.is_file(path + ".py"):
            editables[name] = path + ".py"
        else:
            editables[name] = path


def _add_namespaces(found: object, namespaces: dict[str, tuple[str, ...]]) -> None:
    for name, folders in found.items() if isinstance(found, dict) else ():
        if isinstance(name, str) and isinstance(folders, list):
            known = namespaces.get(name, ())
            namespaces[name] = (*known, *(folder for folder in folders if isinstance(folder, str)))


def _literal(node: ast.expr) -> object:
    try:
        return ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        return None


def required_by(tool: str, site_packages: Sequence[str]) -> tuple[frozenset[str], frozenset[str]]:
    """Two sets of normalized distribution names: `tool` with everything that it requires (with all its
    extras), and everything that is installed in the folders."""
    installed: dict[str, str] = {}
    for site in site_packages:
        for folder, name in distributions_in(site).items():
            installed.setdefault(name, folder)
    required: set[str] = set()
    waiting = [tool]
    while waiting:
        name = waiting.pop()
        if name in required:
            continue
        required.add(name)
        folder = installed.get(name, "")
        for requirement, rest in _REQUIREMENT.findall(_text(Path(folder, "METADATA"))) if folder else ():
            if name == tool or "extra ==" not in rest:
                waiting.append(normalized(requirement))
    return frozenset(required), frozenset(installed)


def distributions_in(site: str) -> dict[str, str]:
    """The metadata folders (absolute) in a site-packages folder, each with its normalized distribution
    name."""
    try:
        names = sorted(disk.names(site))
    except OSError:
        return {}
    found = {name: _METADATA.fullmatch(name) for name in names}
    return {os.path.join(site, name): normalized(match["name"]) for name, match in found.items() if match}


def distributions_of_top_levels(site: str) -> dict[str, str]:
    """Top-level import names in a site-packages folder with the normalized distribution that installed them,
    as far as small files tell: `top_level.txt`, else the distribution's own name."""
    found: dict[str, str] = {}
    for folder, distribution in distributions_in(site).items():
        found.setdefault(distribution.replace("-", "_"), distribution)
        for line in _text(Path(folder, "top_level.txt")).splitlines():
            found[line.strip()] = distribution
    return found


class InstalledPackage(Struct, frozen=True):
    """A top-level package (`path` is its folder) or module (its file) in a site-packages folder.

    `distribution` is the normalized name of what installed it, or its own name if nothing says so; `version` may
    be empty.
    """

    name: str
    path: str
    distribution: str
    version: str


def packages_in(site: str) -> list[InstalledPackage]:
    """The top-level packages and modules with Python source in a site-packages folder, sorted by name."""
    try:
        entries = sorted(disk.names(site))
    except OSError:
        return []
    owners = _owners(site)
    found = []
    for entry in entries:
        path = os.path.join(site, entry)
        name = entry.removesuffix(".py")
        if name.isidentifier() and (name != entry or disk.is_folder(path)) and entry != "__pycache__":
            distribution, version = owners.get(name, (normalized(name), ""))
            found.append(InstalledPackage(name, path, distribution, version))
    return found


def _owners(site: str) -> dict[str, tuple[str, str]]:
    """Top-level import names with the distribution that installed them and its version."""
    owners: dict[str, tuple[str, str]] = {}
    for folder, distribution in distributions_in(site).items():
        version = _VERSION.search(os.path.basename(folder))
        owner = distribution, version[1] if version else ""
        owners.setdefault(distribution.replace("-", "_"), owner)
        names = _text(Path(folder, "top_level.txt")).split()
        names += [
            line.partition("/")[0].removesuffix(".py") for line in _RECORDED.findall(_text(Path(folder, "RECORD")))
        ]
        for name in names:
            owners[name] = owner
    return owners


def normalized(distribution: str) -> str:
    """A distribution's name as package indexes compare it: lower case, with single hyphens."""
    return re.sub(r"[-_.]+", "-", distribution).lower()


def _text(path: Path) -> str:
    try:
        return disk.text(path, encoding="utf-8-sig", errors="replace")
    except (OSError, ValueError):
        return ""
