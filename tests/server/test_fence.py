"""A server after one that was killed: what it worked at is tried in another process, and nothing waits."""

from __future__ import annotations

import asyncio
import os
import signal
from pathlib import Path

import pytest

from tests.server.conftest import HAZARDS, need_module

need_module("pygls")

from lintpickle.cache.store import CacheStore  # noqa: E402
from lintpickle.engine import fences  # noqa: E402
from lintpickle.engine.suspects import Suspect  # noqa: E402
from lintpickle.marker import SIZE, marking, note, noted_in  # noqa: E402
from lintpickle.server.fence import Fence  # noqa: E402
from tests.server.test_session import Editor, run  # noqa: E402

pytestmark = [pytest.mark.defects, pytest.mark.skipif("os.name != 'posix'")]


@pytest.fixture
def store(tmp_path_factory: pytest.TempPathFactory) -> CacheStore:
    return CacheStore(str(tmp_path_factory.mktemp("cache") / "cache"))


def _leave(store: CacheStore, path: Path, crashed: bool = False, guilty: bool = False) -> Path:
    """The marker of a server that was killed while it worked at a file."""
    with marking():
        marker = fences.LastingMarker(store)
        if guilty:
            marker.put_on_probation(str(path))
        note(str(path))
    [made] = (Path(store.folder) / "working").glob(f"*.{os.getpid()}")
    name, _, pid = made.name.rpartition(".")
    left = made.with_name(f"{name}.{2**22 + int(pid)}")  # no process has such a number
    made.rename(left)
    if crashed:
        left.write_bytes(left.read_bytes() + b"Fatal Python error: Segmentation fault")
    return left


def _codes(editor: Editor) -> list[str]:
    latest = editor.latest()
    return [str(each.code) for each in latest.diagnostics] if latest is not None else []


class Trials:
    """Stands in for trials: they end when `go_on` is set."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, code: int) -> None:
        self.code = code
        self.tried: list[tuple[str, str | None]] = []
        self.go_on = asyncio.Event()
        monkeypatch.setattr(Fence, "_try", self._try)

    async def _try(self, suspect: Suspect, text: str | None) -> int:
        self.tried.append((Path(suspect.path).name, text))
        await self.go_on.wait()
        return self.code


def test_documents_do_not_wait_for_trials_of_others(
    project: Path, store: CacheStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    (project / "good.py").write_text(HAZARDS, encoding="utf-8")
    left = [_leave(store, project / "good.py", crashed) for crashed in (False, True)]

    async def scene(editor: Editor) -> None:
        trials = Trials(monkeypatch, 0)
        editor.edit(HAZARDS)
        await editor.until_found(2)
        await editor.until(lambda: not editor.session._stale and trials.tried == [("good.py", None)])
        assert list(editor.session._fence.left_out) == [str(project / "good.py")]
        trials.go_on.set()
        await editor.until(lambda: not editor.session._fence.left_out)
        assert not any(each.exists() for each in left)
        editor.path = str(project / "good.py")
        editor.edit(HAZARDS)
        await editor.until_found(2)
        await editor.until(lambda: not editor.session._stale)
        assert trials.tried == [("good.py", None)]

    run(project, scene, store)


def test_the_program_has_a_suspect_from_when_it_is_let_in(
    project: Path, store: CacheStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    (project / "bad.py").write_text(HAZARDS, encoding="utf-8")
    _leave(store, project / "bad.py")

    async def scene(editor: Editor) -> None:
        trials = Trials(monkeypatch, 0)
        editor.path = str(project / "user.py")
        editor.edit("from bad import Frames\n\n\ndef f():\n    return Frames()\n")
        await editor.until_found(0)
        await editor.until(lambda: not editor.session._stale and bool(trials.tried))
        live = editor.session._projects.of(editor.path)
        found = await editor.session._worker.run(lambda: live._analysis.diagnostics())
        assert [each.code for each in found[str(project / "bad.py")]] == ["LP904"]
        trials.go_on.set()
        await editor.until(lambda: not editor.session._fence.left_out and not editor.session._stale)
        found = await editor.session._worker.run(lambda: live._analysis.diagnostics())
        assert "LP904" not in [each.code for each in found[str(project / "bad.py")]] != []

    run(project, scene, store)


def test_an_open_suspect_is_shown_after_its_trial(
    project: Path, store: CacheStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    _leave(store, project / "bad.py")

    async def scene(editor: Editor) -> None:
        trials = Trials(monkeypatch, 0)
        editor.edit(HAZARDS)
        await editor.until(lambda: trials.tried == [("bad.py", HAZARDS)])
        editor.edit("#\n" + HAZARDS)
        await asyncio.sleep(0.5)
        assert editor.latest() is None
        trials.go_on.set()
        await editor.until_found(2)
        assert "LP904" not in _codes(editor)

    run(project, scene, store)


def test_an_open_file_at_which_a_server_crashed_says_so_at_once(
    project: Path, store: CacheStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its trial takes long."""
    _leave(store, project / "bad.py", crashed=True)

    async def scene(editor: Editor) -> None:
        trials = Trials(monkeypatch, 0)
        editor.edit(HAZARDS)
        await editor.until_found(1)
        assert _codes(editor) == ["LP904"]
        trials.go_on.set()
        await editor.until_found(2)

    run(project, scene, store)


