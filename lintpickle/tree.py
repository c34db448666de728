"""The tree of a project: what is in it comes from the author of the code, what is outside belongs to the user.

A repository can contain links and settings that lead out of it. They are not followed: see docs/security.md. This
module is imported when a command starts, so it imports next to nothing itself.
"""

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

MARKERS = (".git", ".hg", ".jj", ".svn")
"""What lies at the top of a repository."""


def tree_around(folder: str, cwd: str, exists: "Callable[[str], bool]" = os.path.lexists) -> str:
    """The top of the tree that an absolute folder belongs to: the repository around it, else the working folder if that
    is above it, else the folder itself. The working folder does not count if the user's home lies in it: what lies
    there side by side does not belong together.

    `exists` asks whether there is anything at a path.
    """
    top = folder
    while True:
        if any(exists(os.path.join(top, marker)) for marker in MARKERS):
            return top
        parent = os.path.dirname(top)
        if parent == top:
            break
        top = parent
    return cwd if is_inside(folder, cwd) and not is_inside(os.path.expanduser("~"), cwd) else folder


def is_inside(path: str, folder: str) -> bool:
    """Whether an absolute path is a folder's, or lies below it, as they are written."""
    return path == folder or path.startswith(folder if folder.endswith(os.sep) else folder + os.sep)


def leaves(path: str, named: "Sequence[str]") -> "str | None":
    """Where a file really is, if a link leads to it from what the user named, absolute files and folders, but out of
    there. A file that is named may be a link within its tree."""
    real = os.path.realpath(path)
    for each in named:
        top = each if os.path.isdir(each) else tree_around(os.path.dirname(each), os.getcwd())
        if is_inside(real, os.path.realpath(top)):
            return None
    return real
