"""Code actions: what can be done about what is shown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lsprotocol import types as lsp

from lintpickle.diagnostics import Applicability
from lintpickle.server.convert import SOURCE, ClientConverter, ClientFinding, Shown, fix_title

FIX_ALL = "source.fixAll.lintpickle"
NOTEBOOK_FIX_ALL = "notebook.source.fixAll.lintpickle"
KINDS: tuple[str, ...] = (lsp.CodeActionKind.QuickFix.value, FIX_ALL, NOTEBOOK_FIX_ALL)
FIX_ALL_TITLE = f"{SOURCE}: Fix all auto-fixable problems"


def wants(only: Sequence[lsp.CodeActionKind | str] | None, kind: str) -> bool:
    """Whether a client that asks for kinds `only` asks for this one: it does by any kind above it."""
    if only is None:
        return True
    asked = [str(getattr(each, "value", each)) for each in only]
    return any(each == "" or kind == each or kind.startswith(f"{each}.") for each in asked)


def quick_fixes(
    params: lsp.CodeActionParams, shown: Shown, converter: ClientConverter, disable_comments: bool
) -> Iterator[lsp.CodeAction]:
    """The fix of each finding that the client asks about, and a comment that hides it.

    Edits are made from our own findings: a client may send back ranges in the wrong units (neovim 0.7 does).
    """
    if not wants(params.context.only, KINDS[0]):
        return
    for finding in asked_about(params, shown):
        fix = finding.diagnostic.fix
        if fix is not None and fix.applicability is not Applicability.DISPLAY:
            edits = converter.edits(shown.buffer, fix.edits)
            if edits:
                yield lsp.CodeAction(
                    title=fix_title(finding.diagnostic),
                    kind=lsp.CodeActionKind.QuickFix,
                    diagnostics=[finding.shown],
                    is_preferred=True if fix.applicability is Applicability.SAFE else None,
                    edit=converter.workspace_edit(shown.buffer, edits),
                )
    if not disable_comments:
        return
    for finding in asked_about(params, shown):
        edits = converter.ignore_edits(shown.buffer, finding.diagnostic)
        if edits and finding.diagnostic.code != "LP900":
            yield lsp.CodeAction(
                title=f"{SOURCE} ({finding.diagnostic.code}): Disable for this line",
                kind=lsp.CodeActionKind.QuickFix,
                diagnostics=[finding.shown],
                edit=converter.workspace_edit(shown.buffer, edits),
            )


def asked_about(params: lsp.CodeActionParams, shown: Shown) -> list[ClientFinding]:
    """The findings of a text that the client names, or that lie in the rows that it asks about."""
    named = {data["id"] for each in params.context.diagnostics if isinstance(data := each.data, dict) and "id" in data}
    first, last = params.range.start.line, params.range.end.line
    found = []
    for finding in shown.findings:
        if finding.uri != params.text_document.uri:
            continue
        where = finding.shown.range
        if finding.id in named or (where.start.line <= last and first <= where.end.line):
            found.append(finding)
    return found


def fix_all_kind(params: lsp.CodeActionParams, in_notebook: bool) -> str | None:
    """The kind of fix-all action that is asked for. In a notebook only the notebook's own counts: editors ask for the
    plain one cell by cell."""
    kind = NOTEBOOK_FIX_ALL if in_notebook else FIX_ALL
    return kind if wants(params.context.only, kind) else None
