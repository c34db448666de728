"""A Python environment, read from its folder: where its imports are found. Nothing is executed."""

# Links must not be followed, and many thousands of paths pass here: os.path, not pathlib.

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence

from msgspec import Struct, field

from lintpickle import disk
from lintpickle.imports.installed import read_pth_files


class Environment(Struct, frozen=True):
    """A Python environment, read from its files.

    `prefix` is its folder, or None when no environment was found. `site_packages` are absolute folders in
    import order; the folders named by `.pth` files follow the site-packages folder that holds them.
    `editables` maps a dotted name to the folder (package) or file (module) of an editable install,
    `namespaces` a dotted namespace package to its folders. `python_version` is (major, minor). `origin` says
    how the environment was found: "--python", "VIRTUAL_ENV", "conda", ".venv", "lintpickle's own", "PATH", or
    "none".
    """

    prefix: str | None
    site_packages: tuple[str, ...] = ()
    editables: Mapping[str, str] = field(default_factory=dict)
    namespaces: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    python_version: tuple[int, int] | None = None
    origin: str = "none"


NO_ENVIRONMENT = Environment(prefix=None)


def read_environment(
    prefix: str, origin: str, environ: Mapping[str, str], interpreter: str | None
) -> Environment | None:
    """The environment in the folder `prefix`, or None if no packages can be installed there."""
    prefix = os.path.abspath(prefix)
    config = _read_pyvenv_cfg(prefix)
    version = _version_in(config) or _version_of(prefix, interpreter)
    own_folders = _library_folders(prefix, version)
    if not own_folders:
        return None
    folders = [*own_folders, *_inherited_folders(prefix, config, environ, {prefix})]
    if config is None:
        folders = [*_user_folders(version, environ), *folders]
    contents = read_pth_files(_unique(folders))
    return Environment(prefix, contents.folders, contents.editables, contents.namespaces, version, origin)


def _inherited_folders(
    prefix: str, config: Mapping[str, str] | None, environ: Mapping[str, str], seen: set[str]
) -> list[str]:
    """The folders that a virtual environment adds to its own: those of the environment that it extends (uv),
    and those of the system if it includes them."""
    if config is None:
        return []
    parents = []
    if config.get("extends-environment"):
        parents.append(os.path.abspath(config["extends-environment"]))
    if config.get("include-system-site-packages", "").lower() == "true":
        for name in ("python3", "python", "python.exe"):
            base = prefix_of_interpreter(os.path.join(config.get("home", ""), name))
            if base is not None:
                parents.append(os.path.abspath(base))
                break
    folders: list[str] = []
    for parent in parents:
        if parent in seen:
            continue
        seen.add(parent)
        parent_config = _read_pyvenv_cfg(parent)
        version = _version_in(config) or _version_in(parent_config) or _version_of(parent, None)
        if parent_config is None:
            folders += _user_folders(version, environ)
        folders += _library_folders(parent, version)
        folders += _inherited_folders(parent, parent_config, environ, seen)
    return folders


def _library_folders(prefix: str, version: tuple[int, int] | None) -> list[str]:
    """The existing site-packages (POSIX, Windows) and dist-packages (Debian) folders below `prefix`."""
    names = []
    if version is not None:
        dotted = f"{version[0]}.{version[1]}"
        for library in ("lib", "lib64", "local/lib"):
            for python in (f"python{dotted}", f"python{dotted}t", f"pypy{dotted}"):
                names += [f"{library}/{python}/site-packages", f"{library}/{python}/dist-packages"]
    names += ["lib/python3/dist-packages", "Lib/site-packages"]
    folders = (os.path.join(prefix, *name.split("/")) for name in names)
    return _unique([folder for folder in folders if disk.is_folder(folder)])


def _user_folders(version: tuple[int, int] | None, environ: Mapping[str, str]) -> list[str]:
    """Where `pip install --user` puts things: seen by every interpreter outside of virtual environments."""
    if version is None or environ.get("PYTHONNOUSERSITE"):
        return []
    major, minor = version
    home, roaming = environ.get("HOME"), environ.get("APPDATA")
    base = environ.get("PYTHONUSERBASE") or (home and os.path.join(home, ".local"))
    folders = []
    if base:
        folders.append(os.path.join(base, "lib", f"python{major}.{minor}", "site-packages"))
    if home:
        mac = os.path.join(home, "Library", "Python", f"{major}.{minor}")
        folders.append(os.path.join(mac, "lib", "python", "site-packages"))
    if roaming:
        folders.append(os.path.join(roaming, "Python", f"Python{major}{minor}", "site-packages"))
    return [folder for folder in folders if disk.is_folder(folder)]


def prefix_of_interpreter(interpreter: str) -> str | None:
    """The folder of the environment that an interpreter belongs to, or None if the file is no interpreter.

    A virtual environment's interpreter is a link to its base, so the links are followed last.
    """
    if not disk.is_file(interpreter):
        return None
    beside = os.path.dirname(os.path.abspath(interpreter))
    for prefix in (os.path.dirname(beside), beside):
        if _is_file(prefix, "pyvenv.cfg"):
            return prefix
    beside = os.path.dirname(disk.real_path(interpreter))
    for prefix in (os.path.dirname(beside), beside):
        version = _version_of(prefix, interpreter)
        if version is not None and _library_folders(prefix, version):
            return prefix
    return None


def _version_in(config: Mapping[str, str] | None) -> tuple[int, int] | None:
    config = config or {}
    version = config.get("version_info") or config.get("version", "")
    found = re.match(r"([0-9]{1,3})\.([0-9]{1,3})(?![0-9])", version)
    return (int(found[1]), int(found[2])) if found else None


def _version_of(prefix: str, interpreter: str | None) -> tuple[int, int] | None:
    """The version of the interpreter in `prefix`, from the names of its files; the newest if there are
    several."""
    named = [interpreter] if interpreter else []
    named += [os.path.join(prefix, "bin", name) for name in ("python3", "python")]
    for path in named:
        found = re.fullmatch(r"(?:python|pypy)(3)\.([0-9]{1,3})t?(?:\.exe)?", os.path.basename(disk.real_path(path)))
        if found:
            return int(found[1]), int(found[2])
    pattern = {
        "lib": r"(?:python|pypy)(3)\.([0-9]{1,3})t?",
        "lib64": r"python(3)\.([0-9]{1,3})t?",
        "": r"python(3)([0-9]{1,3})\.dll",
    }
    versions = []
    for folder, names in pattern.items():
        for name in _names_in(os.path.join(prefix, folder)):
            found = re.fullmatch(names, name)
            if found:
                versions.append((int(found[1]), int(found[2])))
    return max(versions, default=None)


def _read_pyvenv_cfg(prefix: str) -> dict[str, str] | None:
    try:
        text = disk.text(os.path.join(prefix, "pyvenv.cfg"), errors="replace")
    except OSError:
        return None
    pairs = (line.partition("=") for line in text.splitlines())
    return {key.strip().lower(): value.strip() for key, equals, value in pairs if equals}


def _unique(folders: Sequence[str]) -> list[str]:
    """The folders in their order, without those that are others under another name (lib64 is a link to
    lib)."""
    by_real_path: dict[str, str] = {}
    for folder in folders:
        by_real_path.setdefault(disk.real_path(folder), folder)
    return list(by_real_path.values())


def _names_in(folder: str) -> list[str]:
    try:
        return disk.names(folder)
    except OSError:
        return []


def _is_file(folder: str, name: str) -> bool:
    return disk.is_file(os.path.join(folder, name))
