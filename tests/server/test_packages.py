"""Installed packages that come, change and go while the server runs."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

lsp = pytest.importorskip("lsprotocol.types")
pytest.importorskip("pygls")

from lintpickle.server.buffers import Buffer, file_buffer  # noqa: E402
from lintpickle.server.client import Client, ClientSettings  # noqa: E402
from lintpickle.server.live_project import LiveProject  # noqa: E402
from lintpickle.server.projects import Projects  # noqa: E402
from lintpickle.server.watching import PackageWatch  # noqa: E402

TRAIN = """\
from dependency.config import Config
from torch.utils.data import DataLoader, Dataset


class Frames(Dataset):
    def __init__(self):
        self.config = Config({})

    def __getitem__(self, i):
        return i


DataLoader(Frames(), num_workers=2)
"""
BAD = "class Config:\n    def __init__(self, ranges):\n        self.names = ranges.keys()\n"
GOOD = BAD.replace("ranges.keys()", "list(ranges.keys())")


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project that has no environment yet."""
    monkeypatch.delenv("VIRTUAL_ENV", raising=False)
    monkeypatch.delenv("CONDA_PREFIX", raising=False)
    root = tmp_path.resolve()
    (root / "pyproject.toml").touch()
    (root / "train.py").write_text(TRAIN, encoding="utf-8")
    return root


@pytest.fixture
def project(root: Path) -> LiveProject:
    return Projects(ClientSettings(), [root], lambda: None).of(str(root / "train.py"))


@pytest.fixture
def buffer(root: Path) -> Buffer:
    return file_buffer((root / "train.py").as_uri(), str(root / "train.py"), TRAIN, 1)


def _packages(root: Path) -> Path:
    folder = root / ".venv/lib/python3.11/site-packages"
    folder.mkdir(parents=True, exist_ok=True)
    (root / ".venv/pyvenv.cfg").write_text("home = /usr/bin\nversion = 3.11.7\n", encoding="utf-8")
    return folder


def _install(root: Path, text: str, version: int) -> None:
    """What pip does, as far as it can be seen: `version` is the time of the files, in seconds."""
    folder = _packages(root)
    (folder / "dependency").mkdir(exist_ok=True)
    (folder / "dependency/__init__.py").touch()
    (folder / "dependency/config.py").write_text(text, encoding="utf-8")
    os.utime(folder / "dependency/config.py", (version, version))
    os.utime(folder, (version, version))


def _codes(project: LiveProject, buffer: Buffer) -> list[str]:
    [result] = project.whole([buffer])
    return [diagnostic.code for diagnostic in result.diagnostics]


def test_a_package_that_is_installed_counts_from_then_on(root: Path, project: LiveProject, buffer: Buffer) -> None:
    _packages(root)
    assert _codes(project, buffer) == []
    _install(root, BAD, 1_000_000)
    assert _codes(project, buffer) == ["LP101"]


def test_an_environment_that_is_made_counts_from_then_on(root: Path, project: LiveProject, buffer: Buffer) -> None:
    assert _codes(project, buffer) == []
    _install(root, BAD, 1_000_000)
    assert _codes(project, buffer) == ["LP101"]


def test_an_upgrade_and_a_removal_are_seen(root: Path, project: LiveProject, buffer: Buffer) -> None:
    _install(root, BAD, 1_000_000)
    assert _codes(project, buffer) == ["LP101"]
    _install(root, GOOD, 2_000_000)
    assert _codes(project, buffer) == []
    _install(root, BAD, 3_000_000)
    assert _codes(project, buffer) == ["LP101"]
    for name in ("dependency/config.py", "dependency/__init__.py"):
        (_packages(root) / name).unlink()
    (_packages(root) / "dependency").rmdir()
    assert _codes(project, buffer) == []


def test_a_file_that_is_changed_in_place_is_seen(root: Path, project: LiveProject, buffer: Buffer) -> None:
    _install(root, BAD, 1_000_000)
    assert _codes(project, buffer) == ["LP101"]
    (_packages(root) / "dependency/config.py").write_text(GOOD, encoding="utf-8")
    os.utime(_packages(root), (1_000_000, 1_000_000))
    assert _codes(project, buffer) == []


def test_what_is_open_stays_as_it_is_in_the_editor(root: Path, project: LiveProject, buffer: Buffer) -> None:
    _packages(root)
    edited = file_buffer(buffer.uri, buffer.path, TRAIN.replace("Config({})", "Config({}).names"), 2)
    assert _codes(project, edited) == []
    _install(root, BAD, 1_000_000)
    assert _codes(project, edited) == ["LP101"]
    (result,) = project.whole([edited])
    assert result.diagnostics[0].location.path == buffer.path


def test_a_look_at_the_disk_finds_the_same(root: Path, buffer: Buffer) -> None:
    projects = Projects(ClientSettings(), [root], lambda: None)
    _packages(root)
    assert _codes(projects.of(buffer.path), buffer) == []
    assert not projects.look_at_disk()
    _install(root, BAD, 1_000_000)
    assert projects.look_at_disk()
    assert not projects.look_at_disk()
    assert _codes(projects.of(buffer.path), buffer) == ["LP101"]


def test_each_folder_is_watched_once() -> None:
    watch = PackageWatch()
    params = watch.of(["/env/one", "/env/two"])
    assert params is not None
    [registration] = params.registrations
    options = registration.register_options
    assert isinstance(options, lsp.DidChangeWatchedFilesRegistrationOptions)
    patterns = [watcher.glob_pattern for watcher in options.watchers]
    assert patterns == [lsp.RelativePattern("file:///env/one", "*"), lsp.RelativePattern("file:///env/two", "*")]
    assert watch.of(["/env/two", "/env/one"]) is None
    again = watch.of(["/env/two", "/env/three"])
    assert again is not None and again.registrations[0].id != registration.id


def test_only_a_client_that_can_watch_folders_is_asked_to() -> None:
    def client(**able: bool) -> Client:
        watches = lsp.DidChangeWatchedFilesClientCapabilities(**able)
        return Client.of(
            lsp.ClientCapabilities(workspace=lsp.WorkspaceClientCapabilities(did_change_watched_files=watches))
        )

    assert client(dynamic_registration=True, relative_pattern_support=True).watches_folders
    assert not client(dynamic_registration=True).watches_folders
    assert not client(relative_pattern_support=True).watches_folders
