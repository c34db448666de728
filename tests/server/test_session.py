"""One session without a client on the other side: what it shows when work takes long, or fails."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

from tests.server.conftest import HAZARDS, need_module

need_module("pygls")

from lsprotocol import types as lsp  # noqa: E402

from lintpickle.cache.store import CacheStore  # noqa: E402
from lintpickle.limits import Cut  # noqa: E402
from lintpickle.program.program import Program  # noqa: E402
from lintpickle.server.buffers import file_buffer  # noqa: E402
from lintpickle.server.client import Client, ClientSettings  # noqa: E402
from lintpickle.server.live_project import LiveProject  # noqa: E402
from lintpickle.server.positions import Units  # noqa: E402
from lintpickle.server.projects import Projects  # noqa: E402
from lintpickle.server.session import WHOLE_DELAY, ClientSession  # noqa: E402
from lintpickle.server.worker import FREE, Interrupted, Worker  # noqa: E402

pytestmark = pytest.mark.defects

LOADER = """

class Frames{0}(Dataset):
    def __init__(self):
        self.names = {{}}.keys()

    def __getitem__(self, i):
        return i


DataLoader(Frames{0}(), num_workers=2)
"""


class Told:
    """Stands in for the server: takes what is sent to the client."""

    def __init__(self) -> None:
        self.messages: list[str] = []
        self.logged: list[str] = []
        self.published: list[lsp.PublishDiagnosticsParams] = []

    def window_show_message(self, params: lsp.ShowMessageParams) -> None:
        self.messages.append(params.message)

    def window_log_message(self, params: lsp.LogMessageParams) -> None:
        self.logged.append(params.message)

    def text_document_publish_diagnostics(self, params: lsp.PublishDiagnosticsParams) -> None:
        self.published.append(params)


class Editor:
    def __init__(self, root: Path, store: CacheStore | None = None) -> None:
        self.told = Told()
        self.path = str(root / "bad.py")
        self.session = ClientSession(self.told, Client(), Units("utf-16"), [root], store=store)  # type: ignore[arg-type]
        self.version = 0

    def edit(self, text: str) -> None:
        self.version += 1
        self.session.put(file_buffer(Path(self.path).as_uri(), self.path, text, self.version))

    def latest(self) -> lsp.PublishDiagnosticsParams | None:
        return self.told.published[-1] if self.told.published else None

    async def until(self, condition: Callable[[], bool], seconds: float = 20) -> None:
        ends = time.monotonic() + seconds
        while not condition():
            assert time.monotonic() < ends, (self.told.messages, self.told.published)
            await asyncio.sleep(0.01)

    async def until_found(self, count: int) -> None:
        """Wait until there are so many diagnostics for the newest version."""

        def is_found() -> bool:
            latest = self.latest()
            return latest is not None and latest.version == self.version and len(latest.diagnostics) == count

        await self.until(is_found)


def run(root: Path, scene: Callable[[Editor], Coroutine[Any, Any, None]], store: CacheStore | None = None) -> None:
    """Play a scene with an editor."""

    async def play() -> None:
        editor = Editor(root, store)
        editor.session.start(ClientSettings())
        try:
            await scene(editor)
        finally:
            editor.session.stop()

    asyncio.run(play())


@pytest.mark.parametrize("where", [(Projects, "of"), (LiveProject, "quick")], ids=["project", "document"])
def test_an_unforeseen_error_keeps_what_was_shown_and_is_told_once(
    where: tuple[type, str], project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise KeyError("nobody saw that coming")

    async def scene(editor: Editor) -> None:
        editor.edit(HAZARDS)
        await editor.until_found(2)
        with monkeypatch.context() as patched:
            patched.setattr(*where, fail)
            patched.setattr(LiveProject, "whole", fail)
            for _ in range(3):
                editor.edit("# above\n" * (editor.version + 1) + HAZARDS)
                await editor.until_found(2)
                await asyncio.sleep(WHOLE_DELAY + 0.2)
            latest = editor.latest()
            assert latest is not None
            assert latest.diagnostics[0].range.start.line == 6 + editor.version
        [message] = editor.told.messages
        assert "KeyError: 'nobody saw that coming'" in message and "report" in message
        editor.edit(HAZARDS.replace("{}.values()", "0"))
        await editor.until_found(1)

    run(project, scene)


def test_newer_edits_end_older_work_and_slow_work_shows_what_was_there(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    quick = LiveProject.quick
    ended: list[int] = []

    def slow(self: LiveProject, buffer: Any) -> Any:
        try:
            for _ in range(200):
                time.sleep(0.01)
                self._check()
        except Interrupted:
            ended.append(buffer.versions[buffer.uri])
            raise
        return quick(self, buffer)

    async def scene(editor: Editor) -> None:
        editor.edit(HAZARDS)
        await editor.until_found(2)
        monkeypatch.setattr(LiveProject, "quick", slow)
        for _ in range(100):
            editor.edit(f"#{editor.version}\n" + HAZARDS)
            await asyncio.sleep(0.005)
        started = time.monotonic()
        await editor.until_found(2)  # not the work, which takes two seconds
        assert time.monotonic() - started < 1.5
        editor.edit(HAZARDS + "x = 1\n")
        await editor.until(lambda: 101 in ended)
        assert len(ended) < 20  # All edits that come while something is looked at are one.

    run(project, scene)


def test_a_look_at_a_whole_program_makes_way_within_every_finding(project: Path) -> None:
    """An edit must not wait for the whole program, which may take long."""
    (project / "bad.py").write_text(HAZARDS + "".join(map(LOADER.format, range(20))), encoding="utf-8")
    looks, most = [0], [0]

    def check() -> None:
        looks[0] += 1
        if looks[0] == most[0]:
            raise Interrupted

    buffer = file_buffer((project / "bad.py").as_uri(), str(project / "bad.py"), (project / "bad.py").read_text(), 1)
    [unhindered] = Projects(ClientSettings(), [project], check).of(buffer.path).whole([buffer])
    assert looks[0] > 200
    live = Projects(ClientSettings(), [project], check).of(buffer.path)
    for most[0] in (1, 10, 100, 200):
        looks[0] = 0
        with pytest.raises(Interrupted):
            live.whole([buffer])
    most[0] = 0
    [found] = live.whole([buffer])
    assert found.diagnostics == unhindered.diagnostics
    assert len(found.diagnostics) == 22


def test_the_first_look_at_a_document_reads_nothing_but_what_it_imports(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A large project takes seconds to be read."""
    for number in range(9):
        (project / f"other{number}.py").write_text(HAZARDS, encoding="utf-8")
    text = "import other1\n" + HAZARDS
    buffer = file_buffer((project / "bad.py").as_uri(), str(project / "bad.py"), text, 1)
    read: set[str] = set()
    load = Program.load

    def noted(self: Program, path: str, document: Any = None) -> Any:
        read.add(Path(path).name)
        return load(self, path, document)

    monkeypatch.setattr(Program, "load", noted)
    live = Projects(ClientSettings(), [project], lambda: None).of(buffer.path)
    first = live.quick(buffer)
    assert read <= {"bad.py", "other1.py"}
    [whole] = live.whole([buffer])
    assert len(read) > 2
    assert [each.code for each in first.diagnostics] == [each.code for each in whole.diagnostics] != []


