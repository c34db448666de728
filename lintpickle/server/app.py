"""The server itself: which messages of the protocol are answered, and by what."""

from __future__ import annotations

import json
import logging
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, BinaryIO, cast
from urllib.parse import unquote

from lsprotocol import types as lsp
from pygls.exceptions import FeatureNotificationError, JsonRpcException, JsonRpcInvalidParams
from pygls.lsp.server import LanguageServer
from pygls.uris import to_fs_path

from lintpickle import __version__
from lintpickle.cache.answers import store_of
from lintpickle.cache.store import CacheStore
from lintpickle.diagnostics import LintpickleError
from lintpickle.server.actions import FIX_ALL, FIX_ALL_TITLE, KINDS, NOTEBOOK_FIX_ALL, fix_all_kind, quick_fixes
from lintpickle.server.buffers import Buffer, CellText, buffer_path, file_buffer, notebook_buffer, offset_at
from lintpickle.server.client import Client, ClientSettings
from lintpickle.server.convert import SOURCE
from lintpickle.server.hover import hover_at, hover_of_findings
from lintpickle.server.incoming import Incoming
from lintpickle.server.patience import patiently
from lintpickle.server.positions import Units
from lintpickle.server.protocol import Protocol
from lintpickle.server.session import ClientSession
from lintpickle.server.watching import program_watch
from lintpickle.server.workspace import EditorWorkspace, encoding_name

log = logging.getLogger(__name__)


class LintpickleServer(LanguageServer):
    """A language server with the session that it serves."""

    def __init__(self) -> None:
        cells = lsp.NotebookDocumentFilterWithNotebook(
            notebook="*", cells=[lsp.NotebookCellLanguage(language="python")]
        )
        super().__init__(
            SOURCE,
            __version__,
            text_document_sync_kind=lsp.TextDocumentSyncKind.Incremental,
            notebook_document_sync=lsp.NotebookDocumentSyncOptions(notebook_selector=[cells], save=True),
            protocol_cls=Protocol,
        )
        self.incoming: Incoming | None = None
        self.session: ClientSession
        self.units: Units
        self.given: object = None

    def start_io(self, stdin: BinaryIO | None = None, stdout: BinaryIO | None = None) -> None:
        """Serve the client on the other side of these streams until it goes."""
        self.incoming = Incoming(stdin or sys.stdin.buffer)
        super().start_io(cast(BinaryIO, self.incoming), stdout)

    def report_server_error(self, error: Exception, source: object) -> None:
        """pygls calls this for what it cannot read or send. What fails in a request is in its answer."""
        if source is JsonRpcException and isinstance(error, (ValueError, RecursionError)):
            cast(Protocol, self.protocol).refuse_unreadable()
        elif source is FeatureNotificationError:
            self.session.failed(error)

    def buffer(self, uri: str) -> Buffer | None:
        """The open buffer that a text belongs to: the file, or the notebook of a cell."""
        notebook = self.workspace.get_notebook_document(cell_uri=uri)
        if notebook is not None:
            return self.session.buffers.get(buffer_path(notebook.uri, self.session.folder, ".ipynb"))
        return self.session.buffers.get(buffer_path(uri, self.session.folder, ".py"))

    def put_file(self, uri: str) -> None:
        """Take a text document as it is now."""
        text = self.workspace.get_text_document(uri)
        path = buffer_path(uri, self.session.folder, ".py")
        if path.endswith(".ipynb"):
            return  # a notebook that is open as text: its JSON is not what the user wants to hear about
        self.session.put(file_buffer(uri, path, text.source, text.version))

    def put_notebook(self, uri: str) -> None:
        """Take a notebook as it is now."""
        notebook = self.workspace.get_notebook_document(notebook_uri=uri)
        if notebook is None:
            return
        cells = []
        for cell in notebook.cells:
            text = self.workspace.text_documents.get(unquote(cell.document))
            cells.append(
                CellText(
                    uri=cell.document,
                    text=text.source if text is not None else "",
                    version=text.version if text is not None else None,
                    is_code=cell.kind is lsp.NotebookCellKind.Code and text is not None,
                    language=(text.language_id if text is not None else None) or "python",
                )
            )
        self.session.put(notebook_buffer(uri, buffer_path(uri, self.session.folder, ".ipynb"), cells))


def make_server() -> LintpickleServer:
    """A server that is ready to be started."""
    server = LintpickleServer()
    _lifecycle(server)
    _documents(server)
    _questions(server)
    _commands(server)
    return server


