"""Nobody but the user can put anything into the cache that is believed."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from lintpickle.cache.answers import store_of
from lintpickle.cache.key import VARIABLE, Unusable, key_file, secret
from lintpickle.cache.store import SUFFIX, CacheStore

posix = pytest.mark.skipif(sys.platform == "win32", reason="needs owners, modes and links")


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "data"
    monkeypatch.setenv("XDG_DATA_HOME", str(folder))
    monkeypatch.setenv("LOCALAPPDATA", str(folder))
    monkeypatch.delenv(VARIABLE, raising=False)
    return folder


@posix
def test_the_key_is_private_and_stays(data: Path) -> None:
    assert secret(os.environ, "/cache", (), make=False) is None
    made = secret(os.environ, "/cache", (), make=True)
    assert made is not None and len(made) == 32
    assert secret(os.environ, "/cache", (), make=False) == made
    path = Path(key_file(os.environ) or "")
    assert path == data / "lintpickle" / "key"
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.parent.stat().st_mode & 0o777 == 0o700
    assert [each.name for each in path.parent.iterdir()] == ["key"]


@posix
@pytest.mark.parametrize("case", ["readable", "short", "link", "pipe", "folder"])
def test_a_key_that_may_not_be_secret_is_not_used(data: Path, case: str) -> None:
    path = data / "lintpickle" / "key"
    path.parent.mkdir(parents=True)
    (data / "other").write_bytes(b"k" * 32)
    (data / "other").chmod(0o600)
    match case:
        case "readable":
            path.write_bytes(b"k" * 32)
            path.chmod(0o644)
        case "short":
            path.write_bytes(b"k")
            path.chmod(0o600)
        case "link":
            path.symlink_to(data / "other")
        case "pipe":
            os.mkfifo(path, 0o600)
        case _:
            path.mkdir()
    with pytest.raises(Unusable):
        secret(os.environ, "/cache", (), make=True)
    store = CacheStore(str(data / "cache"))
    assert not store.save("kind", "key", 1)
    assert "its key" in (store.problem() or "")


@posix
def test_a_key_in_what_is_checked_is_not_used(data: Path) -> None:
    with pytest.raises(Unusable, match="would lie in what is checked"):
        secret(os.environ, "/cache", [str(data.parent)], make=True)
    with pytest.raises(Unusable, match="would lie in what is checked"):
        secret(os.environ, str(data), (), make=True)


def test_a_variable_takes_its_place(data: Path) -> None:
    one = secret({VARIABLE: "a" * 16}, "/cache", (), make=False)
    other = secret({VARIABLE: "b" * 16}, "/cache", (), make=False)
    assert one is not None and other is not None and one != other and len(one) == 32
    with pytest.raises(Unusable, match="less than 16"):
        secret({VARIABLE: "a" * 15}, "/cache", (), make=False)
    assert not data.exists()


def test_what_another_key_has_sealed_is_not_found(data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = str(tmp_path / "cache")
    monkeypatch.setenv(VARIABLE, "a secret of somebody else")
    theirs = CacheStore(folder)
    assert theirs.save("kind", "key", "nothing was found")
    (entry,) = (tmp_path / "cache" / "kind").glob(f"*{SUFFIX}")
    monkeypatch.delenv(VARIABLE)
    mine = CacheStore(folder)
    assert mine.save("kind", "key", 1)
    assert mine.load("kind", "key") == 1
    place = Path(mine._path("kind", "key"))
    assert place != entry
    place.write_bytes(entry.read_bytes())
    assert mine.load("kind", "key") is None


def test_an_entry_of_another_kind_is_not_believed(data: Path, tmp_path: Path) -> None:
    store = CacheStore(str(tmp_path / "cache"))
    assert store.save("kind", "key", 1)
    assert store.save("other", "key", 2)
    Path(store._path("other", "key")).write_bytes(Path(store._path("kind", "key")).read_bytes())
    assert store.load("other", "key") is None


def test_a_cache_in_what_is_checked_has_to_be_named(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository = tmp_path / "repository"
    (repository / ".git").mkdir(parents=True)
    (repository / "package").mkdir()
    inside = {"LINTPICKLE_CACHE_DIR": str(repository / ".cache")}
    monkeypatch.chdir(repository / "package")
    store = store_of(None, False, inside)
    assert store is not None and not store.save("kind", "key", 1)
    assert "name it with --cache-dir" in (store.problem() or "")
    monkeypatch.chdir(os.path.dirname(os.__file__))
    store = store_of(None, False, inside, [str(repository / "package")])
    assert store is not None and not store.save("kind", "key", 1)
    assert not (repository / ".cache").exists()
    named = store_of(str(repository / ".cache"), False, inside, [str(repository)])
    assert named is not None and named.save("kind", "key", 1)
    outside = store_of(None, False, {"LINTPICKLE_CACHE_DIR": str(tmp_path / "cache")}, [str(repository)])
    assert outside is not None and outside.save("kind", "key", 1)
