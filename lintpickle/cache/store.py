"""The folder of the cache, and one file for each entry.

The cache is never required: whatever is wrong with its folder or with a file in it (missing, not the user's, truncated,
full disk), nothing is found and nothing is stored, and no error is raised. Entries are authenticated by a secret of the
user's (see `lintpickle.cache.key`): nobody else can make one that is accepted.
"""

import marshal
import os
import stat
import sys
import time

from lintpickle import __version__
from lintpickle.cache.key import Unusable, blake2b, secret, user_folder
from lintpickle.cache.stamps import build
from lintpickle.tree import is_inside

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any

SUFFIX = ".lintpickle"
WORKING = "working"
"""The kind of what processes note while they work; nothing of it stays when they end."""
KEPT_DAYS = 30
KEPT_BYTES = 200_000_000

_DIGEST = 16
_DAY = 86_400
_STALE_PART = 3_600
_LARGEST_ENTRY = 200_000_000
_BUILD = blake2b(build().encode(), digest_size=8).hexdigest()
_HEADER = f"lintpickle cache 1\n{__version__} {_BUILD} {sys.implementation.cache_tag} {sys.hexversion:x}\n".encode()
_PRUNED = "pruned"
_MARKERS = {
    "CACHEDIR.TAG": b"Signature: 8a477f597d28d172789f06886806bc55\n# This folder is the cache of lintpickle.\n",
    ".gitignore": b"# The cache of lintpickle.\n*\n",
    _PRUNED: b"When this file was changed, old entries were last removed.\n",
}


def cache_folder(given: str | None, environ: "Mapping[str, str]") -> str | None:
    """The absolute folder of the cache: `given`, otherwise what the environment names, otherwise the user's folder for
    caches. None if there is none. A path from the environment counts only if it is absolute: a relative one could lead
    into a repository, which could contain a prepared cache."""
    if given:
        return os.path.abspath(given)
    named = environ.get("LINTPICKLE_CACHE_DIR", "")
    if os.path.isabs(named):
        return os.path.normpath(named)
    folder = user_folder(environ, "XDG_CACHE_HOME", ("Library", "Caches"), (".cache",))
    return os.path.join(folder, "cache") if folder is not None and sys.platform == "win32" else folder


