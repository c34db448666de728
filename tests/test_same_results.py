"""The same diagnostics, byte for byte, whatever is kept and however many processes judge the files."""

from __future__ import annotations

import errno
import os
import random
import shutil
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path

import pytest

from lintpickle import disk
from lintpickle.api import lint_paths
from lintpickle.cache.store import CacheStore
from lintpickle.diagnostics import Outcome
from lintpickle.engine import processes, scheduler, shared_judging
from lintpickle.facts import of_file
from lintpickle.profiling import Part, profiled
from lintpickle.program.spill_file import SpillFile
from lintpickle.report.context import ReportContext
from lintpickle.report.formats.json import Json
from lintpickle.rulebook.summaries import rule_infos
from lintpickle.rules.syntax_error import SyntaxErrorRule
from lintpickle.settings import SettingsResolver
from lintpickle.source.document import Document, UnreadableSource, read_document

from .programs import EACH_IN_TURN, files, programs

each_program = pytest.mark.parametrize("folder", EACH_IN_TURN)
can_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
BROKEN = {
    "syntax.py": b"class A:\n    def f(:\n",
    "bytes.py": b"x = '\xff'\n",
    "nul.py": b"x = 1\0\n",
    "coding.py": b"# coding: no-such\n",
    "note.ipynb": b"{",
    "empty.py": b"",
    "deep.py": b"x = " + b"-" * 5_000 + b"1\n",
    "twice.py": b"import torch\ntorch.save(lambda: 0, 'x')\n",
    "again.py": b"import torch\ntorch.save(lambda: 0, 'x')\n",
}


def _outcome(
    folder: Path, store: CacheStore | None = None, jobs: int | None = 1, paths: Sequence[Path] = ()
) -> Outcome:
    resolver = SettingsResolver(cwd=folder, overrides={"pedantic": True})
    return lint_paths([str(path) for path in paths or [folder]], resolver=resolver, store=store, jobs=jobs)


@cache
def _alone(folder: Path) -> Outcome:
    """What one process says of a fixture program without a cache: to be asked for before anything is patched."""
    return _outcome(folder)


def _report(folder: Path, outcome: Outcome) -> str:
    context = ReportContext(
        cwd=folder,
        source=_source,
        rules=rule_infos,
        project_dir=None,
        color=False,
        links=False,
        show_fixes=False,
        unsafe_fixes=True,
        quiet=False,
    )
    return Json().render(outcome, context)


