"""What is kept is found again; whatever is wrong with the cache, nothing is found and nothing breaks."""

from __future__ import annotations

import errno
import marshal
import multiprocessing
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from lintpickle.cache import store as store_module
from lintpickle.cache.store import SUFFIX, CacheStore, cache_folder

posix = pytest.mark.skipif(sys.platform == "win32", reason="needs owners and modes")
VALUE = (1, ("text", b"bytes"), {"a": [1.5, None, True]})
DAY = 86_400


@pytest.fixture
def store(tmp_path: Path) -> CacheStore:
    return CacheStore(str(tmp_path / "cache"))


def _files(store: CacheStore) -> list[Path]:
    return [path for path in Path(store.folder).rglob("*") if path.is_file() and path.parent.name == "kind"]


def test_what_is_kept_is_found(store: CacheStore) -> None:
    assert store.load("kind", "key") is None
    assert store.save("kind", "key", VALUE)
    assert store.load("kind", "key") == VALUE
    assert store.load("kind", "another") is None
    assert store.load("other", "key") is None
    assert store.save("kind", "key", 2)
    assert store.load("kind", "key") == 2


def test_a_key_may_be_any_text(store: CacheStore) -> None:
    key = "caf\udce9 \0 " + "x" * 100_000
    assert store.save("kind", key, VALUE)
    assert store.load("kind", key) == VALUE


def test_another_entry_under_the_name_is_not_believed(store: CacheStore) -> None:
    """Two keys may have one name, or someone copies files."""
    store.save("kind", "one", 1)
    store.save("kind", "two", 2)
    one, two = _files(store)
    one_data, two_data = one.read_bytes(), two.read_bytes()
    one.write_bytes(two_data)
    two.write_bytes(one_data)
    assert store.load("kind", "one") is None
    assert store.load("kind", "two") is None


