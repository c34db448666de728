"""The server as the clients of pytest-lsp see it: each announces what a real editor announces."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from tests.server.conftest import HAZARDS, need_module

need_module("pygls")
need_module("pytest_lsp")

from lsprotocol import types as lsp  # noqa: E402
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities, fixture  # noqa: E402

from tests.server.editing import applied  # noqa: E402

EDITORS = ["neovim@v0.6.1", "neovim@v0.11.0", "visual-studio-code", "emacs"]
COMMAND = [sys.executable, "-m", "lintpickle", "server", "--stdio", "--clientProcessId=1"]
FIXED = HAZARDS.replace("{}.keys()", "list({}.keys())").replace("{}.values()", "list({}.values())")


class Editor:
    """One client with one project, and what an editor keeps of a session."""

    def __init__(self, client: LanguageClient, root: Path, server: lsp.ServerCapabilities) -> None:
        encoding = server.position_encoding or "utf-16"
        self.client = client
        self.root = root
        self.encoding = str(getattr(encoding, "value", encoding))
        self.texts: dict[str, str] = {}
        self.pulls = server.diagnostic_provider is not None

    def uri(self, name: str) -> str:
        return (self.root / name).as_uri()

    def open(self, name: str, text: str | None = None) -> None:
        uri = self.uri(name)
        self.texts[uri] = (self.root / name).read_bytes().decode() if text is None else text
        item = lsp.TextDocumentItem(uri=uri, language_id="python", version=1, text=self.texts[uri])
        self.client.text_document_did_open(lsp.DidOpenTextDocumentParams(item))

    def change(self, name: str, text: str, version: int) -> None:
        self.texts[self.uri(name)] = text
        identifier = lsp.VersionedTextDocumentIdentifier(version, self.uri(name))
        change = lsp.TextDocumentContentChangeWholeDocument(text)
        self.client.text_document_did_change(lsp.DidChangeTextDocumentParams(identifier, [change]))

    async def diagnostics(self, name: str) -> list[lsp.Diagnostic]:
        uri = self.uri(name)
        if self.pulls:
            params = lsp.DocumentDiagnosticParams(lsp.TextDocumentIdentifier(uri))
            report = await self.client.text_document_diagnostic_async(params)
            assert isinstance(report, lsp.RelatedFullDocumentDiagnosticReport)
            return list(report.items)
        return list(self.client.diagnostics.get(uri, ()))

    async def until(self, name: str, codes: list[str], *, word: str = "", seconds: float = 20) -> list[lsp.Diagnostic]:
        """The diagnostics of a file once they have these codes (and one message the word)."""
        found: list[lsp.Diagnostic] = []
        for _ in range(int(seconds * 20)):
            found = await self.diagnostics(name)
            if [each.code for each in found] == codes and word in "".join(each.message for each in found):
                return found
            await asyncio.sleep(0.05)
        raise AssertionError(f"wanted {codes} {word}, have {found}")

    async def actions(self, name: str, diagnostics: list[lsp.Diagnostic], **context: Any) -> list[lsp.CodeAction]:
        uri = self.uri(name)
        where = diagnostics[0].range if diagnostics else lsp.Range(lsp.Position(0, 0), lsp.Position(0, 0))
        params = lsp.CodeActionParams(
            lsp.TextDocumentIdentifier(uri), where, lsp.CodeActionContext(diagnostics=diagnostics, **context)
        )
        found = await self.client.text_document_code_action_async(params)
        return [action for action in found or [] if isinstance(action, lsp.CodeAction)]

    def apply(self, name: str, edit: lsp.WorkspaceEdit | None) -> str:
        uri = self.uri(name)
        assert edit is not None
        if edit.document_changes:
            [change] = edit.document_changes
            assert isinstance(change, lsp.TextDocumentEdit) and change.text_document.uri == uri
            edits = [each for each in change.edits if isinstance(each, lsp.TextEdit)]
        else:
            assert edit.changes is not None
            edits = list(edit.changes[uri])
        return applied(self.texts[uri], edits, self.encoding)


@fixture(  # type: ignore[untyped-decorator]
    params=EDITORS, config=ClientServerConfig(server_command=COMMAND)
)
async def client(request: pytest.FixtureRequest, lsp_client: LanguageClient, project: Path) -> AsyncIterator[None]:
    @lsp_client.feature(lsp.CLIENT_REGISTER_CAPABILITY)  # type: ignore[untyped-decorator]
    def register(params: lsp.RegistrationParams) -> None:
        return None

    parameters = lsp.InitializeParams(
        capabilities=client_capabilities(request.param),
        root_uri=project.as_uri(),
        workspace_folders=[lsp.WorkspaceFolder(project.as_uri(), "project")],
    )
    result = await lsp_client.initialize_session(parameters)
    capabilities[lsp_client] = result.capabilities
    yield
    await lsp_client.shutdown_session()


capabilities: dict[LanguageClient, lsp.ServerCapabilities] = {}


@pytest.fixture
def editor(client: LanguageClient, project: Path) -> Editor:
    return Editor(client, project, capabilities.pop(client))


@pytest.mark.asyncio
async def test_diagnostics_fixes_and_comments(editor: Editor) -> None:
    editor.open("bad.py")
    found = await editor.until("bad.py", ["LP101", "LP101"])
    assert found[0].source == "lintpickle"
    assert found[0].severity == lsp.DiagnosticSeverity.Error
    actions = await editor.actions("bad.py", found[:1])
    fix = next(action for action in actions if "Convert to a list" in action.title)
    assert fix.is_preferred and fix.kind == lsp.CodeActionKind.QuickFix
    assert editor.apply("bad.py", fix.edit) == HAZARDS.replace("{}.keys()", "list({}.keys())")
    disable = next(action for action in actions if "Disable" in action.title)
    assert "{}.keys()  # lintpickle: ignore[LP101]\n" in editor.apply("bad.py", disable.edit)


@pytest.mark.asyncio
async def test_fixing_all(editor: Editor) -> None:
    editor.open("bad.py")
    await editor.until("bad.py", ["LP101", "LP101"])
    for kind in ("source.fixAll", "source.fixAll.lintpickle", "source"):
        [action] = await editor.actions("bad.py", [], only=[kind])
        if action.edit is None:
            action = await editor.client.code_action_resolve_async(action)
        assert editor.apply("bad.py", action.edit) == FIXED
    assert await editor.actions("bad.py", [], only=["refactor"]) == []
    editor.change("bad.py", FIXED, 2)
    await editor.until("bad.py", [])


@pytest.mark.asyncio
async def test_a_broken_text_keeps_what_was_known(editor: Editor) -> None:
    editor.open("bad.py")
    await editor.until("bad.py", ["LP101", "LP101"])
    editor.change("bad.py", "def f(:\n" + HAZARDS, 2)
    found = await editor.until("bad.py", ["LP900", "LP101", "LP101"])
    assert found[1].range.start.line == 7
    for version, text in enumerate(["", "\0", "\ufeff", "(" * 5000, "\x0c\r\r\n"], 3):
        editor.change("bad.py", text, version)
    editor.change("bad.py", HAZARDS, 9)
    await editor.until("bad.py", ["LP101", "LP101"])


@pytest.mark.asyncio
async def test_results_follow_edits_in_other_files(editor: Editor) -> None:
    (editor.root / "base.py").write_text("def names():\n    return {}\n", encoding="utf-8")
    text = HAZARDS.replace("import torch\n", "import torch\nfrom base import names\n", 1)
    text = text.replace("{}.keys()", "names()").replace("        self.values = {}.values()\n", "")
    editor.open("bad.py", text)
    editor.open("base.py")
    await asyncio.sleep(0.5)
    assert await editor.until("bad.py", []) == []
    editor.change("base.py", "def names():\n    return {}.keys()\n", 2)
    found = await editor.until("bad.py", ["LP101"])
    related = found[0].related_information
    if related is not None:
        assert {each.location.uri for each in related} >= {editor.uri("base.py")}
    else:
        assert "base.py:2" in found[0].message
    editor.change("base.py", "def names():\n    return {}\n", 3)
    await editor.until("bad.py", [])


@pytest.mark.asyncio
async def test_hovering_over_a_code_shows_the_page(editor: Editor) -> None:
    text = HAZARDS.replace("{}.keys()", "{}.keys()  # lintpickle: ignore[LP101]")
    editor.open("bad.py", text)
    row = text.split("\n")[6]
    column = {"utf-8": "utf-8", "utf-16": "utf-16-le", "utf-32": "utf-32-le"}[editor.encoding]
    size = {"utf-8": 1, "utf-16": 2, "utf-32": 4}[editor.encoding]
    at = len(row[: row.index("LP101") + 1].encode(column)) // size
    document = lsp.TextDocumentIdentifier(editor.uri("bad.py"))
    found = await editor.client.text_document_hover_async(lsp.HoverParams(document, lsp.Position(6, at)))
    assert found is not None and isinstance(found.contents, lsp.MarkupContent)
    shown = found.contents.value
    assert "dict-view-attribute" in shown and "\n## References\n" in shown and "## Proof" not in shown
    assert shown.count("```python\n") == 2
    assert await editor.client.text_document_hover_async(lsp.HoverParams(document, lsp.Position(0, 0))) is None


@pytest.mark.asyncio
async def test_hovering_over_a_finding_shows_its_rule(editor: Editor) -> None:
    editor.open("bad.py")
    found = await editor.until("bad.py", ["LP101", "LP101"])
    document = lsp.TextDocumentIdentifier(editor.uri("bad.py"))
    hover = await editor.client.text_document_hover_async(lsp.HoverParams(document, found[0].range.start))
    assert hover is not None and isinstance(hover.contents, lsp.MarkupContent)
    assert "dict-view-attribute" in hover.contents.value and "## Why it breaks" in hover.contents.value
    assert hover.range == found[0].range
    assert await editor.client.text_document_hover_async(lsp.HoverParams(document, lsp.Position(1, 3))) is None


@pytest.mark.asyncio
async def test_a_cancelled_request_is_answered_and_the_server_goes_on(editor: Editor) -> None:
    for number in range(40):
        (editor.root / f"more{number}.py").write_text(HAZARDS, encoding="utf-8")
    client = editor.client
    params = lsp.ExecuteCommandParams("lintpickle.migrate")
    asked = client.protocol.send_request_async("workspace/executeCommand", params, msg_id="migrate-1")
    waiting = asyncio.ensure_future(asked)
    await asyncio.sleep(0.2)
    client.cancel_request(lsp.CancelParams("migrate-1"))
    with pytest.raises(Exception, match=r"(?i)cancel"):
        await asyncio.wait_for(waiting, 10)
    editor.open("bad.py")
    await editor.until("bad.py", ["LP101", "LP101"])


@pytest.mark.asyncio
async def test_changes_on_disk_and_of_the_configuration_are_seen(editor: Editor) -> None:
    editor.open("bad.py")
    await editor.until("bad.py", ["LP101", "LP101"])
    await asyncio.sleep(0.3)
    (editor.root / "pyproject.toml").write_text("[tool.lintpickle]\nignore = ['LP101']\n", encoding="utf-8")
    _tell(editor, "pyproject.toml")
    for _ in range(400):
        if "LP101" not in [each.code for each in await editor.diagnostics("bad.py")]:
            break
        await asyncio.sleep(0.05)
    else:
        raise AssertionError("the new configuration does not count")
    (editor.root / "pyproject.toml").write_text("[tool.lintpickle]\nselect = ['LP101', 'LP7x']\n", encoding="utf-8")
    _tell(editor, "pyproject.toml")
    (editor.root / "pyproject.toml").write_text("[tool.lintpickle]\nselect = ['LP101']  # \n", encoding="utf-8")
    _tell(editor, "pyproject.toml")
    await editor.until("bad.py", ["LP101", "LP101"])


def _tell(editor: Editor, name: str) -> None:
    change = lsp.FileEvent(editor.uri(name), lsp.FileChangeType.Changed)
    editor.client.workspace_did_change_watched_files(lsp.DidChangeWatchedFilesParams([change]))


@pytest.mark.asyncio
async def test_debug_information(editor: Editor) -> None:
    editor.open("bad.py")
    await editor.until("bad.py", ["LP101", "LP101"])
    params = lsp.ExecuteCommandParams("lintpickle.printDebugInformation", [])
    text = await editor.client.workspace_execute_command_async(params)
    assert isinstance(text, str) and str(editor.root) in text
