"""From a path to what is in the file: which kind it is, by its bytes and not by its name."""

from __future__ import annotations

import os

from lintpickle import disk
from lintpickle.saved_files.containers.compressed import compression, read_compressed
from lintpickle.saved_files.containers.numpy_files import MAGIC as NUMPY_MAGIC, read_npy
from lintpickle.saved_files.containers.opened import OpenedFile
from lintpickle.saved_files.containers.pickles import read_plain
from lintpickle.saved_files.containers.tars import is_tar, read_tar
from lintpickle.saved_files.containers.zips import MAGICS as ZIP_MAGICS, read_zip
from lintpickle.saved_files.records import FileContents
from lintpickle.saved_files.stream import Unreadable

_HEAD = 512
_PROTO = 0x80
_OTHERS = {
    b"\x89HDF\r\n\x1a\n": "HDF5 file",
    b"GGUF": "GGUF file",
    b"SQLite format 3": "SQLite database",
    b"version https://git-lfs": "pointer of Git LFS",
    b"PAR1": "Parquet file",
    b"ARROW1": "Arrow file",
}
"""Files that hold no pickle, by their first bytes."""
_LFS = "pointer of Git LFS"


def read_saved_file(path: str) -> tuple[int, FileContents]:
    """The size of a file in bytes, and what is in it. Raises OSError if it cannot be opened or read."""
    with disk.opened(path) as file:
        size = os.fstat(file.fileno()).st_size
        opened = OpenedFile(file, size)
        try:
            _read(opened)
        except Unreadable as error:
            opened.contents.problems.append(str(error))
    return size, opened.contents


def _read(opened: OpenedFile) -> None:
    contents = opened.contents
    head = opened.head(_HEAD)
    compressed = compression(head)
    other = next((kind for magic, kind in _OTHERS.items() if head.startswith(magic)), None)
    if not head:
        contents.kind = "empty file"
        contents.problems.append("it is empty: loading it says `EOFError: Ran out of input`")
    elif head.startswith(ZIP_MAGICS):
        read_zip(opened)
    elif head.startswith(NUMPY_MAGIC):
        contents.kind, contents.loads_with = "NumPy array (npy)", "numpy.load(allow_pickle=True)"
        read_npy(opened, opened.stream(), "")
    elif other is not None:
        _say_other(contents, other)
    elif _is_safetensors(head, opened.size):
        contents.kind, contents.loads_with = "safetensors file", "safetensors.torch.load_file"
        contents.notes.append("there is no pickle in it: it holds names, shapes and numbers only")
    elif is_tar(head):
        read_tar(opened)
    elif compressed is not None:
        read_compressed(opened, compressed)
    else:
        read_plain(opened, opened.stream(), "pickle")
        _say_if_none(opened, head)


def _say_other(contents: FileContents, kind: str) -> None:
    contents.kind = kind
    if kind == _LFS:
        contents.problems.append("it stands for a file that was not downloaded: run `git lfs pull`")
    else:
        contents.notes.append("there is no pickle in it")


def _is_safetensors(head: bytes, size: int) -> bool:
    """Whether a file begins with eight bytes for the length of a header, and a JSON header. No pickle begins like
    this."""
    length = int.from_bytes(head[:8], "little")
    return len(head) > 8 and head[8:9] == b"{" and 8 + length <= size and head[0] != _PROTO


def _say_if_none(opened: OpenedFile, head: bytes) -> None:
    """What fails at its very beginning is no pickle at all."""
    contents = opened.contents
    first = contents.parts[0].facts if contents.parts else None
    if first is not None and first.problem is not None and head[0] != _PROTO and first.count < 20:
        contents.kind = contents.loads_with = ""
        contents.parts.clear()
        contents.problems[:] = [f"it is no pickle, nor a file of another kind that is known here ({first.problem})"]
