"""Finds the settings of a file: the closest configuration, what it extends, and the command line on top."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from copy import copy
from pathlib import Path
from typing import Any, TypeVar

from lintpickle import disk
from lintpickle.diagnostics import LintpickleError
from lintpickle.input_limits import EXTENDED
from lintpickle.pythons import read_pythons
from lintpickle.settings.layers import Layer, SettingsDocument, file_layer, merged_layers, override_layer
from lintpickle.settings.model import Settings
from lintpickle.settings.toml_file import SHARED_NAME as SHARED_NAME, parse_toml, project_table, read_text
from lintpickle.tree import is_inside, tree_around

OWN_NAMES = (".lintpickle.toml", "lintpickle.toml")
_SECTION = ("tool", "lintpickle")

FoundSettings = TypeVar("FoundSettings")


class SettingsResolver:
    """Finds the settings of files. Make one for each run: it remembers what it found for each folder.

    The closest `.lintpickle.toml`, else `lintpickle.toml`, else `pyproject.toml` that has `[tool.lintpickle]` is used,
    and no other. `overrides` maps option names to TOML-like values and wins over files. `config` holds what `--config`
    was given: the path of a file (used for all files; its globs and paths are relative to `cwd`) or `key = value` TOML,
    or several of these. With `isolated`, no file is read. Every method may raise `LintpickleError`: also for a
    configuration file that was found rather than named, if it is a link that leads out of its tree or names a file
    outside it, because its author may not be the user who runs lintpickle.
    """

    def __init__(
        self,
        *,
        overrides: Mapping[str, object] | None = None,
        config: str | Sequence[str] | None = None,
        isolated: bool = False,
        cwd: Path | None = None,
    ) -> None:
        self.cwd = absolute(cwd or Path.cwd())
        self._isolated = isolated
        self._by_folder: dict[Path, Settings] = {}
        self._by_config: dict[Path | None, tuple[Layer, ...]] = {}
        self._found: dict[tuple[object, Path], Any] = {}
        self._given: Path | None = None
        inline: dict[str, object] = {}
        for item in [config] if isinstance(config, str) else config or ():
            if _is_inline(item, self.cwd):
                inline.update(_unwrap(parse_toml(item, "--config")))
            elif self._given is not None:
                raise LintpickleError(f"--config names two files: {self._given} and {item}. Name one.")
            else:
                self._given = self.cwd / item
        if self._given is not None and isolated:
            raise LintpickleError("--isolated reads no configuration file: remove it, or remove --config")
        self._command_line = (override_layer(inline, self.cwd), override_layer(overrides or {}, self.cwd))

    def renewed(self) -> SettingsResolver:
        """A resolver with the same arguments that reads all configuration files again."""
        fresh = copy(self)
        fresh._by_folder, fresh._by_config, fresh._found = {}, {}, {}
        return fresh

    def for_path(self, path: str | Path) -> Settings:
        """The settings of a file. It need not exist; a relative path is taken from the working folder."""
        return self.for_folder(absolute(self.cwd / path).parent)

    def for_folder(self, folder: str | Path) -> Settings:
        """The settings of the files that lie directly in a folder."""
        key = absolute(self.cwd / folder)
        if key not in self._by_folder:
            self._by_folder[key] = self._resolve(key)
        return self._by_folder[key]

    def for_run(self) -> Settings:
        """The settings of the working folder: for options of the whole run, such as the output format."""
        return self.for_folder(self.cwd)

    def _resolve(self, folder: Path) -> Settings:
        source = None if self._isolated else self._given or self._upwards(folder, _config_in)
        if source not in self._by_config:
            self._by_config[source] = () if source is None else self._file_layers(source)
        root = self.cwd if source is None or source == self._given else source.parent
        fallback: dict[str, Any] = {}
        version = None if self._isolated else self._upwards(folder, _required_python_in)
        if version is not None and read_pythons(version) is not None:
            fallback["target_version"] = version
        layers = (*self._by_config[source], *self._command_line)
        return merged_layers(layers, root=root, source=source, fallback=fallback)

    def _upwards(self, folder: Path, look_in: Callable[[Path], FoundSettings | None]) -> FoundSettings | None:
        """The result of `look_in` for the folder or the closest parent that has one; each folder is searched once."""
        passed: list[Path] = []
        found: FoundSettings | None = None
        above: Path | None = folder
        while found is None and above is not None:
            if (look_in, above) in self._found:
                found = self._found[look_in, above]
                break
            passed.append(above)
            found = look_in(above)
            above = above.parent if above.parent != above else None
        self._found.update({(look_in, each): found for each in passed})
        return found

    def _file_layers(self, path: Path) -> tuple[Layer, ...]:
        """The layers of a file and of all files that it extends, its own last."""
        layers: dict[Path, Layer] = {}
        tree = None if path == self._given else self._tree_around(path.parent)
        if tree is not None:
            _refuse_outside(path, tree, f"{path}: this is a link to {{leads}}")
        following: Path | None = path
        while following is not None:
            if following in layers:
                chain = " -> ".join(str(item) for item in (*layers, following))
                raise LintpickleError(f"{following}: configuration files extend each other in a circle: {chain}")
            if len(layers) == EXTENDED.most:
                raise LintpickleError(f"{path}: it extends a chain of more than {EXTENDED.most} files")
            layers[following], following = self._file_layer(following, tree)
        return tuple(reversed(layers.values()))

    def _file_layer(self, path: Path, tree: str | None) -> tuple[Layer, Path | None]:
        """The layer of a file, and the file that it extends. What it names has to lie in a `tree`, if one is given."""
        document, table = _read(path)
        base = self.cwd if path == self._given else path.parent
        layer = file_layer(document, table, base)
        if tree is not None:
            for name in ("catalog", "src"):
                for each in layer.values.get(name, ()):
                    _refuse_outside(each, tree, f'{document.origin(name)}: "{name}": {each} leads to {{leads}}')
        if layer.values.get("extend") is None:
            return layer, None
        # What a file extends is found from its own folder, whoever named the file.
        parent = absolute(path.parent / os.path.expanduser(str(table["extend"])))
        if tree is not None:
            _refuse_outside(parent, tree, f'{document.origin("extend")}: "extend": {parent} leads to {{leads}}')
        if not disk.is_file(parent):
            raise LintpickleError(f'{document.origin("extend")}: "extend": there is no file {parent}')
        return layer, parent

    def _tree_around(self, folder: Path) -> str:
        return disk.real_path(tree_around(str(folder), str(self.cwd), disk.exists))


def load_settings(
    for_path: str | Path,
    *,
    overrides: Mapping[str, object] | None = None,
    config: str | Sequence[str] | None = None,
    isolated: bool = False,
) -> Settings:
    """The settings of one file or folder. For several paths use one `SettingsResolver`.

    Raises `LintpickleError`.
    """
    resolver = SettingsResolver(overrides=overrides, config=config, isolated=isolated)
    return resolver.for_folder(for_path) if disk.is_folder(for_path) else resolver.for_path(for_path)


def absolute(path: Path) -> Path:
    """The path without `.` and `..`, its symbolic links left alone: users see the names that they gave."""
    return Path(os.path.abspath(path))


def _refuse_outside(path: Path, tree: str, what: str) -> None:
    """Raise `LintpickleError` for a path that leads out of a real folder. `what` is the message, with `{leads}` for the
    target."""
    leads = disk.real_path(path)
    if not is_inside(leads, tree):
        reason = f"outside of {tree}, so it is not read; to use it anyway, name it on the command line (--config)"
        raise LintpickleError(f"{what.replace('{leads}', leads)}, {reason}")


def _is_inline(item: str, cwd: Path) -> bool:
    if disk.is_file(cwd / item):
        return False
    if "=" in item:
        return True
    raise LintpickleError(f'--config: "{item}" is neither a file nor `key = value`')


def _unwrap(table: dict[str, Any]) -> dict[str, Any]:
    """Inline settings may be written as in pyproject.toml, under `tool.lintpickle`."""
    inner = table.get("tool")
    if len(table) == 1 and isinstance(inner, dict) and isinstance(inner.get("lintpickle"), dict):
        return dict(inner["lintpickle"])
    return table


def _config_in(folder: Path) -> Path | None:
    """The configuration file that lies directly in a folder."""
    for name in OWN_NAMES:
        if disk.is_file(folder / name):
            return folder / name
    shared = folder / SHARED_NAME
    return shared if disk.is_file(shared) and _has_section(shared) else None


def _has_section(path: Path) -> bool:
    """Whether a pyproject.toml mentions lintpickle. One that does not is never parsed, so it cannot raise an error."""
    text = read_text(path)
    if "lintpickle" not in text:
        return False
    tool = parse_toml(text, str(path)).get("tool")
    return isinstance(tool, dict) and "lintpickle" in tool


def _read(path: Path) -> tuple[SettingsDocument, Mapping[str, object]]:
    text = read_text(path)
    table: object = parse_toml(text, str(path))
    if path.name != SHARED_NAME:
        assert isinstance(table, dict)
        return SettingsDocument(path, text, ()), table
    for depth, key in enumerate(_SECTION, start=1):
        if not isinstance(table, dict) or key not in table:
            missing = ".".join(_SECTION[:depth])
            raise LintpickleError(f"{path}: there is no [{missing}] in this file")
        table = table[key]
    document = SettingsDocument(path, text, _SECTION)
    if not isinstance(table, dict):
        raise LintpickleError(f'{path}: "tool.lintpickle" is not a table')
    return document, table


def _required_python_in(folder: Path) -> str | None:
    """The specifier of requires-python in the pyproject.toml that lies directly in a folder."""
    specifier = project_table(folder, "requires-python").get("requires-python")
    return specifier if isinstance(specifier, str) else None
