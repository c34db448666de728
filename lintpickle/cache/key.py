"""The user's secret, which proves that an entry of the cache comes from the user's own runs.

Someone who can put files into a folder of the cache (a repository, another job of a CI system) cannot make entries that
are accepted. The secret is in a file of the user's, or in the variable LINTPICKLE_CACHE_KEY.
"""

import os
import stat
import sys

from lintpickle.tree import is_inside

try:
    from _blake2 import blake2b as blake2b
except ImportError:  # the same, with OpenSSL loaded on the way
    from hashlib import blake2b as blake2b

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

VARIABLE = "LINTPICKLE_CACHE_KEY"
SHORTEST = 16
"""The minimum length of the variable."""
_LENGTH = 32


class Unusable(Exception):
    """There is no usable secret. The message says why."""


def secret(environ: "Mapping[str, str]", folder: str, trees: "Sequence[str]", make: bool) -> bytes | None:
    """The secret; None if there is none yet, and `make` does not ask for one. Raises `Unusable`. A key file is not used
    where others could know or place it: in the `folder` of the cache, in one of the `trees` that are checked, if it
    belongs to someone else, or if others may read it."""
    given = environ.get(VARIABLE, "")
    if given:
        if len(given) < SHORTEST:
            raise Unusable(f"{VARIABLE} has less than {SHORTEST} characters")
        return blake2b(given.encode("utf-8", "surrogateescape"), digest_size=_LENGTH, person=b"lintpickle").digest()
    path = key_file(environ)
    if path is None:
        raise Unusable("there is no folder for its key")
    real = os.path.realpath(path)
    if any(is_inside(real, os.path.realpath(each)) for each in (folder, *trees)):
        raise Unusable(f"its key {path} would lie in what is checked, or in the cache itself")
    try:
        return _read(path)
    except FileNotFoundError:
        return _made(path) if make else None
    except (OSError, ValueError) as error:
        raise Unusable(f"its key {path} cannot be read: {getattr(error, 'strerror', None) or error}") from None


def key_file(environ: "Mapping[str, str]") -> str | None:
    """The absolute path of the key file, in the user's folder for data; None if there is no such folder."""
    folder = user_folder(environ, "XDG_DATA_HOME", ("Library", "Application Support"), (".local", "share"))
    return os.path.join(folder, "key") if folder is not None else None


def user_folder(
    environ: "Mapping[str, str]", variable: str, on_macos: "tuple[str, ...]", elsewhere: "tuple[str, ...]"
) -> str | None:
    """The absolute folder of lintpickle among the user's folders for a purpose: below the folder that the variable
    names, if that is absolute, otherwise below these parts of the home folder; on Windows, in the local application
    data. None if there is none."""
    if sys.platform == "win32":
        base = environ.get("LOCALAPPDATA", "")
        return os.path.join(base, "lintpickle") if os.path.isabs(base) else None
    base = environ.get(variable, "")
    if not os.path.isabs(base):
        home = os.path.expanduser("~")
        if not os.path.isabs(home):
            return None
        base = os.path.join(home, *(on_macos if sys.platform == "darwin" else elsewhere))
    return os.path.join(base, "lintpickle")


def _read(path: str) -> bytes:
    flags = os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0)
    handle = os.open(path, flags)
    try:
        status = os.fstat(handle)
        if not stat.S_ISREG(status.st_mode):
            raise Unusable(f"its key {path} is no regular file")
        if sys.platform != "win32":
            if status.st_uid != os.geteuid():
                raise Unusable(f"its key {path} belongs to someone else")
            if status.st_mode & 0o077:
                raise Unusable(f"its key {path} can be read by others; remove it, or make it private (chmod 600)")
        found = os.read(handle, _LENGTH + 1)
    finally:
        os.close(handle)
    if len(found) != _LENGTH:
        raise Unusable(f"its key {path} is damaged; remove it")
    return found


def _made(path: str) -> bytes:
    """Make the file. If several processes do, the last one counts; entries of the others are not found again."""
    part = f"{path}.{os.getpid()}-{os.urandom(4).hex()}"
    try:
        os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
        handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600)
        try:
            os.write(handle, os.urandom(_LENGTH))
        finally:
            os.close(handle)
        os.replace(part, path)
        return _read(path)
    except (OSError, ValueError) as error:
        _remove(part)
        raise Unusable(f"its key {path} cannot be made: {getattr(error, 'strerror', None) or error}") from None


def _remove(path: str) -> None:
    try:
        os.remove(path)
    except (OSError, ValueError):
        return
