"""What stands for no file is a document in the workspace's folder, and never a folder of the machine."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.server.conftest import need_module

need_module("pygls")

from lintpickle.server.buffers import buffer_path  # noqa: E402

not_on_windows = pytest.mark.skipif(sys.platform == "win32", reason="there are no such devices")


@pytest.mark.parametrize(
    ("uri", "name"),
    [
        ("", "untitled.py"),
        ("file://%00", "untitled.py"),
        ("file:///%00", "untitled.py"),
        ("untitled:Untitled-1", "Untitled-1.py"),
        ("vscode-vfs://host/a%00b.py", "ab.py"),
        ("file:///", "untitled.py"),
        pytest.param("file:///dev/zero", "zero.py", marks=not_on_windows),
        pytest.param("file:///dev", "dev.py", marks=not_on_windows),
    ],
)
def test_what_is_no_file_lies_in_the_folder(uri: str, name: str, tmp_path: Path) -> None:
    assert buffer_path(uri, tmp_path, ".py") == str(tmp_path / name)


def test_a_file_is_itself(tmp_path: Path) -> None:
    assert buffer_path((tmp_path / "a b.py").as_uri(), Path("/elsewhere"), ".py") == str(tmp_path / "a b.py")
