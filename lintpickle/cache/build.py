"""Which build of a version this is. A release from an index is known by its version. What pip installs from a
repository or a folder notes where it comes from, in `direct_url.json` (PEP 610): one version may be installed so again
and again, with other code.

It is imported before anything else when a command starts, so it imports next to nothing.
"""

import os

from lintpickle import __version__

_NOTED = "direct_url.json"
_FILES = "RECORD"
_COMMIT = '"commit_id"'
_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def build(package: str = _PACKAGE) -> str:
    """What tells this build from others of the same version; "" for a release or a checkout. `package` is the folder of
    the package. Builds of one commit are the same everywhere; those of a folder until it is installed again."""
    folder = os.path.join(os.path.dirname(package), f"lintpickle-{__version__}.dist-info")
    try:
        with open(os.path.join(folder, _NOTED), encoding="utf-8") as file:
            noted = " ".join(file.read().split())
        if _COMMIT in noted:
            return noted
        status = os.stat(os.path.join(folder, _FILES))
    except (OSError, ValueError):
        return ""
    return f"{noted} {status.st_mtime_ns} {status.st_size}"
