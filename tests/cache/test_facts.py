"""Facts of files are kept from run to run: a file that has not changed is not read again."""

from __future__ import annotations

import json
import marshal
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import astuple, replace

from lintpickle import disk
from lintpickle.api import lint_paths
from lintpickle.cache import facts as facts_cache, ourselves
from lintpickle.cache.facts import FactsCache
from lintpickle.cache.store import SUFFIX, CacheStore
from lintpickle.diagnostics import Diagnostic
from lintpickle.facts import of_file, read
from lintpickle.parsing.outline import outline
from lintpickle.prefilter.marks import Vocabulary
from lintpickle.settings import SettingsResolver

HAZARD = """\
import threading

from torch.utils.data import DataLoader, Dataset


class {name}(Dataset):
    def __init__(self):
        self.lock = threading.Lock()

    def __len__(self):
        return 1

    def loader(self):
        return DataLoader({name}(), num_workers=2, collate_fn=lambda batch: batch)
"""
FILES = {"a.py": "One", "b.py": "Two", "c.py": "Three"}
ROOT = Path(__file__).resolve().parents[2]
VOCABULARY = Vocabulary(frozenset({"open"}), frozenset(), frozenset({"DataLoader"}))

Read = dict[str, set[str]]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "pyproject.toml").write_text("")
    for file, name in FILES.items():
        (folder / file).write_text(HAZARD.format(name=name))
    return folder