def _lifecycle(server: LintpickleServer) -> None:
    @server.feature(lsp.INITIALIZE)
    def initialize(params: lsp.InitializeParams) -> None:
        encoding = server.workspace.position_encoding
        given = params.workspace_folders or []
        server.protocol._workspace = EditorWorkspace(
            server.workspace.root_uri, lsp.TextDocumentSyncKind.Incremental, given, encoding
        )
        server.units = Units(encoding_name(encoding))
        client = Client.of(params.capabilities)
        if not client.pulls:
            server.protocol.fm.features.pop(lsp.TEXT_DOCUMENT_DIAGNOSTIC, None)
        uris = [folder.uri for folder in given] or [uri for uri in (server.workspace.root_uri,) if uri]
        folders = [Path(path) for uri in uris if (path := to_fs_path(uri))]
        pause = server.incoming.wait if server.incoming is not None else lambda: None
        server.session = ClientSession(server, client, server.units, folders, pause, _store(folders))
        options = params.initialization_options
        server.given = options.get("settings", options) if isinstance(options, dict) else None

    @server.feature(lsp.INITIALIZED)
    async def initialized(params: lsp.InitializedParams) -> None:
        client = server.session.client
        if client.watches_files:
            await patiently(server.client_register_capability_async(program_watch()))
        await configure()

    @server.feature(lsp.WORKSPACE_DID_CHANGE_CONFIGURATION)
    async def reconfigure(params: lsp.DidChangeConfigurationParams) -> None:
        if not server.session.client.configuration:
            settings: Any = params.settings
            server.given = settings.get(SOURCE, settings) if isinstance(settings, dict) else server.given
        await configure()

    async def configure() -> None:
        if server.session.client.configuration:
            item = lsp.ConfigurationItem(section=SOURCE)
            asked = await patiently(server.workspace_configuration_async(lsp.ConfigurationParams([item])))
            if asked and asked[0]:
                server.given = asked[0]
        try:
            settings = ClientSettings.read(server.given)
        except LintpickleError as error:
            server.window_show_message(lsp.ShowMessageParams(lsp.MessageType.Error, f"lintpickle: {error}"))
            settings = server.session.settings
        server.session.start(settings)

    @server.feature(lsp.SHUTDOWN)
    def shutdown(params: None) -> None:
        server.session.stop()


