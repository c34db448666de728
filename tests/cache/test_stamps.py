"""An answer is used only while nothing that it rests on has changed, whatever is edited."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from lintpickle import disk
from lintpickle.api import lint_paths
from lintpickle.cache.stamps import COARSE, FINE, are_settled, is_settled, stamped, unchanged
from lintpickle.diagnostics import LintpickleError
from lintpickle.disk import Evidence, remembered
from lintpickle.settings import SettingsResolver

links = pytest.mark.skipif(sys.platform == "win32", reason="links need a privilege")


def _evidence(ask: Callable[[], object]) -> Evidence:
    with remembered() as evidence:
        ask()
    return evidence


def _holds(ask: Callable[[], object], change: Callable[[], object]) -> bool:
    stamps = stamped(_evidence(ask))
    assert unchanged(stamps)
    change()
    return unchanged(stamps)


class TestOneQuestion:
    def test_a_file_was_read(self, tmp_path: Path) -> None:
        file = tmp_path / "a.py"
        file.write_text("1")
        read = lambda: disk.read(file)  # noqa: E731
        times = file.stat().st_atime_ns, file.stat().st_mtime_ns

        def rewritten_in_secret(text: str) -> None:
            file.write_text(text)
            os.utime(file, ns=times)

        assert _holds(read, lambda: (tmp_path / "b.py").write_text(""))
        assert not _holds(read, lambda: file.write_text("22"))
        assert not _holds(read, lambda: rewritten_in_secret("33"))
        assert not _holds(read, lambda: file.write_text("44"))
        assert not _holds(read, lambda: os.replace(shutil.copy2(file, tmp_path / "copy"), file))
        assert not _holds(read, file.unlink)

    def test_a_file_was_missing(self, tmp_path: Path) -> None:
        file = tmp_path / "a.py"

        def ask() -> None:
            with pytest.raises(OSError):
                disk.read(file)

        assert _holds(ask, lambda: (tmp_path / "b.py").write_text(""))
        assert not _holds(ask, lambda: file.write_text(""))

    def test_a_folder_was_listed(self, tmp_path: Path) -> None:
        (tmp_path / "a.py").write_text("1")
        for ask in (lambda: disk.names(tmp_path), lambda: disk.entries(tmp_path)):
            assert _holds(ask, lambda: (tmp_path / "a.py").write_text("2"))
            assert not _holds(ask, lambda: (tmp_path / "b.py").write_text(""))
            assert not _holds(ask, lambda: (tmp_path / "b.py").rename(tmp_path / "c.py"))
            assert not _holds(ask, (tmp_path / "c.py").unlink)

    def test_it_was_asked_what_is_there(self, tmp_path: Path) -> None:
        path = tmp_path / "place"
        for ask in (lambda: disk.exists(path), lambda: disk.is_file(path), lambda: disk.is_folder(path)):
            assert not _holds(ask, path.mkdir)
            assert _holds(ask, lambda: (path / "inside").write_text(""))
            assert not _holds(ask, lambda: shutil.rmtree(path))
            assert not _holds(ask, lambda: path.write_text(""))
            assert _holds(ask, lambda: path.write_text("other"))
            assert not _holds(ask, path.unlink)

    def test_a_listing_tells_of_what_is_missing_there(self, tmp_path: Path) -> None:
        path = tmp_path / "place"
        stamps = stamped(_evidence(lambda: (disk.names(tmp_path), disk.exists(path))))
        assert stamps[1] == ()
        path.mkdir()
        assert not unchanged(stamps)

    @links
    def test_a_link_leads_nowhere_yet(self, tmp_path: Path) -> None:
        folder, target = tmp_path / "folder", tmp_path / "target.py"
        folder.mkdir()
        (folder / "a.py").symlink_to(target)
        ask = lambda: [disk.entry_is_file(entry) for entry in disk.entries(folder)]  # noqa: E731
        assert not _holds(ask, lambda: target.write_text(""))
        assert not _holds(ask, target.unlink)
        assert not _holds(ask, target.mkdir)

    @links
    def test_a_link_leads_elsewhere(self, tmp_path: Path) -> None:
        for name in ("one", "two"):
            (tmp_path / name).mkdir()
        link = tmp_path / "link"
        link.symlink_to("one")

        def redirect(target: str) -> None:
            link.unlink()
            link.symlink_to(target)

        assert not _holds(lambda: disk.real_path(link), lambda: redirect("two"))
        assert not _holds(lambda: disk.names(link), lambda: redirect("one"))
        assert not _holds(lambda: disk.real_path(link / "below"), lambda: redirect("two"))

    @pytest.mark.skipif(sys.platform == "win32" or os.geteuid() == 0, reason="root may read everything")
    def test_a_folder_could_not_be_listed(self, tmp_path: Path) -> None:
        folder = tmp_path / "folder"
        folder.mkdir(mode=0)

        def ask() -> None:
            with pytest.raises(PermissionError):
                disk.names(folder)

        assert not _holds(ask, lambda: folder.chmod(0o700))


def test_nothing_is_remembered_outside_of_the_block(tmp_path: Path) -> None:
    evidence = _evidence(lambda: None)
    disk.exists(tmp_path)
    assert evidence == Evidence()


def test_the_first_answer_counts(tmp_path: Path) -> None:
    """What has changed during a run has changed since."""
    file = tmp_path / "a.py"
    file.write_text("1")
    evidence = _evidence(lambda: (disk.read(file), file.write_text("22"), disk.read(file)))
    assert not unchanged(stamped(evidence))


def test_what_other_processes_asked_is_added(tmp_path: Path) -> None:
    one, two = tmp_path / "one.py", tmp_path / "two.py"
    one.write_text("1")
    two.write_text("2")
    evidence = _evidence(lambda: disk.read(one))
    first = dict(evidence.contents)
    one.write_text("11")
    others = _evidence(lambda: (disk.read(one), disk.read(two), disk.exists(one), disk.names(tmp_path)))
    with remembered() as added:
        disk.also(evidence)
        disk.also(others)
    assert added == Evidence(added.contents, others.listings, others.kinds, {})
    evidence.add(others)
    assert added.contents == evidence.contents
    assert evidence.contents[str(one)] == first[str(one)]
    assert set(evidence.contents) == {str(one), str(two)}
    assert set(evidence.listings) == {str(tmp_path)}


def test_a_young_file_is_seen_as_such(tmp_path: Path) -> None:
    file = tmp_path / "a.py"
    file.write_text("1")
    os.utime(file, ns=(1, 1))
    changed = file.stat().st_ctime_ns
    evidence = _evidence(lambda: disk.read(file))
    assert not are_settled(evidence, changed)
    assert are_settled(evidence, changed + COARSE + 1)
    assert are_settled(Evidence(), 0)


@pytest.mark.parametrize(
    ("modified", "changed", "needed"),
    [
        (5_000_000_001, 5_000_000_001, FINE),
        (1, 5_000_000_001, FINE),
        (5_000_000_000, 5_000_000_001, COARSE),
        (5_000_000_001, 5_000_000_000, COARSE),
        (5_000_000_000, 5_000_000_000, COARSE),
    ],
)
def test_times_in_whole_seconds_need_longer(modified: int, changed: int, needed: int) -> None:
    status = (modified, changed, 7, 1)
    assert not is_settled(status, max(modified, changed) + needed)
    assert is_settled(status, max(modified, changed) + needed + 1)


HAZARD = """
from torch.utils.data import DataLoader, Dataset
from {module} import make

