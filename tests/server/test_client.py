from __future__ import annotations

import pytest

lsp = pytest.importorskip("lsprotocol.types")

from lintpickle.diagnostics import LintpickleError  # noqa: E402
from lintpickle.server.client import Client, ClientSettings  # noqa: E402


def test_a_client_that_cannot_be_told_to_ask_again_is_pushed_to() -> None:
    asks = lsp.TextDocumentClientCapabilities(diagnostic=lsp.DiagnosticClientCapabilities())
    again = lsp.WorkspaceClientCapabilities(diagnostics=lsp.DiagnosticWorkspaceClientCapabilities(refresh_support=True))
    assert not Client.of(lsp.ClientCapabilities()).pulls
    assert not Client.of(lsp.ClientCapabilities(text_document=asks)).pulls
    assert Client.of(lsp.ClientCapabilities(text_document=asks, workspace=again)).pulls


def test_settings_are_named_as_editors_name_them() -> None:
    settings = ClientSettings.read({"extendSelect": ["LP1"], "unsafeFixes": True, "ignore": [], "fixAll": False})
    assert settings.overrides == {"extend_select": ["LP1"], "unsafe_fixes": True}
    assert not settings.fix_all
    assert settings.enable


def test_an_unknown_setting_is_named() -> None:
    with pytest.raises(LintpickleError, match="'slect'"):
        ClientSettings.read({"slect": ["LP1"]})


def test_no_settings_are_the_defaults() -> None:
    assert ClientSettings.read(None) == ClientSettings.read({}) == ClientSettings()