@pytest.fixture(autouse=True)
def _in_one_share(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(facts_cache, "_SHARES", 1)


@pytest.fixture
def store(tmp_path: Path) -> CacheStore:
    return CacheStore(str(tmp_path / "cache"))


@pytest.fixture
def reading(monkeypatch: pytest.MonkeyPatch) -> Read:
    """The names of the classes in texts that are mapped, and in blocks and methods that libcst reads."""
    done: Read = {"map": set(), "room": set(), "method": set()}

    def watched(what: str, call: Callable[..., Any]) -> Callable[..., Any]:
        def watching(code: str, *rest: Any) -> Any:
            done[what].update(name for name in FILES.values() if f"class {name}(" in code)
            return call(code, *rest)

        return watching

    monkeypatch.setattr(of_file, "outline", watched("map", outline))
    monkeypatch.setattr(read, "read_facts", watched("room", read.read_facts))
    monkeypatch.setattr(read, "read_member", watched("method", read.read_member))
    return done


def _lint(project: Path, store: CacheStore | None, **overrides: object) -> tuple[Diagnostic, ...]:
    resolver = SettingsResolver(cwd=project, overrides=overrides)
    return lint_paths([str(project)], resolver=resolver, store=store).diagnostics


def _nothing(done: Read) -> bool:
    return not any(done.values())


def test_a_second_run_reads_nothing(project: Path, store: CacheStore, reading: Read) -> None:
    cold = _lint(project, store)
    assert {diagnostic.code for diagnostic in cold} == {"LP111", "LP201"}
    assert all(names == set(FILES.values()) for names in reading.values())
    for names in reading.values():
        names.clear()
    assert _lint(project, store) == cold
    assert _nothing(reading)


def test_a_second_run_does_not_import_libcst(project: Path, tmp_path: Path) -> None:
    script = (
        f"import sys; sys.path.insert(0, {str(ROOT)!r})\n"
        "from lintpickle.api import lint_paths\n"
        "from lintpickle.cache.store import CacheStore\n"
        "from lintpickle.settings import SettingsResolver\n"
        f"store = CacheStore({str(tmp_path / 'cache')!r})\n"
        "found = lint_paths(['.'], resolver=SettingsResolver(), store=store).diagnostics\n"
        "import json; print(json.dumps([repr(found), 'libcst' in sys.modules]))"
    )
    ran = [
        subprocess.run([sys.executable, "-c", script], cwd=project, capture_output=True, text=True) for _ in range(2)
    ]
    assert [each.returncode for each in ran] == [0, 0], ran[0].stderr
    (cold, cold_libcst), (warm, warm_libcst) = (json.loads(each.stdout) for each in ran)
    assert "LP111" in cold
    assert warm == cold
    assert (cold_libcst, warm_libcst) == (True, False)


def test_only_what_has_changed_is_read_again(project: Path, store: CacheStore, reading: Read) -> None:
    _lint(project, store)
    changed = project / "b.py"
    changed.write_text(HAZARD.format(name="Two").replace("threading.Lock()", "None"))
    for names in reading.values():
        names.clear()
    found = _lint(project, store)
    assert reading == {"map": {"Two"}, "room": {"Two"}, "method": {"Two"}}
    assert found == _lint(project, None)
    changed.unlink()
    for names in reading.values():
        names.clear()
    assert {Path(diagnostic.location.path).name for diagnostic in _lint(project, store)} == {"a.py", "c.py"}
    assert _nothing(reading)


def test_a_file_under_another_name_is_known(project: Path, store: CacheStore, reading: Read) -> None:
    _lint(project, store)
    for names in reading.values():
        names.clear()
    (project / "a.py").rename(project / "z.py")
    (project / "latin.py").write_bytes(b"\xef\xbb\xbf" + HAZARD.format(name="Three").encode())
    found = _lint(project, store)
    assert {Path(diagnostic.location.path).name for diagnostic in found} == {"b.py", "c.py", "latin.py", "z.py"}
    assert _nothing(reading)


def test_nothing_is_written_again_unless_something_was_read(project: Path, store: CacheStore) -> None:
    _lint(project, store)
    (entry,) = Path(store.folder, "facts").glob(f"*{SUFFIX}")
    os.utime(entry, (1, 1_000_000_000))
    before = entry.stat().st_ino
    _lint(project, store)
    assert entry.stat().st_ino == before
    (project / "d.py").write_text(HAZARD.format(name="Four"))
    _lint(project, store)
    assert entry.stat().st_ino != before


def test_facts_read_with_other_rules_are_added(project: Path, store: CacheStore, reading: Read) -> None:
    _lint(project, store, select=["LP302"])
    for names in reading.values():
        names.clear()
    found = _lint(project, store)
    assert reading["room"]
    assert not reading["map"]
    assert found == _lint(project, None)
    for names in reading.values():
        names.clear()
    _lint(project, store)
    assert _nothing(reading)


def test_only_the_share_of_what_has_changed_is_written(
    project: Path, store: CacheStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(facts_cache, "_SHARES", 64)
    for number in range(60):
        (project / f"more{number}.py").write_text(f"x = {number}\n")
    _lint(project, store)
    before = {path: path.stat().st_ino for path in Path(store.folder, "facts").iterdir()}
    (project / "a.py").write_text("x = 'a'\n")
    _lint(project, store)
    after = {path: path.stat().st_ino for path in Path(store.folder, "facts").iterdir()}
    assert len(before) > 20
    assert len(set(after.items()) - set(before.items())) == 1


class TestOtherReaders:
    """What was read by other code, or with another vocabulary, is not used."""

    def _kept(self, store: CacheStore, root: str = "root", vocabulary: Vocabulary = VOCABULARY) -> bool:
        return bool(FactsCache(store, root, vocabulary)._share(0))

    @pytest.fixture(autouse=True)
    def _written(self, store: CacheStore) -> None:
        store.save("facts", FactsCache(store, "root", VOCABULARY)._key_of(0), {b"digest": b"facts"})

    def test_the_same(self, store: CacheStore) -> None:
        assert self._kept(store)
        assert self._kept(store, vocabulary=Vocabulary(*map(frozenset, astuple(VOCABULARY))))

    def test_another_project(self, store: CacheStore) -> None:
        assert not self._kept(store, "elsewhere")

    @pytest.mark.parametrize("field", ["calls", "values", "boundaries"])
    def test_another_vocabulary(self, store: CacheStore, field: str) -> None:
        other = replace(VOCABULARY, **{field: frozenset({"other"})})
        assert not self._kept(store, vocabulary=other)

    def test_another_libcst(self, store: CacheStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        (tmp_path / "libcst.py").write_text("")
        monkeypatch.setattr(facts_cache, "find_spec", lambda name: _Spec(str(tmp_path / f"{name}.py")))
        assert not self._kept(store)

    def test_no_libcst(self, store: CacheStore, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(facts_cache, "find_spec", lambda name: None)
        assert not self._kept(store)

    @pytest.mark.parametrize("name", ["facts/read.py", "catalog/torch.toml"])
    def test_code_of_a_checkout_that_was_changed(
        self, store: CacheStore, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        path = tmp_path / name
        path.parent.mkdir()
        path.write_text("")
        monkeypatch.setattr(ourselves, "PACKAGE", str(tmp_path))
        monkeypatch.setattr(ourselves, "IS_INSTALLED", False)
        first = FactsCache(store, "root", VOCABULARY)
        assert not first._share(0)
        os.utime(path, ns=(1, 1))
        assert FactsCache(store, "root", VOCABULARY)._key_of(0) != first._key_of(0)


class _Spec:
    def __init__(self, origin: str) -> None:
        self.origin = origin


def _entry(store: CacheStore) -> tuple[str, dict[bytes, Any]]:
    from .test_evidence import _content

    (path,) = Path(store.folder, "facts").glob(f"*{SUFFIX}")
    key, known = _content(path)
    assert isinstance(known, dict)
    return key, known


FOREIGN: list[Any] = [
    None, True, 0, 99, 1.5, "text", b"bytes", [], {}, [1], (1, 2), (1, 2, 3), {"a": 1}, {1: b""}, {1: None}, [None],
    ((1,),), ((0,),), ((99, 1),), ((-1,),), frozenset(), ..., [[1]], (b"", {}, {}, {}), (b"", [], {}, {}, {}),
]  # fmt: skip


def test_whatever_stands_in_an_entry(project: Path, store: CacheStore) -> None:
    """The entry has a digest, so that chance does not change it; whoever else does may get back less, but no error."""
    for name in ("b.py", "c.py"):
        (project / name).unlink()
    cold = _lint(project, store)
    key, known = _entry(store)
    ((digest, kept),) = known.items()
    for wrong in FOREIGN:
        store.save("facts", key, wrong)
        assert _lint(project, store) == cold
    for wrong in (*FOREIGN, *map(marshal.dumps, FOREIGN), kept[:-5], kept[: len(kept) // 2]):
        store.save("facts", key, {digest: wrong})
        assert _lint(project, store) == cold
    for broken in _broken(marshal.loads(kept)):
        store.save("facts", key, {digest: marshal.dumps(broken)})
        assert _lint(project, store) == cold


def _broken(parts: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
    """The facts of a file with something else in place of each table in them."""
    wrongs = [wrong for value in FOREIGN[::3] for wrong in (value, marshal.dumps(value)) if wrong is not None]
    for index, part in enumerate(parts):
        yield (*parts[:index], *parts[index + 1 :])
        if isinstance(part, bytes):
            yield from ((*parts[:index], wrong, *parts[index + 1 :]) for wrong in (*wrongs, part[:-1]))
        elif isinstance(part, dict):
            for key, value in part.items():
                for wrong in (*wrongs, value[: len(value) // 2]):
                    yield (*parts[:index], {**part, key: wrong}, *parts[index + 1 :])


def test_without_a_store_nothing_is_kept(project: Path, tmp_path: Path) -> None:
    before = set(tmp_path.rglob("*"))
    _lint(project, None)
    assert set(tmp_path.rglob("*")) == before


def test_the_evidence_is_the_same(project: Path, store: CacheStore) -> None:
    with disk.remembered() as cold:
        _lint(project, store)
    with disk.remembered() as warm:
        _lint(project, store)
    assert str(project / "a.py") in cold.contents
    assert (warm.contents, warm.listings, warm.kinds) == (cold.contents, cold.listings, cold.kinds)