def test_what_kills_its_trial_is_left_out_and_never_tried_again(
    project: Path, store: CacheStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    left = _leave(store, project / "bad.py")

    async def scene(editor: Editor) -> None:
        trials = Trials(monkeypatch, -signal.SIGSEGV)
        trials.go_on.set()
        for _ in range(2):
            editor.edit(f"#{editor.version}\n" + HAZARDS)
            await editor.until_found(1)
        await editor.until(lambda: not editor.session._stale)
        latest = editor.latest()
        assert latest is not None and _codes(editor) == ["LP904"]
        assert latest.diagnostics[0].message.startswith("not analysed: an earlier run was killed")
        editor.path = str(project / "good.py")
        editor.edit(HAZARDS)
        await editor.until_found(2)
        tried.extend(trials.tried)

    tried: list[tuple[str, str | None]] = []
    for _ in range(2):
        run(project, scene, store)
        assert noted_in(left.read_bytes()) == (str(project / "bad.py"), True)
    assert len(tried) == 1


def test_who_was_killed_twice_at_a_file_does_not_try_a_third_time(project: Path, store: CacheStore) -> None:
    _leave(store, project / "bad.py", guilty=True)

    async def scene(editor: Editor) -> None:
        editor.edit(HAZARDS)
        await editor.until_found(1)
        assert _codes(editor) == ["LP904"]

    run(project, scene, store)


def test_a_trial_is_another_process(project: Path, store: CacheStore) -> None:
    left = _leave(store, project / "bad.py")

    async def scene(editor: Editor) -> None:
        editor.edit(HAZARDS)
        await editor.until_found(2)
        assert not left.exists()
        [own] = (Path(store.folder) / "working").iterdir()
        assert own.stat().st_size == SIZE
        editor.session._marker._own.marker.note(str(project / "bad.py"))  # type: ignore[union-attr]
        assert noted_in(own.read_bytes()) == (str(project / "bad.py"), True)

    run(project, scene, store)
    assert not list((Path(store.folder) / "working").iterdir())


def test_a_server_that_ends_ends_its_trial(project: Path, store: CacheStore, monkeypatch: pytest.MonkeyPatch) -> None:
    left = _leave(store, project / "bad.py")
    monkeypatch.setattr(fences, "_TRIAL", "import time; time.sleep(60)")
    processes: list[asyncio.subprocess.Process] = []

    async def scene(editor: Editor) -> None:
        editor.edit(HAZARDS)
        await editor.until(lambda: editor.session._fence._process is not None)
        process = editor.session._fence._process
        assert process is not None
        processes.append(process)
        editor.session.stop()
        assert await asyncio.wait_for(process.wait(), 20) == -signal.SIGKILL

    run(project, scene, store)
    assert noted_in(left.read_bytes()) == (str(project / "bad.py"), False)
