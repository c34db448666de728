"""What a finding means, and a rule's code in a suppression comment: its page at a glance."""

from __future__ import annotations

import re

from lsprotocol import types as lsp

from lintpickle.diagnostics import LintpickleError, Span
from lintpickle.rulebook.pages import Page, page_for
from lintpickle.rulebook.short import short_sections
from lintpickle.rulebook.summaries import rule_url
from lintpickle.server.buffers import Buffer, lsp_range
from lintpickle.server.convert import Shown
from lintpickle.server.positions import Units
from lintpickle.source.directives import directives_on_row

_TO_A_PAGE = re.compile(r"\]\((LP[0-9]{3})-([a-z0-9-]+)\.md\)")


def hover_at(buffer: Buffer, offset: int, units: Units, markdown: bool) -> lsp.Hover | None:
    """The page of the rule that a comment names at an offset; None where there is no such thing."""
    document = buffer.document
    if document is None:
        return None
    for directive in directives_on_row(document, document.lines.row(offset)):
        for name in directive.names:
            if name.span.start <= offset <= name.span.end:
                return _hover(buffer, name.text, name.span, units, markdown)
    return None


def hover_of_findings(shown: Shown, uri: str, position: lsp.Position, markdown: bool) -> lsp.Hover | None:
    """The pages of the rules of the findings around a position; None where there is none."""
    here = [each for each in shown.findings if each.uri == uri and _holds(each.shown.range, position)]
    pages = []
    for code in dict.fromkeys(each.diagnostic.code for each in here):
        try:
            pages.append(page_markdown(page_for(code)))
        except LintpickleError:
            continue
    if not pages:
        return None
    kind = lsp.MarkupKind.Markdown if markdown else lsp.MarkupKind.PlainText
    return lsp.Hover(lsp.MarkupContent(kind, "\n---\n\n".join(pages)), here[0].shown.range)


def _holds(where: lsp.Range, position: lsp.Position) -> bool:
    start, end = (where.start.line, where.start.character), (where.end.line, where.end.character)
    return start <= (position.line, position.character) <= end


def _hover(buffer: Buffer, name: str, span: Span, units: Units, markdown: bool) -> lsp.Hover | None:
    try:
        page = page_for(name)
    except LintpickleError:
        return None
    assert buffer.document is not None
    text = page_markdown(page)
    kind = lsp.MarkupKind.Markdown if markdown else lsp.MarkupKind.PlainText
    where = lsp_range(buffer, buffer.document, buffer.document.location(span), units)
    return lsp.Hover(lsp.MarkupContent(kind, text), where)


def page_markdown(page: Page) -> str:
    """The part of a rule's page that `lintpickle rule` shows at a glance, and the address of the page."""
    parts = [f"# {page.title}"]
    parts += [f"## {section.heading}\n\n{section.text}" for section in short_sections(page)]
    parts.append(f"[{page.code}]({rule_url(page.code, page.name)})")
    return _TO_A_PAGE.sub(lambda link: f"]({rule_url(link[1], link[2])})", "\n\n".join(parts)) + "\n"
