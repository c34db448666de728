"""Zip archives: what torch writes since 1.6, TorchScript, torch.package, NumPy's npz, and others that hold pickles."""

from __future__ import annotations

import struct
import zipfile
import zlib
from collections.abc import Callable, Sequence
from typing import IO

from lintpickle.saved_files.bounds import DIRECTORY, MEMBERS, Exceeded
from lintpickle.saved_files.containers.numpy_files import read_npy
from lintpickle.saved_files.containers.opened import OpenedFile
from lintpickle.saved_files.containers.pickles import OBJECT, read_pickle_member
from lintpickle.saved_files.stream import Stream, Unreadable

MAGICS = (b"PK\x03\x04", b"PK\x05\x06")
_END, _END64 = b"PK\x05\x06", b"PK\x06\x06"
_LONGEST_COMMENT = 65_535
_PICKLES = (".pkl", ".pickle", ".pck", ".p", ".joblib")
_BROKEN = (
    zipfile.BadZipFile,
    NotImplementedError,
    RuntimeError,
    OSError,
    EOFError,
    ValueError,
    zlib.error,
    struct.error,
)
"""What `zipfile` raises for archives that are broken, encrypted, or compressed in other ways."""


def read_zip(opened: OpenedFile) -> None:
    """Read the pickles of a zip archive."""
    contents = opened.contents
    contents.kind = "zip archive"
    try:
        _refuse_large(opened)
        archive = zipfile.ZipFile(opened.file)
    except Unreadable as error:
        contents.problems.append(str(error))
        return
    except _BROKEN as error:
        contents.problems.append(f"its list of files cannot be read: {error}")
        return
    with archive:
        _read_members(opened, archive)


def _refuse_large(opened: OpenedFile) -> None:
    """Refuse an archive whose list of files would fill the memory, before `zipfile` reads it as a whole."""
    start = max(0, opened.size - _LONGEST_COMMENT - 100)
    tail = opened.head(opened.size - start, start)
    at = tail.rfind(_END)
    if at < 0 or len(tail) < at + 22:
        raise Unreadable("it begins like a zip archive and has no list of files at its end: it is cut off")
    count, size = struct.unpack_from("<HL", tail, at + 10)
    at64 = tail.rfind(_END64, 0, at)
    if at64 >= 0 and len(tail) >= at64 + 56:
        count, size = struct.unpack_from("<QQ", tail, at64 + 32)
    if size > DIRECTORY or count > MEMBERS:
        raise Unreadable(f"its list of files is too long ({count:,} files, {size:,} bytes)")


def _read_members(opened: OpenedFile, archive: zipfile.ZipFile) -> None:
    contents = opened.contents
    members = [member for member in archive.infolist() if not member.is_dir()]
    names = [member.filename for member in members]
    root = _root(names)
    if root is not None and f"{root}.data/extern_modules" in names:
        contents.kind, contents.loads_with = "torch.package archive", "torch.package.PackageImporter"
        _read_package(opened, archive, members, root)
    elif root is not None and f"{root}constants.pkl" in names:
        contents.kind, contents.loads_with, contents.torch = "TorchScript archive", "torch.jit.load", "torchscript"
        contents.notes.append(
            "torch.jit.load reads its pickles by a reader of its own, which knows TorchScript's classes only"
        )
    elif root is not None and f"{root}data.pkl" in names:
        contents.kind, contents.loads_with, contents.torch = "PyTorch file", "torch.load", "zip"
    elif any(name.endswith(".npy") for name in names):
        contents.kind, contents.loads_with = "NumPy archive (npz)", "numpy.load(allow_pickle=True)"
    for member in members:
        name = member.filename
        if contents.torch == "torchscript":
            continue
        if name.endswith(".npy"):
            _read(opened, archive, member, None)
        elif contents.torch == "zip" and name == f"{root}data.pkl":
            _read(opened, archive, member, OBJECT)
        elif name.lower().endswith(_PICKLES) and not _is_storage(name, root):
            _read(opened, archive, member, "pickle")
    if not contents.parts and not contents.problems:
        contents.notes.append("there is no pickle in it")


def _root(names: Sequence[str]) -> str | None:
    """The folder of torch's archives, with its slash: all files are in it."""
    head, slash, _ = names[0].partition("/") if names else ("", "", "")
    return f"{head}/" if slash else None


def _is_storage(name: str, root: str | None) -> bool:
    """Whether a member holds the bytes of a tensor."""
    return root is not None and name.startswith((f"{root}data/", f"{root}.data/"))


def _read_package(opened: OpenedFile, archive: zipfile.ZipFile, members: Sequence[zipfile.ZipInfo], root: str) -> None:
    """The modules that a package brings along; those that it expects stand in a file of names."""
    for member in members:
        path = member.filename.removeprefix(root)
        if path.endswith(".py"):
            dotted = path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
            opened.contents.modules.add(dotted)


def _read(opened: OpenedFile, archive: zipfile.ZipFile, member: zipfile.ZipInfo, role: str | None) -> None:
    """Read a member as a pickle in that role, or as an npy file."""
    problems = opened.contents.problems
    try:
        with archive.open(member) as file:
            stream = Stream(_bounded(opened, file))
            if role is None:
                read_npy(opened, stream, member.filename)
            else:
                read_pickle_member(opened, stream, member.filename, role)
    except (Unreadable, Exceeded) as error:
        problems.append(f"{member.filename}: {error}")
    except _BROKEN as error:
        problems.append(f"{member.filename} cannot be read: {error}")


def _bounded(opened: OpenedFile, file: IO[bytes]) -> Callable[[int], bytes]:
    def read(count: int) -> bytes:
        try:
            found = file.read(count)
        except _BROKEN as error:
            raise Unreadable(f"it cannot be read: {error}") from None
        opened.budget.inflate(len(found))
        return found

    return read