def _source(path: str) -> Document | None:
    try:
        return read_document(path)
    except UnreadableSource:
        return None


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The processes that were started to judge. They are, however little there is to judge."""
    pids: list[int] = []
    fork = os.fork

    def forking() -> int:
        pid = fork()
        if pid:
            pids.append(pid)
        return pid

    monkeypatch.setattr(processes, "BYTES_WORTH_A_PROCESS", 1)
    monkeypatch.setattr(threading, "active_count", lambda: 1)
    monkeypatch.setattr(os, "fork", forking)
    return pids


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    """A fixture program, and files beside it that cannot be read."""
    folder = tmp_path / "project"
    shutil.copytree(programs()[0].with_name("value_flow"), folder)
    for name, data in BROKEN.items():
        (folder / name).write_bytes(data)
    return folder


@each_program
def test_warm_and_cold(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = CacheStore(str(tmp_path / "cache"))
    without, cold = _alone(folder), _outcome(folder, store)
    monkeypatch.setattr(of_file, "outline", None)
    monkeypatch.setattr("lintpickle.facts.read.read_facts", None)
    warm = _outcome(folder, store)
    assert without.diagnostics
    assert without == cold == warm
    assert _report(folder, without) == _report(folder, cold) == _report(folder, warm)


@each_program
def test_whatever_is_let_go_of_on_the_way(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    forgetting = _alone(folder)
    monkeypatch.setattr("lintpickle.interpreter.evaluator.Evaluator.forget", lambda self: None)
    assert _outcome(folder) == forgetting


@can_fork
@each_program
def test_any_number_of_processes(folder: Path, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    alone = _alone(folder)
    started: list[int] = request.getfixturevalue("started")
    assert _report(folder, _outcome(folder, jobs=2)) == _report(folder, alone)
    assert len(started) > 1 or len(files(folder)) == 1
    started.clear()
    store = CacheStore(str(tmp_path / "cache"))
    assert _outcome(folder, store, 5) == alone
    count = len(started)
    assert count > 1 or len(files(folder)) == 1
    assert _outcome(folder, store, 5) == alone
    assert len(started) == count, "none where all is known"


@pytest.fixture
def large(monkeypatch: pytest.MonkeyPatch) -> None:
    """Programs count as large, however little there is of them."""
    monkeypatch.setattr("lintpickle.program.program.MUCH", -1)
    monkeypatch.setattr(scheduler, "BYTES_IN_A_SHARE", 2000)


@can_fork
@each_program
def test_large_programs(folder: Path, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    alone = _alone(folder)
    started: list[int] = request.getfixturevalue("started")
    request.getfixturevalue("large")
    store = CacheStore(str(tmp_path / "cache"))
    assert _report(folder, _outcome(folder, jobs=2)) == _report(folder, alone)
    assert started
    assert _outcome(folder, store, 2) == alone
    started.clear()
    assert _outcome(folder, store, 2) == _outcome(folder, store) == alone
    assert not started


@can_fork
@pytest.mark.usefixtures("started", "large")
def test_what_a_process_has_read_later_ones_do_not_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    folder = programs()[0].with_name("inherited_attributes")
    monkeypatch.setattr(scheduler, "processes_for", lambda jobs, size: 1)
    monkeypatch.setattr(scheduler, "BYTES_IN_A_SHARE", 500)
    shared, outcome = _walks(folder)
    monkeypatch.setattr(SpillFile, "renew", lambda spill_file, path, facts: False)
    each_alone, same = _walks(folder)
    assert shared < each_alone
    assert outcome == same


def _walks(folder: Path) -> tuple[int, Outcome]:
    """How many blocks and methods libcst reads for a check, in all processes, and what comes of it."""
    with profiled() as stopwatch:
        outcome = _outcome(folder, jobs=2)
    return stopwatch.by_part()[Part.WALK].count, outcome


@can_fork
def test_a_large_program_with_files_that_cannot_be_read(
    broken: Path, started: list[int], tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    with disk.remembered() as evidence:
        alone = _outcome(broken)
    one_by_one = [path for path in sorted(broken.iterdir()) if path.suffix in (".py", ".ipynb")]
    named = _outcome(broken, paths=one_by_one)
    request.getfixturevalue("large")
    with disk.remembered() as when_large:
        assert _outcome(broken, jobs=2) == alone
    assert when_large == evidence
    assert _outcome(broken, jobs=2, paths=one_by_one) == named
    store = CacheStore(str(tmp_path / "cache"))
    assert _outcome(broken, store, 3) == _outcome(broken, store, 3) == alone
    (broken / "new.py").write_text("import torch\n")
    assert _outcome(broken, store, 3).diagnostics == alone.diagnostics


@can_fork
@pytest.mark.usefixtures("started", "large")
@pytest.mark.parametrize("puts", [0, 3])
def test_no_room_for_the_spill_file(broken: Path, puts: int, monkeypatch: pytest.MonkeyPatch) -> None:
    write, count = SpillFile._write, iter(range(99))

    def refuse(spill_file: SpillFile, data: bytes) -> tuple[int, int]:
        if next(count) >= puts:
            raise OSError(errno.ENOSPC, "No space left on device")
        return write(spill_file, data)

    alone = _outcome(broken)
    monkeypatch.setattr(SpillFile, "_write", refuse)
    assert _outcome(broken, jobs=3) == alone


@can_fork
def test_what_cannot_be_read(broken: Path, started: list[int], tmp_path: Path) -> None:
    alone = _outcome(broken)
    assert started == []
    codes = {Path(d.location.path).name: d.code for d in alone.diagnostics if Path(d.location.path).name in BROKEN}
    assert {name for name, code in codes.items() if code == SyntaxErrorRule.code} >= {"syntax.py", "bytes.py", "nul.py"}
    assert {"twice.py", "again.py"} <= set(codes)
    store = CacheStore(str(tmp_path / "cache"))
    assert _report(broken, _outcome(broken, store, 3)) == _report(broken, alone)
    count = len(started)
    for outcome in (_outcome(broken, store, 3), _outcome(broken, store)):
        assert _report(broken, outcome) == _report(broken, alone)
    assert len(started) == count >= 3


@can_fork
def test_the_order_of_paths(broken: Path, started: list[int]) -> None:
    paths = [path for path in sorted(broken.iterdir()) if path.suffix in (".py", ".ipynb")]
    alone = _outcome(broken, paths=paths)
    random.Random(3).shuffle(paths)
    assert _outcome(broken, jobs=3, paths=paths).diagnostics == alone.diagnostics
    assert _outcome(broken, jobs=2, paths=[*paths[3:], broken, paths[0]]).diagnostics == alone.diagnostics
    assert started


@can_fork
def test_the_evidence(broken: Path, started: list[int]) -> None:
    with disk.remembered() as alone:
        _outcome(broken)
    with disk.remembered() as several:
        _outcome(broken, jobs=3)
    assert len(started) >= 3
    assert {str(broken / name) for name in BROKEN} <= set(several.contents)
    assert several == alone


def _kill(share: list[str]) -> bytes:
    os.kill(os.getpid(), signal.SIGKILL)
    return b""


def _raise(share: list[str]) -> bytes:
    raise MemoryError


def _unwritable(share: list[str]) -> bytes:
    return object()  # type: ignore[return-value]


@can_fork
@pytest.mark.parametrize("some_work", [True, False])
@pytest.mark.parametrize("fail", [_kill, _raise, _unwritable, sys.exit])
def test_a_process_that_fails(
    broken: Path,
    started: list[int],
    fail: Callable[[list[str]], bytes],
    some_work: bool,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    alone = _outcome(broken)
    real = processes.in_processes

    def failing(
        shares: Sequence[list[str]],
        work: Callable[[list[str]], bytes],
        at_once: int,
        take: Callable[[bytes], bytes],
        killed: Callable[[int, int, str], object],
    ) -> list[bytes | None]:
        return real(shares, lambda share: work(share) if share is lucky(shares) else fail(share), at_once, take, killed)

    def lucky(shares: Sequence[list[str]]) -> list[str] | None:
        return shares[-1] if some_work and len(shares) > 1 else None

    monkeypatch.setattr(shared_judging, "in_processes", failing)
    store = CacheStore(str(tmp_path / "cache"))
    assert _outcome(broken, store, jobs=3) == alone
    assert len(started) >= 3
    assert _outcome(broken, store) == alone
    for pid in started:
        with pytest.raises(ChildProcessError):
            os.waitpid(pid, os.WNOHANG)


def test_no_process_can_be_started(broken: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> int:
        raise BlockingIOError

    alone = _outcome(broken)
    monkeypatch.setattr(processes, "BYTES_WORTH_A_PROCESS", 1)
    monkeypatch.setattr(os, "fork", refuse, raising=False)
    open_before = len(list(_open_files()))
    assert _outcome(broken, jobs=3) == alone
    assert len(list(_open_files())) == open_before


def _open_files() -> Iterator[int]:
    for number in range(256):
        try:
            os.fstat(number)
        except OSError:
            continue
        yield number


def test_no_process_where_it_does_not_pay(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threading, "active_count", lambda: 1)
    monkeypatch.setattr(os, "fork", lambda: 0, raising=False)
    enough = processes.BYTES_WORTH_A_PROCESS
    assert [processes.processes_for(8, size) for size in (0, enough - 1, 2 * enough - 1, 2 * enough, 99 * enough)] == [
        1, 1, 1, 2, 8,
    ]  # fmt: skip
    assert processes.processes_for(1, 99 * enough) == 1
    assert 1 <= processes.processes_for(None, 10_000 * enough) <= (os.cpu_count() or 1)
    monkeypatch.setattr(threading, "active_count", lambda: 2)
    assert processes.processes_for(8, 99 * enough) == 1
    monkeypatch.setattr(threading, "active_count", lambda: 1)
    monkeypatch.delattr(os, "fork")
    assert processes.processes_for(8, 99 * enough) == 1
