"""A file that takes too long, too much, or the process with it is given up, and all others are judged as ever."""

from __future__ import annotations

import mmap
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from lintpickle.api import FixMode, lint_paths
from lintpickle.cache.store import CacheStore
from lintpickle.commands import app
from lintpickle.diagnostics import Outcome
from lintpickle.engine import fences, processes
from lintpickle.engine.processes import in_processes
from lintpickle.engine.suspects import Suspect
from lintpickle.facts import of_file
from lintpickle.facts.records import BlockFacts
from lintpickle.marker import SIZE, Marker, marking, note, noted, noted_in
from lintpickle.program.module import Module
from lintpickle.rules.base import Hazard
from lintpickle.rules.unguarded_worker_start import UnguardedWorkerStart
from lintpickle.settings import SettingsResolver
from lintpickle.watchdog import Budget, OverBudget, Watchdog
from tests.test_defects import SCRIPT, can_fork

pytestmark = pytest.mark.defects
has_timer = pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="needs timers")
GOOD = [("good.py", "LP102"), ("good.py", "LP203")]
Found = list[tuple[str, str]]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_project(tmp_path / "project")


def write_project(folder: Path) -> Path:
    """A good file and a bad one."""
    folder.mkdir()
    (folder / "bad.py").write_text(SCRIPT.format(name="Bad"), encoding="utf-8")
    (folder / "good.py").write_text(SCRIPT.format(name="Good"), encoding="utf-8")
    return folder


def lint(folder: Path, jobs: int = 1, store: CacheStore | None = None, **settings: object) -> Outcome:
    resolver = SettingsResolver(cwd=folder, isolated=True, overrides=settings)
    return lint_paths([str(folder)], resolver=resolver, jobs=jobs, store=store)


def found_in(outcome: Outcome) -> Found:
    assert outcome.defects == ()
    return sorted((Path(each.location.path).name, each.code) for each in outcome.diagnostics)


def _given_up(outcome: Outcome) -> str:
    [said] = [each for each in outcome.diagnostics if each.code == "LP904"]
    return said.message


def _on_bad(do: Callable[[], object], monkeypatch: pytest.MonkeyPatch) -> None:
    """Have LP203 do something when it is shown bad.py."""
    judge = UnguardedWorkerStart.module

    def module(self: UnguardedWorkerStart, module: Module, linker: object) -> Iterator[Hazard]:
        if module.path.endswith("bad.py"):
            do()
        yield from judge(self, module, linker)  # type: ignore[arg-type]

    monkeypatch.setattr(UnguardedWorkerStart, "module", module)


def _work_for_ever() -> None:
    while True:
        sum(range(1000))


@has_timer
@pytest.mark.parametrize("jobs", [1, pytest.param(2, marks=can_fork)])
def test_a_file_that_takes_too_long_is_given_up(jobs: int, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "BYTES_WORTH_A_PROCESS", 1)
    _on_bad(_work_for_ever, monkeypatch)
    outcome = lint(folder, jobs, max_file_seconds=1)
    assert found_in(outcome) == [("bad.py", "LP102"), ("bad.py", "LP904"), *GOOD]
    assert _given_up(outcome) == "not analysed: it takes more than 1 seconds of processor time"
    assert signal.getitimer(signal.ITIMER_VIRTUAL) == (0, 0)


