"""The stored answer to a command line that was run before, if the files have not changed since."""

import os
import sys

from lintpickle.cache.key import VARIABLE
from lintpickle.cache.shown import is_harmless
from lintpickle.cache.stamps import Stamps, unchanged
from lintpickle.cache.store import CacheStore, cache_folder, digest
from lintpickle.tree import MARKERS, is_inside, tree_around

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import NoReturn

ENVIRONMENT = (
    "APPDATA",
    "CI_PROJECT_DIR",
    "CLICOLOR",
    "CLICOLOR_FORCE",
    "COLUMNS",
    "CONDA_DEFAULT_ENV",
    "CONDA_PREFIX",
    "FORCE_COLOR",
    "HOME",
    "HOMEDRIVE",
    "HOMEPATH",
    "LINES",
    VARIABLE,
    "LINTPICKLE_OUTPUT_FORMAT",
    "NO_COLOR",
    "PATH",
    "PATHEXT",
    "PYTHONNOUSERSITE",
    "PYTHONUSERBASE",
    "TERM",
    "USERPROFILE",
    "VIRTUAL_ENV",
    "XDG_DATA_HOME",
    "_CONDA_ROOT",
)
"""The variables on which an answer can depend. A test searches the code for others."""

_KIND = "answers"
_FORMAT = 1
_OFF = ("", "0", "false", "no", "off", "f", "n")

Chunks = tuple[tuple[int, bytes], ...]
"""The output in order: the stream (1 or 2) and the bytes of each part."""


class AskedAnswer:
    """A command line, and everything else that its answer depends on except the file system. `started` is the time when
    the process began to read files (ns since the epoch)."""

    def __init__(self, arguments: "Sequence[str]", store: CacheStore, started: int) -> None:
        self.store = store
        self.started = started
        self._key = repr(
            (
                _FORMAT,
                tuple(arguments),
                os.getcwd(),
                sys.version,
                sys.prefix,
                sys.getfilesystemencoding(),
                [(stream.isatty(), stream.encoding, stream.errors) for stream in (sys.stdout, sys.stderr)],
                [_told(name) for name in ENVIRONMENT],
            )
        )

    def answer(self) -> "tuple[int, Chunks] | None":
        """The exit code and the output, if they are stored and still valid."""
        found = self.store.load(_KIND, self._key)
        if not isinstance(found, tuple) or not _are_harmless(found[1]) or not unchanged(found[2]):
            return None
        return found[0], found[1]

    def keep(self, code: int, chunks: Chunks, stamps: Stamps) -> bool:
        """Store an answer. Returns whether that was possible."""
        return self.store.save(_KIND, self._key, (code, chunks, stamps))


def _told(name: str) -> str | None:
    """The value of a variable; for the secret one, a digest of it."""
    value = os.environ.get(name)
    return digest(os.fsencode(value)).hex() if name == VARIABLE and value else value


def _are_harmless(chunks: Chunks) -> bool:
    """Whether stored output is as escaping leaves it, on each stream: read as UTF-8, as formats for programs are
    written, and read as whoever is on the other side of the stream may read it."""
    for number, stream in ((1, sys.stdout), (2, sys.stderr)):
        data = b"".join(chunk[1] for chunk in chunks if chunk[0] == number)
        verdicts = [_is_harmless_in(encoding, data) for encoding in ("utf-8", stream.encoding)]
        if False in verdicts or True not in verdicts:
            return False
    return all(number in (1, 2) for number, _ in chunks)


def _is_harmless_in(encoding: str, data: bytes) -> bool | None:
    """None if the data is not in this encoding."""
    try:
        return is_harmless(data.decode(encoding))
    except UnicodeDecodeError:
        return None


def store_of(
    given: str | None, off: bool, environ: "Mapping[str, str]", paths: "Sequence[str]" = ()
) -> CacheStore | None:
    """The cache in the given folder or the usual one; None if it is turned off, by `off` or by LINTPICKLE_NO_CACHE. The
    usual folder must not be in a tree that is checked: that of the working folder, or of `paths`."""
    if off or environ.get("LINTPICKLE_NO_CACHE", "").lower() not in _OFF:
        return None
    folder = cache_folder(given, environ)
    if folder is None:
        return None
    return CacheStore(folder, () if given else _trees(paths), _trees(paths))


def _trees(paths: "Sequence[str]") -> list[str]:
    """The trees around the working folder and around paths. A home folder only counts if it is a repository."""
    cwd, home = os.getcwd(), os.path.expanduser("~")
    folders = {cwd}
    for path in paths:
        each = os.path.abspath(path)
        folders.add(each if os.path.isdir(each) else os.path.dirname(each))
    trees = {tree_around(folder, cwd) for folder in folders}
    return [
        tree
        for tree in sorted(trees)
        if not is_inside(home, tree) or any(os.path.lexists(os.path.join(tree, marker)) for marker in MARKERS)
    ]


def asked(arguments: "Sequence[str]", started: int) -> AskedAnswer | None:
    """The question that this process was started with; None if its answer is not to be stored."""
    if "_LINTPICKLE_COMPLETE" in os.environ or sys.stdout is not sys.__stdout__ or sys.stderr is not sys.__stderr__:
        return None
    given, off = _cache_options(arguments)
    try:
        paths = [each for each in arguments if not each.startswith("-") and os.path.lexists(each)]
        store = store_of(given, off, os.environ, paths)
        return AskedAnswer(arguments, store, started) if store is not None else None
    except (OSError, ValueError, AttributeError):  # The working folder is gone, or a stream is closed.
        return None


def give(code: int, chunks: Chunks) -> "NoReturn":
    """Write an answer, and end the process at once with its exit code; with 1 if nobody reads the output, as click
    does."""
    streams = {1: sys.stdout.buffer, 2: sys.stderr.buffer}
    try:
        for number, data in chunks:
            streams[number].write(data)
            streams[number].flush()
    except BrokenPipeError:
        code = 1
    except OSError as error:
        os.write(2, f"error: the output cannot be written: {error.strerror}\n".encode())
        code = 2
    os._exit(code)


def _cache_options(arguments: "Sequence[str]") -> tuple[str | None, bool]:
    """The value of `--cache-dir`, and whether `--no-cache` is given. They only decide where to look for an answer; a
    stored answer comes from a command line that the real parser has accepted."""
    given = None
    options = iter(arguments)
    for argument in options:
        if argument == "--no-cache":
            return None, True
        if argument == "--cache-dir":
            given = next(options, None)
        elif argument.startswith("--cache-dir="):
            given = argument.partition("=")[2]
        elif argument == "--":
            break
    return given, False
