"""The plugin of python-lsp-server: lintpickle's findings among its diagnostics.

It is on unless `pylsp.plugins.lintpickle.enabled` is false; with `fileOnly`, boundaries in other files are not looked
for. A file is judged as it stands in the editor, the others as they were when a file was last opened or saved.
"""

from __future__ import annotations

import logging
from functools import cache
from typing import TYPE_CHECKING, Any

from pylsp import hookimpl

if TYPE_CHECKING:
    from lintpickle.integrations._host import Host

_log = logging.getLogger(__name__)
_START = {"line": 0, "character": 0}


@hookimpl
def pylsp_settings() -> dict[str, Any]:
    return {"plugins": {"lintpickle": {"enabled": True, "fileOnly": False}}}


@hookimpl
def pylsp_lint(config: Any, workspace: Any, document: Any, is_saved: bool) -> list[dict[str, Any]]:
    """The diagnostics of a document, as the language server protocol writes them."""
    from lintpickle.diagnostics import LintpickleError

    try:
        settings = config.plugin_settings("lintpickle", document_path=document.path)
        return _diagnostics(workspace.root_path, document, bool(settings.get("fileOnly")), is_saved)
    except LintpickleError as error:
        return [
            {"source": "lintpickle", "range": {"start": _START, "end": _START}, "message": str(error), "severity": 1}
        ]
    except Exception:  # Whatever it is, the server and its other plugins must go on.
        _log.exception("lintpickle: %s was not checked", document.path)
        return []


def _diagnostics(root: str, document: Any, file_only: bool, is_saved: bool) -> list[dict[str, Any]]:
    import json
    from pathlib import Path

    from lintpickle.diagnostics import Outcome
    from lintpickle.report import ReportContext, render
    from lintpickle.source.document import Document, UnreadableSource, document_from_text, read_document

    host = _host(root, file_only)
    if is_saved:
        host.forget()
    source = document.source
    found = host.diagnostics(document.path, source)

    def read(path: str) -> Document | None:
        try:
            return document_from_text(source, path) if path == document.path else read_document(path)
        except UnreadableSource:
            return None

    written = render("lsp", Outcome(tuple(found)), ReportContext(cwd=Path(root), source=read))
    return [diagnostic for line in written.split("\n") if line for diagnostic in json.loads(line)["diagnostics"]]


@cache
def _host(root: str, file_only: bool) -> Host:
    from pathlib import Path

    from lintpickle.integrations._host import Host

    return Host(Path(root), [Path(root)], file_only)