class CacheStore:
    """Values by kind and key, in a folder that must belong to the user, be writable by nobody else, and not be in one
    of `trees`: what is checked could contain a prepared cache. The secret is in none of `checked`. A kind is a plain
    word, and the name of a subfolder. Values are what `marshal` can write: None, bool, int, float, str, bytes, tuples,
    lists, dicts, sets. Only the same build of lintpickle and the same version of Python find them again. Several
    processes may use a folder at once."""

    def __init__(self, folder: str, trees: "Sequence[str]" = (), checked: "Sequence[str]" = ()) -> None:
        self.folder = folder
        self._checked = tuple(checked)
        self._secret: bytes | None = None
        self._refused: str | None = None
        try:
            real = os.path.realpath(folder)
            tree = next((each for each in trees if is_inside(real, os.path.realpath(each))), None)
        except (OSError, ValueError):
            return
        if tree is not None:
            self._refused = f"{folder} lies in {tree}, which is checked; if you trust it, name it with --cache-dir"

    def _key(self, make: bool) -> bytes | None:
        """The secret, if it can be used; asked for once."""
        if self._secret is None and self._refused is None:
            try:
                self._secret = secret(os.environ, self.folder, self._checked, make)
            except Unusable as error:
                self._refused = f"{self.folder}: {error}"
        return self._secret

    def load(self, kind: str, key: str) -> object | None:
        """The latest value for the key; None if there is none, or none that can be trusted."""
        if self.problem() is not None or self._key(make=False) is None:
            return None
        path = self._path(kind, key)
        try:
            with open(path, "rb", buffering=0, opener=_waiting_for_nobody) as file:
                status = os.fstat(file.fileno())
                if not stat.S_ISREG(status.st_mode) or status.st_size > _LARGEST_ENTRY:
                    return None
                changed = status.st_mtime
                data = file.read()
        except OSError:
            return None
        start = len(_HEADER) + _DIGEST
        payload = data[start:]
        if data[:start] != _HEADER + self._seal(kind, payload):
            return None
        try:
            found_key, value = marshal.loads(payload)
        except (EOFError, ValueError, TypeError, MemoryError):
            return None
        if found_key != key:
            return None
        if time.time() - changed > _DAY:
            _touch(path)  # It is in use: see `prune`.
        loaded: object = value
        return loaded

    def save(self, kind: str, key: str, value: "Any") -> bool:
        """Store a value, in place of the previous one for the key; once a day, drop old entries. Returns whether it was
        stored. Raises ValueError for a value that cannot be written."""
        payload = marshal.dumps((key, value))
        if not self.prepare() or self._key(make=True) is None:
            return False
        path = self._path(kind, key)
        part = f"{path}.{os.getpid()}-{os.urandom(4).hex()}"
        try:
            os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
            _write_new(part, _HEADER + self._seal(kind, payload) + payload)
            os.replace(part, path)
        except OSError:
            _remove(part)
            return False
        if _age(os.path.join(self.folder, _PRUNED)) > _DAY:
            self.prune()
        return True

    def problem(self) -> str | None:
        """Why the folder is not used; None if it is usable, or does not exist yet."""
        if self._refused is not None:
            return self._refused
        try:
            status = os.stat(self.folder)
        except FileNotFoundError:
            return None
        except (OSError, ValueError) as error:
            return f"{self.folder} cannot be read: {getattr(error, 'strerror', None) or error}"
        if status.st_mode & 0o170000 != 0o040000:
            return f"{self.folder} is no folder"
        if sys.platform != "win32":
            if status.st_uid != os.geteuid():
                return f"{self.folder} belongs to someone else"
            if status.st_mode & 0o022:
                return f"others may write to {self.folder}"
        return None

    def is_usable(self) -> bool:
        """Whether there is a secret to authenticate entries; it is made if there is none yet. Otherwise see
        `problem`."""
        return self._key(make=True) is not None

    def prepare(self) -> bool:
        """Make the folder if it does not exist. Returns whether it can be used."""
        if self._refused is None and not os.path.isdir(self.folder):
            try:
                os.makedirs(self.folder, mode=0o700, exist_ok=True)
                for name, content in _MARKERS.items():
                    _write_new(os.path.join(self.folder, name), content)
            except FileExistsError:
                pass  # Another process was faster.
            except (OSError, ValueError):
                return False
        return self.problem() is None

    def prune(self, days: float = KEPT_DAYS, size: int = KEPT_BYTES) -> None:
        """Drop entries that were not used for `days`, then the least recently used ones beyond `size` bytes."""
        _touch(os.path.join(self.folder, _PRUNED))
        oldest = time.time() - days * _DAY
        total = 0
        for used, length, path in sorted(self._entries(), reverse=True):
            total += length
            is_part = not path.endswith(SUFFIX) and os.path.basename(os.path.dirname(path)) != WORKING
            if used < oldest or total > size or (is_part and _age(path) > _STALE_PART):
                _remove(path)

    def clean(self) -> tuple[int, int]:
        """Remove everything that lintpickle has put into the folder, and the folder if nothing else is in it. Returns
        the number of entries, and their bytes. Raises OSError for what cannot be removed."""
        count = size = 0
        kinds = self._kinds()
        for _, length, path in self._entries():
            os.remove(path)
            count, size = count + 1, size + length
        for name, content in _MARKERS.items():
            path = os.path.join(self.folder, name)
            if _starts_with(path, content):
                os.remove(path)
        for folder in (*kinds, self.folder):
            try:
                os.rmdir(folder)
            except OSError:
                continue  # Something of the user's is in it, or it is not there.
        return count, size

    def _path(self, kind: str, key: str) -> str:
        name = _HEADER + key.encode("utf-8", "surrogatepass")
        return os.path.join(self.folder, kind, f"{self._seal('', name).hex()}{SUFFIX}")

    def _seal(self, kind: str, data: bytes) -> bytes:
        """An authentication code that only someone with the secret can make for data of a kind."""
        seal = blake2b(kind.encode() + b"\0", key=self._secret or b"", digest_size=_DIGEST)
        seal.update(data)
        return seal.digest()

    def _kinds(self) -> list[str]:
        """The folders of the kinds of entries, those without an entry included."""
        try:
            return [entry.path for entry in os.scandir(self.folder) if entry.is_dir(follow_symlinks=False)]
        except OSError:
            return []

    def _entries(self) -> "Iterator[tuple[float, int, str]]":
        """The time of the last use, the size and the path of every file that `save` has written or begun to write."""
        try:
            files = [entry for kind in self._kinds() for entry in os.scandir(kind) if _is_ours(entry)]
        except OSError:
            return
        for entry in files:
            try:
                status = entry.stat(follow_symlinks=False)
            except OSError:
                continue  # Another process was faster.
            yield status.st_mtime, status.st_size, entry.path


def _is_ours(entry: "os.DirEntry[str]") -> bool:
    stem, suffix, rest = entry.name.partition(SUFFIX)
    is_name = len(stem) == 2 * _DIGEST and not set(stem) - set("0123456789abcdef")
    return bool(suffix) and is_name and (not rest or rest[0] == ".") and entry.is_file(follow_symlinks=False)


def digest(data: bytes) -> bytes:
    """A digest of some content."""
    return blake2b(data, digest_size=_DIGEST).digest()


def _write_new(path: str, data: bytes) -> None:
    with open(path, "xb", buffering=0, opener=_private) as file:
        view = memoryview(data)
        while view:
            view = view[file.write(view) :]


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def _waiting_for_nobody(path: str, flags: int) -> int:
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def _age(path: str) -> float:
    """Seconds since a file was changed; infinite if that is unknown or in the future."""
    try:
        age = time.time() - os.stat(path).st_mtime
    except OSError:
        return float("inf")
    return age if age >= 0 else float("inf")


def _starts_with(path: str, content: bytes) -> bool:
    try:
        with open(path, "rb") as file:
            return file.read(len(content)) == content
    except OSError:
        return False


def _touch(path: str) -> None:
    try:
        os.utime(path)
    except OSError:
        return


def _remove(path: str) -> None:
    try:
        os.remove(path)
    except OSError:
        return
