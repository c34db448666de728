"""A file at which a process was killed is worked at once more, with care, and never a third time."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from lintpickle.cache.store import CacheStore
from lintpickle.engine import fences
from lintpickle.engine.suspects import Suspect, suspects
from lintpickle.marker import SIZE, noted_in
from tests.engine.test_watchdog import found_in, killed_at_bad, lint, write_project
from tests.test_defects import can_fork

pytestmark = [pytest.mark.defects, can_fork]

CRASH = """
import os, signal, sys, threading, faulthandler
from lintpickle.cache.store import CacheStore
from lintpickle.engine.fences import LastingMarker
from lintpickle.marker import note


def work():
    marker = LastingMarker(CacheStore(sys.argv[1]))
    if sys.argv[3] == "again":
        marker.put_on_probation(sys.argv[2])
    note(sys.argv[2])
    {}


thread = threading.Thread(target=work)
thread.start()
thread.join()
"""
NO_MEMORY = """
from lintpickle.rules.unguarded_worker_start import UnguardedWorkerStart

def fail(*_):
    raise MemoryError

UnguardedWorkerStart.module = fail
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_project(tmp_path / "project")


@pytest.fixture
def store(tmp_path: Path) -> CacheStore:
    return CacheStore(str(tmp_path / "cache"))


def _markers(store: CacheStore) -> list[Path]:
    return sorted((Path(store.folder) / "working").iterdir())


def _die_at(path: Path, store: CacheStore, how: str, again: str = "") -> None:
    command = [sys.executable, "-c", CRASH.format(how), store.folder, str(path), again]
    assert subprocess.run(command, capture_output=True, check=False).returncode < 0


@pytest.mark.parametrize(
    ("how", "crashed"),
    [
        ("faulthandler._sigsegv()", True),
        ("faulthandler._stack_overflow()", True),
        ("os.abort()", True),
        ("os.kill(os.getpid(), signal.SIGKILL)", False),
        ("os.kill(os.getpid(), signal.SIGTERM)", False),
    ],
)
def test_a_crash_is_told_from_a_kill(how: str, crashed: bool, folder: Path, store: CacheStore) -> None:
    _die_at(folder / "bad.py", store, how)
    [suspect] = suspects(store)
    assert (suspect.path, suspect.crashed, suspect.guilty) == (str(folder / "bad.py"), crashed, False)


def test_who_is_killed_at_a_suspect_makes_it_guilty_until_it_changes(folder: Path, store: CacheStore) -> None:
    _die_at(folder / "bad.py", store, "os.abort()", "again")
    _die_at(folder / "gone.py", store, "os.abort()")
    _die_at(Path(), store, "os.abort()")
    (folder / "gone.py").unlink(missing_ok=True)
    assert sorted((Path(each.path).name, each.guilty) for each in suspects(store)) == [
        ("", False),
        ("bad.py", True),
        ("gone.py", False),
    ]
    os.utime(folder / "bad.py")
    assert sorted(Path(each.path).name for each in suspects(store)) == ["", "gone.py"]
    assert len(_markers(store)) == 2


def test_what_is_old_is_not_dropped_at_once(folder: Path, store: CacheStore) -> None:
    """Other half-written files of the cache are, after an hour."""
    _die_at(folder / "bad.py", store, "os.abort()")
    [marker] = _markers(store)
    old = marker.stat().st_mtime - 7_200
    for path in (folder / "bad.py", marker):
        os.utime(path, (old, old))
    store.prune()
    assert len(suspects(store)) == 1
    store.prune(days=0)
    assert suspects(store) == []


@pytest.mark.parametrize("is_guarded", [True, False], ids=["while another process stands by", "alone"])
def test_a_suspect_is_worked_at_on_probation(
    is_guarded: bool, folder: Path, store: CacheStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried: list[str] = []

    def survives(suspect: Suspect) -> bool:
        tried.append(suspect.path)
        return True

    monkeypatch.setattr(fences, "is_guarded", lambda: is_guarded)
    monkeypatch.setattr(fences, "survives", survives)
    for again in (False, True):
        with monkeypatch.context() as patched:
            killed_at_bad(signal.SIGKILL, patched)
            pid = os.fork()
            if pid == 0:
                lint(folder, store=store)
                os._exit(0)
            assert os.WTERMSIG(os.waitpid(pid, 0)[1]) == signal.SIGKILL
        assert (str(folder / "bad.py"), again) in [noted_in(each.read_bytes()) for each in _markers(store)]
    assert ("bad.py", "LP904") in found_in(lint(folder, store=store))
    assert not tried  # in this process
    for each in _markers(store):
        if noted_in(each.read_bytes())[1]:
            each.unlink()
    assert ("bad.py", "LP102") in found_in(lint(folder, store=store))
    assert tried == ([] if is_guarded else [str(folder / "bad.py")])
    assert _markers(store) == []


@pytest.mark.parametrize("crashed", [False, True], ids=["alone", "with the whole program"])
def test_a_trial_works_at_the_file(crashed: bool, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    suspect = Suspect("none", str(folder / "bad.py"), crashed, False)
    assert fences.survives(suspect)
    monkeypatch.setattr(fences, "_TRIAL", fences._TRIAL.replace("stand_trial(sys", NO_MEMORY + "stand_trial(sys"))
    assert not fences.survives(suspect)


@pytest.mark.parametrize("name", ["SIGABRT", "SIGALRM"])
def test_who_kills_a_trial_is_guilty_and_who_is_slow_is_not(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    marker = tmp_path / "marker"
    marker.write_bytes(b"\4\0a.py" + bytes(SIZE - 6) + b"behind")
    monkeypatch.setattr(fences, "_TRIAL", f"import os, signal; os.kill(os.getpid(), signal.{name})")
    assert not fences.survives(Suspect(str(marker), "a.py", True, False))
    assert noted_in(marker.read_bytes()) == ("a.py", name == "SIGABRT")
    assert marker.read_bytes().endswith(b"behind")


def test_a_trial_takes_the_text_of_an_editor(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    crashing = "import os\nread = FileFacts._read_block\nFileFacts._read_block = lambda self, block: "
    crashing += "os.abort() if 'crash' in self.text(block) else read(self, block)\n"
    imported = f"from lintpickle.facts.of_file import FileFacts\n{crashing}"
    monkeypatch.setattr(fences, "_TRIAL", fences._TRIAL.replace("stand_trial(sys", imported + "stand_trial(sys"))
    suspect = Suspect("none", str(folder / "bad.py"), False, False)

    def code(text: str) -> int:
        return subprocess.run(fences.trial(suspect, text), input=text, text=True, check=False).returncode

    assert fences.survives(suspect)
    assert [code("x = 1\n"), code("x = (\n"), code("")] == [0, 0, 0]
    assert code("def unused():\n    crash()\n") == -signal.SIGABRT
