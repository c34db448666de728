"""Writing a fixed file so that a reader sees the old file or the new one, never half of it."""

from __future__ import annotations

import contextlib
import errno
import os
import re
import stat
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from lintpickle import disk
from lintpickle.diagnostics import LintpickleError
from lintpickle.tree import leaves

_PART = re.compile(r"\.lintpickle-([0-9]{1,9})-[0-9a-f]{16}\.part")
_WRITABLE_FOLDER = "its folder must be writable too, because the file is replaced as a whole"
_REMEDIES = {
    **dict.fromkeys((errno.EACCES, errno.EPERM, errno.EROFS), _WRITABLE_FOLDER),
    **dict.fromkeys((errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC)), "make room, and run lintpickle again"),
}
_ANY_WRITE = stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH


def write_atomically(path: str, data: bytes, *, expected: bytes, named: Sequence[str] = ()) -> None:
    """Replace the content of the file at `path`, which must still be `expected`, by `data`.

    A symbolic link stays one: the file that it names is replaced. Mode and, where permitted, owner are kept.
    Raises LintpickleError, and leaves the file as it was, when it is read-only, is not a regular file, was
    changed meanwhile, is reached by a link out of what the user `named`, or cannot be written.
    """
    if data == expected:
        return
    target = Path(os.path.realpath(path))
    try:
        if named and leaves(path, named) is not None:
            raise LintpickleError(f"{path}: a link that leads to {target}, outside of what was named: not written")
        status = target.stat()
        if not stat.S_ISREG(status.st_mode):
            raise LintpickleError(f"{path}: not a regular file, so its fixes were not written")
        if not (status.st_mode & _ANY_WRITE and os.access(target, os.W_OK)):
            raise LintpickleError(f"{path}: the file is read-only; make it writable to have it fixed")
        _replace(path, target, data, expected, status)
    except OSError as error:
        reason = error.strerror or str(error)
        remedy = _REMEDIES.get(error.errno or 0, "run lintpickle again when that is mended")
        raise LintpickleError(f"{path}: the fixes could not be written: {reason}; {remedy}") from error


def refuse_link(path: Path) -> None:
    """Raise `LintpickleError` for a link to a file outside its tree: the author of the link may not own that file."""
    leads = os.path.realpath(path)
    is_file = os.path.isfile(leads) or not os.path.lexists(leads)
    if path.is_symlink() and is_file and leaves(leads, [os.path.abspath(path)]) is not None:
        raise LintpickleError(f"{path}: not written, for it is a link that leads out of its project, to {leads}")


def _replace(path: str, target: Path, data: bytes, expected: bytes, status: os.stat_result) -> None:
    temporary = target.parent / f".lintpickle-{os.getpid()}-{os.urandom(8).hex()}.part"
    handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if hasattr(os, "chown"):
            with contextlib.suppress(OSError):  # only root may give a file away
                os.chown(temporary, status.st_uid, status.st_gid)
        temporary.chmod(stat.S_IMODE(status.st_mode))
        # Compared as late as possible: what changes after this line is lost.
        if target.stat().st_size != len(expected) or disk.read(target, len(expected)) != expected:
            raise LintpickleError(f"{path}: the file changed while it was checked; run lintpickle again")
        temporary.replace(target)
    except BaseException:
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise
    _sync_folder(target.parent)


def remove_litter(folders: Iterable[str]) -> None:
    """Remove the files that runs have left in folders because they were killed while writing."""
    for folder in folders:
        with contextlib.suppress(OSError), os.scandir(folder) as entries:
            for entry in entries:
                part = _PART.fullmatch(entry.name)
                if part is not None and entry.is_file(follow_symlinks=False) and not _is_running(int(part[1])):
                    with contextlib.suppress(OSError):
                        os.unlink(entry.path)


def _is_running(process: int) -> bool:
    """Whether the process exists; assumed on Windows, where asking could end it."""
    if sys.platform == "win32":
        return True
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True
    return True


def _sync_folder(folder: Path) -> None:
    """Make the new name durable, where the system lets us open a folder."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