def test_limits_that_are_reached_are_logged_once(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(LiveProject, "cuts", [Cut("depth", str(project / "bad.py"), 9, 2)])

    async def scene(editor: Editor) -> None:
        for _ in range(3):
            editor.edit(f"#{editor.version}\n" + HAZARDS)
            await editor.until_found(2)
            await editor.until(lambda: not editor.session._stale)
        [said] = editor.told.logged
        assert said.startswith("limit depth reached at bad.py:9, 2 times")

    run(project, scene)


def test_a_document_that_is_too_large_is_not_read(project: Path) -> None:
    (project / "pyproject.toml").write_text("[tool.lintpickle]\nmax-file-size = 1\n", encoding="utf-8")
    (project / "large.py").write_text(HAZARDS + "#" * 1_000_000, encoding="utf-8")

    async def scene(editor: Editor) -> None:
        editor.edit(HAZARDS + "#" * 1_000_000)
        await editor.until_found(1)
        latest = editor.latest()
        assert latest is not None
        assert latest.diagnostics[0].code == "LP900" and "larger than 1 MB" in latest.diagnostics[0].message
        editor.edit(HAZARDS)
        await editor.until_found(2)

    run(project, scene)


def test_a_stray_file_reads_nothing_below_its_folder(project: Path) -> None:
    for name in ("pyproject.toml", "bad.py"):
        (project / name).unlink()
    (project / "script.py").write_text(HAZARDS, encoding="utf-8")
    (project / "beside.py").write_text("x = 1\n", encoding="utf-8")
    (project / "downloads").mkdir()
    (project / "downloads" / "other.py").write_text("x = 1\n", encoding="utf-8")
    path = str(project / "script.py")
    stray = Projects(ClientSettings(), [], lambda: None).of(path)
    assert stray.describe()["files"] == 2
    in_workspace = Projects(ClientSettings(), [project], lambda: None).of(path)
    assert in_workspace.describe()["files"] == 3
    buffer = file_buffer(Path(path).as_uri(), path, HAZARDS, 1)
    found = [each.whole([buffer])[0].diagnostics for each in (stray, in_workspace)]
    assert found[0] == found[1] and len(found[0]) == 2


def test_brief_work_has_its_time_before_it_makes_way() -> None:
    worker = Worker()
    worker.hurry()

    def job() -> float:
        started = time.monotonic()
        while time.monotonic() - started < 10:
            worker.check()
        return 0

    started = time.monotonic()
    assert asyncio.run(worker.run_brief(job)) is None
    assert FREE <= time.monotonic() - started < 5
    worker.calm()
    assert asyncio.run(worker.run_brief(lambda: "done")) == "done"
    worker.close()


def test_rules_that_the_editor_turns_off_leave_their_comments_alone(project: Path) -> None:
    commented = HAZARDS.replace("{}.keys()", "{}.keys()  # lintpickle: ignore[LP101]").replace("{}.values()", "1")

    async def scene(editor: Editor) -> None:
        editor.session.start(ClientSettings(overrides={"ignore": ("LP101",)}))
        editor.edit(commented)
        await editor.until_found(0)
        await asyncio.sleep(WHOLE_DELAY + 0.2)
        await editor.until_found(0)
        editor.edit(HAZARDS.replace("self.names = {}.keys()", "1  # lintpickle: ignore[LP102]"))
        await editor.until_found(0)
        editor.session.start(ClientSettings())
        editor.edit(commented.replace("{}.keys()", "1"))
        await editor.until_found(1)

    run(project, scene)


class TestCancelling:
    """Whoever waits for an urgent job may go away."""

    def test_a_running_job_ends_at_its_next_check(self) -> None:
        worker = Worker()
        running, ended = threading.Event(), threading.Event()

        def checked() -> str:
            worker.check()
            return "done"

        def endless() -> None:
            running.set()
            try:
                while True:
                    worker.check()
                    time.sleep(0.001)
            finally:
                ended.set()

        async def scene() -> None:
            waiting = asyncio.ensure_future(worker.run(endless))
            await asyncio.to_thread(running.wait, 5)
            waiting.cancel()
            with pytest.raises(asyncio.CancelledError):
                await waiting
            assert await asyncio.to_thread(ended.wait, 5)
            assert await worker.run(checked) == "done"

        asyncio.run(scene())
        worker.close()

    def test_a_job_that_has_not_begun_never_does_and_long_jobs_go_on(self) -> None:
        worker = Worker()
        running, go_on = threading.Event(), threading.Event()
        begun: list[str] = []

        def checked() -> str:
            worker.check()
            return "done"

        def first() -> None:
            running.set()
            go_on.wait(5)

        async def scene() -> None:
            blocking = asyncio.ensure_future(worker.run(first))
            await asyncio.to_thread(running.wait, 5)
            waiting = asyncio.ensure_future(worker.run(lambda: begun.append("second")))
            await asyncio.sleep(0)
            waiting.cancel()
            with pytest.raises(asyncio.CancelledError):
                await waiting
            go_on.set()
            await blocking
            assert await worker.run_long(checked) == "done"

        asyncio.run(scene())
        worker.close()
        assert begun == []
