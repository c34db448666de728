"""One source of settings (a file, the command line) read and checked, and several of them merged."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct, field

from lintpickle.diagnostics import LintpickleError
from lintpickle.settings.declared_options import Option, options
from lintpickle.settings.kinds import Invalid, suggestion
from lintpickle.settings.model import Origin, Selectors, Settings
from lintpickle.settings.toml_file import row_of_key, row_of_string

_SELECTION = ("select", "ignore", "extend_select", "extend_ignore")
_CUMULATIVE = ("extend_exclude",)


class Layer(Struct, frozen=True):
    """What one source sets: values by attribute of `Settings`, and where each was set."""

    values: Mapping[str, Any]
    origins: Mapping[str, Origin] = field(default_factory=dict)
    selectors: Selectors = field(default_factory=Selectors)


class SettingsDocument(Struct, frozen=True):
    """A TOML file that holds settings under `prefix` (("tool", "lintpickle") or nothing)."""

    path: Path
    text: str
    prefix: tuple[str, ...]

    def origin(self, key: str) -> Origin:
        return Origin(self.path, row_of_key(self.text, (*self.prefix, key)))

    def selector_origin(self, key: str, selector: str) -> Origin:
        start = self.origin(key)
        return Origin(self.path, row_of_string(self.text, selector, start.row))


def file_layer(document: SettingsDocument, table: Mapping[str, object], base: Path) -> Layer:
    """The layer of a configuration file; `base` is the folder that its paths are relative to.

    Raises `LintpickleError` naming file, line and key.
    """

    def key_path(key: str) -> str:
        return ".".join((*document.prefix, key))

    return _layer(table, base, document.origin, key_path, document.selector_origin)


def override_layer(overrides: Mapping[str, object], base: Path) -> Layer:
    """The layer of the command line, whose keys are names of options or attributes of `Settings`.

    Raises `LintpickleError`.
    """
    table = {name.replace("_", "-"): value for name, value in overrides.items()}

    def origin(key: str) -> Origin:
        return Origin()

    def selector_origin(key: str, selector: str) -> Origin:
        return Origin()

    return _layer(table, base, origin, str, selector_origin)


def _layer(
    table: Mapping[str, object],
    base: Path,
    origin: Callable[[str], Origin],
    key_path: Callable[[str], str],
    selector_origin: Callable[[str, str], Origin],
) -> Layer:
    by_name = {option.name: option for option in options()}
    values: dict[str, Any] = {}
    origins: dict[str, Origin] = {}
    for key, value in table.items():
        option = by_name.get(key)
        if option is None:
            hint = suggestion(key, list(by_name))
            raise LintpickleError(
                f'{_where(origin(key))}unknown key "{key_path(key)}".{hint or " See `lintpickle config`."}'
            )
        values[option.attribute] = _read(option, value, base, origin(key), key_path(key))
        origins[option.attribute] = origin(key)
    return Layer(values, origins, _selectors(values, selector_origin))


def _read(option: Option, value: object, base: Path, origin: Origin, key_path: str) -> Any:
    try:
        return option.kind.read(value, base)
    except Invalid as error:
        raise LintpickleError(f'{_where(origin)}"{key_path}": {error}') from None


def _where(origin: Origin) -> str:
    return "from the CLI: " if origin.path is None else f"{origin}: "


def _selectors(values: Mapping[str, Any], selector_origin: Callable[[str, str], Origin]) -> Selectors:
    lists: dict[str, Sequence[str]] = {
        name: values[name] for name in (*_SELECTION, "fixable", "unfixable") if name in values
    }
    for glob_selectors in values.get("per_file_ignores", {}).values():
        lists["per_file_ignores"] = (*lists.get("per_file_ignores", ()), *glob_selectors)
    origins = {
        (name, selector): selector_origin(name.replace("_", "-"), selector)
        for name, selectors in lists.items()
        for selector in selectors
    }
    return Selectors(
        select=values.get("select"),
        ignore=values.get("ignore", ()),
        extend_select=values.get("extend_select", ()),
        extend_ignore=values.get("extend_ignore", ()),
        origins=origins,
    )


def merged_layers(layers: Sequence[Layer], *, root: Path, source: Path | None, fallback: Mapping[str, Any]) -> Settings:
    """The settings that layers, weakest first, add up to. `fallback` fills what no layer sets.

    Later layers win. A layer with `select` restarts the selection of rules; `extend-*` lists add up.
    """
    values: dict[str, Any] = dict(fallback)
    origins: dict[str, Origin] = {}
    for layer in layers:
        chosen = dict(layer.values)
        if "select" in chosen:
            for name in _SELECTION:
                values.pop(name, None)
        for name in (*_SELECTION[1:], *_CUMULATIVE):
            if name in chosen:
                chosen[name] = (*values.get(name, ()), *chosen[name])
        values.update(chosen)
        origins.update(layer.origins)
    spoken = tuple(layer.selectors for layer in layers if layer.selectors != Selectors() or layer.selectors.origins)
    defaults = Selectors(select=Settings.select)
    selector_layers = (defaults, *spoken) if spoken else ()
    return Settings(**values, root=root, source=source, origins=origins, selector_layers=selector_layers)
