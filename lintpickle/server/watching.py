"""What the client is asked to watch on disk."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from lsprotocol import types as lsp

from lintpickle.server.buffers import uri_of_path

_PROGRAM = "**/{*.py,*.pyi,*.ipynb,pyproject.toml,lintpickle.toml,.lintpickle.toml,.gitignore}"


def program_watch() -> lsp.RegistrationParams:
    """To watch the workspace: the files of programs, and what configures lintpickle."""
    return _registration("lintpickle-watch", [lsp.FileSystemWatcher(_PROGRAM)])


class PackageWatch:
    """To watch the folders in which packages are installed, each once. What is installed or removed changes the names
    in the folder itself, so that nothing below it needs to be watched."""

    def __init__(self) -> None:
        self._folders: set[str] = set()

    def of(self, folders: Iterable[str]) -> lsp.RegistrationParams | None:
        """The registration for folders that are not watched yet; None if there are none."""
        new = [folder for folder in folders if folder not in self._folders]
        if not new:
            return None
        self._folders.update(new)
        watchers = [lsp.FileSystemWatcher(lsp.RelativePattern(uri_of_path(folder), "*")) for folder in new]
        return _registration(f"lintpickle-packages-{len(self._folders)}", watchers)


def _registration(name: str, watchers: Sequence[lsp.FileSystemWatcher]) -> lsp.RegistrationParams:
    options = lsp.DidChangeWatchedFilesRegistrationOptions(watchers)
    return lsp.RegistrationParams([lsp.Registration(name, lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES, options)])