class TestDamage:
    @pytest.fixture
    def entry(self, store: CacheStore) -> Path:
        store.save("kind", "key", VALUE)
        (entry,) = _files(store)
        return entry

    def test_truncated(self, store: CacheStore, entry: Path) -> None:
        data = entry.read_bytes()
        for length in range(len(data)):
            entry.write_bytes(data[:length])
            assert store.load("kind", "key") is None

    def test_a_bit_flipped_in_any_byte(self, store: CacheStore, entry: Path) -> None:
        data = entry.read_bytes()
        for position in range(len(data)):
            damaged = bytearray(data)
            damaged[position] ^= 1 << position % 8
            entry.write_bytes(damaged)
            assert store.load("kind", "key") is None
        entry.write_bytes(data)
        assert store.load("kind", "key") == VALUE

    def test_bytes_behind_the_end(self, store: CacheStore, entry: Path) -> None:
        entry.write_bytes(entry.read_bytes() + b"\0")
        assert store.load("kind", "key") is None

    def test_what_would_crash_marshal_is_not_given_to_it(
        self, store: CacheStore, entry: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Hostile bytes without the right checksum; with it they can only be written by the user."""
        read: list[bytes] = []
        monkeypatch.setattr(marshal, "loads", read.append)
        start = entry.read_bytes().find(marshal.dumps(("key", VALUE))[:4])
        entry.write_bytes(entry.read_bytes()[:start] + b"\xdb" * 1000)
        assert store.load("kind", "key") is None
        assert read == []

    @pytest.mark.parametrize("payload", [b"", b"i\1", b"[\xff\xff\0\0", b"(\2\0\0\0N", marshal.dumps(3), b"?"])
    def test_no_entry_in_spite_of_the_checksum(self, store: CacheStore, entry: Path, payload: bytes) -> None:
        entry.write_bytes(store_module._HEADER + store._seal("kind", payload) + payload)
        assert store.load("kind", "key") is None

    def test_another_version(self, store: CacheStore, entry: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(store_module, "_HEADER", store_module._HEADER.replace(b"lintpickle", b"lintpickles"))
        assert store.load("kind", "key") is None
        data = entry.read_bytes()
        Path(store._path("kind", "key")).write_bytes(data)
        assert store.load("kind", "key") is None

    def test_a_folder_in_its_place(self, store: CacheStore, entry: Path) -> None:
        entry.unlink()
        entry.mkdir()
        assert store.load("kind", "key") is None
        assert not store.save("kind", "key", 1)
        assert list(Path(store.folder, "kind").iterdir()) == [entry]


class TestFolder:
    @posix
    def test_it_is_private(self, store: CacheStore) -> None:
        store.save("kind", "key", 1)
        assert Path(store.folder).stat().st_mode & 0o777 == 0o700
        assert {path.stat().st_mode & 0o077 for path in _files(store)} == {0}

    @posix
    @pytest.mark.parametrize("mode", [0o770, 0o702, 0o777])
    def test_others_may_write_to_it(self, store: CacheStore, mode: int) -> None:
        store.save("kind", "key", 1)
        os.chmod(store.folder, mode)
        assert store.load("kind", "key") is None
        assert not store.save("kind", "key", 2)
        os.chmod(store.folder, 0o755)
        assert store.load("kind", "key") == 1

    @posix
    def test_it_belongs_to_someone_else(self, store: CacheStore, monkeypatch: pytest.MonkeyPatch) -> None:
        store.save("kind", "key", 1)
        monkeypatch.setattr(os, "geteuid", lambda: 123_456)
        assert store.load("kind", "key") is None
        assert not store.save("kind", "key", 2)
        assert "belongs to someone else" in (store.problem() or "")

    def test_it_cannot_be_made(self, tmp_path: Path) -> None:
        (tmp_path / "file").write_text("")
        for place in (tmp_path / "file", tmp_path / "file" / "below", tmp_path / "nul\0"):
            store = CacheStore(str(place))
            assert not store.save("kind", "key", 1)
            assert store.load("kind", "key") is None

    @posix
    @pytest.mark.skipif(sys.platform != "win32" and os.geteuid() == 0, reason="root may write everywhere")
    def test_it_is_read_only(self, store: CacheStore) -> None:
        store.save("kind", "key", 1)
        os.chmod(Path(store.folder, "kind"), 0o500)
        assert not store.save("kind", "other", 2)
        assert store.load("kind", "key") == 1
        os.chmod(Path(store.folder, "kind"), 0o700)

    @pytest.mark.parametrize("call", ["open", "replace", "makedirs"])
    def test_the_disk_is_full(self, store: CacheStore, monkeypatch: pytest.MonkeyPatch, call: str) -> None:
        def full(*_: object, **__: object) -> None:
            raise OSError(errno.ENOSPC, "No space left on device")

        store.save("kind", "key", 1)
        monkeypatch.setattr(os, call, full)
        assert not store.save("kind", "key", 2)
        monkeypatch.undo()
        assert store.load("kind", "key") == 1
        assert len(_files(store)) == 1

    def test_the_disk_fills_while_writing(self, store: CacheStore, monkeypatch: pytest.MonkeyPatch) -> None:
        store.save("kind", "key", 1)
        writing = store_module._write_new

        def half(path: str, data: bytes) -> None:
            writing(path, data[: len(data) // 2])
            raise OSError(errno.ENOSPC, "No space left on device")

        monkeypatch.setattr(store_module, "_write_new", half)
        assert not store.save("kind", "key", 2)
        assert store.load("kind", "key") == 1
        assert len(_files(store)) == 1


WRITER = """
import sys
from lintpickle.cache.store import CacheStore
store, number = CacheStore(sys.argv[1]), 0
print("ready", flush=True)
while True:
    number += 1
    store.save("kind", "key", (number, b"x" * 2_000_000, number))
"""


class TestSeveralProcesses:
    @posix
    def test_killed_while_writing(self, store: CacheStore) -> None:
        """Whenever it happens, the entry is a whole one."""
        for _ in range(5):
            writer = subprocess.Popen([sys.executable, "-c", WRITER, store.folder], stdout=subprocess.PIPE)
            assert writer.stdout is not None
            writer.stdout.readline()
            while not any(SUFFIX + "." in path.name for path in _files(store)):
                pass
            writer.send_signal(signal.SIGKILL)
            writer.communicate()
            match store.load("kind", "key"):
                case None:
                    pass
                case (first, bytes(middle), last):
                    assert first == last
                    assert len(middle) == 2_000_000
                case found:
                    raise AssertionError(found)
        assert store.save("kind", "key", 1)
        assert store.load("kind", "key") == 1

    def test_two_write_and_one_reads(self, store: CacheStore) -> None:
        context = multiprocessing.get_context("spawn")
        writers = [context.Process(target=_write, args=(store.folder, number)) for number in (1, 2)]
        for writer in writers:
            writer.start()
        seen = set()
        while any(writer.is_alive() for writer in writers):
            seen.add(store.load("kind", "key"))
        for writer in writers:
            writer.join()
            assert writer.exitcode == 0
        seen.add(store.load("kind", "key"))
        assert seen <= {None, "1" * 100_000, "2" * 100_000}
        assert len(_files(store)) == 1


def _write(folder: str, number: int) -> None:
    for _ in range(200):
        assert CacheStore(folder).save("kind", "key", str(number) * 100_000)


class TestPruning:
    def _age(self, path: Path, days: float) -> None:
        then = time.time() - days * DAY
        os.utime(path, (then, then))

    def _saved(self, store: CacheStore, key: str, days: float = 0.0) -> Path:
        before = set(_files(store))
        store.save("kind", key, b"x" * 1000)
        (path,) = set(_files(store)) - before
        self._age(path, days)
        return path

    def test_old_entries_go(self, store: CacheStore) -> None:
        old, young = self._saved(store, "old", 31), self._saved(store, "young", 29)
        store.prune()
        assert _files(store) == [young]
        assert not old.exists()

    def test_the_least_recently_used_go_when_it_gets_too_large(self, store: CacheStore) -> None:
        paths = [self._saved(store, f"{days}", days) for days in (5, 1, 3)]
        store.prune(size=2500)
        assert set(_files(store)) == {paths[1], paths[2]}

    def test_what_is_used_stays(self, store: CacheStore) -> None:
        path = self._saved(store, "used", 31)
        assert store.load("kind", "used") is not None
        store.prune()
        assert path.exists()

    def test_what_a_killed_process_left_goes(self, store: CacheStore) -> None:
        path = self._saved(store, "key")
        left, fresh = Path(f"{path}.12-abcdef01"), Path(f"{path}.13-abcdef01")
        left.write_bytes(b"half")
        fresh.write_bytes(b"being written")
        self._age(left, 0.5)
        store.prune()
        assert set(_files(store)) == {path, fresh}

    def test_it_happens_once_a_day_and_on_writing_only(self, store: CacheStore) -> None:
        old = self._saved(store, "old", 40)
        store.save("kind", "new", 1)
        store.load("kind", "new")
        assert old.exists()
        self._age(Path(store.folder, "pruned"), 2)
        store.load("kind", "new")
        assert old.exists()
        store.save("kind", "new", 1)
        assert not old.exists()


class TestCleaning:
    def test_all_of_ours_goes(self, store: CacheStore) -> None:
        store.save("kind", "one", VALUE)
        store.save("other", "two", VALUE)
        size = sum(path.stat().st_size for path in Path(store.folder).rglob(f"*{SUFFIX}"))
        assert store.clean() == (2, size)
        assert not Path(store.folder).exists()
        assert store.clean() == (0, 0)

    def test_nothing_else_goes(self, tmp_path: Path) -> None:
        store = CacheStore(str(tmp_path))
        mine = [tmp_path / "notes.txt", tmp_path / "kind" / f"notes{SUFFIX}", tmp_path / "CACHEDIR.TAG"]
        mine += [tmp_path / "kind" / ("a" * 32), tmp_path / f"{'a' * 32}{SUFFIX}"]
        (tmp_path / "kind").mkdir(mode=0o700)
        tmp_path.chmod(0o700)
        for path in mine:
            path.write_text("mine")
        assert store.save("kind", "one", VALUE)
        assert store.clean()[0] == 1
        assert {path for path in tmp_path.rglob("*") if path.is_file()} == set(mine)

    @posix
    def test_links_are_not_followed(self, store: CacheStore, tmp_path: Path) -> None:
        outside = tmp_path / "outside"
        outside.mkdir()
        target = outside / f"{'a' * 32}{SUFFIX}"
        target.write_text("mine")
        store.save("kind", "one", VALUE)
        os.symlink(outside, Path(store.folder, "linked"))
        os.symlink(target, Path(store.folder, "kind", f"{'b' * 32}{SUFFIX}"))
        assert store.clean()[0] == 1
        assert target.exists()


class TestWhere:
    def test_what_is_given_wins(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(tmp_path)
        assert cache_folder("here", {"LINTPICKLE_CACHE_DIR": str(tmp_path / "there")}) == str(tmp_path / "here")

    def test_then_the_variable(self, tmp_path: Path) -> None:
        environ = {"LINTPICKLE_CACHE_DIR": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path / "xdg")}
        assert cache_folder(None, environ) == str(tmp_path)

    @pytest.mark.skipif(sys.platform == "win32", reason="POSIX folders")
    def test_a_relative_variable_does_not_count(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """It would lead into whatever repository the user is in."""
        environ = {"LINTPICKLE_CACHE_DIR": ".cache", "XDG_CACHE_HOME": "cache"}
        monkeypatch.setenv("HOME", "/home/ann")
        assert (cache_folder(None, environ) or "").startswith("/home/ann/")

    @pytest.mark.parametrize(
        ("platform", "expected"),
        [("linux", "/home/ann/.cache/lintpickle"), ("darwin", "/home/ann/Library/Caches/lintpickle")],
    )
    @pytest.mark.skipif(sys.platform == "win32", reason="POSIX folders")
    def test_the_users_folder(self, monkeypatch: pytest.MonkeyPatch, platform: str, expected: str) -> None:
        monkeypatch.setenv("HOME", "/home/ann")
        monkeypatch.setattr(sys, "platform", platform)
        assert cache_folder(None, {}) == expected
        assert cache_folder(None, {"XDG_CACHE_HOME": "/var/tmp/ann"}) == "/var/tmp/ann/lintpickle"

    @pytest.mark.skipif(sys.platform == "win32", reason="POSIX folders")
    def test_there_is_none(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(os.path, "expanduser", lambda path: path)
        assert cache_folder(None, {}) is None
