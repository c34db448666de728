"""The catalog that ships is parsed once for each cache, and again when its files change."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.cache.store import CacheStore
from lintpickle.catalog import kept, load_catalog, reading
from lintpickle.catalog.reading import builtin_rows

FILE = """\
[[product]]
call = "mylib.{name}"
kind = "database"
when = {{ mode = "w" }}
"""


@pytest.fixture
def store(tmp_path: Path) -> CacheStore:
    return CacheStore(str(tmp_path / "cache"))


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """Every file that is parsed."""
    found: list[Path] = []
    read_rows = reading.read_rows

    def noted(path: Path) -> object:
        found.append(path)
        return read_rows(path)

    monkeypatch.setattr(reading, "read_rows", noted)
    return found


def test_the_same_rows(store: CacheStore, parsed: list[Path]) -> None:
    rows = list(builtin_rows())
    assert rows
    assert kept.kept_rows(store) == rows
    parsed.clear()
    assert kept.kept_rows(store) == rows
    assert not parsed


def test_another_text(store: CacheStore, parsed: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "calls.toml"
    path.write_text(FILE.format(name="connect"))
    for module in (kept, reading):
        monkeypatch.setattr(module, "builtin_files", lambda: [path])
    (row,) = kept.kept_rows(store)
    assert row.values["call"] == "mylib.connect"
    path.write_text(FILE.format(name="connecT"))
    (row,) = kept.kept_rows(store)
    assert row.values["call"] == "mylib.connecT"
    assert parsed == [path, path]


@pytest.mark.parametrize("value", [None, (), (b"state", []), {"rows": []}, ("state", "rows")])
def test_something_else_was_kept(store: CacheStore, value: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "load", lambda kind, key: value)
    assert kept.kept_rows(store) == list(builtin_rows())


def test_the_users_files_are_always_read(store: CacheStore, tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text(FILE.format(name="connect"))
    assert load_catalog((str(path),), store).product("mylib.connect", {"mode": "w"}) is not None
