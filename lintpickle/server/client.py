"""What the client on the other side can do, and what its user has set."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from lsprotocol import types as lsp
from msgspec import Struct, field

from lintpickle.diagnostics import LintpickleError
from lintpickle.settings import options


class Client(Struct, frozen=True):
    """What the client understands. `pulls` says that it asks for diagnostics and can be told to ask again; any other
    client has them pushed."""

    pulls: bool = False
    related_information: bool = False
    code_description: bool = False
    data: bool = False
    tags: bool = False
    document_changes: bool = False
    resolves_edits: bool = False
    action_literals: bool = False
    progress: bool = False
    configuration: bool = False
    watches_files: bool = False
    watches_folders: bool = False
    """Whether it also watches folders outside of the workspace."""
    markdown: bool = False

    @classmethod
    def of(cls, capabilities: lsp.ClientCapabilities) -> Client:
        """The client that announced these capabilities."""

        def has(path: str) -> Any:
            value: Any = capabilities
            for name in path.split("."):
                value = getattr(value, name, None)
                if value is None:
                    return None
            return value

        published = "text_document.publish_diagnostics"
        pulls = has("text_document.diagnostic") is not None and bool(has("workspace.diagnostics.refresh_support"))
        # Clients announce what published diagnostics may hold; what they pull is shown by the same code.
        resolved = has("text_document.code_action.resolve_support.properties") or ()
        formats = has("text_document.hover.content_format") or ()
        return cls(
            pulls=pulls,
            related_information=bool(has(f"{published}.related_information")),
            code_description=bool(has(f"{published}.code_description_support")),
            data=bool(has(f"{published}.data_support")),
            tags=has(f"{published}.tag_support") is not None,
            document_changes=bool(has("workspace.workspace_edit.document_changes")),
            resolves_edits="edit" in resolved and bool(has("text_document.code_action.data_support")),
            action_literals=has("text_document.code_action.code_action_literal_support") is not None,
            progress=bool(has("window.work_done_progress")),
            configuration=bool(has("workspace.configuration")),
            watches_files=bool(has("workspace.did_change_watched_files.dynamic_registration")),
            watches_folders=bool(has("workspace.did_change_watched_files.dynamic_registration"))
            and bool(has("workspace.did_change_watched_files.relative_pattern_support")),
            markdown=lsp.MarkupKind.Markdown in formats,
        )


class ClientSettings(Struct, frozen=True):
    """What the user set in the editor.

    `overrides` are lintpickle's options by attribute name, which win over configuration files; `configuration` is
    what `--config` takes.
    """

    overrides: Mapping[str, object] = field(default_factory=dict)
    configuration: str | None = None
    enable: bool = True
    fix_all: bool = True
    disable_comments: bool = True
    show_syntax_errors: bool = True

    @classmethod
    def read(cls, given: object) -> ClientSettings:
        """The settings in what a client sends: lintpickle's options in camelCase, and those of the server.

        Raises LintpickleError for names that nothing is called by.
        """
        if not isinstance(given, Mapping):
            return cls()
        known = {_camel(option.attribute): option.attribute for option in options()}
        own = {"configuration", "enable", "fixAll", "disableComments", "showSyntaxErrors"}
        ours_alone = {"path", "interpreter", "trace", "logLevel", "importStrategy"}  # what extensions read themselves
        overrides: dict[str, object] = {}
        for name, value in given.items():
            if name in known and value is not None and value != []:
                overrides[known[name]] = value
            elif name not in known and name not in own | ours_alone:
                raise LintpickleError(f"the editor's settings: lintpickle has no setting {name!r}")
        return cls(
            overrides=overrides,
            configuration=str(given["configuration"]) if given.get("configuration") else None,
            enable=given.get("enable") is not False,
            fix_all=given.get("fixAll") is not False,
            disable_comments=given.get("disableComments") is not False,
            show_syntax_errors=given.get("showSyntaxErrors") is not False,
        )


def _camel(attribute: str) -> str:
    return re.sub(r"_(\w)", lambda match: match[1].upper(), attribute)