@has_timer
def test_a_run_that_has_had_its_time_says_so_once(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _on_bad(_work_for_ever, monkeypatch)
    outcome = lint(folder, max_run_seconds=1)
    assert _given_up(outcome) == "not analysed: the run has had its 1 seconds"


@has_timer
@pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")
def test_a_file_that_takes_too_much_memory_is_given_up(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def grow() -> None:
        held: list[bytearray] = []
        while len(held) < 1000:
            held.append(bytearray(os.urandom(1000)) * 1000)
            sum(range(100_000))

    _on_bad(grow, monkeypatch)
    outcome = lint(folder, max_memory=100)
    assert found_in(outcome) == [("bad.py", "LP102"), ("bad.py", "LP904"), *GOOD]
    assert _given_up(outcome) == "not analysed: it takes more than 100 MB of memory"


def test_where_no_memory_is_left_a_file_is_given_up(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> None:
        raise MemoryError

    _on_bad(fail, monkeypatch)
    assert _given_up(lint(folder)) == "not analysed: there is no memory left for it"


def test_work_is_checked_where_there_is_no_timer(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(signal, "setitimer", raising=False)
    monkeypatch.setattr(time, "thread_time", time.monotonic)
    monkeypatch.setattr("lintpickle.interpreter.evaluator.CHECKED_EVERY", 1)
    _on_bad(lambda: time.sleep(1.1), monkeypatch)
    code = SCRIPT.format(name="Bad") + "DataLoader(Bad(), num_workers=2)\n"
    (folder / "bad.py").write_text(code, encoding="utf-8")
    outcome = lint(folder, max_file_seconds=1)
    assert set(GOOD) <= set(found_in(outcome))


def test_files_have_their_times_one_by_one() -> None:
    watchdog = Watchdog(Budget(seconds=0.05))
    outer = watchdog.enter("a.py")
    inner = watchdog.enter("b.py")
    ends = time.thread_time() + 0.06
    while time.thread_time() < ends:
        pass
    with pytest.raises(OverBudget, match="processor") as over:
        watchdog.check()
    assert over.value.path == "b.py"
    watchdog.give_up("b.py", over.value.said)
    watchdog.leave(inner)
    watchdog.check()
    with pytest.raises(OverBudget):
        watchdog.enter("b.py")
    watchdog.leave(outer)
    watchdog.check()


def test_a_given_up_file_is_a_finding_and_is_tried_again_the_next_time(
    folder: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def check() -> str:
        cache = str(tmp_path / "cache")
        options = ["--isolated", "--output-format", "concise", "--cache-dir", cache]
        return CliRunner().invoke(app, ["check", *options, str(folder)]).output

    def fail() -> None:
        raise MemoryError

    with monkeypatch.context() as patched:
        _on_bad(fail, patched)
        assert "bad.py:1:1: LP904" in check()
    assert "LP904" not in check()


def test_what_nests_too_deep_is_told(folder: Path) -> None:
    deep = "[" * 120 + "id(0)" + "]" * 120
    method = "        return index\n"
    code = SCRIPT.format(name="Bad")
    (folder / "bad.py").write_text(code.replace(method, f"        return {deep}\n"), encoding="utf-8")
    outcome = lint(folder)
    assert ("bad.py", "LP904") in found_in(outcome)
    [said] = [each for each in outcome.diagnostics if each.code == "LP904"]
    assert said.location.start.row == code[: code.index("class")].count("\n") + 1
    (folder / "bad.py").write_text(code.replace(method, f"        return {deep[80:-80]}\n"), encoding="utf-8")
    assert ("bad.py", "LP904") not in found_in(lint(folder))


def killed_at_bad(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the process killed that reads bad.py."""
    read = of_file.FileFacts._read_block

    def kill(self: of_file.FileFacts, block: object) -> BlockFacts | None:
        if self._path.endswith("bad.py"):
            with noted(self._path):
                os.kill(os.getpid(), number)
        return read(self, block)  # type: ignore[arg-type]

    monkeypatch.setattr(of_file.FileFacts, "_read_block", kill)


@can_fork
@pytest.mark.parametrize("name", ["SIGSEGV", "SIGKILL"])
def test_a_killed_process_costs_the_file_that_it_worked_at(
    name: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(6):
        (folder / f"more{number}.py").write_text(SCRIPT.format(name=f"More{number}"), encoding="utf-8")
    alone = found_in(lint(folder))
    monkeypatch.setattr(processes, "BYTES_WORTH_A_PROCESS", 1)
    killed_at_bad(getattr(signal, name), monkeypatch)
    outcome = lint(folder, jobs=3)
    assert found_in(outcome) == sorted([("bad.py", "LP904"), *(each for each in alone if each[0] != "bad.py")])
    assert _given_up(outcome) == f"not analysed: a process that worked at it was killed ({name})"


@can_fork
def test_who_was_killed_at_what_is_told() -> None:
    told: list[tuple[int, int, str]] = []

    def work(share: str) -> bytes:
        note(f"{share}.py")
        if share == "b":
            os.kill(os.getpid(), signal.SIGKILL)
        return share.encode()

    found = in_processes("abc", work, 2, bytes, lambda *what: told.append(what))
    assert found == [b"a", None, b"c"]
    assert told == [(1, signal.SIGKILL, "b.py")]


@can_fork
def test_the_next_run_leaves_out_what_killed_the_last_one(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = CacheStore(str(tmp_path / "cache"))
    with monkeypatch.context() as patched:
        killed_at_bad(signal.SIGKILL, patched)
        pid = os.fork()
        if pid == 0:
            lint(folder, store=store)
            os._exit(0)
        assert os.WTERMSIG(os.waitpid(pid, 0)[1]) == signal.SIGKILL
    [left] = (tmp_path / "cache" / "working").iterdir()
    assert noted_in(left.read_bytes()) == (str(folder / "bad.py"), False)
    tried: list[bool] = []

    def kills(suspect: Suspect) -> bool:
        tried.append(suspect.crashed)
        return fences.judged(suspect, -signal.SIGKILL)

    with monkeypatch.context() as patched:
        patched.setattr(fences, "survives", kills)
        for _ in range(2):
            outcome = lint(folder, store=store)
            assert found_in(outcome) == [("bad.py", "LP904"), *GOOD]
            assert _given_up(outcome) == "not analysed: an earlier run was killed while it worked at it"
    assert tried == [False]  # Then it is known.
    os.utime(folder / "bad.py")
    assert ("bad.py", "LP102") in found_in(lint(folder, store=store))  # It is another file now.
    assert not list((tmp_path / "cache" / "working").iterdir())


def test_on_a_full_disk_there_is_no_marker(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache = tmp_path / "cache"
    CacheStore(str(cache)).prepare()
    with monkeypatch.context() as patched:
        patched.setattr(os, "write", lambda handle, data: len(data) - 1)
        with fences.fenced(CacheStore(str(cache)), [str(folder / "bad.py")]) as found:
            assert not found
            assert not list((cache / "working").iterdir())
    with fences.fenced(CacheStore(str(cache)), [str(folder / "bad.py")]):
        assert len(list((cache / "working").iterdir())) == 1
    assert not list((cache / "working").iterdir())


def test_a_marker_says_what_was_noted_last() -> None:
    marker = Marker()
    with marking(marker):
        note("a long path.py")
        with noted("b.py"):
            assert marker.path == "b.py"
        assert marker.path == "a long path.py"
        note("")
        assert marker.path == ""
        note("x" * 2 * SIZE)
        assert len(marker.path) == SIZE - 2
    note("outside.py")
    assert marker.path != "outside.py"


def test_a_marker_says_what_was_on_probation() -> None:
    memory = mmap.mmap(-1, SIZE)
    marker = Marker(memory)
    marker.on_probation.add("b.py")
    with marking(marker):
        for path in ("a.py", "b.py", "c.py"):
            note(path)
            assert noted_in(memory[:]) == (path, path == "b.py")
            assert marker.path == path


@can_fork
def test_fixing_goes_on_around_it(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "good.py").write_text(SCRIPT.format(name="Good").replace("lambda row: row", "{}.keys()"))
    monkeypatch.setattr(processes, "BYTES_WORTH_A_PROCESS", 1)
    killed_at_bad(signal.SIGKILL, monkeypatch)
    resolver = SettingsResolver(cwd=folder, isolated=True)
    outcome = lint_paths([str(folder)], resolver=resolver, jobs=2, fix=FixMode.WRITE)
    assert [Path(change.path).name for change in outcome.changes] == ["good.py"]
    assert ("bad.py", "LP904") in found_in(outcome)
