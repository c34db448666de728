"""Stamps, by which a later run sees that nothing an answer depends on has changed; it checks each path once.

A stamp holds the modification time, the change time of the inode, the size and the inode, never the content. Of
lintpickle itself, the version and the build count.
"""

import os

from lintpickle import __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    from lintpickle.disk import Evidence, Status

Stamps = tuple[
    tuple[tuple[str, bool, tuple[str, ...], int], ...],
    tuple[tuple[str, int], ...],
    tuple[tuple[str, str], ...],
]
"""Folders (each with whether its names count, the files in it that do, and a number for the state of all these);
paths with the type of what is there; paths with where they lead. Folders end with a separator."""

COARSE = 2_000_000_000
"""So coarse (ns) may the clock of a file system be that knows whole seconds only (FAT counts by two): two changes
within it can look like one."""
FINE = 50_000_000
"""The same where a time has a part of a second: systems set such times at each tick of a clock, 1 to 16 ms apart."""

_KIND = 0o170000
_SECOND = 1_000_000_000
_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
_COMMIT = '"commit_id"'


def build(package: str = _PACKAGE) -> str:
    """What tells this build of lintpickle from others of the same version; "" for a release from an index or a
    checkout. What pip installs from a repository or a folder notes where it comes from, in `direct_url.json` (PEP 610):
    one version may be installed so again and again, with other code. `package` is the folder of the package. Builds of
    one commit are the same everywhere; those of a folder until it is installed again."""
    folder = os.path.join(os.path.dirname(package), f"lintpickle-{__version__}.dist-info")
    try:
        with open(os.path.join(folder, "direct_url.json"), encoding="utf-8") as file:
            noted = " ".join(file.read().split())
        if _COMMIT in noted:
            return noted
        status = os.stat(os.path.join(folder, "RECORD"))
    except (OSError, ValueError):
        return ""
    return f"{noted} {status.st_mtime_ns} {status.st_size}"


def unchanged(stamps: Stamps) -> bool:
    """Whether everything is as it was."""
    folders, kinds, real_paths = stamps
    try:
        for folder, listed, names, state in folders:
            if _state(folder, listed, names) != state:
                return False
    except (OSError, ValueError):
        return False
    for path, kind in kinds:
        try:
            if os.stat(path).st_mode & _KIND != kind:
                return False
        except (OSError, ValueError):
            if kind:
                return False
    return all(os.path.realpath(path) == real for path, real in real_paths)


def _state(folder: str, listed: bool, names: tuple[str, ...]) -> int:
    """A number for the state of a folder and of files in it: the hash of a tuple of integers, which is the same in
    every process."""
    stat = os.stat
    numbers: list[int] = []
    if listed:
        status = stat(folder)
        numbers += (status.st_mtime_ns, status.st_ctime_ns, status.st_ino)
    for name in names:
        status = stat(folder + name)
        numbers += (status.st_mtime_ns, status.st_ctime_ns, status.st_size, status.st_ino)
    return hash(tuple(numbers))


def stamped(evidence: "Evidence") -> Stamps:
    """The stamps of what was read."""
    contents = {path: status for path, status in evidence.contents.items() if status is not None}
    listings = {path: status for path, status in evidence.listings.items() if status is not None}
    files: dict[str, list[str]] = {folder: [] for folder in listings}
    for path in sorted(contents):
        folder, name = os.path.split(path)
        files.setdefault(folder, []).append(name)
    folders = []
    for folder, names in sorted(files.items()):
        numbers: list[int] = []
        listing = listings.get(folder)
        if listing is not None:
            numbers += (listing[0], listing[1], listing[3])
        for name in names:
            numbers += contents[os.path.join(folder, name)]
        folders.append((os.path.join(folder, ""), listing is not None, tuple(names), hash(tuple(numbers))))
    missing = dict.fromkeys((*evidence.contents.keys() - contents, *evidence.listings.keys() - listings), 0)
    kinds = {
        path: kind
        for path, kind in {**evidence.kinds, **missing}.items()
        if path not in contents and path not in listings and not (kind == 0 and _is_told_by(listings, path))
    }
    return tuple(folders), tuple(sorted(kinds.items())), tuple(sorted(evidence.real_paths.items()))


def is_settled(status: "Status", moment: int) -> bool:
    """Whether any change of a file or folder after a moment (ns since the epoch) would show in its status."""
    changed = max(status[0], status[1])
    is_fine = status[0] % _SECOND != 0 and status[1] % _SECOND != 0
    return changed + (FINE if is_fine else COARSE) < moment


def are_settled(evidence: "Evidence", moment: int) -> bool:
    """The same of all that was read."""
    known = (*evidence.contents.values(), *evidence.listings.values())
    return all(status is None or is_settled(status, moment) for status in known)


def _is_told_by(listings: "dict[str, tuple[int, int, int, int]]", path: str) -> bool:
    """Whether the folder of a path changes when something appears at the path; not if a dangling link is there."""
    return os.path.dirname(path) in listings and not os.path.lexists(path)
