from __future__ import annotations

import os
import stat
import sys
from pathlib import Path

import pytest

from lintpickle.diagnostics import LintpickleError
from lintpickle.fixes.write import refuse_link, remove_litter, write_atomically


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "module.py"
    path.write_bytes(b"old\r\n")
    return path


def names(folder: Path) -> list[str]:
    return sorted(each.name for each in folder.iterdir())


@pytest.mark.skipif(sys.platform == "win32", reason="modes")
@pytest.mark.parametrize("mode", [0o644, 0o755, 0o600, 0o664])
def test_content_is_replaced_and_mode_kept(file: Path, mode: int) -> None:
    file.chmod(mode)
    write_atomically(str(file), b"new\r\n", expected=b"old\r\n")
    assert file.read_bytes() == b"new\r\n"
    assert stat.S_IMODE(file.stat().st_mode) == mode
    assert names(file.parent) == ["module.py"]


def test_link_stays_a_link(file: Path, tmp_path: Path) -> None:
    link = tmp_path / "links" / "link.py"
    link.parent.mkdir()
    link.symlink_to("../module.py")
    write_atomically(str(link), b"new", expected=b"old\r\n")
    assert link.is_symlink()
    assert file.read_bytes() == b"new"


def test_a_file_that_changed_meanwhile_is_left_alone(file: Path) -> None:
    with pytest.raises(LintpickleError, match=r"module\.py: .*changed"):
        write_atomically(str(file), b"new", expected=b"something else")
    assert file.read_bytes() == b"old\r\n"
    assert names(file.parent) == ["module.py"]


def test_a_file_that_vanished_is_an_error(file: Path) -> None:
    file.unlink()
    with pytest.raises(LintpickleError, match=r"module\.py: "):
        write_atomically(str(file), b"new", expected=b"old\r\n")
    assert names(file.parent) == []


@pytest.mark.skipif(sys.platform == "win32", reason="modes")
def test_a_read_only_file_is_an_error(file: Path) -> None:
    file.chmod(0o444)
    with pytest.raises(LintpickleError, match=r"module\.py: .*read-only"):
        write_atomically(str(file), b"new", expected=b"old\r\n")
    assert file.read_bytes() == b"old\r\n"


def test_a_folder_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(LintpickleError, match="not a regular file"):
        write_atomically(str(tmp_path), b"new", expected=b"")


@pytest.mark.parametrize("step", ["fsync", "replace"])
@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt()])
def test_a_failure_leaves_the_file_and_no_litter(
    file: Path, step: str, error: BaseException, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise error

    if step == "fsync":
        monkeypatch.setattr(os, "fsync", fail)
    else:
        monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises((LintpickleError, KeyboardInterrupt)) as caught:
        write_atomically(str(file), b"new", expected=b"old\r\n")
    if isinstance(error, OSError):
        assert "No space left on device" in str(caught.value)
    assert file.read_bytes() == b"old\r\n"
    assert names(file.parent) == ["module.py"]


def test_nothing_is_written_when_nothing_changes(file: Path) -> None:
    before = file.stat().st_mtime_ns, file.stat().st_ino
    write_atomically(str(file), b"old\r\n", expected=b"old\r\n")
    assert (file.stat().st_mtime_ns, file.stat().st_ino) == before


@pytest.mark.skipif(sys.platform == "win32", reason="links and processes as on POSIX")
def test_nothing_is_written_through_a_link_out_of_what_was_named(file: Path, tmp_path: Path) -> None:
    folder = tmp_path / "named"
    folder.mkdir()
    (folder / "link.py").symlink_to(file)
    with pytest.raises(LintpickleError, match="outside of what was named"):
        write_atomically(str(folder / "link.py"), b"new", expected=b"old\r\n", named=[str(folder)])
    assert file.read_bytes() == b"old\r\n"
    write_atomically(str(folder / "link.py"), b"new", expected=b"old\r\n", named=[str(folder), str(tmp_path)])
    assert file.read_bytes() == b"new"


@pytest.mark.skipif(sys.platform == "win32", reason="links and processes as on POSIX")
def test_a_link_out_of_its_tree_is_refused(file: Path, tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    (tree / ".git").mkdir(parents=True)
    (tree / "inside.py").write_text("")
    for name, target in (("out.py", file), ("gone.py", tmp_path / "gone"), ("in.py", tree / "inside.py")):
        (tree / name).symlink_to(target)
    (tree / "folder").symlink_to(file.parent)
    for name in ("out.py", "gone.py"):
        with pytest.raises(LintpickleError, match="leads out of its project"):
            refuse_link(tree / name)
    for name in ("in.py", "inside.py", "folder"):
        refuse_link(tree / name)


@pytest.mark.skipif(sys.platform == "win32", reason="links and processes as on POSIX")
def test_what_a_killed_run_left_goes_with_the_next_one(file: Path, tmp_path: Path) -> None:
    kept = [f".lintpickle-{os.getpid()}-{'0' * 16}.part", ".lintpickle-1.part", ".lintpickle-mine.toml"]
    for name in (*kept, f".lintpickle-999999999-{'a' * 16}.part"):
        (tmp_path / name).write_text("")
    remove_litter([str(tmp_path), str(tmp_path / "gone")])
    assert names(tmp_path) == sorted([*kept, "module.py"])
