"""What stands for no file is a document in the workspace's folder, and never a folder of the machine."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.server.buffers import buffer_path


@pytest.mark.parametrize(
    ("uri", "name"),
    [
        ("", "untitled.py"),
        ("file://%00", "untitled.py"),
        ("file:///%00", "untitled.py"),
        ("untitled:Untitled-1", "Untitled-1.py"),
        ("vscode-vfs://host/a%00b.py", "ab.py"),
    ],
)
def test_what_is_no_file_lies_in_the_folder(uri: str, name: str, tmp_path: Path) -> None:
    assert buffer_path(uri, tmp_path, ".py") == str(tmp_path / name)


def test_a_file_is_itself(tmp_path: Path) -> None:
    assert buffer_path((tmp_path / "a b.py").as_uri(), Path("/elsewhere"), ".py") == str(tmp_path / "a b.py")