def _documents(server: LintpickleServer) -> None:
    @server.feature(lsp.TEXT_DOCUMENT_DID_OPEN)
    def opened(params: lsp.DidOpenTextDocumentParams) -> None:
        server.put_file(params.text_document.uri)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)
    def changed(params: lsp.DidChangeTextDocumentParams) -> None:
        server.put_file(params.text_document.uri)

    @server.feature(lsp.TEXT_DOCUMENT_DID_SAVE)
    def saved(params: lsp.DidSaveTextDocumentParams) -> None:
        if not server.session.client.watches_files:
            server.session.look_at_disk()

    @server.feature(lsp.TEXT_DOCUMENT_DID_CLOSE)
    def closed(params: lsp.DidCloseTextDocumentParams) -> None:
        server.session.close(buffer_path(params.text_document.uri, server.session.folder, ".py"))

    @server.feature(lsp.NOTEBOOK_DOCUMENT_DID_OPEN)
    def notebook_opened(params: lsp.DidOpenNotebookDocumentParams) -> None:
        server.put_notebook(params.notebook_document.uri)

    @server.feature(lsp.NOTEBOOK_DOCUMENT_DID_CHANGE)
    def notebook_changed(params: lsp.DidChangeNotebookDocumentParams) -> None:
        structure = params.change.cells.structure if params.change.cells is not None else None
        for gone in (structure.did_close if structure is not None else None) or []:
            server.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri=gone.uri, diagnostics=[]))
        server.put_notebook(params.notebook_document.uri)

    @server.feature(lsp.NOTEBOOK_DOCUMENT_DID_SAVE)
    def notebook_saved(params: lsp.DidSaveNotebookDocumentParams) -> None:
        if not server.session.client.watches_files:
            server.session.look_at_disk()

    @server.feature(lsp.NOTEBOOK_DOCUMENT_DID_CLOSE)
    def notebook_closed(params: lsp.DidCloseNotebookDocumentParams) -> None:
        server.session.close(buffer_path(params.notebook_document.uri, server.session.folder, ".ipynb"))

    @server.feature(lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    def disk_changed(params: lsp.DidChangeWatchedFilesParams) -> None:
        server.session.look_at_disk()


def _questions(server: LintpickleServer) -> None:
    @server.feature(
        lsp.TEXT_DOCUMENT_DIAGNOSTIC,
        lsp.DiagnosticOptions(inter_file_dependencies=True, workspace_diagnostics=False, identifier=SOURCE),
    )
    async def diagnostics(params: lsp.DocumentDiagnosticParams) -> lsp.DocumentDiagnosticReport:
        uri = params.text_document.uri
        buffer = server.buffer(uri)
        shown = await server.session.shown(buffer.path) if buffer is not None else None
        items = [] if shown is None else shown.of_text(uri)
        result_id = f"{hash(repr(items)) & 0xFFFFFFFFFFFFFFFF:016x}"
        if params.previous_result_id == result_id:
            return lsp.RelatedUnchangedDocumentDiagnosticReport(result_id=result_id)
        return lsp.RelatedFullDocumentDiagnosticReport(items=items, result_id=result_id)

    kinds: list[lsp.CodeActionKind | str] = list(KINDS)

    @server.feature(
        lsp.TEXT_DOCUMENT_CODE_ACTION, lsp.CodeActionOptions(code_action_kinds=kinds, resolve_provider=True)
    )
    async def code_actions(params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
        buffer = server.buffer(params.text_document.uri)
        shown = await server.session.shown(buffer.path) if buffer is not None else None
        if shown is None:
            return []
        session = server.session
        actions = list(quick_fixes(params, shown, session.converter(), session.settings.disable_comments))
        kind = fix_all_kind(params, shown.buffer.cells is not None) if session.settings.fix_all else None
        if kind is not None:
            action = lsp.CodeAction(title=FIX_ALL_TITLE, kind=kind, data=params.text_document.uri)
            actions.append(action if session.client.resolves_edits else await resolve(action))
        return actions

    @server.feature(lsp.CODE_ACTION_RESOLVE)
    async def resolve(action: lsp.CodeAction) -> lsp.CodeAction:
        if action.kind in (FIX_ALL, NOTEBOOK_FIX_ALL) and isinstance(action.data, str):
            action.edit = await fix_all(action.data)
        return action

    async def fix_all(uri: str) -> lsp.WorkspaceEdit:
        buffer = server.buffer(uri)
        if buffer is None:
            return lsp.WorkspaceEdit()
        taken, edits = await server.session.fix_all(buffer.path)
        return server.session.converter().workspace_edit(taken, edits)

    @server.command("lintpickle.applyAutofix")
    async def apply_autofix(uri: Any) -> None:
        if not isinstance(uri, str):
            raise JsonRpcInvalidParams("lintpickle.applyAutofix needs the URI of an open document")
        edit = await fix_all(uri)
        if edit.changes or edit.document_changes:
            params = lsp.ApplyWorkspaceEditParams(edit=edit, label=FIX_ALL_TITLE)
            await patiently(server.workspace_apply_edit_async(params))

    @server.feature(lsp.TEXT_DOCUMENT_HOVER)
    async def hover(params: lsp.HoverParams) -> lsp.Hover | None:
        uri = params.text_document.uri
        buffer = server.buffer(uri)
        offset = offset_at(buffer, uri, params.position, server.units) if buffer is not None else None
        if buffer is None or offset is None:
            return None
        markdown = server.session.client.markdown
        of_comment = hover_at(buffer, offset, server.units, markdown)
        if of_comment is not None:
            return of_comment
        shown = await server.session.shown(buffer.path)
        return hover_of_findings(shown, uri, params.position, markdown) if shown is not None else None


def _commands(server: LintpickleServer) -> None:
    @server.command("lintpickle.printDebugInformation")
    async def debug_information() -> str:
        session = server.session
        described = {
            "version": __version__,
            "encoding": server.units.encoding,
            "diagnostics": "pulled" if session.client.pulls else "pushed",
            "open": sorted(session.buffers),
            "projects": await session.describe(),
        }
        text = json.dumps(described, indent=2)
        server.window_log_message(lsp.LogMessageParams(lsp.MessageType.Info, text))
        return text

    @server.command("lintpickle.migrate")
    async def migrate() -> str:
        return await server.session.migration()


def _store(folders: Sequence[Path]) -> CacheStore | None:
    """The user's cache, which tells at which files earlier servers were killed."""
    try:
        return store_of(None, False, os.environ, [str(folder) for folder in folders])
    except OSError:  # The working folder is gone.
        return None