class Data(Dataset):
    def __init__(self):
        self.names = make({{"a": 1}})

    def __getitem__(self, index):
        return index

loader = DataLoader(Data(), num_workers=2)
"""
CONTENTS = (
    HAZARD.format(module="helper"),
    HAZARD.format(module="package.inner"),
    HAZARD.format(module="installed"),
    "def make(d):\n    return d.keys()\n",
    "def make(d):\n    return list(d)\n",
    "def broken(:\n",
    "",
)
SETTINGS = (
    "",
    "[tool.lintpickle]\nignore = ['LP101']\n",
    "[tool.lintpickle]\nexclude = ['package']\n",
    "[tool.other]\n",
)
SITE = ".venv/lib/python3.11/site-packages"
SOURCES = (
    "train.py", "helper.py", "package/__init__.py", "package/inner.py", "src/helper.py", "data/extra.py",
    f"{SITE}/installed.py", f"{SITE}/installed/__init__.py", f"{SITE}/helper.py", "elsewhere/installed.py",
)  # fmt: skip
OTHERS = {
    "pyproject.toml": SETTINGS,
    "package/pyproject.toml": SETTINGS,
    "lintpickle.toml": ("", "select = ['LP102']\n", "respect-gitignore = false\n"),
    ".gitignore": ("", "helper.py\n", "package/\n"),
    "package/.ignore": ("", "*.py\n"),
    ".git/info/exclude": ("", "train.py\n"),
    ".venv/pyvenv.cfg": ("version = 3.11.2\n", "version = 3.12.1\n"),
    f"{SITE}/path.pth": ("", "../../../../elsewhere\n"),
    f"{SITE}/some-1.0.dist-info/top_level.txt": ("installed\n", "other\n"),
}
START = {
    "train.py": CONTENTS[0],
    "helper.py": CONTENTS[3],
    "package/__init__.py": "",
    "package/inner.py": CONTENTS[3],
    "data/extra.py": CONTENTS[1],
    f"{SITE}/installed.py": CONTENTS[3],
    ".venv/pyvenv.cfg": "version = 3.11.2\n",
    "pyproject.toml": "[project]\nname = 'x'\n",
    ".git/HEAD": "ref: refs/heads/main\n",
}
PLACES = (*SOURCES, *OTHERS)

writes = st.one_of(
    st.tuples(st.just("write"), st.sampled_from(SOURCES), st.sampled_from(CONTENTS)),
    *(st.tuples(st.just("write"), st.just(place), st.sampled_from(texts)) for place, texts in OTHERS.items()),
)
removals = st.tuples(
    st.just("remove"), st.sampled_from((*PLACES, "package", ".venv", "data", ".git", SITE)), st.just("")
)
renames = st.tuples(
    st.just("rename"), st.sampled_from((*PLACES, "package", ".venv")), st.sampled_from((*SOURCES, "venv"))
)
touches = st.tuples(st.just("touch"), st.sampled_from(PLACES), st.just(""))


def _write(root: Path, name: str, text: str) -> None:
    path = root / name
    if any(parent.is_file() for parent in path.parents):
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.is_dir():
        path.write_text(text)


def _edit(root: Path, what: str, name: str, more: str) -> None:
    path = root / name
    if what == "write":
        _write(root, name, more)
    elif what == "touch" and path.exists():
        os.utime(path)
    elif what == "remove" and path.is_dir():
        shutil.rmtree(path)
    elif what == "remove":
        path.unlink(missing_ok=True)
    elif what == "rename" and path.exists() and _is_free(root / more) and path not in (root / more).parents:
        path.rename(root / more)


def _is_free(path: Path) -> bool:
    return not path.exists() and path.parent.is_dir()


def _lint(root: Path, monkeypatch: pytest.MonkeyPatch) -> object:
    try:
        return lint_paths(["."], resolver=SettingsResolver(cwd=root))
    except LintpickleError as error:
        return str(error)


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(edits=st.lists(st.one_of(writes, removals, renames, touches), min_size=1, max_size=4))
def test_an_answer_that_holds_is_what_a_fresh_run_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, edits: list[tuple[str, str, str]]
) -> None:
    monkeypatch.delenv("VIRTUAL_ENV", raising=False)
    monkeypatch.delenv("CONDA_PREFIX", raising=False)
    root = tmp_path / "project"
    shutil.rmtree(root, ignore_errors=True)
    for name, text in START.items():
        _write(root, name, text)
    monkeypatch.chdir(root)
    for what, name, more in edits:
        with remembered() as evidence:
            before = _lint(root, monkeypatch)
        stamps = stamped(evidence)
        assert unchanged(stamps)
        _edit(root, what, name, more)
        if unchanged(stamps):
            assert _lint(root, monkeypatch) == before


def test_what_cannot_matter_does_not_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The answer is used again after git did its work, and after edits of files that are no source."""
    for name, text in {**START, "data/notes.txt": ""}.items():
        _write(tmp_path, name, text)
    monkeypatch.chdir(tmp_path)
    with remembered() as evidence:
        _lint(tmp_path, monkeypatch)
    stamps = stamped(evidence)
    (tmp_path / ".git/index").write_text("")
    (tmp_path / ".git/HEAD").write_text("ref: refs/heads/other\n")
    (tmp_path / "data/notes.txt").write_text("something")
    assert unchanged(stamps)
    (tmp_path / "data/new.py").write_text("")
    assert not unchanged(stamps)
